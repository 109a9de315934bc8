//! The promises, each compared with what callers were told while things broke.

use std::collections::{HashMap, HashSet};

use sqlx::{FromRow, PgConnection};

use super::load::{Told, ask, verdict};
use super::stage::Stage;
use crate::support::server::{Server, countersign};

/// One proposal as it lies in the database.
#[derive(FromRow)]
struct Lying {
    id: String,
    title: String,
    status: String,
    outcome: Option<String>,
    late: bool,
    created: i64,
    closed: i64,
}

const LYING: &str =
    "select p.id::text, p.title, p.status, d.outcome, coalesce(d.decided_at >= p.expires_at, false) as late,
    (select count(*) from events e where e.proposal_id = p.id and e.kind = 'proposal.created') as created,
    (select count(*) from events e where e.proposal_id = p.id
        and e.kind in ('proposal.decided', 'proposal.expired', 'proposal.withdrawn')) as closed
    from proposals p left join decisions d on d.proposal_id = p.id";

/// All of them, for a load that is over.
pub async fn hold(server: &Server, stage: &Stage, told: &Told) {
    let mut db = server.database().await;
    let lying: Vec<Lying> = sqlx::query_as(LYING).fetch_all(&mut db).await.unwrap();
    nothing_is_lost_or_doubled(&lying, told);
    decisions_stand(&lying, told);
    in_flight_is_counted(&mut db).await;
    answers_stay(server, stage, told).await;
    keys_stay(server, stage, told).await;
    all_is_in_order(server);
}

/// What was acknowledged is there, once, under the id that was given; and nothing else is there.
fn nothing_is_lost_or_doubled(lying: &[Lying], told: &Told) {
    let titles: HashMap<&str, &str> = lying.iter().map(|row| (row.id.as_str(), row.title.as_str())).collect();
    let asked = told.asked.lock().unwrap();
    assert!(!asked.is_empty());
    for asked in asked.iter() {
        assert_eq!(titles.get(asked.id.as_str()), Some(&asked.key.as_str()), "{} is lost", asked.id);
    }
    assert_eq!(lying.len(), asked.len(), "there is one proposal for each key");
    let distinct: HashSet<&str> = lying.iter().map(|row| row.title.as_str()).collect();
    assert_eq!(distinct.len(), lying.len());
}

/// At most one end each, in the journal as in the row; what a person read is what stands; none came too late.
fn decisions_stand(lying: &[Lying], told: &Told) {
    let rows: HashMap<&str, &Lying> = lying.iter().map(|row| (row.id.as_str(), row)).collect();
    let decided = told.decided.lock().unwrap();
    assert!(!decided.is_empty());
    for (id, outcome) in decided.iter() {
        let row = rows[id.as_str()];
        assert_eq!((row.status.as_str(), row.outcome.as_deref()), (outcome.as_str(), Some(outcome.as_str())), "{id}");
    }
    for row in lying {
        let (id, is_final) = (&row.id, row.status != "pending");
        assert_eq!((row.created, row.closed), (1, i64::from(is_final)), "the journal has {id} {}", row.status);
        let decided = matches!(row.status.as_str(), "approved" | "rejected");
        assert_eq!(row.outcome.is_some(), decided, "{id} is {}", row.status);
        assert!(!row.late, "{id} was {} after its time", row.status);
    }
}

/// Each agent's counter is what is pending of it.
async fn in_flight_is_counted(db: &mut PgConnection) {
    let counts: Vec<(String, i64, i64)> = sqlx::query_as(
        "select a.name, a.pending::bigint, count(p.id) from agents a
        left join proposals p on p.agent_id = a.id and p.status = 'pending' group by a.id",
    )
    .fetch_all(db)
    .await
    .unwrap();
    for (name, counted, pending) in counts {
        assert_eq!(counted, pending, "in flight of {name}");
    }
}

/// Every final answer that an agent has read is read again.
async fn answers_stay(server: &Server, stage: &Stage, told: &Told) {
    let collected = std::mem::take(&mut *told.collected.lock().unwrap());
    assert!(!collected.is_empty());
    let agent = stage.agent(1, &server.url);
    for (id, then) in collected {
        let now = agent.get(&format!("/api/v1/proposals/{id}")).await.body(200);
        assert_eq!(verdict(&now), then, "{id} was answered otherwise before");
    }
}

/// A key stands for the proposal it made, before and after. The last ones are the ones that faults have met.
async fn keys_stay(server: &Server, stage: &Stage, told: &Told) {
    let asked = std::mem::take(&mut *told.asked.lock().unwrap());
    for asked in asked.iter().rev().take(50) {
        let again = stage.agent(asked.agent, &server.url).propose_as(&asked.key, &ask(&asked.key)).await;
        assert_eq!(again.body(200)["id"], asked.id.as_str());
    }
}

/// The journal is whole, and the log has nothing that should not happen.
pub fn all_is_in_order(server: &Server) {
    let folder = server.folder.to_str().unwrap();
    let verified = countersign(&["audit", "verify", "--data-dir", folder]).output().unwrap();
    let said = String::from_utf8_lossy(&verified.stdout).into_owned() + &String::from_utf8_lossy(&verified.stderr);
    assert!(verified.status.success() && said.ends_with("whole\n"), "{said}");
    let log = server.log();
    for trouble in ["panicked", "panic:", "internal error", "was wrong"] {
        let line = log.lines().find(|line| line.contains(trouble));
        assert_eq!(line, None, "the log of {folder}");
    }
}
