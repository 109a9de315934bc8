//! A database that is there and says nothing, as behind a cut cable: the server does not wait for it for ever.

use std::time::{Duration, Instant};

use countersign::pg::{self, Cluster};
use rustix::process::{Pid, Signal, kill_process};

use super::gone::{answered, asleep, poll, start};
use super::promises::all_is_in_order;
use super::stage::Stage;
use crate::support::proposals::change;
use crate::support::scratch;
use crate::support::server::Server;

/// What a stop may take when the database says nothing at all: requests, sockets, last writes, connections.
const STOP: Duration = Duration::from_secs(45);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_silent_database_is_not_waited_for() {
    let stage = Stage::new().await;
    let cluster = start(&stage);
    let folder = scratch::folder("faults").join("server");
    let server = Server::start(&folder, &["--database-url", &cluster.url(pg::DATABASE)]);
    let (agent, approver) = (stage.agent(0, &server.url), stage.approver(&server.url));
    let asked = agent.propose(&change("before")).await;
    let patient = poll(&agent, &asked, 45, true);
    asleep(&server, 1).await;

    let frozen = Frozen::all_of(&cluster);
    let began = Instant::now();
    agent.get("/readyz").await.assert_problem(503, "unavailable");
    println!("not ready, and said so after {:?}", began.elapsed());
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    agent.get("/healthz").await.assert_status(200);
    drop(frozen);
    let decided = answered(async || approver.decide(&asked, "approved").await).await;
    assert_eq!(decided.body(200)["status"], "approved");
    assert_eq!(patient.await.unwrap().body(200)["status"], "approved");
    agent.get("/readyz").await.assert_status(200);
    all_is_in_order(&server);

    let frozen = Frozen::all_of(&cluster);
    let began = Instant::now();
    assert!(server.stop().success());
    println!("stopped after {:?}", began.elapsed());
    assert!(began.elapsed() < STOP, "{:?}", began.elapsed());
    drop(frozen);
    cluster.stop();
}

/// The processes of a cluster, standing still until this is dropped.
struct Frozen(Vec<Pid>);

impl Frozen {
    fn all_of(cluster: &Cluster) -> Self {
        let postmaster = cluster.postmaster_pid().unwrap();
        let mut frozen = Self(Vec::new());
        // First, so that it makes no more of them.
        frozen.stop(postmaster);
        let children = std::fs::read_to_string(format!("/proc/{postmaster}/task/{postmaster}/children")).unwrap();
        for child in children.split_whitespace() {
            frozen.stop(child.parse().unwrap());
        }
        assert!(frozen.0.len() > 5, "a cluster has more processes than {children}");
        frozen
    }

    fn stop(&mut self, pid: u32) {
        let pid = Pid::from_raw(i32::try_from(pid).unwrap()).unwrap();
        // One that has just ended needs no stopping.
        if kill_process(pid, Signal::STOP).is_ok() {
            self.0.push(pid);
        }
    }
}

impl Drop for Frozen {
    fn drop(&mut self) {
        for &pid in &self.0 {
            let _ = kill_process(pid, Signal::CONT);
        }
    }
}
