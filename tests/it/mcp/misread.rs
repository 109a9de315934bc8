//! Requests whose parameters cannot be read name the field, in both eras; what was never a request of ours says so.

use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::mcp::Told;

#[tokio::test]
async fn parameters_that_cannot_be_read_name_their_field() {
    let app = TestApp::peopled().await;
    let coder = app.who("coder");
    for (method, params, field) in [
        ("tools/call", json!({ "name": "propose", "arguments": "{\"action\":\"a\"}" }), "arguments"),
        ("tools/call", json!({ "name": "propose", "arguments": ["a"] }), "arguments"),
        ("tools/call", json!({ "name": 7, "arguments": {} }), "name"),
        ("tools/call", json!({ "arguments": {} }), "name"),
        ("resources/read", json!({ "uri": 7 }), "uri"),
        ("resources/read", json!({}), "uri"),
        ("tasks/get", json!({ "taskId": 7 }), "taskId"),
        ("subscriptions/listen", json!({ "filter": {} }), "params"),
    ] {
        let old = coder.rpc(method, &params).await;
        assert_eq!(old.fault(), -32602, "{method} {params}: {}", old.text);
        let fault = old.messages().pop().unwrap()["error"].clone();
        assert_eq!(fault["data"], json!({ "code": "invalid", "field": field }), "{method} {params}");
        assert!(fault["message"].as_str().unwrap().starts_with(&format!("`{field}`")), "{fault}");
        if params.get("name").is_none_or(Value::is_string) {
            assert_eq!(coder.rpc_new(method, &params).await.fault(), -32602, "{method} {params}");
        }
    }
    for method in ["approvals/decide", "prompts/list", "resources/subscribe"] {
        assert_eq!(coder.rpc(method, &json!({})).await.fault(), -32601, "{method}");
    }
}

#[tokio::test]
async fn what_a_tool_does_not_find_it_names() {
    let app = TestApp::peopled().await;
    app.lane("hq").await;
    let wish = json!({ "name": "boss", "lane": "hq", "lead": true });
    let token = app.machine().post("/api/v1/agents", &wish).await.body(201)["token"].as_str().unwrap().to_owned();
    let boss = app.anonymous().with_token(&token);
    let nobody = uuid::Uuid::nil();
    for (tool, args, code, field) in [
        ("fleet_poll", json!({ "ticket": nobody }), "not_found", "ticket"),
        ("fleet_send", json!({ "turnId": nobody, "content": "x" }), "not_found", "turnId"),
        ("fleet_send", json!({ "sessionId": "s\0", "content": "x" }), "invalid", "sessionId"),
        ("fleet_ack", json!({ "target": "s", "msgId": nobody }), "not_found", "msgId"),
        ("message_send", json!({ "to_lane": "nowhere", "body": "x" }), "not_found", "to_lane"),
        ("message_send", json!({ "to_lane": "api\0", "body": "x" }), "invalid", "to_lane"),
        ("message_send", json!({ "to_lane": "api", "body": "x\0" }), "invalid", "body"),
    ] {
        let told: Told = boss.tool(tool, &args).await;
        assert_eq!((told.code(), &told.data["field"]), (code, &json!(field)), "{tool} {args}: {}", told.text);
    }
}
