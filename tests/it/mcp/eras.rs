//! Both eras on one endpoint: the handshake of the older, the self-contained requests of the newer, and no session in either.

use reqwest::Method;
use serde_json::json;

use crate::support::app::TestApp;
use crate::support::mcp::{NEW, OLD, Told, message, with_meta};
use crate::support::proposals::{change, with};

#[tokio::test]
async fn the_older_era_shakes_hands_lists_and_calls_without_a_session() {
    let app = TestApp::peopled().await;
    let coder = app.who("coder");
    let hello =
        json!({ "protocolVersion": OLD, "capabilities": {}, "clientInfo": { "name": "by hand", "version": "1" } });
    let greeted = coder.send(coder.mcp(&message("initialize", &hello))).await;
    greeted.assert_status(200);
    let said = greeted.result();
    assert_eq!((&said["protocolVersion"], &said["serverInfo"]["name"]), (&json!(OLD), &json!("countersign")));
    assert_eq!(said["capabilities"], json!({ "tools": {}, "resources": {} }), "neither subscriptions nor tasks");
    assert!(said["instructions"].as_str().unwrap().contains("propose"));
    assert_eq!(greeted.header("mcp-session-id"), "");
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    coder.send(coder.mcp(&ready)).await.assert_status(202);
    let tools = coder.rpc("tools/list", &json!({})).await.result();
    assert!(tools["tools"].as_array().unwrap().iter().any(|tool| tool["name"] == "check-proposal"));
    assert!(tools.get("resultType").is_none(), "the newer era's word");
    let told = coder.put_forward(&change("Over the older era")).await;
    assert_eq!((told.status(), told.is_error), ("pending", false));
    coder.rpc("ping", &json!({})).await.assert_status(200);
}

#[tokio::test]
async fn a_session_nobody_opened_is_nothing_to_us() {
    let app = TestApp::peopled().await;
    let coder = app.who("coder");
    for version in [OLD, "2025-11-25", "2025-03-26"] {
        let list = coder.mcp(&message("tools/list", &json!({}))).header("mcp-protocol-version", version);
        coder.send(list.header("mcp-session-id", "from-elsewhere")).await.assert_status(200);
    }
    for method in [Method::GET, Method::DELETE] {
        let request = coder.request(method, "/mcp").header("mcp-session-id", "from-elsewhere");
        let answer = coder.send(request.header("accept", "text/event-stream")).await;
        answer.assert_problem(405, "method_not_allowed");
        assert_eq!(answer.header("allow"), "POST");
    }
}

#[tokio::test]
async fn the_newer_era_discovers_and_calls_in_requests_that_stand_alone() {
    let app = TestApp::peopled().await;
    let coder = app.who("coder");
    let found = coder.rpc_new("server/discover", &json!({})).await;
    found.assert_status(200);
    let found = found.result();
    let versions = found["supportedVersions"].as_array().unwrap();
    assert!(versions.contains(&json!(NEW)) && versions.contains(&json!(OLD)), "{found}");
    assert_eq!(found["capabilities"]["resources"]["subscribe"], true);
    assert!(found["capabilities"]["extensions"]["io.modelcontextprotocol/tasks"].is_object());
    let tools = coder.rpc_new("tools/list", &json!({})).await.result();
    assert_eq!(tools["resultType"], "complete");
    let ask = with(change("Over the newer era"), &json!({ "wait": 0 }));
    let answer = coder.rpc_new("tools/call", &json!({ "name": "propose", "arguments": ask })).await;
    assert_eq!(Told::read(&answer.result()).status(), "pending");
    // What only sessions had is not there.
    let ping = coder.rpc_new("ping", &json!({})).await;
    assert_eq!((ping.status, ping.fault()), (404, -32601));
    let subscribe = coder.rpc_new("resources/subscribe", &json!({ "uri": "proposal://x" })).await;
    assert_eq!((subscribe.status, subscribe.fault()), (404, -32601));
}

#[tokio::test]
async fn headers_that_contradict_the_body_are_refused() {
    let app = TestApp::peopled().await;
    let coder = app.who("coder");
    let call = json!({ "name": "supervision_status", "arguments": {} });
    let body = message("tools/call", &with_meta(call, &json!({})));
    let table: &[(&[(&str, &str)], i64)] = &[
        (&[("mcp-protocol-version", NEW), ("mcp-method", "tools/list"), ("mcp-name", "supervision_status")], -32020),
        (&[("mcp-protocol-version", NEW), ("mcp-method", "tools/call"), ("mcp-name", "propose")], -32020),
        (&[("mcp-protocol-version", NEW), ("mcp-name", "supervision_status")], -32020),
        (&[("mcp-protocol-version", NEW), ("mcp-method", "tools/call")], -32020),
        (&[("mcp-protocol-version", OLD), ("mcp-method", "tools/call"), ("mcp-name", "supervision_status")], -32020),
        (&[("mcp-method", "tools/call"), ("mcp-name", "supervision_status")], -32020),
    ];
    for (headers, fault) in table {
        let mut request = coder.mcp(&body);
        for (name, value) in *headers {
            request = request.header(*name, *value);
        }
        let answer = coder.send(request).await;
        assert_eq!((answer.status, answer.fault()), (400, *fault), "{headers:?}");
    }
}

#[tokio::test]
async fn a_version_nobody_speaks_is_named_with_those_that_are() {
    let app = TestApp::peopled().await;
    let coder = app.who("coder");
    let mut params = with_meta(json!({}), &json!({}));
    params["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2031-01-01");
    let request = coder.mcp(&message("tools/list", &params)).header("mcp-protocol-version", "2031-01-01");
    let answer = coder.send(request.header("mcp-method", "tools/list")).await;
    assert_eq!((answer.status, answer.fault()), (400, -32022));
    assert!(answer.json["error"]["data"]["supported"].as_array().unwrap().contains(&json!(NEW)), "{}", answer.text);
    // The older era has only a header for it.
    let request = coder.mcp(&message("tools/list", &json!({}))).header("mcp-protocol-version", "2019-01-01");
    coder.send(request).await.assert_problem(400, "malformed");
    // A handshake settles for what both can.
    let hello =
        json!({ "protocolVersion": "2031-01-01", "capabilities": {}, "clientInfo": { "name": "a", "version": "1" } });
    let said = coder.send(coder.mcp(&message("initialize", &hello))).await.result();
    assert_eq!(said["protocolVersion"], "2025-11-25");
}
