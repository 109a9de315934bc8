//! What is kept and what is taken away: retention empties old dialogs, a restore voids all that was under way.

use chrono::TimeDelta;
use countersign::flows::{restore, retain, seal};
use serde_json::{Value, json};

use super::{OUTSIDE, refused};
use crate::support::app::TestApp;
use crate::support::cluster;
use crate::support::panes::dialog;
use crate::support::proposals::{review_at, with};

#[tokio::test]
async fn retention_empties_dialogs_that_are_old_and_done_with() {
    let app = TestApp::peopled().await;
    let watcher = app.watcher().await;
    let (_, held) = refused(&app, &watcher).await;
    let order = watcher.order().await;
    watcher.done(&order, &json!({ "outcome": "sent", "keys": ["3"] })).await.assert_status(200);
    let pending = watcher.report(&with(dialog("curl https://example.org/secret"), &json!({ "pane": "two" }))).await;
    app.advance(TimeDelta::days(91));
    seal::seal(&app.state).await.unwrap();
    retain::retain(&app.state).await.unwrap();
    let mut conn = cluster::connect(&app.database).await;
    let left = async |conn: &mut sqlx::PgConnection, id: &Value| -> bool {
        let id: uuid::Uuid = id.as_str().unwrap().parse().unwrap();
        let sql = "select d.report is not null or p.command is not null or d.judgement::text <> '{}'
            from dialogs d join proposals p on p.id = d.proposal_id where d.proposal_id = $1";
        sqlx::query_scalar(sql).bind(id).fetch_one(conn).await.unwrap()
    };
    assert!(!left(&mut conn, &held["id"]).await);
    assert!(left(&mut conn, &pending["id"]).await, "what waits is kept");
    // The record stays readable: who decided what, and which row it was.
    let ada = app.anonymous().sign_in("ada", crate::support::cast::PASSWORD).await;
    let review = ada.get(&review_at(&held)).await.body(200);
    assert_eq!((&review["status"], &review["decision"]["option"]["n"]), (&json!("rejected"), &json!(3)));
    assert_eq!((&review["options"], &review["pane_excerpt"]), (&json!([]), &Value::Null));
}

#[tokio::test]
async fn a_restore_voids_dialogs_orders_and_tokens() {
    let app = TestApp::peopled().await;
    let watcher = app.watcher().await;
    let (_, decided) = refused(&app, &watcher).await;
    let pending = watcher.report(&with(dialog(OUTSIDE), &json!({ "pane": "two" }))).await;
    let mut conn = cluster::connect(&app.database).await;
    sqlx::query("update instance set system_identifier = 'another'").execute(&mut conn).await.unwrap();
    assert!(restore::restore(&app.state, None).await.unwrap().is_some());
    watcher.get("/api/v1/orders").await.assert_problem(401, "unauthenticated");
    app.who("watcher").post("/api/v1/pane/token", &json!({})).await.assert_problem(401, "unauthenticated");
    let ada = app.anonymous().sign_in("ada", crate::support::cast::PASSWORD).await;
    assert_eq!(ada.get(&review_at(&pending)).await.body(200)["status"], "withdrawn");
    assert_eq!(ada.get(&review_at(&decided)).await.body(200)["receipts"]["executed"], "void");
    let acted = app.acted().await;
    let void: Vec<_> = acted.iter().filter(|row| row["reason"] == "restored").collect();
    assert_eq!(void.len(), 1, "one row for the order that was open");
}
