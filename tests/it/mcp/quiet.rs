//! The log knows nothing of what agents write, however much is asked of it.

use std::process::Command;

use serde_json::json;

use crate::support::app::TestApp;
use crate::support::proposals::change;
use crate::support::scratch;
use crate::support::server::{Server, serve};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_an_agent_writes_is_in_no_log() {
    let app = TestApp::peopled().await;
    let folder = scratch::folder("quiet");
    let mut command: Command = serve(&folder, &["--database-url", &app.database]);
    command.env("COUNTERSIGN_LOG", "trace,rmcp=trace");
    let server = Server::launch(command, &folder).unwrap();
    let coder = app.who("coder").at(&server.url);
    let told = coder.put_forward(&change("a heron in the drawer")).await;
    coder.check(told.id()).await;
    let refused = json!({ "name": "a heron in the drawer", "arguments": { "a heron": "in the drawer" } });
    assert_eq!(coder.rpc("tools/call", &refused).await.fault(), -32602);
    coder.tool("check-proposal", &json!({ "proposal_id": "a heron in the drawer" })).await;
    let log = server.log();
    assert!(log.contains("/mcp"), "the log was read: {log}");
    assert!(!log.contains("heron"), "{}", log.lines().filter(|line| line.contains("heron")).collect::<String>());
}
