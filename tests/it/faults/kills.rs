//! kill -9 under load: the server again and again, its postmaster in two ways.

use std::time::{Duration, Instant};

use rustix::process::Signal;
use tokio::sync::watch;

use super::load::Load;
use super::promises;
use super::stage::Stage;
use crate::support::server::{Server, serve, signal};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_killed_twenty_times_keeps_what_it_acknowledged() {
    let stage = Stage::new().await;
    let began = Instant::now();
    let mut server = stage.serve();
    let (url, urls) = watch::channel(server.url.clone());
    let load = Load::start(&stage, &urls);
    for kill in 0..20 {
        // At ever different points of its work, now and then at once; and some on their way up.
        load.more(kill * 17 % 61).await;
        server.kill();
        if kill % 5 == 4 {
            kill_while_it_starts(&stage).await;
        }
        server = stage.serve();
        url.send_replace(server.url.clone());
    }
    load.more(10).await;
    let told = load.finish().await;
    println!("twenty kills in {:?}: {}", began.elapsed(), told.summary());
    promises::hold(&server, &stage, &told).await;
    assert!(server.stop().success());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_heals_when_its_postmaster_is_killed_or_stops_at_once() {
    let stage = Stage::new().await;
    let began = Instant::now();
    let server = stage.serve();
    let (_url, urls) = watch::channel(server.url.clone());
    let load = Load::start(&stage, &urls);
    // QUIT is what `pg_ctl stop -m immediate` sends.
    for how in [Signal::KILL, Signal::QUIT, Signal::KILL, Signal::QUIT] {
        load.more(10).await;
        let postmaster = server.postmaster().unwrap();
        signal(postmaster, how);
        load.refused().await;
        replaced(&server, Some(postmaster)).await;
        load.more(10).await;
    }
    let told = load.finish().await;
    println!("four deaths of the postmaster in {:?}: {}", began.elapsed(), told.summary());
    promises::hold(&server, &stage, &told).await;
    assert!(server.stop().success());
}

/// Kills one whose Postgres has just begun to recover from the kill before.
async fn kill_while_it_starts(stage: &Stage) {
    let (server, _ready) = Server::begin(serve(&stage.folder, &[]), &stage.folder);
    let before = server.postmaster();
    replaced(&server, before).await;
    server.kill();
}

/// Returns once another postmaster has taken the place of this one.
async fn replaced(server: &Server, postmaster: Option<u32>) {
    let replacing = async {
        while server.postmaster().is_none_or(|now| Some(now) == postmaster) {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), replacing).await.expect("nobody started Postgres again");
}
