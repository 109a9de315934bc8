//! Answers of the policy: at once, without paging anybody, judged again when they are leased.

use serde_json::{Value, json};

use super::{OUTSIDE, ROUTINE, supervised};
use crate::support::app::TestApp;
use crate::support::panes::dialog;
use crate::support::proposals::{review_at, with};

#[tokio::test]
async fn a_routine_dialog_is_answered_and_nobody_is_paged() {
    let app = supervised().await;
    let watcher = app.watcher().await;
    let mut phone = app.phone_of(&app.who("ben")).await;
    let seen = dialog(ROUTINE);
    let answered = watcher.report(&seen).await;
    assert_eq!((&answered["class"], &answered["repo_scoped"]), (&json!("command_exec"), &json!(true)), "{answered}");
    assert_eq!((&answered["verdict"], &answered["policy_source"]), (&json!("auto_approve"), &json!("global_class")));
    assert_eq!((&answered["status"], &answered["risk"]), (&json!("approved"), &json!("low")));
    assert_eq!(answered["option"], json!({ "n": 1, "text": "Yes" }));
    assert_eq!((&answered["order"]["lease_until"], &answered["reasons"]), (&Value::Null, &json!([])));
    assert_eq!(watcher.report_again(&seen).await, answered);

    let order = watcher.order().await;
    assert_eq!((&order["id"], &order["trigger"]), (&answered["order"]["id"], &json!("dialog")));
    watcher.done(&order, &json!({ "outcome": "sent", "keys": ["1"] })).await.assert_status(200);
    // The first that a phone hears is that it was decided; it is nobody's to decide.
    assert_eq!(phone.next().await["type"], "proposal.decided");
    phone.next_of("proposal.executed").await;
    let review = app.who("ben").get(&review_at(&answered)).await.body(200);
    assert_eq!((&review["decision"]["source"], &review["decision"]["decided_by"]), (&json!("policy"), &Value::Null));
    assert_eq!(review["receipts"]["notified_at"], Value::Null);
    let acted = app.acted().await;
    assert_eq!(acted.len(), 1, "one row for the order, none for a hold");
    let row = &acted[0];
    assert_eq!(
        (&row["decision"], &row["outcome"], &row["policy_source"]),
        (&json!("approve"), &json!("sent"), &json!("global_class"))
    );
    assert_eq!(
        (&row["dialog_class"], &row["repo_scoped"], &row["trigger"]),
        (&json!("command_exec"), &json!(true), &json!("dialog"))
    );
    let kinds: Vec<_> = app.journal_of(&answered).await.into_iter().collect();
    assert_eq!(kinds[0], ("proposal.decided".to_owned(), "policy:3".to_owned()));
}

#[tokio::test]
async fn nothing_is_proven_in_folders_that_are_not_the_lanes() {
    let app = supervised().await;
    let watcher = app.watcher().await;
    let other = json!({ "cwd": "/srv/other", "repo_root": "/srv/other", "worktree": "/srv/other" });
    let root = json!({ "repo_root": "/etc/ssl" });
    for (index, elsewhere) in [other, root].iter().enumerate() {
        let seen = with(with(dialog(ROUTINE), elsewhere), &json!({ "pane": format!("p.{index}") }));
        let held = watcher.report(&seen).await;
        assert_eq!((&held["verdict"], &held["policy_source"]), (&json!("hold"), &json!("not_repo_scoped")), "{held}");
        assert_eq!(held["reasons"][0]["code"], "root_differs");
    }
}

#[tokio::test]
async fn the_same_instance_in_another_place_is_another_dialog() {
    let app = supervised().await;
    let watcher = app.watcher().await;
    let seen = dialog(OUTSIDE);
    let held = watcher.report(&seen).await;
    for other in [
        json!({ "cwd": "/srv/shop-api/web" }),
        json!({ "pane": "main.2" }),
        json!({ "worktree": "/srv/other" }),
        json!({ "repo_root": "/srv/other" }),
    ] {
        let moved = watcher.post("/api/v1/dialogs", &with(seen.clone(), &other)).await;
        moved.assert_problem(409, "instance_changed");
    }
    assert_eq!(watcher.report_again(&seen).await["id"], held["id"]);
}

#[tokio::test]
async fn a_class_that_is_denied_is_refused_by_the_policy() {
    let app = supervised().await;
    app.set_policy(&json!({ "classes": { "network_access": "auto_deny" } })).await;
    let watcher = app.watcher().await;
    let answered = watcher.report(&dialog(OUTSIDE)).await;
    assert_eq!((&answered["verdict"], &answered["status"]), (&json!("auto_deny"), &json!("rejected")), "{answered}");
    let order = watcher.order().await;
    assert_eq!((&order["deny"], &order["option"]["n"]), (&json!(true), &json!(3)));
}

