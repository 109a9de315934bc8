//! Ends in the middle: of the client, of the server, of the pane. Nothing is typed twice, nothing is lost, all is told.

use serde_json::{Value, json};

use super::desk::{Desk, OUTSIDE, Watch, ask, state};
use crate::support::server::{Server, countersign};
use crate::support::{cluster, scratch};

/// The client's file of orders that were begun.
fn begun(desk: &Desk) -> String {
    let entries = std::fs::read_dir(state(&desk.pane.folder)).unwrap().flatten().map(|entry| entry.path());
    let file = entries.into_iter().find(|path| path.extension().is_some_and(|end| end == "started")).unwrap();
    std::fs::read_to_string(file).unwrap()
}

#[tokio::test]
async fn a_client_killed_at_the_key_never_presses_again() {
    let mut desk = Desk::open(&ask(OUTSIDE)).await;
    let held = desk.held().await;
    desk.ben.rule(&held, &json!({ "outcome": "approved" })).await.assert_status(200);
    // As soon as the disk has the order, and whether or not its key has left.
    desk.until("the order on the disk", async || begun(&desk).contains('+').then_some(())).await;
    desk.restart_client();
    let rows = desk.acted(1).await;
    let row = &rows[0];
    let interrupted = (row["outcome"].as_str(), row["reason"].as_str()) == (Some("failed"), Some("interrupted"));
    assert!(interrupted || row["outcome"] == "sent", "{row}");
    assert!(desk.pane.keys().len() <= 1, "{:?}", desk.pane.keys());
    // What is still there is asked about again, and pressed only when somebody says so again.
    if desk.pane.keys().is_empty() {
        let again = desk.other(&held).await;
        assert!(desk.pane.keys().is_empty());
        desk.ben.rule(&again, &json!({ "outcome": "approved" })).await.assert_status(200);
        desk.acted(2).await;
    }
    assert_eq!(desk.pane.keys(), ["1"]);
}

#[tokio::test]
async fn a_key_that_is_still_on_its_way_is_not_followed_by_another() {
    // An agent that is busy: its dialog stands there long after the key.
    let script =
        json!({ "ask": { "title": "Bash command", "command": "git log -n 1", "lingers_ms": 8000 } }).to_string();
    let desk = Desk::unwatched(&(script + "\n")).await;
    let mut desk = desk.watched();
    desk.until("the order on the disk", async || {
        let entries = std::fs::read_dir(state(&desk.pane.folder)).into_iter().flatten().flatten();
        let begun = |path: std::path::PathBuf| std::fs::read_to_string(path).is_ok_and(|text| text.contains('+'));
        entries
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|end| end == "started"))
            .any(begun)
            .then_some(())
    })
    .await;
    desk.restart_client();
    let held = desk.held().await;
    if desk.pane.keys().is_empty() {
        // The client was killed before the key.
        desk.ben.rule(&held, &json!({ "outcome": "approved" })).await.assert_status(200);
    }
    desk.until("the end of the dialog", async || desk.inbox().await.is_empty().then_some(())).await;
    desk.pane.wait_for("the choice", |notes| notes.iter().any(|note| note["chose"].is_object()));
    assert_eq!(desk.pane.keys(), ["1"]);
}

#[tokio::test]
async fn a_client_that_comes_back_presses_nothing_for_what_it_did_not_see() {
    let mut desk = Desk::open(&ask(OUTSIDE)).await;
    let held = desk.held().await;
    desk.watch.kill();
    desk.ben.rule(&held, &json!({ "outcome": "approved" })).await.assert_status(200);
    desk.watch = Watch::start(&desk.pane, &desk.app.url);
    // Nobody saw whether the same dialog stood there all the time, so it is another one.
    let again = desk.other(&held).await;
    let rows = desk.acted(1).await;
    assert_eq!((&rows[0]["outcome"], &rows[0]["reason"]), (&json!("skipped"), &json!("state_changed")), "{rows:?}");
    assert!(desk.pane.keys().is_empty());
    desk.ben.rule(&again, &json!({ "outcome": "rejected" })).await.assert_status(200);
    desk.acted(2).await;
    assert_eq!(desk.pane.keys(), ["3"]);
}

