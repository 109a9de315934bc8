//! Supervision from afar: the policy, the audit and the status, for each as far as they may see; never a change.

use reqwest::Method;
use serde_json::{Value, json};

use super::stage::POLICY;
use crate::support::app::TestApp;
use crate::support::client::Client;
use crate::support::panes::dialog;
use crate::support::proposals::with;

const AUDIT: &str = "/api/v1/supervision/audit";
const STATUS: &str = "/api/v1/supervision/status";

/// Both switches on in lane api, one command answered there and one left to a person.
async fn busy() -> (TestApp, Client) {
    let app = TestApp::peopled().await;
    app.set_policy(&json!({ "enabled": true })).await;
    app.set_policy(&json!({ "lane": "api", "enabled": true })).await;
    let watcher = app.watcher().await;
    let answered = watcher.report(&dialog("git status")).await;
    assert_eq!(answered["verdict"], "auto_approve", "{answered}");
    let order = watcher.order().await;
    watcher.done(&order, &json!({ "outcome": "sent", "keys": ["1"], "pane_excerpt": "gone" })).await.assert_status(200);
    let held = watcher.report(&dialog("git push --force")).await;
    assert_eq!((&held["verdict"], &held["policy_source"]), (&json!("hold"), &json!("always_escalate")));
    (app, watcher)
}

async fn entries(client: &Client, query: &str) -> Vec<Value> {
    client.get(&format!("{AUDIT}{query}")).await.body(200)["entries"].as_array().unwrap().clone()
}

/// Seed, recipe 4: the audit is read by people and by the agent itself, and nobody reads another lane's.
#[tokio::test]
async fn the_audit_is_read_two_ways_and_never_across_lanes() {
    let (app, _) = busy().await;
    let (ben, coder, painter, lin) = (app.who("ben"), app.who("coder"), app.who("painter"), app.who("lin"));
    let seen = entries(&ben, "?lane=api").await;
    let short: Vec<_> =
        seen.iter().map(|entry| (&entry["decision"], &entry["outcome"], &entry["dialog_class"])).collect();
    let (approve, hold) = (json!("approve"), json!("hold"));
    let (sent, held) = (json!("sent"), json!("held"));
    assert_eq!(short, [(&hold, &held, &json!("push_remote")), (&approve, &sent, &json!("command_exec"))]);
    let first = &seen[1];
    assert_eq!(
        (&first["keys"], &first["pane_excerpt"], &first["subject"]),
        (&json!(["1"]), &json!("gone"), &json!("git status"))
    );
    assert_eq!(
        (&first["trigger"], &first["repo_scoped"], &first["policy_version"]),
        (&json!("dialog"), &json!(true), &json!(3))
    );
    assert_eq!(
        (&first["lane"], &first["pane"], &first["policy_source"]),
        (&json!("api"), &json!("main.1"), &json!("global_class"))
    );
    // Exactly what the contract lists, and nothing of our own bookkeeping.
    let mut names: Vec<_> = first.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    assert_eq!(
        names,
        [
            "agent_kind",
            "at",
            "decision",
            "dialog_class",
            "id",
            "keys",
            "lane",
            "outcome",
            "pane",
            "pane_excerpt",
            "policy_source",
            "policy_version",
            "reason",
            "repo_scoped",
            "session_id",
            "subject",
            "trigger"
        ]
    );
    // The agent reads its own lane's, named or not, and no other.
    assert_eq!(entries(&coder, "").await, seen);
    assert_eq!(entries(&coder, "?lane=api").await, seen);
    assert_eq!(entries(&painter, "").await, Vec::<Value>::new());
    for (who, query) in [(&painter, "?lane=api"), (&coder, "?lane=web"), (&coder, "?lane=nowhere"), (&lin, "?lane=api")]
    {
        who.get(&format!("{AUDIT}{query}")).await.assert_problem(404, "not_found");
    }
    assert_eq!(entries(&lin, "").await, Vec::<Value>::new());
    assert_eq!(entries(&app.who("vic"), "").await, seen, "a viewer reads");
    // A page at a time.
    let page = ben.get(&format!("{AUDIT}?limit=1")).await.body(200);
    assert_eq!((&page["entries"][0]["id"], &page["next"]), (&seen[0]["id"], &seen[0]["id"]));
    let rest = ben.get(&format!("{AUDIT}?limit=1&before={}", page["next"])).await.body(200);
    assert_eq!((&rest["entries"][0]["id"], &rest["next"]), (&seen[1]["id"], &Value::Null));
    ben.get(&format!("{AUDIT}?limit=201")).await.assert_problem(422, "invalid");
}

