//! The story: a dialog is held, somebody approves it on a phone, its client presses the row, and all of it is on the record.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::timeout;

use crate::support::app::TestApp;
use crate::support::cast::PASSWORD;
use crate::support::panes::{dialog, dialog_at};
use crate::support::proposals::review_at;

#[tokio::test]
#[expect(clippy::too_many_lines, reason = "a story is told in one piece")]
async fn life_of_a_dialog() {
    let app = TestApp::peopled().await;
    let (watcher, ben) = (app.watcher().await, app.anonymous().sign_in("ben", PASSWORD).await);
    let mut phone = app.phone_of(&ben).await;
    let pane = json!({ "lane": "api", "agent_kind": "claude", "session_id": "s1", "status": "blocked",
        "safe_to_type": false, "awaiting_input": false, "ended_turn": false, "limit": false, "external": false });
    let put = watcher.request(reqwest::Method::PUT, "/api/v1/panes/main.1").json(&pane);
    watcher.send(put).await.assert_status(204);
    assert_eq!(phone.next_of("pane.status").await["data"]["status"], "blocked");

    // The client reports what it sees, and has the judgement in one answer.
    let seen = dialog("curl https://example.org/x");
    let held = watcher.report(&seen).await;
    assert_eq!((&held["verdict"], &held["status"], &held["order"]), (&json!("hold"), &json!("pending"), &Value::Null));
    assert_eq!(watcher.report_again(&seen).await, held);

    // It goes to sleep on its orders; a phone hears of the dialog.
    let poll = tokio::spawn({
        let watcher = watcher.clone();
        async move { watcher.get("/api/v1/orders?wait=30").await.body(200) }
    });
    let created = phone.next_of("proposal.created").await;
    assert_eq!((&created["proposal_id"], &created["lane"]), (&held["id"], &json!("api")));
    let acted = phone.next_of("supervision.acted").await;
    assert_eq!((&acted["data"]["outcome"], &acted["data"]["hold_of"]), (&json!("held"), &held["id"]));
    assert!(acted["data"].get("pane_excerpt").is_none(), "no screen goes over a socket: {acted}");
    phone.next_of("proposal.notified").await;

    // Somebody reads it and approves, naming the row.
    let review = ben.get(&review_at(&held)).await.body(200);
    assert_eq!(
        (&review["kind"], &review["dialog_kind"], &review["pane_excerpt"]),
        (&json!("dialog"), &json!("permission"), &json!("the screen"))
    );
    assert_eq!((&review["options"][1]["standing"], &review["options"][0]["standing"]), (&json!(true), &json!(false)));
    let ruling = json!({ "outcome": "approved", "note": "Fine.", "option": 1 });
    let decided = ben.rule(&held, &ruling).await.body(200);
    assert_eq!((&decided["status"], &decided["decision"]["option"]["n"]), (&json!("approved"), &json!(1)));

    // The client has its order within a second, presses, and says so.
    let items = timeout(Duration::from_secs(2), poll).await.expect("the client waited").unwrap();
    let order = items["items"][0].clone();
    assert_eq!(
        (&order["dialog_id"], &order["instance"], &order["digest"]),
        (&held["id"], &seen["instance"], &held["digest"])
    );
    assert_eq!((&order["option"]["n"], &order["deny"], &order["taken"]), (&json!(1), &json!(false), &json!(false)));
    assert_eq!(watcher.order().await["taken"], true);
    let sent = json!({ "outcome": "sent", "keys": ["1"], "pane_excerpt": "gone" });
    for _ in 0..2 {
        let told = watcher.done(&order, &sent).await.body(200);
        assert_eq!((&told["outcome"], &told["late"]), (&json!("sent"), &json!(false)));
    }
    assert_eq!(phone.next_of("proposal.executed").await["data"]["executed"], "sent");
    assert_eq!(ben.get(&review_at(&held)).await.body(200)["receipts"]["executed"], "sent");
    let after = watcher.get(&dialog_at(&held)).await.body(200);
    assert_eq!((&after["status"], &after["order"]), (&json!("approved"), &Value::Null));
    assert_eq!(watcher.orders().await, Vec::<Value>::new());

    // One row for the hold, one for the order, each with the audit's fields.
    let acted = app.acted().await;
    assert_eq!(acted.len(), 2);
    assert_eq!(
        (&acted[1]["order_id"], &acted[1]["decision"], &acted[1]["policy_source"]),
        (&order["id"], &json!("approve"), &json!("person"))
    );
    assert_eq!((&acted[1]["keys"], &acted[1]["pane_excerpt"]), (&json!(["1"]), &json!("gone")));
    let kinds: Vec<_> = app.journal_of(&held).await.into_iter().map(|(kind, _)| kind).collect();
    let story = [
        "proposal.created",
        "supervision.acted",
        "proposal.notified",
        "proposal.seen",
        "proposal.decided",
        "supervision.acted",
        "proposal.executed",
    ];
    assert_eq!(kinds, story);
}
