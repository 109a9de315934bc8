//! Leads that wait sleep in memory: they cost the database nothing, and what ends their wait wakes them.

use serde_json::json;

use super::stage::{Stage, came_to};
use crate::support::statements::Statements;

#[tokio::test]
async fn who_waits_for_a_member_costs_the_database_nothing() {
    let stage = Stage::new().await;
    let (statements, _listening) = Statements::listen();
    let sessions = ["s-0", "s-1", "s-2", "s-3", "s-4"];
    for (key, session) in ["api.1", "api.2", "api.3", "api.4", "api.5"].into_iter().zip(sessions) {
        stage.pane(key, "api", session).status("unknown").await;
    }
    let boss = stage.caller("boss");
    boss.tool("fleet_whoami", &json!({})).await;
    let alone = statements.heard(8).await;
    assert!(!alone.is_empty(), "tail and jobs were heard");
    let waits: Vec<_> = (0..40)
        .map(|n| {
            let (boss, wish) = (boss.clone(), json!({ "sessionId": sessions[n % 5], "content": format!("Task {n}.") }));
            tokio::spawn(async move { boss.tool("fleet_send", &wish).await })
        })
        .collect();
    stage.app.asleep(40).await;
    // The last of them are still on their way to sleep.
    statements.heard(3).await;
    let with_waiters = statements.heard(4).await;
    assert!(!with_waiters.is_empty(), "tail and jobs were heard");
    let new: Vec<_> = with_waiters.iter().filter(|statement| !alone.contains(statement)).collect();
    assert_eq!(new, Vec::<&String>::new(), "waiting asks nothing that is not asked anyway");
    assert!(with_waiters.len() <= alone.len() + 10, "{} and {}", with_waiters.len(), alone.len());
    for key in ["api.1", "api.2", "api.3", "api.4", "api.5"] {
        stage.pane(key, "api", "s-gone").idle().await;
    }
    for wait in waits {
        assert_eq!(came_to(&wait.await.unwrap()), ("failed", "session_gone"));
    }
    assert_eq!(stage.app.state.hub.waiters.count(), (0, 0), "nothing is left behind");
}
