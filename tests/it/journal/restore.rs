//! A database that has gone back in time, or to another cluster: all power is void, and the journal says so.

use countersign::domain::journal::finding::Damage;
use countersign::domain::journal::verify::Trust;
use countersign::flows::{checkpoint, restore, verify};

use super::{Site, assert_whole, close, damage, number, peer, report, settle, sql, write};

/// Somebody with a session, an agent with a token, and a proposal that waits.
const POWER: &str = "
    insert into projects (id, name, repo_path) values ('00000000-0000-7000-8000-000000000001', 'shop', '/srv/shop');
    insert into lanes (id, name, project_id, worktree)
        values ('00000000-0000-7000-8000-000000000002', 'api', '00000000-0000-7000-8000-000000000001', '/srv/shop/api');
    insert into agents (id, name, lane_id, pending)
        values ('00000000-0000-7000-8000-000000000003', 'coder', '00000000-0000-7000-8000-000000000002', 1);
    insert into tokens (id, principal_kind, principal_id, token_hash, hint)
        values (gen_random_uuid(), 'agent', '00000000-0000-7000-8000-000000000003', sha256('t'), 'abcd');
    insert into users (id, name, password_phc) values ('00000000-0000-7000-8000-000000000004', 'ann', 'x');
    insert into sessions (id, id_hash, user_id, device, source, created_at, seen_at, reauth_at, idle_until, expires_at)
        values (gen_random_uuid(), sha256('s'), '00000000-0000-7000-8000-000000000004', 'phone', 'net', now(), now(), now(), now(), now());
    insert into proposals (id, project_id, lane_id, agent_id, kind, action, risk, title, digest, created_at, requirement)
        values ('00000000-0000-7000-8000-000000000005', '00000000-0000-7000-8000-000000000001',
            '00000000-0000-7000-8000-000000000002', '00000000-0000-7000-8000-000000000003', 'change', 'edit', 'medium',
            'a title', sha256('d'), now(), '{}');
    insert into proposal_content (proposal_id) values ('00000000-0000-7000-8000-000000000005');";

#[tokio::test]
async fn another_cluster_begins_an_epoch_and_voids_all_power() {
    let site = Site::new().await;
    let app = site.start().await;
    sql(&app.db, POWER).await;
    write(&app.db, 3).await;
    close(&app).await;
    sql(&app.db, "update instance set system_identifier = '1'").await;

    let app = site.app().await;
    let opening = checkpoint::open(&app).await.unwrap();
    let restored = opening.restored.unwrap();
    assert_eq!((restored.epoch, restored.cause), (2, "other_cluster"));
    assert_eq!((restored.sessions, restored.tokens, restored.proposals), (1, 1, 1));
    for (none, query) in [
        ("session", "select count(*) from sessions where revoked_at is null"),
        ("token", "select count(*) from tokens where revoked_at is null"),
        ("place in flight", "select count(*) from agents where pending <> 0"),
        ("pending proposal", "select count(*) from proposals where status = 'pending' or close_reason is null"),
    ] {
        assert_eq!(number(&app.db, query).await, 0, "no {none} is left");
    }
    let told = "select count(*) from events where epoch = 2 and kind in ('instance.restored', 'proposal.withdrawn')";
    assert_eq!(number(&app.db, told).await, 2);
    assert_whole(&report(&app).await);

    let again = checkpoint::open(&*site.app().await).await.unwrap();
    assert_eq!(again.restored, None, "once is enough");
}

#[tokio::test]
async fn a_backup_that_is_behind_the_checkpoint_file_is_a_restore() {
    let site = Site::new().await;
    let app = site.start().await;
    write(&app.db, 3).await;
    close(&app).await;
    // The backup is of this moment.
    let backup = number(&app.db, "select max(id) from events").await;
    write(&app.db, 3).await;
    close(&app).await;
    set_back(&app, backup, 1).await;

    let app = site.start().await;
    assert_eq!(number(&app.db, "select epoch::bigint from instance").await, 2);
    write(&app.db, 3).await;
    settle(&app).await;
    assert_eq!(damage(&report(&app).await), [Damage::LostToRestore], "until somebody says that it was meant");
    let trust = Trust { fingerprints: vec![app.notary.fingerprint()], restores: vec![2] };
    let report = verify::verify(&app, peer(), trust).await.unwrap();
    assert_whole(&report);
    assert_eq!(report.notices.len(), 1, "{:?}", report.notices);
}

async fn set_back(app: &countersign::app::AppState, event: i64, height: i64) {
    sql(
        &app.db,
        &format!(
            "alter table events disable trigger all; delete from events where id > {event};
            alter table events enable trigger all; delete from journal_blocks where height > {height};
            delete from checkpoints where height > {height}"
        ),
    )
    .await;
}

#[tokio::test]
async fn a_crash_between_restore_and_checkpoint_is_made_good_at_the_next_start() {
    let site = Site::new().await;
    let app = site.start().await;
    write(&app.db, 3).await;
    close(&app).await;
    write(&app.db, 3).await;
    close(&app).await;
    set_back(&app, 3, 1).await;
    // The restore is committed, and the server dies before it signs anything.
    let crashed = site.app().await;
    let furthest = crashed.notary.witness().read().await.unwrap().furthest(&crashed.notary.fingerprint());
    assert!(restore::restore(&crashed, furthest.as_ref()).await.unwrap().is_some());

    let app = site.start().await;
    assert_eq!(number(&app.db, "select epoch::bigint from instance").await, 2, "not a second restore");
    let trust = Trust { fingerprints: vec![app.notary.fingerprint()], restores: vec![2] };
    assert_whole(&verify::verify(&app, peer(), trust).await.unwrap());
}

#[tokio::test]
async fn a_neighbour_with_an_older_file_does_not_restore_again() {
    let site = Site::new().await;
    let neighbour = site.neighbour();
    let (app, other) = (site.start().await, neighbour.start().await);
    write(&app.db, 3).await;
    close(&app).await;
    write(&app.db, 3).await;
    close(&app).await;
    close(&other).await;
    set_back(&app, 3, 1).await;
    let first = checkpoint::open(&*site.app().await).await.unwrap();
    let second = checkpoint::open(&*neighbour.app().await).await.unwrap();
    assert_eq!((first.restored.is_some(), second.restored), (true, None));
}

#[tokio::test]
async fn a_restore_under_a_running_server_is_found_while_it_runs() {
    let site = Site::new().await;
    let app = site.start().await;
    sql(&app.db, POWER).await;
    write(&app.db, 3).await;
    close(&app).await;
    write(&app.db, 3).await;
    close(&app).await;
    assert!(!checkpoint::keep_up(&app).await.unwrap());
    set_back(&app, 3, 1).await;
    assert!(checkpoint::keep_up(&app).await.unwrap());
    assert_eq!(number(&app.db, "select epoch::bigint from instance").await, 2);
    assert_eq!(number(&app.db, "select count(*) from tokens where revoked_at is null").await, 0);
    assert!(!checkpoint::keep_up(&app).await.unwrap(), "once is enough");
}

#[tokio::test]
async fn a_start_over_the_same_cluster_and_chain_changes_nothing() {
    let site = Site::new().await;
    let app = site.start().await;
    sql(&app.db, POWER).await;
    write(&app.db, 3).await;
    // Not even a clean stop: the last checkpoint is older than the chain.
    settle(&app).await;
    let opening = checkpoint::open(&*site.app().await).await.unwrap();
    assert_eq!(opening.restored, None);
    assert_eq!(number(&app.db, "select count(*) from proposals where status = 'pending'").await, 1);
}
