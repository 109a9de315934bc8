//! What people's answers teach: a rule is suggested after three in a row, and a confirmed one answers.

use serde_json::{Value, json};

use super::supervised;
use crate::support::app::TestApp;
use crate::support::client::Client;
use crate::support::panes::dialog;

const COMMAND: &str = "git log --oneline";

async fn answer(app: &TestApp, watcher: &Client, outcome: &str) {
    let held = watcher.report(&dialog(COMMAND)).await;
    assert_eq!((&held["status"], &held["repo_scoped"]), (&json!("pending"), &json!(true)), "{held}");
    app.who("ben").rule(&held, &json!({ "outcome": outcome })).await.assert_status(200);
}

async fn suggestions(app: &TestApp) -> Vec<Value> {
    let list = app.local().get("/api/v1/suggestions").await.body(200);
    list["items"].as_array().unwrap().iter().filter(|one| one["state"] == "open").cloned().collect()
}

#[tokio::test]
async fn three_approvals_in_a_row_suggest_a_rule_and_a_refusal_starts_again() {
    let app = supervised().await;
    let watcher = app.watcher().await;
    app.set_policy(&json!({ "lane": "api", "classes": { "command_exec": "hold" } })).await;
    for outcome in ["approved", "approved", "rejected", "approved", "approved"] {
        answer(&app, &watcher, outcome).await;
        assert_eq!(suggestions(&app).await, Vec::<Value>::new());
    }
    answer(&app, &watcher, "approved").await;
    answer(&app, &watcher, "approved").await;
    let open = suggestions(&app).await;
    assert_eq!(open.len(), 1, "{open:?}");
    assert_eq!((&open[0]["author"], &open[0]["argv"]), (&json!("system"), &json!(["git", "log", "--oneline"])));

    // Confirmed at the machine, it lifts the hold, and its use is counted.
    let rule = json!({ "project": "shop", "argv": ["git", "log", "--oneline"], "match": "exact" });
    app.machine().post("/api/v1/rules", &rule).await.assert_status(201);
    let lifted = watcher.report(&dialog(COMMAND)).await;
    assert_eq!((&lifted["verdict"], &lifted["policy_source"]), (&json!("auto_approve"), &json!("learned_rule")));
    let rules = app.local().get("/api/v1/rules").await.body(200);
    assert_eq!(rules["items"][0]["hits"], 1);
}

#[tokio::test]
async fn with_a_key_off_a_confirmed_rule_answers_once_and_a_skip_goes_to_people() {
    let app = TestApp::peopled().await;
    let watcher = app.watcher().await;
    let rule = json!({ "project": "shop", "argv": ["git", "log", "--oneline"], "match": "exact" });
    app.machine().post("/api/v1/rules", &rule).await.assert_status(201);
    let seen = dialog(COMMAND);
    let lifted = watcher.report(&seen).await;
    assert_eq!(
        (&lifted["verdict"], &lifted["policy_source"]),
        (&json!("auto_approve"), &json!("legacy_rule")),
        "{lifted}"
    );
    let order = watcher.order().await;
    assert_eq!(order["trigger"], "legacy_rule");
    let skipped = json!({ "outcome": "skipped", "reason": "pane_in_mode" });
    watcher.done(&order, &skipped).await.assert_status(200);
    let now = watcher.report_again(&seen).await;
    assert_eq!((&now["status"], &now["verdict"]), (&json!("pending"), &json!("hold")));
    assert_eq!(app.acted().await[0]["trigger"], "legacy_rule");
}
