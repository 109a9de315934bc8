//! What a message's order comes to: typed once, tried again after a skip, never again when it may have arrived.

use chrono::TimeDelta;
use serde_json::{Value, json};

use super::stage::{Stage, came_to, detached, said, ticket};
use crate::support::cluster;

#[tokio::test]
async fn a_skip_puts_it_back_with_a_pause_and_it_is_typed_later() {
    let stage = Stage::new().await;
    let (boss, _coder, pane) = stage.pair().await;
    let sent = boss.tool("fleet_send", detached("s-api", "Go.")).await;
    for reason in ["not_idle", "pane_in_mode", "usage_limit_menu", "capture_timeout", "not_idle"] {
        stage.app.advance(TimeDelta::seconds(9));
        pane.idle().await;
        let order = stage.order().await;
        stage.skipped(&order, reason).await;
        assert_eq!(boss.tool("fleet_poll", ticket(&sent)).await.data["outcome"], "queued");
    }
    // After the fifth it pauses for sixteen seconds.
    stage.no_order().await;
    assert_eq!(came_to(&boss.tool("fleet_poll", ticket(&sent)).await), ("queued", "trying_again"));
    stage.app.advance(TimeDelta::seconds(17));
    pane.idle().await;
    let order = stage.typed().await;
    assert_eq!(order["msg_ids"], json!([said(&sent, "ticket")]));
    assert_eq!(came_to(&boss.tool("fleet_poll", ticket(&sent)).await).0, "pending");
    let outcomes: Vec<Value> = stage.app.acted().await.iter().map(|row| row["outcome"].clone()).collect();
    assert_eq!(outcomes, ["skipped", "skipped", "skipped", "skipped", "skipped", "sent"], "one row each");
}

#[tokio::test]
async fn what_may_have_arrived_fails_by_name_is_never_typed_again_and_a_person_looks() {
    let stage = Stage::new().await;
    let (boss, coder, pane) = stage.pair().await;
    let failed = boss.tool("fleet_send", detached("s-api", "One.")).await;
    let order = stage.order().await;
    stage.eyes.done(&order, &json!({ "outcome": "failed", "reason": "text_stayed" })).await.assert_status(200);
    let told = boss.tool("fleet_poll", ticket(&failed)).await;
    assert_eq!(came_to(&told), ("failed", "send_failed"));
    assert_eq!(open_attentions(&stage).await, ["message_failed"]);
    let next = boss.tool("fleet_send", detached("s-api", "Two.")).await;
    stage.no_order().await;
    // It had arrived: the member works on it, answers, and then takes the next.
    pane.working().await;
    coder.tool("fleet_reply", json!({ "content": "One is done." })).await;
    assert_eq!(came_to(&boss.tool("fleet_poll", ticket(&failed)).await), ("reply", ""));
    assert_eq!(open_attentions(&stage).await, Vec::<String>::new());
    stage.app.advance(TimeDelta::seconds(4));
    pane.idle().await;
    let order = stage.order().await;
    assert_eq!(order["msg_ids"], json!([said(&next, "ticket")]));
    // Nobody says what became of this one.
    stage.app.advance(TimeDelta::seconds(61));
    pane.idle().await;
    stage.no_order().await;
    assert_eq!(came_to(&boss.tool("fleet_poll", ticket(&next)).await), ("failed", "send_failed"));
    let told = boss.tool("fleet_poll", ticket(&next)).await;
    let away = json!({ "target": "s-api", "msgId": said(&told, "msgId") });
    assert_eq!(open_attentions(&stage).await, ["message_failed"]);
    assert_eq!(came_to(&boss.tool("fleet_ack", away).await), ("accepted", ""));
    assert_eq!(open_attentions(&stage).await, Vec::<String>::new());
}

#[tokio::test]
async fn a_client_that_says_late_that_it_was_typed_lets_the_person_go() {
    let stage = Stage::new().await;
    let (boss, _coder, pane) = stage.pair().await;
    let sent = boss.tool("fleet_send", detached("s-api", "Go.")).await;
    let order = stage.order().await;
    stage.app.advance(TimeDelta::seconds(61));
    pane.idle().await;
    stage.no_order().await;
    assert_eq!(open_attentions(&stage).await, ["message_failed"]);
    stage.sent(&order).await;
    assert_eq!(open_attentions(&stage).await, Vec::<String>::new());
    assert_eq!(came_to(&boss.tool("fleet_poll", ticket(&sent)).await), ("failed", "send_failed"), "as it was told");
}

async fn open_attentions(stage: &Stage) -> Vec<String> {
    let mut conn = cluster::connect(&stage.app.database).await;
    let sql = "select cause from attentions where cleared_at is null order by id";
    sqlx::query_scalar(sql).fetch_all(&mut conn).await.unwrap()
}