#[tokio::test]
async fn both_keys_are_needed_and_what_would_be_is_said() {
    let app = TestApp::peopled().await;
    let watcher = app.watcher().await;
    let judged = async |source: &str| {
        let held = watcher.report(&with(dialog(ROUTINE), &json!({ "pane": format!("p.{source}") }))).await;
        assert_eq!((&held["verdict"], &held["policy_source"]), (&json!("hold"), &json!(source)), "{held}");
        assert_eq!(held["would"], json!({ "verdict": "auto_approve", "policy_source": "global_class" }));
    };
    judged("master_off").await;
    app.set_policy(&json!({ "enabled": true })).await;
    judged("lane_off").await;
    app.set_policy(&json!({ "lane": "api", "enabled": true })).await;
    app.who("ada").post("/api/v1/pause", &json!({ "reason": "Something is odd." })).await;
    judged("paused").await;
}

#[tokio::test]
async fn an_answer_that_no_longer_stands_is_void_and_a_person_is_asked() {
    let app = supervised().await;
    let watcher = app.watcher().await;
    let mut phone = app.phone_of(&app.who("ben")).await;
    let seen = dialog(ROUTINE);
    let answered = watcher.report(&seen).await;
    app.set_policy(&json!({ "enabled": false })).await;
    assert_eq!(watcher.orders().await, Vec::<Value>::new());

    let heard = phone.next_of("proposal.created").await;
    let now = watcher.report_again(&seen).await;
    assert_eq!(
        (&now["id"], &now["status"], &now["verdict"]),
        (&heard["proposal_id"], &json!("pending"), &json!("hold"))
    );
    assert_eq!((&now["policy_source"], &now["reasons"][0]["code"]), (&json!("master_off"), &json!("policy_changed")));
    let review = app.who("ben").get(&review_at(&now)).await.body(200);
    assert_eq!((&review["replaces"], &review["may_decide"]), (&answered["id"], &json!(true)));
    let void = app.who("ben").get(&review_at(&answered)).await.body(200);
    assert_eq!((&void["status"], &void["receipts"]["executed"]), (&json!("approved"), &json!("void")));
    let acted = app.acted().await;
    let told: Vec<_> = acted.iter().map(|row| (&row["outcome"], &row["reason"], &row["hold_of"])).collect();
    assert_eq!(told[0], (&json!("skipped"), &json!("policy_changed"), &Value::Null));
    assert_eq!((told[1].0, told[1].2), (&json!("held"), &now["id"]));
    assert_eq!(told.len(), 2);

    // A person's yes goes out whatever the policy says.
    app.who("ben").rule(&now, &json!({ "outcome": "approved", "note": "Go." })).await.assert_status(200);
    assert_eq!(watcher.order().await["dialog_id"], now["id"]);
}

#[tokio::test]
async fn while_all_is_paused_answers_wait_and_peoples_decisions_go_out() {
    let app = supervised().await;
    let watcher = app.watcher().await;
    let answered = watcher.report(&dialog(ROUTINE)).await;
    let held = watcher.report(&with(dialog(OUTSIDE), &json!({ "pane": "other" }))).await;
    app.who("ada").post("/api/v1/pause", &json!({ "reason": "Something is odd." })).await;
    app.who("ben").rule(&held, &json!({ "outcome": "rejected" })).await.assert_status(200);
    assert_eq!(watcher.order().await["dialog_id"], held["id"]);
    // The answer was not judged away: it waits until the machine lifts the pause.
    assert_eq!(watcher.see(&answered).await["status"], "approved");
    app.machine().delete("/api/v1/pause").await.assert_status(200);
    let orders = watcher.orders().await;
    assert_eq!(orders.iter().filter(|order| order["dialog_id"] == answered["id"]).count(), 1);
}

#[tokio::test]
async fn what_is_not_proven_or_not_clear_holds() {
    let app = supervised().await;
    let watcher = app.watcher().await;
    let mut panes = 0;
    let mut held = async |change: Value, source: &str| {
        panes += 1;
        let report = with(with(dialog(ROUTINE), &json!({ "pane": format!("p.{panes}") })), &change);
        let answer = watcher.report(&report).await;
        assert_eq!(
            (&answer["verdict"], &answer["policy_source"]),
            (&json!("hold"), &json!(source)),
            "{change} {answer}"
        );
        assert_eq!((&answer["status"], &answer["order"]), (&json!("pending"), &Value::Null));
    };
    held(json!({ "facts": null }), "not_repo_scoped").await;
    held(json!({ "truncated": true }), "capture").await;
    held(json!({ "command": "git push --force" }), "always_escalate").await;
    held(json!({ "kind": "decision" }), "decision_class").await;
    held(json!({ "command": "cat /etc/passwd" }), "not_repo_scoped").await;
    let two = json!([{ "n": 1, "text": "Yes" }, { "n": 2, "text": "Yes" }, { "n": 3, "text": "No" }]);
    held(json!({ "options": two }), "ambiguous_options").await;
}
