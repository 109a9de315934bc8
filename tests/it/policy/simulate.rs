//! A draft tried on the dialogs of the last days, before it is put in force.

use chrono::TimeDelta;
use serde_json::{Value, json};

use super::stage::POLICY;
use crate::support::app::TestApp;
use crate::support::panes::dialog;
use crate::support::proposals::with;

async fn simulate(app: &TestApp, draft: Value, days: u32) -> Value {
    app.local().post(&format!("{POLICY}/simulate"), &json!({ "draft": draft, "days": days })).await.body(200)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_draft_says_which_verdicts_would_change_and_changes_none() {
    let app = TestApp::peopled().await;
    let watcher = app.watcher().await;
    let report = async |n: u32, command: &str| {
        watcher.report(&with(dialog(command), &json!({ "pane": format!("main.{n}") }))).await
    };
    let status = report(1, "git status").await;
    report(2, "git push --force").await;
    report(3, "npm install left-pad").await;
    // Off, nothing is answered, whatever the classes say.
    let classes = json!({ "classes": { "install": "auto_deny" } });
    let seen = simulate(&app, classes.clone(), 7).await;
    assert_eq!((&seen["judged"], &seen["changes"]), (&json!(3), &json!([])));
    let count = |class: &str, to: &str| json!({ "class": class, "from": "hold", "to": to, "n": 1 });
    assert_eq!(seen["counts_with_keys_on"], json!([count("install", "auto_deny")]));
    // With both switches the routine one would be answered.
    app.set_policy(&json!({ "lane": "api", "enabled": true })).await;
    let on = simulate(&app, json!({ "enabled": true }), 7).await;
    assert_eq!(on["counts"], json!([count("command_exec", "auto_approve")]));
    let change = &on["changes"][0];
    assert_eq!((&change["dialog_id"], &change["class"]), (&status["id"], &json!("command_exec")));
    assert_eq!((&change["from"], &change["to"]), (&json!("hold"), &json!("auto_approve")));
    assert_eq!((&change["from_source"], &change["to_source"]), (&json!("master_off"), &json!("global_class")));
    assert!(on["notes"][0].as_str().unwrap().contains("today's rules"), "{on}");
    // A whole file, and a lane's own part.
    let file =
        simulate(&app, json!({ "toml": "[supervision]\nenabled = true\n[lanes.api]\nenabled = true\n" }), 7).await;
    assert_eq!(file["counts"], on["counts"]);
    app.set_policy(&json!({ "enabled": true })).await;
    let held = simulate(&app, json!({ "lane": "api", "classes": { "command_exec": "hold" } }), 7).await;
    assert_eq!(held["counts"], json!([{ "class": "command_exec", "from": "auto_approve", "to": "hold", "n": 1 }]));
    assert_eq!(app.policy().await["version"], 3);
    // The command line says so before it asks for a password.
    let said = app.as_admin("policy set --lane api classes.command_exec=hold").await;
    assert!(
        said.err.contains("1 would have been answered differently: 1 command_exec auto_approve -> hold."),
        "{}",
        said.err
    );
    let listed = app.type_in("policy simulate --set enabled=false --lane api", "", &[]).await;
    assert!(listed.good().contains("Of 3 dialogs of the last 7 days, 0 would"), "{}", listed.out);
    // Only so many days.
    app.advance(TimeDelta::days(8));
    assert_eq!(simulate(&app, classes, 7).await["judged"], 0);
}

#[tokio::test]
async fn a_draft_is_read_as_strictly_as_a_change() {
    let app = TestApp::peopled().await;
    for (draft, code) in [
        (json!({ "classes": { "install": "auto_approve" } }), "class_never_scoped"),
        (json!({ "stall_mins": 0 }), "invalid"),
        (json!({ "stall": 1 }), "unknown_field"),
        (json!({ "lane": "nowhere", "enabled": true }), "invalid"),
        (json!({ "toml": "[supervision]\nx = 1\n" }), "unknown_field"),
        (json!({ "toml": 3 }), "invalid"),
    ] {
        let answer = app.local().post(&format!("{POLICY}/simulate"), &json!({ "draft": draft, "days": 1 })).await;
        answer.assert_problem(422, code);
    }
    for days in [0, 366] {
        let answer = app.local().post(&format!("{POLICY}/simulate"), &json!({ "draft": {}, "days": days })).await;
        answer.assert_problem(422, "invalid");
    }
}
