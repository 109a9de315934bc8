//! A dialog is gone: closed on every phone, and what was decided but not taken is void.

use serde_json::{Value, json};

use super::{OUTSIDE, refused};
use crate::support::app::TestApp;
use crate::support::panes::{dialog, dialog_at};
use crate::support::proposals::{review_at, with};

#[tokio::test]
async fn answered_at_the_terminal_closes_it_on_every_phone() {
    let app = TestApp::peopled().await;
    let (watcher, ben) = (app.watcher().await, app.who("ben"));
    let mut phone = app.phone_of(&ben).await;
    let held = watcher.report(&dialog(OUTSIDE)).await;
    let poll = tokio::spawn({
        let (watcher, address) = (watcher.clone(), format!("{}?wait=30", dialog_at(&held)));
        async move { watcher.get(&address).await.body(200) }
    });
    app.asleep(1).await;
    for _ in 0..2 {
        let closed = watcher.gone(&held, "answered_locally").await.body(200);
        assert_eq!((&closed["status"], &closed["order"]), (&json!("withdrawn"), &Value::Null));
    }
    assert_eq!(phone.next_of("proposal.withdrawn").await["proposal_id"], held["id"]);
    assert_eq!(poll.await.unwrap()["status"], "withdrawn", "whoever waits is woken");
    let late = ben.rule(&held, &json!({ "outcome": "rejected" })).await;
    late.assert_problem(409, "already_final");
    assert!(late.json["detail"].as_str().unwrap().contains("answered at the terminal"), "{}", late.text);
    let review = ben.get(&review_at(&held)).await.body(200);
    assert_eq!((&review["decision"], &review["may_decide"]), (&Value::Null, &json!(false)), "no approval of ours");
    let kinds: Vec<_> = app.journal_of(&held).await.into_iter().map(|(kind, _)| kind).collect();
    assert_eq!(kinds.iter().filter(|kind| *kind == "proposal.withdrawn").count(), 1);
    watcher.gone(&held, "bored").await.assert_problem(422, "invalid");
}

#[tokio::test]
async fn an_order_for_a_dialog_that_is_gone_is_void_with_its_one_row() {
    let app = TestApp::peopled().await;
    let watcher = app.watcher().await;
    let (_, held) = refused(&app, &watcher).await;
    let order = watcher.see(&held).await["order"].clone();
    watcher.gone(&held, "vanished").await.assert_status(200);
    assert_eq!(watcher.orders().await, Vec::<Value>::new());
    let review = app.who("ben").get(&review_at(&held)).await.body(200);
    assert_eq!((&review["status"], &review["receipts"]["executed"]), (&json!("rejected"), &json!("void")));
    let acted = app.acted().await;
    let rows: Vec<_> = acted.iter().filter(|row| row["order_id"] == order["id"]).collect();
    assert_eq!(rows.len(), 1);
    assert_eq!((&rows[0]["outcome"], &rows[0]["reason"]), (&json!("skipped"), &json!("state_changed")));
    watcher.done(&order, &json!({ "outcome": "sent" })).await.assert_problem(409, "outcome_differs");
}

#[tokio::test]
async fn another_dialog_on_the_same_screen_ends_the_one_before() {
    let app = TestApp::peopled().await;
    let watcher = app.watcher().await;
    let before = watcher.report(&dialog(OUTSIDE)).await;
    let elsewhere = watcher.report(&with(dialog(OUTSIDE), &json!({ "pane": "other" }))).await;
    let hook = watcher.report(&with(dialog(OUTSIDE), &json!({ "source": "hook" }))).await;
    assert_eq!(watcher.see(&before).await["status"], "pending", "a hook's dialog is on no screen");
    watcher.report(&dialog("ls")).await;
    assert_eq!(watcher.see(&before).await["status"], "withdrawn");
    for stays in [&elsewhere, &hook] {
        assert_eq!(watcher.see(stays).await["status"], "pending");
    }
}

#[tokio::test]
async fn a_removed_client_leaves_nothing_to_decide() {
    let app = TestApp::peopled().await;
    let watcher = app.watcher().await;
    let held = watcher.report(&dialog(OUTSIDE)).await;
    app.machine().delete("/api/v1/pane-clients/watcher").await.assert_status(204);
    app.who("ben").rule(&held, &json!({ "outcome": "rejected" })).await.assert_problem(409, "already_final");
    watcher.get(&dialog_at(&held)).await.assert_problem(401, "unauthenticated");
}

#[tokio::test]
async fn a_removed_lane_leaves_nothing_to_decide() {
    let app = TestApp::peopled().await;
    let watcher = app.watcher().await;
    let held = watcher.report(&with(dialog(OUTSIDE), &json!({ "lane": "web", "pane": "w" }))).await;
    app.machine().delete("/api/v1/agents/painter").await.assert_status(204);
    app.machine().delete("/api/v1/lanes/web").await.assert_status(204);
    assert_eq!(watcher.see(&held).await["status"], "withdrawn");
    let again = with(dialog(OUTSIDE), &json!({ "lane": "web" }));
    watcher.post("/api/v1/dialogs", &again).await.assert_problem(404, "not_found");
}
