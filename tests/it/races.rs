//! Many at once: one decision each, none double, none lost, and nobody is told of a deadlock.

mod crowd;
mod edge;
mod unknown_commit;

use serde_json::Value;
use sqlx::PgConnection;

use crate::support::app::TestApp;
use crate::support::cluster;

/// What must hold in the database after any race, whatever its answers were.
async fn nothing_is_double_or_lost(app: &TestApp) {
    let mut conn = cluster::connect(&app.database).await;
    let faults = [
        (
            "a closed proposal has not exactly one end in the journal",
            "select count(*) from proposals p where p.status <> 'pending' and
            (select count(*) from events e where e.proposal_id = p.id
                and e.kind in ('proposal.decided', 'proposal.expired', 'proposal.withdrawn')) <> 1",
        ),
        (
            "a pending proposal has an end in the journal",
            "select count(*) from proposals p where p.status = 'pending' and
            exists (select from events e where e.proposal_id = p.id
                and e.kind in ('proposal.decided', 'proposal.expired', 'proposal.withdrawn'))",
        ),
        (
            "a proposal has not exactly one beginning",
            "select count(*) from proposals p where
            (select count(*) from events e where e.proposal_id = p.id and e.kind = 'proposal.created') <> 1",
        ),
        (
            "status and decision differ",
            "select count(*) from proposals p left join decisions d on d.proposal_id = p.id where
            (p.status in ('approved', 'modified', 'rejected')) <> (d.outcome is not null and d.outcome = p.status)",
        ),
        (
            "an agent's counter is wrong",
            "select count(*) from agents a where a.pending <>
            (select count(*) from proposals p where p.agent_id = a.id and p.status = 'pending')",
        ),
        (
            "a key stands for nothing",
            "select count(*) from idempotency_keys k
            where not exists (select from proposals p where p.id = k.proposal_id)",
        ),
        (
            "a version is not 1 while pending and 2 after",
            "select count(*) from proposals
            where version <> case when status = 'pending' then 1 else 2 end",
        ),
    ];
    for (fault, sql) in faults {
        assert_eq!(count(&mut conn, sql).await, 0, "{fault}");
    }
}

async fn count(conn: &mut PgConnection, sql: &'static str) -> i64 {
    sqlx::query_scalar(sql).fetch_one(conn).await.unwrap()
}

/// The status of a proposal, as its agent reads it.
async fn status(app: &TestApp, asked: &Value) -> String {
    app.who("coder").look(asked).await["status"].as_str().unwrap().to_owned()
}
