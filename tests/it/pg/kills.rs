//! The private Postgres among killed processes: what dies is followed or replaced, and nothing is owned twice.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use countersign::pg::{self, Cluster, Error, Options};
use rustix::process::{Pid, Signal, kill_process};

use super::{Scratch, psql, psql_at};
use crate::support::scratch::program;

fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(began.elapsed() < Duration::from_secs(30), "waited too long until {what}");
        std::thread::yield_now();
    }
}

pub fn pid(number: u32) -> Pid {
    Pid::from_raw(i32::try_from(number).unwrap()).unwrap()
}

/// A zombie that nobody has reaped still takes signals, but has no program any more.
pub fn runs(pid: Pid) -> bool {
    std::fs::read_link(format!("/proc/{}/exe", pid.as_raw_nonzero())).is_ok()
}

fn postmaster_of(data_dir: &Path) -> Option<u32> {
    let text = std::fs::read_to_string(data_dir.join("pg/postmaster.pid")).ok()?;
    text.lines().next()?.parse().ok()
}

/// A server's stand-in in a process of its own: this same program, running `owner_process` below.
fn owner(options: &Options) -> Child {
    let mut child = program(std::env::current_exe().unwrap())
        .args(["--exact", "pg::kills::owner_process", "--ignored", "--nocapture"])
        .env("OWNER_DATA_DIR", &options.data_dir)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while !line.contains("owner is ready") {
        line.clear();
        assert_ne!(stdout.read_line(&mut line).unwrap(), 0, "the owner ended");
    }
    child.stdout = Some(stdout.into_inner());
    child
}

#[expect(clippy::disallowed_methods, reason = "how the parent tells its child")]
fn owner_data_dir() -> PathBuf {
    std::env::var_os("OWNER_DATA_DIR").unwrap().into()
}

#[test]
#[ignore = "not a test: the process that others kill"]
fn owner_process() {
    let data_dir = owner_data_dir();
    let _cluster = Cluster::start(&Options { data_dir, pg_bin: None }).unwrap();
    println!("owner is ready");
    let mut line = String::new();
    let _ = std::io::stdin().read_line(&mut line);
}

#[test]
fn starts_the_postmaster_again_when_it_is_killed() {
    let scratch = Scratch::new("postmaster");
    let cluster = Cluster::start(&scratch.options()).unwrap();
    psql(&cluster, "create table kept(n int); insert into kept values (7)");
    let first = cluster.postmaster_pid().unwrap();
    kill_process(pid(first), Signal::KILL).unwrap();
    let seen = until("it answers again", || {
        let again = cluster.postmaster_pid().is_some_and(|now| now != first);
        again.then(|| psql_at(&cluster.url(pg::DATABASE), cluster.bin_dir(), "select n from kept").ok())?
    });
    assert_eq!(seen, "7");
}

#[test]
fn follows_its_owner_into_death_and_starts_again() {
    let scratch = Scratch::new("owner");
    let mut owner = owner(&scratch.options());
    let postmaster = pid(postmaster_of(&scratch.options().data_dir).unwrap());
    owner.kill().unwrap();
    owner.wait().unwrap();
    let cluster = Cluster::start(&scratch.options()).unwrap();
    assert!(!runs(postmaster), "the old postmaster has ended");
    assert_eq!(psql(&cluster, "select 1"), "1");
}

#[test]
fn stops_an_orphan_that_did_not_notice_and_starts_again() {
    let scratch = Scratch::new("orphan");
    let mut owner = owner(&scratch.options());
    let orphan = pid(postmaster_of(&scratch.options().data_dir).unwrap());
    // Stopped, it cannot act on its parent's death; it is alive while the next owner starts.
    kill_process(orphan, Signal::STOP).unwrap();
    owner.kill().unwrap();
    owner.wait().unwrap();
    assert!(runs(orphan));
    let options = scratch.options();
    let starting = std::thread::spawn(move || Cluster::start(&options).unwrap());
    let lock = scratch.options().data_dir.join("lock");
    until("the new owner has the lock", || {
        let holder = std::fs::read_to_string(&lock).ok()?;
        (holder.trim() == std::process::id().to_string()).then_some(())
    });
    kill_process(orphan, Signal::CONT).unwrap();
    let cluster = starting.join().unwrap();
    assert!(!runs(orphan), "the orphan has ended");
    assert_eq!(psql(&cluster, "select 1"), "1");
}

#[test]
fn refuses_a_second_owner_and_names_the_first() {
    let scratch = Scratch::new("second");
    let mut owner = owner(&scratch.options());
    let error = Cluster::start(&scratch.options()).err().unwrap();
    let text = error.to_string();
    assert!(matches!(error, Error::Held { .. }), "{text}");
    assert!(text.contains(&format!("process {}", owner.id())), "{text}");
    assert_eq!(error.exit_code(), 1);
    drop(owner.stdin.take());
    owner.wait().unwrap();
}
