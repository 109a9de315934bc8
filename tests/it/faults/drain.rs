//! SIGTERM: nobody new is let in, everybody who is in gets an answer, and Postgres is stopped last.

use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::json;
use sqlx::{Connection, Executor, PgConnection};
use tokio::time::{sleep, timeout};

use super::gone::{asleep, phone_of, poll};
use super::promises::all_is_in_order;
use super::stage::Stage;
use crate::support::client::{Answer, Client};
use crate::support::proposals::{change, with};
use crate::support::server::Server;

/// What a stop may take with nobody who holds it up (ten seconds for requests, two for sockets), on a busy machine.
const STOP: Duration = Duration::from_secs(20);

/// A create of this title takes a second, so that it is under way when the signal comes.
const SLOW: &str = "create function slow() returns trigger language plpgsql as
        $$ begin perform pg_sleep(1); return new; end $$;
    create trigger slow before insert on proposals for each row when (new.title = 'slow') execute function slow()";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stopping_server_answers_everybody() {
    let stage = Stage::new().await;
    let server = stage.serve();
    let (agent, approver) = (stage.agent(0, &server.url), stage.approver(&server.url));
    let mut phone = phone_of(&approver, &server.url).await;
    let asked = agent.propose(&change("waits for a decision")).await;
    let sleeping = [false, true].map(|knowing| poll(&agent, &asked, 45, knowing));
    let waiting = create(&agent, with(change("waits from the start"), &json!({ "wait": 45 })));
    asleep(&server, 3).await;
    let mut db = server.database().await;
    db.execute(SLOW).await.unwrap();
    let slow = create(&stage.agent(1, &server.url), change("slow"));
    under_way(&mut db).await;
    db.close().await.unwrap();

    let began = Instant::now();
    server.ask_to_stop();
    assert_eq!(phone.close_code().await, 1012);
    let [without, with_version] = sleeping;
    let without = without.await.unwrap();
    assert_eq!(without.header("connection"), "close", "the client is not led into a connection that is about to go");
    assert_eq!(without.body(200)["status"], "pending");
    with_version.await.unwrap().assert_status(304);
    assert_eq!(waiting.await.unwrap().body(201)["status"], "pending");
    let answered_after = began.elapsed();
    let down = Client::attempt(stage.agent(0, &server.url).request(Method::GET, "/readyz")).await;
    let refused = down.as_ref().is_err_and(reqwest::Error::is_connect);
    assert!(refused, "nobody new is let in: {:?}", down.map(|answer| answer.text));
    let slow = slow.await.unwrap().body(201);
    assert!(server.ended().success());
    println!("long polls answered after {answered_after:?}, ended after {:?}", began.elapsed());
    assert!(began.elapsed() < STOP, "{:?}", began.elapsed());

    let server = stage.serve();
    for proposal in [&asked, &slow] {
        assert_eq!(stage.agent(0, &server.url).look(proposal).await["status"], "pending");
    }
    postgres_was_stopped_cleanly(&server);
    all_is_in_order(&server);
    assert!(server.stop().success());
}

fn create(agent: &Client, ask: serde_json::Value) -> tokio::task::JoinHandle<Answer> {
    let agent = agent.clone();
    tokio::spawn(async move { agent.post("/api/v1/proposals", &ask).await })
}

/// Returns once the slow create has reached the database.
async fn under_way(db: &mut PgConnection) {
    let looking = async {
        let sleeping = "select exists (select from pg_stat_activity where wait_event = 'PgSleep')";
        while !sqlx::query_scalar::<_, bool>(sleeping).fetch_one(&mut *db).await.unwrap() {
            sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(Duration::from_secs(30), looking).await.expect("the slow create never came");
}

/// Its log says how each start found the data.
fn postgres_was_stopped_cleanly(server: &Server) {
    let mut log = String::new();
    for entry in std::fs::read_dir(server.folder.join("pg/log")).unwrap() {
        log += &std::fs::read_to_string(entry.unwrap().path()).unwrap();
    }
    // Each of the starts so far has found the data of a clean stop: the one that made the stage, and two of ours.
    assert!(log.matches("database system was shut down at").count() >= 3, "{log}");
    for sign in ["not properly shut down", "was interrupted", "automatic recovery"] {
        assert!(!log.contains(sign), "{sign}: {log}");
    }
}
