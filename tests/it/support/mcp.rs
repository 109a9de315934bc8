//! MCP as agents' clients speak it: by hand, message by message in both eras, and with a real client's session.

use reqwest::header::{ACCEPT, CONTENT_TYPE};
use reqwest::{Method, RequestBuilder};
use rmcp::model::{CallToolRequestParams, CallToolResult, ClientCapabilities, ClientConfig, Implementation};
use rmcp::service::{RoleClient, RunningService};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{ClientLifecycleMode, ClientServiceExt};
use serde_json::{Value, json};

use super::app::TestApp;
use super::client::{Answer, Client};

/// The older era as most clients speak it, and the newer one.
pub const OLD: &str = "2025-06-18";
pub const NEW: &str = "2026-07-28";

/// What a tool answered.
#[derive(Clone, Debug)]
pub struct Told {
    /// What the model reads.
    pub text: String,
    /// `structuredContent`.
    pub data: Value,
    pub is_error: bool,
}

impl Told {
    /// Reads a `CallToolResult`.
    pub fn read(result: &Value) -> Self {
        let content = result["content"].as_array().unwrap_or_else(|| panic!("no result of a tool: {result}"));
        assert_eq!((content.len(), &content[0]["type"]), (1, &json!("text")), "{result}");
        Self {
            text: content[0]["text"].as_str().unwrap().to_owned(),
            data: result["structuredContent"].clone(),
            is_error: result["isError"].as_bool().unwrap(),
        }
    }

    /// How a proposal stands; empty for anything else.
    pub fn status(&self) -> &str {
        self.data["status"].as_str().unwrap_or_default()
    }

    /// The stable code of a refusal; empty when it is none.
    pub fn code(&self) -> &str {
        self.data["code"].as_str().unwrap_or_default()
    }

    /// The id of the proposal it is about.
    pub fn id(&self) -> &str {
        self.data["proposal_id"].as_str().unwrap_or_else(|| panic!("no proposal: {}", self.data))
    }
}

impl Answer {
    /// The messages in it, one or a stream of them.
    pub fn messages(&self) -> Vec<Value> {
        if self.header("content-type") != "text/event-stream" {
            return vec![self.json.clone()];
        }
        let lines = self.text.lines().filter_map(|line| line.strip_prefix("data: "));
        lines.map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The last message's result; fails when it has none.
    pub fn result(&self) -> Value {
        let last = self.messages().pop().unwrap_or_default();
        assert!(last["result"].is_object(), "{}: {}", self.status, self.text);
        last["result"].clone()
    }

    /// The last message's error code.
    pub fn fault(&self) -> i64 {
        let last = self.messages().pop().unwrap_or_default();
        last["error"]["code"].as_i64().unwrap_or_else(|| panic!("{}: {}", self.status, self.text))
    }
}

/// One request of the protocol.
pub fn message(method: &str, params: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params })
}

/// Parameters of the newer era: each request says for itself what the client is.
pub fn with_meta(mut params: Value, capabilities: &Value) -> Value {
    params["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!(NEW);
    params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = capabilities.clone();
    params["_meta"]["io.modelcontextprotocol/clientInfo"] = json!({ "name": "by hand", "version": "1" });
    params
}

impl Client {
    /// A request to `/mcp` without any header of the protocol's own.
    pub fn mcp(&self, body: &Value) -> RequestBuilder {
        let request = self.request(Method::POST, "/mcp").header(ACCEPT, "application/json, text/event-stream");
        request.header(CONTENT_TYPE, "application/json").body(body.to_string())
    }

    /// A request of the older era.
    pub async fn rpc(&self, method: &str, params: &Value) -> Answer {
        self.send(self.mcp(&message(method, params)).header("mcp-protocol-version", OLD)).await
    }

    /// A request of the newer era, with the headers that mirror its body.
    pub async fn rpc_new(&self, method: &str, params: &Value) -> Answer {
        self.send(self.mcp_new(method, params)).await
    }

    /// The same, unsent.
    pub fn mcp_new(&self, method: &str, params: &Value) -> RequestBuilder {
        let capabilities = params.get("capabilities").cloned().unwrap_or(json!({}));
        let mut params = with_meta(params.clone(), &capabilities);
        params.as_object_mut().unwrap().remove("capabilities");
        let name = ["name", "uri", "taskId"].iter().find_map(|field| params[*field].as_str().map(str::to_owned));
        let request = self.mcp(&message(method, &params)).header("mcp-protocol-version", NEW);
        let request = request.header("mcp-method", method);
        if let Some(name) = name { request.header("mcp-name", name) } else { request }
    }

    /// Calls a tool.
    pub async fn tool(&self, name: &str, args: &Value) -> Told {
        let answer = self.rpc("tools/call", &json!({ "name": name, "arguments": args })).await;
        answer.assert_status(200);
        Told::read(&answer.result())
    }

    /// Proposes over MCP without waiting.
    pub async fn put_forward(&self, ask: &Value) -> Told {
        let mut ask = ask.clone();
        ask["wait"] = json!(0);
        self.tool("propose", &ask).await
    }

    /// Looks over MCP.
    pub async fn check(&self, id: &str) -> Told {
        self.tool("check-proposal", &json!({ "proposal_id": id })).await
    }
}

/// A real client's session.
pub struct Session(pub RunningService<RoleClient, ClientConfig>);

impl Session {
    /// Opens one with a token.
    pub async fn open(url: &str, caller: &Client, lifecycle: ClientLifecycleMode) -> Self {
        let token = caller.bearer().unwrap().strip_prefix("Bearer ").unwrap().to_owned();
        let config = StreamableHttpClientTransportConfig::with_uri(format!("{url}/mcp")).auth_header(token);
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        let transport = StreamableHttpClientTransport::with_client(http, config);
        let who = ClientConfig::new(ClientCapabilities::default(), Implementation::new("it", "1"));
        Self(who.serve_with_lifecycle(transport, lifecycle).await.unwrap())
    }

    /// Calls a tool.
    pub async fn tool(&self, name: &'static str, args: Value) -> Told {
        let Value::Object(args) = args else { panic!("arguments are an object: {args}") };
        let result: CallToolResult =
            self.0.call_tool(CallToolRequestParams::new(name).with_arguments(args)).await.unwrap();
        Told::read(&json!(result))
    }
}

impl TestApp {
    /// A session of one of the cast, in the era that is named.
    pub async fn session_in(&self, name: &str, lifecycle: ClientLifecycleMode) -> Session {
        Session::open(&self.url, &self.who(name), lifecycle).await
    }
}
