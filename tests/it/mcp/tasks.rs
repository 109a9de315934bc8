//! The tasks extension: a client that declares it gets a task for a pending proposal, on every server, and nobody else does.

use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::client::Client;
use crate::support::mcp::Told;
use crate::support::proposals::{change, with};

fn tasks() -> Value {
    json!({ "extensions": { "io.modelcontextprotocol/tasks": {} } })
}

async fn put_forward(agent: &Client, title: &str) -> Value {
    let ask = with(change(title), &json!({ "wait": 0 }));
    let call = json!({ "name": "propose", "arguments": ask, "capabilities": tasks() });
    agent.rpc_new("tools/call", &call).await.result()
}

async fn about(agent: &Client, method: &str, task: &Value) -> crate::support::client::Answer {
    agent.rpc_new(method, &json!({ "taskId": task["taskId"], "capabilities": tasks() })).await
}

#[tokio::test]
async fn a_pending_proposal_is_a_task_on_every_server() {
    let app = TestApp::peopled().await;
    let there = TestApp::start_on(&app.database).await;
    let (coder, other, ben) = (app.who("coder"), there.who("coder"), app.who("ben"));
    let task = put_forward(&coder, "As a task").await;
    assert_eq!((&task["resultType"], &task["status"]), (&json!("task"), &json!("working")));
    assert_eq!((&task["pollIntervalMs"], &task["ttlMs"]), (&json!(5000), &Value::Null));
    let seen = coder.look(&json!({ "id": task["taskId"] })).await;
    assert_eq!((&seen["title"], &seen["status"]), (&json!("As a task"), &json!("pending")));
    assert_eq!(about(&other, "tasks/get", &task).await.result()["status"], "working");

    let ruling = json!({ "outcome": "rejected", "note": "not like this" });
    ben.rule(&seen, &ruling).await.assert_status(200);
    let done = about(&other, "tasks/get", &task).await.result();
    assert_eq!(done["status"], "completed", "a refusal is an answer, not a failure");
    let told = Told::read(&done["result"]);
    assert_eq!((told.status(), told.is_error), ("rejected", true));
    assert!(told.text.contains("not like this"));
    // It is how the call's answer is delivered, so it archives, and repeats for a while.
    let archived = app.journal_of(&json!({ "id": task["taskId"] })).await;
    assert_eq!(archived.iter().filter(|(kind, _)| kind == "proposal.archived").count(), 1);
    assert_eq!(about(&coder, "tasks/get", &task).await.result(), done);
    app.advance(chrono::TimeDelta::seconds(601));
    assert_eq!(about(&coder, "tasks/get", &task).await.fault(), -32602);
}

#[tokio::test]
async fn cancelling_withdraws_and_a_decision_in_time_needs_no_task() {
    let app = TestApp::peopled().await;
    let (coder, ben) = (app.who("coder"), app.who("ben"));
    let task = put_forward(&coder, "Cancelled").await;
    about(&coder, "tasks/cancel", &task).await.assert_status(200);
    assert_eq!(about(&coder, "tasks/get", &task).await.result()["status"], "cancelled");
    assert_eq!(coder.look(&json!({ "id": task["taskId"] })).await["status"], "withdrawn");
    // Too late is no error: the decision stands.
    let task = put_forward(&coder, "Too late").await;
    ben.decide(&coder.look(&json!({ "id": task["taskId"] })).await, "approved").await.assert_status(200);
    about(&coder, "tasks/cancel", &task).await.assert_status(200);
    assert_eq!(Told::read(&about(&coder, "tasks/get", &task).await.result()["result"]).status(), "approved");
    let nothing = json!({ "taskId": task["taskId"], "inputResponses": {}, "capabilities": tasks() });
    assert_eq!(coder.rpc_new("tasks/update", &nothing).await.fault(), -32602);
}

#[tokio::test]
async fn nobody_else_gets_a_task_or_another_agents() {
    let app = TestApp::peopled().await;
    let (coder, painter) = (app.who("coder"), app.who("painter"));
    let ask = with(change("Plain"), &json!({ "wait": 0 }));
    let answer = coder.rpc_new("tools/call", &json!({ "name": "propose", "arguments": ask })).await.result();
    assert_eq!(Told::read(&answer).status(), "pending", "it did not say that it knows tasks");
    let task = put_forward(&coder, "Mine").await;
    for method in ["tasks/get", "tasks/cancel"] {
        assert_eq!(about(&painter, method, &task).await.fault(), -32602, "{method}");
        let undeclared = coder.rpc_new(method, &json!({ "taskId": task["taskId"] })).await;
        assert_eq!((undeclared.status, undeclared.fault()), (400, -32021), "{method}");
    }
    assert_eq!(about(&coder, "tasks/get", &json!({ "taskId": "no id" })).await.fault(), -32602);
    assert_eq!(coder.look(&json!({ "id": task["taskId"] })).await["status"], "pending");
}
