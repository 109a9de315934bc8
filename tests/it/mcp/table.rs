//! The tool table: exactly what is declared here, plain schemas, honest hints, and no power to decide.

use std::collections::BTreeSet;

use countersign::mcp::tools::{Does, TOOLS};
use serde_json::{Value, json};

use crate::support::app::TestApp;

#[tokio::test]
async fn the_list_is_the_table_and_both_eras_read_the_same() {
    let app = TestApp::peopled().await;
    let coder = app.who("coder");
    let old = coder.rpc("tools/list", &json!({})).await.result();
    let new = coder.rpc_new("tools/list", &json!({})).await.result();
    assert_eq!(old["tools"], new["tools"]);
    let listed = old["tools"].as_array().unwrap();
    assert_eq!(listed.len(), TOOLS.len());
    assert!(listed.len() >= 4);
    for (tool, row) in listed.iter().zip(TOOLS) {
        assert_eq!((&tool["name"], &tool["description"]), (&json!(row.name), &json!(row.about)));
        let (reads, again) = (row.does == Does::Reads, row.does != Does::Adds);
        let hints = &tool["annotations"];
        assert_eq!((&hints["readOnlyHint"], &hints["idempotentHint"]), (&json!(reads), &json!(again)), "{}", row.name);
        assert_eq!((&hints["destructiveHint"], &hints["openWorldHint"]), (&json!(false), &json!(false)));
        assert!(tool.get("_meta").is_none(), "nothing forces a client to ask its own person");
        plain(&tool["inputSchema"], row.name);
        assert!(tool["inputSchema"].get("description").is_none(), "the table says what it is for: {}", row.name);
        assert_eq!(
            (&tool["inputSchema"]["type"], &tool["inputSchema"]["additionalProperties"]),
            (&json!("object"), &json!(false))
        );
    }
    for name in ["check-proposal", "supervision_status", "supervision_audit"] {
        assert!(TOOLS.iter().any(|row| row.name == name && row.does == Does::Reads), "{name}");
    }
    for name in ["message_inbox", "fleet_ack"] {
        assert!(TOOLS.iter().any(|row| row.name == name && row.does == Does::Notes), "{name}: again is no fault");
    }
}

/// No references and no nulls, which some clients cannot read.
fn plain(schema: &Value, name: &str) {
    let text = schema.to_string();
    for word in ["$ref", "\"null\"", "oneOf", "anyOf", "allOf"] {
        assert!(!text.contains(word), "{name} has {word}: {text}");
    }
}

#[tokio::test]
async fn propose_takes_what_rest_takes_and_a_key() {
    let app = TestApp::peopled().await;
    let document = app.anonymous().get("/openapi.json").await.body(200);
    let names = |properties: &Value| properties.as_object().unwrap().keys().cloned().collect::<BTreeSet<_>>();
    let mut rest = names(&document["components"]["schemas"]["Ask"]["properties"]);
    rest.insert("idempotency_key".into());
    let listed = app.who("coder").rpc("tools/list", &json!({})).await.result();
    let propose = listed["tools"].as_array().unwrap().iter().find(|tool| tool["name"] == "propose").unwrap();
    let schema = &propose["inputSchema"];
    assert_eq!(names(&schema["properties"]), rest);
    assert_eq!(schema["required"], json!(["action", "title"]));
    assert_eq!(schema["properties"]["kind"]["enum"], json!(["change", "question"]));
    assert_eq!(schema["properties"]["questions"]["items"]["required"], json!(["question"]));
    assert_eq!(schema["properties"]["wait"]["type"], "integer");
    for (name, property) in schema["properties"].as_object().unwrap() {
        assert!(property["description"].as_str().is_some_and(|about| about.len() > 10), "{name}: {property}");
    }
}

#[tokio::test]
async fn no_tool_decides_and_no_other_name_does_anything() {
    let power = ["approve", "reject", "decide", "decision", "confirm", "policy", "pause", "user", "grant", "token"];
    for row in TOOLS {
        assert!(power.iter().all(|word| !row.name.contains(word)), "{}", row.name);
    }
    let app = TestApp::peopled().await;
    let coder = app.who("coder");
    let names = ["approve", "decide", "propose ", "Propose", "check_proposal", "policy_set", ""];
    for name in names {
        let params = json!({ "name": name, "arguments": {} });
        assert_eq!(coder.rpc("tools/call", &params).await.fault(), -32602, "{name}");
        let answer = coder.rpc_new("tools/call", &params).await;
        assert!([-32602, -32020].contains(&answer.fault()), "{name}: {}", answer.text);
    }
    // Nor do the doors that people go through know an agent's token.
    let asked = coder.propose(&crate::support::proposals::change("Mine")).await;
    coder.decide(&asked, "approved").await.assert_problem(401, "unauthenticated");
    coder.patch("/api/v1/supervision", &json!({ "enabled": true })).await.assert_problem(404, "not_found");
    coder.get("/api/v1/supervision/audit?lane=web").await.assert_problem(404, "not_found");
}
