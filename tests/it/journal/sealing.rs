//! Sealing under load, by several servers, over crashes and over a change of epoch.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use countersign::domain::journal::Block;
use countersign::error::{Code, is_passing};
use countersign::flows::seal;
use countersign::store::journal;
use tokio::task::JoinSet;

use super::{Site, assert_whole, close, number, report, settle, sql, write};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn several_sealers_beside_many_writers_seal_every_row_once() {
    let site = Site::new().await;
    let servers = [site.start().await, site.neighbour().start().await];
    let done = Arc::new(AtomicBool::new(false));
    let mut sealers = JoinSet::new();
    for number in 0..4 {
        let (app, done) = (servers[number % 2].clone(), done.clone());
        sealers.spawn(async move {
            while !done.load(Ordering::Relaxed) {
                // On a busy machine a round may find no free connection; the next one comes at once.
                if let Err(error) = seal::seal(&app).await {
                    assert_eq!(error.code(), Code::Unavailable, "{error}");
                }
                tokio::task::yield_now().await;
            }
        });
    }
    let mut writers = JoinSet::new();
    for number in 0..16 {
        let db = servers[number % 2].db.clone();
        writers.spawn(async move {
            for _ in 0..25 {
                // Transactions that overlap and end in another order than they began.
                let mut tx = loop {
                    match db.begin().await {
                        Ok(tx) => break tx,
                        Err(error) => assert!(is_passing(&error), "{error}"),
                    }
                };
                let row = "insert into events (kind, actor, payload, at) values ('profile.changed', 'person:ann', '{}', clock_timestamp())";
                for _ in 0..=number % 3 {
                    sqlx::raw_sql(row).execute(&mut *tx).await.unwrap();
                    tokio::task::yield_now().await;
                }
                tx.commit().await.unwrap();
            }
        });
    }
    while writers.join_next().await.transpose().unwrap().is_some() {}
    // Another test's transaction may have held the journal back all the while: write on until a second block is there.
    for _ in 0..12_000 {
        if number(&servers[0].db, "select count(*) from journal_blocks").await > 1 {
            break;
        }
        write(&servers[0].db, 1).await;
    }
    done.store(true, Ordering::Relaxed);
    while sealers.join_next().await.transpose().unwrap().is_some() {}
    close(&servers[0]).await;
    let report = report_of_both(&servers).await;
    assert_whole(&report);
    let rows = number(&servers[0].db, "select count(*) from events").await.unsigned_abs();
    assert_eq!((report.rows, report.rows_witnessed, report.rows_unsealed), (rows, rows, 0));
    assert!(report.blocks > 1, "the sealers were at it while rows were written");
}

async fn report_of_both(servers: &[countersign::app::AppState; 2]) -> countersign::domain::journal::finding::Report {
    let trust = countersign::domain::journal::verify::Trust {
        fingerprints: servers.iter().map(|app| app.notary.fingerprint()).collect(),
        restores: Vec::new(),
    };
    countersign::flows::verify::verify(&servers[0], super::peer(), trust).await.unwrap()
}

#[tokio::test]
async fn a_row_behind_an_open_transaction_waits_and_is_not_lost() {
    let site = Site::new().await;
    let app = site.start().await;
    let row = "insert into events (kind, actor, payload, at) values ('profile.changed', 'person:ann', '{}', clock_timestamp())";
    let mut slow = app.db.begin().await.unwrap();
    sqlx::raw_sql(row).execute(&mut *slow).await.unwrap();
    write(&app.db, 1).await;
    assert_eq!(seal::seal(&app).await.unwrap(), 0, "the younger row must not get in front of the older one");
    slow.commit().await.unwrap();
    assert_eq!(settle(&app).await, 2);
    assert_whole(&report(&app).await);
}

#[tokio::test]
async fn a_sealer_that_dies_half_way_leaves_nothing_behind() {
    let site = Site::new().await;
    let app = site.start().await;
    write(&app.db, 5).await;
    let mut tx = app.db.begin().await.unwrap();
    assert!(journal::try_lock(&mut tx).await.unwrap());
    let head = journal::head(&mut tx).await.unwrap();
    let rows = journal::behind(&mut tx, head.upto, 100).await.unwrap();
    let block = Block::seal(&head, &rows, chrono::DateTime::UNIX_EPOCH).unwrap();
    journal::insert_block(&mut tx, &block).await.unwrap();
    assert_eq!(seal::seal(&app).await.unwrap(), 0, "somebody else is at it");
    tx.rollback().await.unwrap();
    assert_eq!(settle(&app).await, 5);
    assert_whole(&report(&app).await);
}

#[tokio::test]
async fn large_stretches_become_several_blocks() {
    let site = Site::new().await;
    let app = site.start().await;
    write(&app.db, 4_500).await;
    assert_eq!(settle(&app).await, 4_500);
    let report = report(&app).await;
    assert_whole(&report);
    assert_eq!((report.blocks, report.rows, report.rows_witnessed), (3, 4_500, 0));
}

#[tokio::test]
async fn rows_of_another_cluster_are_sealed_once_their_epoch_is_over() {
    let site = Site::new().await;
    let app = site.start().await;
    write(&app.db, 2).await;
    // As a dump brings them: with transaction numbers that this cluster will not reach for years.
    sql(
        &app.db,
        "insert into events (xid, kind, actor, payload, at)
        values ('900000000000', 'profile.changed', 'person:ann', '{}', now());
        update instance set system_identifier = 'another'",
    )
    .await;
    while number(&app.db, "select coalesce(sum(row_count), 0)::bigint from journal_blocks").await < 2 {
        seal::seal(&app).await.unwrap();
    }
    let app = site.start().await;
    write(&app.db, 4).await;
    close(&app).await;
    let report = report(&app).await;
    assert_whole(&report);
    assert_eq!(
        (report.rows, report.rows_witnessed, report.rows_unsealed),
        (8, 8, 0),
        "with the row that tells of the restore"
    );
}
