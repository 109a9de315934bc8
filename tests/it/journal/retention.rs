//! Retention takes content away from what is old, closed and seen, leaves the record, and the chain still verifies.

use chrono::TimeDelta;
use countersign::app::AppState;
use countersign::flows::retain;

use super::{Site, assert_whole, close, number, report, settle, sql, write};

/// Proposals by how they stand: (title, status, archived, collected).
const PROPOSALS: &[(&str, &str, bool, bool)] = &[
    ("archived", "approved", true, false),
    ("collected", "rejected", false, true),
    ("unseen", "approved", false, false),
    ("unseen-expired", "expired", false, false),
    ("pending", "pending", false, false),
];

async fn people(app: &AppState) {
    sql(
        &app.db,
        "insert into projects (id, name, repo_path) values (gen_random_uuid(), 'shop', '/srv/shop');
        insert into lanes (id, name, project_id, worktree) select gen_random_uuid(), 'api', id, '/srv/shop/api' from projects;
        insert into agents (id, name, lane_id, pending) select gen_random_uuid(), 'coder', id, 1 from lanes;
        insert into users (id, name, password_phc) values (gen_random_uuid(), 'ann', 'x')",
    )
    .await;
}

/// One proposal with content, vote, decision, receipt, key and two journal rows, all full of secrets.
async fn propose(app: &AppState, (title, status, archived, collected): (&str, &str, bool, bool)) {
    let closed = if status == "pending" { "null" } else { "now()" };
    let archived = if archived { "now()" } else { "null" };
    let collected = if collected { "now()" } else { "null" };
    sql(
        &app.db,
        &format!(
            "with p as (
                insert into proposals (id, project_id, lane_id, agent_id, kind, action, risk, title, command, digest, status,
                    created_at, closed_at, archived_at, requirement)
                select gen_random_uuid(), l.project_id, l.id, a.id, 'change', 'edit', 'medium', '{title}', 'secret',
                    sha256('{title}'), '{status}', now(), {closed}, {archived}, '{{}}'
                from lanes l join agents a on a.lane_id = l.id returning *
            ), c as (
                insert into proposal_content (proposal_id, justification, body, questions)
                select id, 'secret', 'secret', '\"secret\"' from p
            ), v as (
                insert into votes (proposal_id, user_id, outcome, digest, note, at)
                select p.id, u.id, 'approved', p.digest, 'secret', now() from p, users u
            ), d as (
                insert into decisions (proposal_id, outcome, source, note, option, decided_at)
                select id, 'approved', 'person', 'secret', '{{\"n\": 2, \"text\": \"secret\"}}', now() from p where status = 'approved'
            ), r as (
                insert into receipts (proposal_id, collected_at) select id, {collected} from p
            ), k as (
                insert into idempotency_keys (agent_id, key, request_hash, proposal_id, created_at)
                select agent_id, '{title}', sha256('k'), id, now() from p
            )
            insert into events (project_id, lane_id, proposal_id, version, kind, actor, payload, at)
            select project_id, lane_id, id, 1, told, 'agent:coder', '{{\"title\": \"secret\"}}', now()
            from p, unnest(array['proposal.created', 'proposal.decided']) told"
        ),
    )
    .await;
}

/// How often the word is left, anywhere.
const SECRETS: &str = "select (select count(*) from proposals where command = 'secret' or title = 'secret')
    + (select count(*) from proposal_content where (justification, body, questions::text)::text like '%secret%')
    + (select count(*) from votes where note = 'secret')
    + (select count(*) from decisions where (note, option::text)::text like '%secret%')
    + (select count(*) from events where payload::text like '%secret%')";

#[tokio::test]
async fn only_the_old_the_closed_and_the_seen_lose_their_content() {
    let site = Site::new().await;
    let app = site.start().await;
    people(&app).await;
    for proposal in PROPOSALS {
        propose(&app, *proposal).await;
    }
    write(&app.db, 4).await;
    settle(&app).await;

    let early = retain::retain(&app).await.unwrap();
    assert_eq!(early, retain::Retained::default(), "nothing is old");
    app.clock.advance(TimeDelta::days(91));
    let due = retain::retain(&app).await.unwrap();
    assert_eq!((due.proposals, due.events, due.keys), (2, 2 * 2 + 4, 4));
    let kept: Vec<String> = sqlx::query_scalar("select title from proposals where redacted_at is null order by title")
        .fetch_all(&app.db)
        .await
        .unwrap();
    assert_eq!(kept, ["pending", "unseen", "unseen-expired"]);
    let gone =
        "select count(*) from proposals where redacted_at is not null and title = 'redacted' and command is null";
    assert_eq!(number(&app.db, gone).await, 2);
    let options = "select count(*) from decisions where option->>'n' = '2' and option->>'text' is null";
    assert_eq!(number(&app.db, options).await, 1, "which option it was is the record");
    // Three kept ones: row, content, vote and two journal rows each, and one decision.
    assert_eq!(number(&app.db, SECRETS).await, 3 * 5 + 1);
    assert_eq!(number(&app.db, "select count(*) from idempotency_keys").await, 1);

    close(&app).await;
    let report = report(&app).await;
    assert_whole(&report);
    assert_eq!(report.rows_redacted, 8);
    let settled = retain::retain(&app).await.unwrap();
    assert_eq!(settled, retain::Retained::default(), "what tells of redactions stays");
}

#[tokio::test]
async fn what_is_not_sealed_yet_keeps_its_payload() {
    let site = Site::new().await;
    let app = site.start().await;
    people(&app).await;
    propose(&app, PROPOSALS[0]).await;
    write(&app.db, 4).await;
    app.clock.advance(TimeDelta::days(91));
    let run = retain::retain(&app).await.unwrap();
    assert_eq!((run.proposals, run.events), (0, 0));
    settle(&app).await;
    let run = retain::retain(&app).await.unwrap();
    assert_eq!((run.proposals, run.events), (1, 6));
    assert_whole(&report(&app).await);
}

#[tokio::test]
async fn the_limit_is_the_local_setting() {
    let site = Site::new().await;
    let app = site.start().await;
    write(&app.db, 2_500).await;
    settle(&app).await;
    sql(&app.db, "update instance set settings = '{\"retention_days\": 2}'").await;
    app.clock.advance(TimeDelta::days(3));
    assert_eq!(retain::retain(&app).await.unwrap().events, 2_500, "in as many batches as it takes");
    assert_whole(&report(&app).await);
}