/// Seed, recipe 4: `PATCH` from TCP does not exist, for nobody and by no method.
#[tokio::test]
async fn the_policy_is_read_from_afar_and_not_set() {
    let (app, watcher) = busy().await;
    let view = app.who("vic").get(&format!("{POLICY}?lane=api")).await.body(200);
    assert_eq!((&view["version"], &view["effective"]["enabled"]), (&json!(3), &json!(true)));
    assert_eq!(view["effective"]["classes"]["file_write"], "auto_approve");
    assert_eq!(view["lane"], json!({ "enabled": true }));
    assert_eq!(app.who("coder").get(POLICY).await.body(200), view, "an agent sees its own lane");
    let web = app.who("painter").get(POLICY).await.body(200);
    assert_eq!((&web["lane"], &web["effective"]["enabled"]), (&Value::Null, &json!(false)));
    app.who("painter").get(&format!("{POLICY}?lane=api")).await.assert_problem(404, "not_found");
    app.who("lin").get(&format!("{POLICY}?lane=api")).await.assert_problem(404, "not_found");
    assert_eq!(app.who("lin").get(POLICY).await.body(200)["lane"], Value::Null);
    watcher.get(POLICY).await.assert_problem(401, "unauthenticated");
    let change = json!({ "version": 3, "classes": { "deletion": "auto_approve" } });
    let callers = ["ada", "ben", "coder"].map(|name| app.who(name));
    let with_password = app.anonymous().with_password("ada", crate::support::cast::PASSWORD);
    for caller in callers.iter().chain([&with_password, &watcher]) {
        for path in [POLICY, "/api/v1/supervision/import", "/api/v1/supervision/rollback", "/api/v1/rules"] {
            for method in [Method::PATCH, Method::PUT, Method::POST, Method::DELETE] {
                let answer = caller.send(caller.request(method.clone(), path).json(&change)).await;
                assert_eq!((answer.status, answer.code()), (404, "not_found"), "{method} {path}");
            }
        }
    }
    assert_eq!(app.policy().await["version"], 3);
}

/// Seed, recipe 4 and the two-key lock: the master switch off acts at once on every lane, whatever the lane says.
#[tokio::test]
async fn the_master_switch_off_acts_at_once_on_every_lane() {
    let (app, watcher) = busy().await;
    let status = app.who("ben").get(STATUS).await.body(200);
    assert_eq!((&status["master"], &status["paused"]), (&json!(true), &Value::Null));
    let lanes: Vec<_> =
        status["lanes"].as_array().unwrap().iter().map(|lane| (&lane["lane"], &lane["enabled"])).collect();
    assert_eq!(lanes, [(&json!("api"), &json!(true)), (&json!("web"), &json!(false))]);
    assert_eq!((&status["lanes"][0]["last"]["outcome"], &status["lanes"][1]["last"]), (&json!("held"), &Value::Null));
    assert_eq!(app.who("coder").get(STATUS).await.body(200)["lanes"], json!([status["lanes"][0]]));
    assert_eq!(app.who("lin").get(STATUS).await.body(200)["lanes"].as_array().unwrap().len(), 1);
    // An answer that nobody has taken yet does not survive it either.
    let queued = watcher.report(&with(dialog("git status"), &json!({ "pane": "main.2" }))).await;
    assert_eq!(queued["verdict"], "auto_approve");
    app.set_policy(&json!({ "enabled": false })).await;
    assert_eq!(watcher.orders().await, Vec::<Value>::new());
    let held = watcher.report(&with(dialog("git status"), &json!({ "pane": "main.3" }))).await;
    assert_eq!((&held["verdict"], &held["policy_source"]), (&json!("hold"), &json!("master_off")));
    assert_eq!(held["would"]["verdict"], "auto_approve");
    let status = app.who("ben").get(STATUS).await.body(200);
    assert_eq!((&status["master"], &status["lanes"][0]["enabled"]), (&json!(false), &json!(false)));
    let lane_off = app.set_policy(&json!({ "enabled": true })).await;
    assert_eq!(lane_off["version"], 5);
    app.set_policy(&json!({ "lane": "api", "enabled": false })).await;
    let held = watcher.report(&with(dialog("git status"), &json!({ "pane": "main.4" }))).await;
    assert_eq!(held["policy_source"], "lane_off");
}
