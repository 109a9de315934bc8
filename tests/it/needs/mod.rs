//! A person is needed: raised once, cleared when it is over, shown to those who may act, and told to somebody outside.

mod doors;
mod episodes;
mod notices;
mod receiver;
mod settings;
mod shown;
mod traffic;

use serde_json::Value;
use sqlx::PgConnection;

use crate::support::app::TestApp;
use crate::support::cluster;

/// The open episodes, oldest first: cause, and the proposal's id or nothing.
async fn open(app: &TestApp) -> Vec<(String, Option<String>)> {
    let mut conn = cluster::connect(&app.database).await;
    let sql = "select cause, proposal_id::text from attentions where cleared_at is null order by id";
    sqlx::query_as(sql).fetch_all(&mut conn).await.unwrap()
}

/// The causes of the open episodes, in the order of the alphabet.
async fn causes(app: &TestApp) -> Vec<String> {
    let mut causes: Vec<_> = open(app).await.into_iter().map(|(cause, _)| cause).collect();
    causes.sort();
    causes
}

/// How many journal rows of this kind there are.
async fn rows(app: &TestApp, kind: &str) -> i64 {
    let mut conn: PgConnection = cluster::connect(&app.database).await;
    sqlx::query_scalar("select count(*) from events where kind = $1").bind(kind).fetch_one(&mut conn).await.unwrap()
}

/// Every episode is a row in the journal when it begins and when it is over, and what is open is about something open.
async fn assert_balanced(app: &TestApp) {
    let mut conn = cluster::connect(&app.database).await;
    let wrong = "select a.cause || ' ' || a.episode from attentions a where
        (select count(*) from events e where e.kind = 'needs_you.raised' and e.payload->>'attention_id' = a.id::text) <> 1
        or (select count(*) from events e where e.kind = 'needs_you.cleared' and e.payload->>'attention_id' = a.id::text)
            <> (a.cleared_at is not null)::int
        or (a.cause = 'held' and (a.cleared_at is null)
            <> (select p.status = 'pending' from proposals p where p.id = a.proposal_id))";
    let wrong: Vec<String> = sqlx::query_scalar(wrong).fetch_all(&mut conn).await.unwrap();
    assert_eq!(wrong, Vec::<String>::new());
    let missing = "select count(*) from proposals p where p.kind = 'dialog' and p.status = 'pending'
        and not exists (select from attentions a where a.proposal_id = p.id and a.cause = 'held' and a.cleared_at is null)";
    assert_eq!(sqlx::query_scalar::<_, i64>(missing).fetch_one(&mut conn).await.unwrap(), 0);
}

fn id(of: &Value) -> String {
    of["id"].as_str().unwrap().to_owned()
}