#[tokio::test]
async fn a_server_killed_with_an_order_leased_loses_nothing() {
    let desk = Desk::unwatched(&ask(OUTSIDE)).await;
    let Desk { app, pane, ben, .. } = desk;
    let (database, folder) = (app.database.clone(), scratch::folder("killed"));
    app.stop().await;
    let server = Server::start(&folder, &["--database-url", &database]);
    let (address, url) = (server.url.trim_start_matches("http://").to_owned(), server.url.clone());
    let again = || {
        let mut command = countersign(&["serve", "--listen", &address, "--database-url", &database, "--data-dir"]);
        command.arg(&folder);
        Server::launch(command, &folder).unwrap()
    };
    let watch = Watch::start(&pane, &url);
    let ben = ben.at(&url);
    let waits = async || {
        let answer = ben.get("/api/v1/reviews?status=pending").await.body(200);
        answer["items"].as_array().unwrap().first().cloned()
    };
    let held = until("a dialog that waits", async || waits().await).await;
    ben.rule(&held, &json!({ "outcome": "approved" })).await.assert_status(200);
    let mut conn = cluster::connect(&database).await;
    let count = async |conn: &mut sqlx::PgConnection, sql: &'static str| {
        sqlx::query_scalar::<_, i64>(sql).fetch_one(conn).await.unwrap()
    };
    until("the lease", async || {
        let mut conn = cluster::connect(&database).await;
        (count(&mut conn, "select count(*) from orders where state <> 'queued'").await > 0).then_some(())
    })
    .await;
    server.kill();
    let server = again();
    let rows = "select count(*) from events where kind = 'supervision.acted' and payload ->> 'outcome' <> 'held'";
    until("the row", async || {
        let mut conn = cluster::connect(&database).await;
        (count(&mut conn, rows).await > 0).then_some(())
    })
    .await;
    assert_eq!(count(&mut conn, rows).await, 1, "{}", watch.said());
    assert_eq!(pane.keys(), ["1"], "{}", watch.said());
    drop(server);
}

async fn until<T>(what: &str, look: impl AsyncFn() -> Option<T>) -> T {
    let began = std::time::Instant::now();
    loop {
        if let Some(found) = look().await {
            return found;
        }
        assert!(began.elapsed() < super::desk::PATIENCE, "no sign of {what}");
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn while_the_server_is_away_nothing_is_typed_and_decisions_are_picked_up_on_return() {
    let desk = Desk::open(&ask(OUTSIDE)).await;
    let held = desk.held().await;
    let Desk { app, pane, ben, watch } = desk;
    let (database, folder, url) = (app.database.clone(), app.folder.clone(), app.url.clone());
    let address = url.trim_start_matches("http://").to_owned();
    // Decided on another server over the same database, while the client's own is away.
    app.stop().await;
    let other = crate::support::app::TestApp::start_on(&database).await;
    ben.at(&other.url).rule(&held, &json!({ "outcome": "approved" })).await.assert_status(200);
    until("the client's word that the server is away", async || {
        watch.said().contains("the server is away").then_some(())
    })
    .await;
    assert!(pane.keys().is_empty());
    other.stop().await;
    let app = crate::support::app::TestApp::start_in(&folder, &database, &address).await;
    let rows = until("what was done", async || {
        let rows: Vec<Value> = app.acted().await.into_iter().filter(|row| row["outcome"] != "held").collect();
        (!rows.is_empty()).then_some(rows)
    })
    .await;
    assert_eq!((rows.len(), &rows[0]["outcome"]), (1, &json!("sent")), "{rows:?}");
    assert_eq!(pane.keys(), ["1"]);
    assert_eq!(watch.said().matches("the server is away").count(), 1, "one line, not one a try: {}", watch.said());
}

#[tokio::test]
async fn a_pane_that_is_killed_takes_its_dialog_along() {
    let desk = Desk::open(&ask(OUTSIDE)).await;
    let held = desk.held().await;
    // Another window keeps the tmux server alive.
    desk.pane.tmux(["new-window", "-d", "sleep 600"]);
    desk.pane.tmux(["kill-pane", "-t", &desk.pane.pane]);
    desk.until("the withdrawal", async || desk.inbox().await.is_empty().then_some(())).await;
    assert_eq!(desk.review(&held["id"]).await["status"], "withdrawn");
}

#[tokio::test]
async fn a_second_client_with_the_same_token_is_turned_away() {
    let desk = Desk::open(&ask(OUTSIDE)).await;
    desk.held().await;
    // By whatever address it calls the server.
    for url in [desk.app.url.clone(), desk.app.url.replace("127.0.0.1", "localhost")] {
        let mut second = Watch::start(&desk.pane, &url);
        let code = second.wait();
        assert_eq!(code, Some(1), "{url}: {}", second.said());
    }
    let said = desk.watch.said();
    assert_eq!(said.matches("another `countersign pane` with this token is at work").count(), 2, "{said}");
}
