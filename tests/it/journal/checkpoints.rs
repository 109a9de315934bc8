//! When a server vouches, and what a lost or exchanged key does.

use chrono::TimeDelta;
use countersign::domain::journal::finding::Damage;
use countersign::flows::checkpoint;

use super::{Site, assert_whole, close, damage, number, report, settle, write};

/// Why it vouched, in the order of the file.
async fn reasons(app: &countersign::app::AppState) -> Vec<&'static str> {
    let file = app.notary.witness().read().await.unwrap();
    file.checkpoints.iter().map(|signed| signed.open().unwrap().reason.as_str()).collect()
}

#[tokio::test]
async fn a_server_vouches_at_starts_stops_and_often_enough_between() {
    let site = Site::new().await;
    let app = site.start().await;
    assert!(!checkpoint::keep_up(&app).await.unwrap(), "nothing is new");
    write(&app.db, 255).await;
    settle(&app).await;
    assert!(!checkpoint::keep_up(&app).await.unwrap(), "too few and too soon");
    app.clock.advance(TimeDelta::minutes(10));
    assert!(checkpoint::keep_up(&app).await.unwrap(), "ten minutes have passed");
    write(&app.db, 256).await;
    settle(&app).await;
    assert!(checkpoint::keep_up(&app).await.unwrap(), "256 rows have come");
    app.clock.advance(TimeDelta::hours(1));
    assert!(!checkpoint::keep_up(&app).await.unwrap(), "an idle server has nothing to say");
    close(&app).await;
    let app = site.start().await;
    assert_eq!(reasons(&app).await, ["first", "interval", "interval", "stop", "start"]);
    assert_eq!(number(&app.db, "select count(*) from checkpoints").await, 5);
    assert_whole(&report(&app).await);
}

#[tokio::test]
async fn every_server_vouches_with_its_own_key_in_its_own_file() {
    let site = Site::new().await;
    let (one, other) = (site.start().await, site.neighbour().start().await);
    assert_eq!(number(&one.db, "select count(*) from signing_keys where purpose = 'checkpoint'").await, 2);
    assert_ne!(one.notary.fingerprint(), other.notary.fingerprint());
    assert_eq!(damage(&report(&one).await), [Damage::UnknownKey], "the auditor knows of one server only");
}

#[tokio::test]
async fn a_key_made_anew_is_not_the_one_the_auditor_wrote_down() {
    let site = Site::new().await;
    let old = site.start().await;
    std::fs::remove_file(site.dir.join("keys/checkpoint.pem")).unwrap();
    let app = site.start().await;
    assert_eq!(damage(&report(&app).await), [Damage::UnknownKey]);
    assert_eq!(damage(&report(&old).await), [Damage::UnknownKey]);
}
