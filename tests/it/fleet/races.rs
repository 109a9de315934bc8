//! A lead and its member at the same moment: no answer is put away that the lead has not had.

use serde_json::json;

use super::stage::{Stage, came_to, detached, said, ticket};
use crate::support::cluster;
use crate::support::mcp::Told;

/// A ticket whose turn was given up, with what the lead was told of it.
async fn given_up(stage: &Stage) -> (Told, Told) {
    let boss = stage.session("boss").await;
    let pane = stage.api();
    let sent = boss.tool("fleet_send", detached("s-api", "Go.")).await;
    stage.typed().await;
    pane.working().await;
    pane.ended("I am not quite there.", false).await;
    let told = boss.tool("fleet_poll", ticket(&sent)).await;
    assert_eq!(came_to(&told), ("turn_done", ""));
    (sent, told)
}

/// Runs both while the first stands before its commit, and the second meets it there.
async fn met<A, B>(
    stage: &Stage,
    mut first: impl Future<Output = A> + Unpin,
    mut second: impl Future<Output = B> + Unpin,
) -> (A, B) {
    let mut held = cluster::connect(&stage.app.database).await;
    let mut look = cluster::connect(&stage.app.database).await;
    sqlx::query("begin").execute(&mut held).await.unwrap();
    sqlx::query("lock table events in share mode").execute(&mut held).await.unwrap();
    let mut blocked = async |at_least: i64| {
        let sql =
            "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
            and query not like '%from events%'";
        while sqlx::query_scalar::<_, i64>(sql).fetch_one(&mut look).await.unwrap() < at_least {
            tokio::task::yield_now().await;
        }
    };
    tokio::select! {
        _ = &mut first => panic!("the first did not wait"),
        () = blocked(1) => {}
    }
    let meeting = async {
        tokio::select! {
            _ = &mut first => panic!("the first did not wait"),
            _ = &mut second => panic!("the second did not wait"),
            () = blocked(2) => {}
        }
    };
    meeting.await;
    sqlx::query("commit").execute(&mut held).await.unwrap();
    tokio::join!(first, second)
}

#[tokio::test]
async fn an_answer_that_comes_while_its_guess_is_put_away_is_not_lost() {
    let stage = Stage::new().await;
    let (boss, coder, _pane) = stage.pair().await;
    let (sent, guess) = given_up(&stage).await;
    let away = json!({ "target": "s-api", "msgId": said(&guess, "msgId") });
    let reply = Box::pin(coder.tool("fleet_reply", json!({ "content": "Now it is done." })));
    let (reply, acked) = met(&stage, reply, Box::pin(boss.tool("fleet_ack", away))).await;
    assert_eq!(came_to(&reply), ("accepted", ""));
    assert_eq!(acked.code(), "not_found", "that outcome is no more: {}", acked.data);
    let told = boss.tool("fleet_poll", ticket(&sent)).await;
    assert_eq!((came_to(&told), said(&told, "content")), (("reply", ""), "Now it is done."));
    stage.app.advance(chrono::TimeDelta::seconds(6));
    let away = json!({ "target": "s-api", "msgId": said(&told, "msgId") });
    assert_eq!(came_to(&boss.tool("fleet_ack", away).await), ("accepted", ""));
}

#[tokio::test]
async fn a_look_that_misses_an_answer_by_a_moment_does_not_count_as_having_it() {
    let stage = Stage::new().await;
    let (boss, coder, _pane) = stage.pair().await;
    let boss_again = stage.session("boss").await;
    let sent = boss.tool("fleet_send", detached("s-api", "Go.")).await;
    stage.typed().await;
    stage.api().working().await;
    stage.api().ended("I am not quite there.", false).await;
    let looked = async {
        // Later than the answer that it does not see.
        stage.app.advance(chrono::TimeDelta::seconds(1));
        boss_again.tool("fleet_poll", ticket(&sent)).await
    };
    let reply = Box::pin(coder.tool("fleet_reply", json!({ "content": "Now it is done." })));
    let (_, looked) = met(&stage, reply, Box::pin(looked)).await;
    assert_eq!(came_to(&looked), ("turn_done", ""));
    stage.app.advance(chrono::TimeDelta::seconds(6));
    stage.hq().idle().await;
    stage.tick().await;
    let nudge = stage.typed().await;
    assert!(nudge["text"].as_str().unwrap().contains(said(&sent, "ticket")), "{nudge}");
}