#[tokio::test]
async fn an_order_is_looked_at_again_when_it_is_taken() {
    let stage = Stage::new().await;
    let (boss, _coder, pane) = stage.pair().await;
    let sent = boss.tool("fleet_send", detached("s-api", "Go.")).await;
    for status in ["working", "unknown", "blocked"] {
        pane.status(status).await;
        stage.no_order().await;
    }
    assert_eq!(came_to(&boss.tool("fleet_poll", ticket(&sent)).await), ("queued", "on_its_way"));
    stage.pane("api.1", "api", "s-other").idle().await;
    stage.no_order().await;
    assert_eq!(came_to(&boss.tool("fleet_poll", ticket(&sent)).await), ("failed", "session_gone"));
    let rows = stage.app.acted().await;
    assert_eq!((rows.len(), &rows[0]["outcome"], &rows[0]["reason"]), (1, &json!("skipped"), &json!("state_changed")));
}

#[tokio::test]
async fn a_reply_before_the_clients_report_stands_unless_nothing_was_typed() {
    for (outcome, reason) in [("sent", None), ("skipped", Some("not_idle")), ("failed", Some("pane_lost"))] {
        let stage = Stage::new().await;
        let (boss, coder, pane) = stage.pair().await;
        let sent = boss.tool("fleet_send", detached("s-api", "Quick.")).await;
        let early = coder.tool("fleet_reply", json!({ "content": "Early." })).await;
        assert_eq!(early.code(), "no_open_ticket", "nobody has taken it to type");
        let order = stage.order().await;
        assert_eq!(came_to(&coder.tool("fleet_reply", json!({ "content": "Quick." })).await), ("accepted", ""));
        stage.eyes.done(&order, &json!({ "outcome": outcome, "reason": reason })).await.assert_status(200);
        let next = boss.tool("fleet_send", detached("s-api", "Next.")).await;
        // What was never typed is still to be read, and comes before what was sent after it.
        let (stands, follows) = match outcome {
            "skipped" => (("queued", "trying_again"), &sent),
            _ => (("reply", ""), &next),
        };
        assert_eq!(came_to(&boss.tool("fleet_poll", ticket(&sent)).await), stands, "{outcome}");
        stage.app.advance(TimeDelta::seconds(4));
        pane.idle().await;
        pane.idle().await;
        assert_eq!(stage.order().await["msg_ids"], json!([said(follows, "ticket")]), "{outcome}");
    }
}

#[tokio::test]
async fn a_restored_database_types_no_message_again() {
    let stage = Stage::new().await;
    let (boss, _coder, _pane) = stage.pair().await;
    boss.tool("fleet_send", detached("s-api", "Typed.")).await;
    stage.typed().await;
    boss.tool("fleet_send", detached("s-api", "Waits.")).await;
    let mut conn = cluster::connect(&stage.app.database).await;
    sqlx::query("update instance set system_identifier = '1'").execute(&mut conn).await.unwrap();
    countersign::flows::restore::restore(&stage.app.state, None).await.unwrap().unwrap();
    let sql = "select outcome, reason, order_id is null or turn_ended_at is not null from tickets order by seq";
    let rows: Vec<(String, String, bool)> = sqlx::query_as(sql).fetch_all(&mut conn).await.unwrap();
    assert_eq!(rows, vec![("failed".to_owned(), "restored".to_owned(), true); 2]);
}

#[tokio::test]
async fn what_passed_between_agents_is_not_kept_for_ever() {
    let stage = Stage::new().await;
    let (boss, coder, pane) = stage.pair().await;
    boss.tool("fleet_send", detached("s-api", "Old.")).await;
    let skipped = stage.order().await;
    stage.skipped(&skipped, "not_idle").await;
    stage.app.advance(TimeDelta::seconds(2));
    pane.idle().await;
    stage.typed().await;
    pane.working().await;
    coder.tool("fleet_reply", json!({ "content": "Done." })).await;
    pane.idle().await;
    let mut conn = cluster::connect(&stage.app.database).await;
    let mut left = async || {
        let sql = "select (select count(*) from tickets), (select count(*) from orders where text is not null)";
        sqlx::query_as::<_, (i64, i64)>(sql).fetch_one(&mut conn).await.unwrap()
    };
    for (days, kept) in [(29, (1, 2)), (2, (0, 0))] {
        stage.app.advance(TimeDelta::days(days));
        countersign::flows::sweep::sweep(&stage.app.state).await.unwrap();
        assert_eq!(left().await, kept, "{days} days later");
    }
}
