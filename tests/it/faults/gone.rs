//! The database goes away under a running server and comes back: clear refusals meanwhile, and everything goes on by itself.

use std::time::{Duration, Instant};

use countersign::pg::{self, Cluster};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::task::JoinHandle;
use tokio::time::sleep;

use super::promises::all_is_in_order;
use super::stage::Stage;
use crate::support::client::{Answer, Client};
use crate::support::proposals::{at, change};
use crate::support::scratch;
use crate::support::server::Server;
use crate::support::socket::Socket;

/// How long the database may take to be found again.
const PATIENCE: Duration = Duration::from_secs(30);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_was_away_is_found_again() {
    let stage = Stage::new().await;
    let cluster = start(&stage);
    let folder = scratch::folder("faults").join("server");
    let server = Server::start(&folder, &["--database-url", &cluster.url(pg::DATABASE)]);
    let (agent, approver) = (stage.agent(0, &server.url), stage.approver(&server.url));
    let mut phone = phone_of(&approver, &server.url).await;
    let asked = agent.propose(&change("before")).await;
    phone.next_of("proposal.created").await;
    let patient = [false, true].map(|knowing| poll(&agent, &asked, 45, knowing));
    let hasty = poll(&agent, &asked, 2, true);
    asleep(&server, 3).await;
    for _ in 0..5 {
        // A poll is counted before its first read; whoever comes behind it and has read leaves no doubt.
        agent.look(&asked).await;
    }

    cluster.stop();
    everything_is_refused(&agent, &approver, &asked).await;
    let answer = hasty.await.unwrap();
    assert!(answer.status == 304 || answer.code() == "unavailable", "{} {}", answer.status, answer.text);

    let cluster = start(&stage);
    found_again(&server, &stage, &asked).await;
    for poll in patient {
        let seen = poll.await.unwrap().body(200);
        assert_eq!((&seen["status"], &seen["decision"]["outcome"]), (&json!("approved"), &json!("approved")));
    }
    let heard = phone.next_of("proposal.decided").await;
    assert_eq!(heard["proposal_id"], asked["id"]);
    let later = agent.propose(&change("after")).await;
    while phone.next_of("proposal.created").await["proposal_id"] != later["id"] {}
    all_is_in_order(&server);
    // As when a machine is shut down: the database need not be the last.
    cluster.stop();
    assert!(server.stop().success());
}

/// The stage's database, as somebody else's: the server has another data folder.
pub fn start(stage: &Stage) -> Cluster {
    Cluster::start(&pg::Options { data_dir: stage.folder.clone(), pg_bin: None }).unwrap()
}

pub async fn phone_of(approver: &Client, url: &str) -> Socket {
    let headers = [("cookie", approver.cookie().unwrap()), ("origin", url)];
    Socket::open(url, "/api/v1/events", &headers).await.unwrap()
}

/// A long poll, asleep in a task of its own: for a final answer, or for another version than the one it knows.
pub fn poll(agent: &Client, proposal: &Value, secs: u32, knowing: bool) -> JoinHandle<Answer> {
    let (agent, proposal) = (agent.clone(), proposal.clone());
    tokio::spawn(async move {
        if knowing {
            return agent.wait(&proposal, secs).await;
        }
        agent.get(&format!("{}?wait={secs}", at(&proposal))).await
    })
}

/// Returns once so many long polls sleep in the server.
pub async fn asleep(server: &Server, polls: usize) {
    let line = format!("countersign_waiters {polls}");
    let looking = async {
        while !server.local().get("/metrics").await.text.lines().any(|other| other == line) {
            sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(PATIENCE, looking).await.expect("the long polls are not asleep");
}

async fn everything_is_refused(agent: &Client, approver: &Client, asked: &Value) {
    agent.get("/readyz").await.assert_problem(503, "unavailable");
    agent.get("/healthz").await.assert_status(200);
    for _ in 0..3 {
        agent.post("/api/v1/proposals", &change("meanwhile")).await.assert_problem(503, "unavailable");
        agent.get(&at(asked)).await.assert_problem(503, "unavailable");
        approver.get("/api/v1/reviews").await.assert_problem(503, "unavailable");
        approver.decide(asked, "approved").await.assert_problem(503, "unavailable");
    }
    let page = approver.request(Method::GET, "/").header("Accept", "text/html");
    let page = approver.send(page).await;
    page.assert_status(503);
    assert!(page.header("content-type").starts_with("text/html"), "{}", page.header("content-type"));
}

/// From the moment it is ready, the connections that the outage broke cost nobody a refusal.
async fn found_again(server: &Server, stage: &Stage, asked: &Value) {
    let began = Instant::now();
    let agent = stage.agent(0, &server.url);
    while agent.get("/readyz").await.status != 200 {
        assert!(began.elapsed() < PATIENCE, "it does not become ready again");
        sleep(Duration::from_millis(20)).await;
    }
    let approver = stage.approver(&server.url);
    assert_eq!(approver.decide(asked, "approved").await.body(200)["status"], "approved");
    agent.propose(&change("once it is back")).await;
}

/// The first answer that is no refusal.
pub async fn answered(mut ask: impl AsyncFnMut() -> Answer) -> Answer {
    let began = Instant::now();
    loop {
        let answer = ask().await;
        if answer.status != 503 {
            return answer;
        }
        answer.assert_problem(503, "unavailable");
        assert!(began.elapsed() < PATIENCE, "it stays unavailable");
    }
}
