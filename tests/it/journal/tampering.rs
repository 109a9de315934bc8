//! A superuser switches the triggers off and does harm: each kind is found, by name.

use super::{Site, assert_whole, close, damage, number, report, settle, sql, write};
use countersign::domain::journal::finding::Damage;

/// What is done behind the journal's back, and what it is called afterwards. Rows 1 to 10 and 11 to 20 are a block each.
const HARM: &[(&str, &[Damage])] = &[
    ("update events set payload = '{\"n\": 7}' where id = 3", &[Damage::EditedRow]),
    // The same value in other bytes is an edit too.
    ("update events set payload = '{ \"n\" : 3 }' where id = 3", &[Damage::EditedRow]),
    ("update events set payload = null where id = 3", &[Damage::EditedRow]),
    ("update events set actor = 'person:bob' where id = 3", &[Damage::EditedRow]),
    ("update events set at = at + interval '1 microsecond' where id = 3", &[Damage::EditedRow]),
    ("update events set payload = null, redacted_at = now() where id = 3", &[Damage::UnrecordedRedaction]),
    ("delete from events where id = 3", &[Damage::DeletedRow]),
    ("delete from events where id = 10", &[Damage::DeletedRow]),
    (
        "insert into events (epoch, xid, kind, actor, payload, at)
        select epoch, xid, kind, actor, payload, at from events where id = 3",
        &[Damage::InsertedRow],
    ),
    (
        "alter table events alter column id drop identity;
        update events set id = 1000 where id = 3; update events set id = 3 where id = 5; update events set id = 5 where id = 1000",
        &[Damage::ReorderedRow],
    ),
    ("update journal_blocks set sealed_at = now() where height = 1", &[Damage::EditedBlock]),
    ("update journal_blocks set hash = sha256('x') where height = 1", &[
        Damage::EditedBlock,
        Damage::BrokenLink,
        Damage::RewrittenChain,
    ]),
    ("delete from journal_blocks where height = 1", &[Damage::MissingBlock]),
    ("delete from journal_blocks where height = 2", &[Damage::CutTail]),
    ("delete from journal_blocks where height = 2; delete from events where id > 10", &[Damage::CutTail]),
    ("truncate events; truncate journal_blocks", &[Damage::EmptiedJournal]),
    ("truncate events; truncate journal_blocks; truncate checkpoints; truncate signing_keys cascade", &[
        Damage::EmptiedJournal,
    ]),
    ("update checkpoints set statement = replace(statement, 'height 2', 'height 1')", &[Damage::ForgedCheckpoint]),
    ("update signing_keys set public_key = sha256('x')", &[Damage::WrongFingerprint]),
];

#[tokio::test]
async fn every_harm_a_superuser_can_do_is_found_and_named() {
    for (harm, found) in HARM {
        let site = Site::new().await;
        let app = site.start().await;
        for _ in 0..2 {
            write(&app.db, 10).await;
            close(&app).await;
        }
        assert_whole(&report(&app).await);
        sql(&app.db, "alter table events disable trigger all").await;
        sql(&app.db, harm).await;
        sql(&app.db, "alter table events enable trigger all").await;
        let report = report(&app).await;
        assert_eq!(damage(&report), *found, "{harm}\n{report:#?}");
        app.db.close().await;
        app.decisions.close().await;
    }
}

#[tokio::test]
async fn a_chain_made_anew_is_not_the_one_that_was_signed() {
    let site = Site::new().await;
    let app = site.start().await;
    write(&app.db, 10).await;
    close(&app).await;
    // Everything the database has is made consistent again, by the product's own sealer; only the file outside is older.
    sql(
        &app.db,
        "alter table events disable trigger all; update events set actor = 'person:bob' where id = 3;
        alter table events enable trigger all; truncate journal_blocks; truncate checkpoints",
    )
    .await;
    settle(&app).await;
    assert_eq!(damage(&report(&app).await), [Damage::RewrittenChain]);
}

#[tokio::test]
async fn an_emptied_journal_is_found_by_a_server_that_starts_over_it() {
    let site = Site::new().await;
    let app = site.start().await;
    write(&app.db, 10).await;
    close(&app).await;
    sql(
        &app.db,
        "alter table events disable trigger all; truncate events; alter table events enable trigger all;
        truncate journal_blocks; truncate checkpoints; update instance set system_identifier = null",
    )
    .await;
    let app = site.start().await;
    assert_eq!(number(&app.db, "select epoch::bigint from instance").await, 2);
    assert_eq!(damage(&report(&app).await), [Damage::EmptiedJournal]);
}

#[tokio::test]
async fn the_journal_refuses_to_be_changed() {
    let site = Site::new().await;
    let app = site.start().await;
    write(&app.db, 3).await;
    for refused in [
        "update events set actor = 'person:bob'",
        "update events set payload = null",
        "update events set payload = '{}', redacted_at = now()",
        "update events set payload = null, redacted_at = now(), kind = 'x'",
        "delete from events",
        "truncate events",
    ] {
        let error = sqlx::raw_sql(refused).execute(&app.db).await.unwrap_err();
        let code = error.as_database_error().and_then(|e| e.code().map(std::borrow::Cow::into_owned));
        assert_eq!(code.as_deref(), Some("CS002"), "{refused}: {error}");
    }
    sql(&app.db, "update events set payload = null, redacted_at = now() where id = 1").await;
    let again = sqlx::raw_sql("update events set redacted_at = now() where id = 1").execute(&app.db).await;
    assert!(again.is_err(), "a redacted row is as fixed as any other");
}
