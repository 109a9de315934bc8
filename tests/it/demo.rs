//! `countersign demo`: it fills itself, answers what is routine, waits for a person with the rest, and leaves nothing behind.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::support::client::Client;
use crate::support::scratch;
use crate::support::server::{countersign, signal};

/// Longer than anything here takes on a busy machine.
const PATIENCE: Duration = Duration::from_mins(2);

/// A demo whose temporary folder and tmux sockets are the test's own.
struct Demo {
    child: Child,
    /// What it said, up to its last line.
    said: Vec<String>,
    /// Where its folder and its socket are.
    root: PathBuf,
}

impl Demo {
    fn start() -> Self {
        let root = scratch::folder("demo");
        let mut command = countersign(&["demo"]);
        command.env("TMPDIR", &root).env("TMUX_TMPDIR", &root).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut demo = Self { child: command.spawn().unwrap(), said: Vec::new(), root };
        scratch::stop_at_exit("TERM", demo.child.id());
        for line in BufReader::new(demo.child.stdout.take().unwrap()).lines().map_while(Result::ok) {
            let last = line.starts_with("Ctrl-C");
            demo.said.push(line);
            if last {
                return demo;
            }
        }
        panic!("it ended early: {:?}", demo.said);
    }

    /// The words behind a heading of what it said.
    fn told(&self, heading: &str) -> Vec<&str> {
        let line = self.said.iter().find_map(|line| line.trim_start().strip_prefix(heading));
        line.unwrap_or_else(|| panic!("no {heading} in {:?}", self.said)).split_whitespace().collect()
    }

    fn folder(&self) -> PathBuf {
        self.root.join(format!("countersign-demo-{}", self.child.id()))
    }

    /// Waits for its end and for whoever cleans up after it; the exit code.
    fn ended(mut self) -> Option<i32> {
        let folder = self.folder();
        drop(self.child.stdin.take());
        let code = self.child.wait().unwrap().code();
        scratch::gone(self.child.id());
        wait_until("the folder is gone", || !folder.exists());
        assert_eq!(sockets(&self.root), Vec::<PathBuf>::new(), "tmux' socket is left");
        code
    }
}

/// The sockets of tmux under a folder.
fn sockets(root: &Path) -> Vec<PathBuf> {
    let folders = std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path());
    let tmux = folders.filter(|path| path.file_name().unwrap().to_str().unwrap().starts_with("tmux-"));
    tmux.flat_map(|path| std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path())).collect()
}

fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < PATIENCE, "not so: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// What supervision has done so far in a lane.
async fn acted(person: &Client, lane: &str) -> Vec<Value> {
    let audit = person.get(&format!("/api/v1/supervision/audit?lane={lane}")).await.body(200);
    audit["entries"].as_array().unwrap().clone()
}

/// The first thing done in a lane that ended so.
async fn first(person: &Client, lane: &str, outcome: &str) -> Value {
    let began = Instant::now();
    loop {
        let all = acted(person, lane).await;
        if let Some(entry) = all.iter().find(|entry| entry["outcome"] == outcome) {
            return entry.clone();
        }
        assert!(began.elapsed() < PATIENCE, "nothing {outcome} in {lane}: {all:?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn routine_dialogs_are_answered_risky_ones_wait_and_nothing_is_left() {
    let demo = tokio::task::spawn_blocking(Demo::start).await.unwrap();
    let url = demo.told("Open")[0].to_owned();
    let person = Client::tcp(&url).sign_in("demo", demo.told("Sign in")[2]).await;
    assert!(person.get("/").await.text.contains("nothing here is real"));

    let waiting = person.get("/api/v1/reviews?status=pending").await.body(200);
    let kinds: Vec<_> = waiting["items"].as_array().unwrap().iter().map(|item| item["kind"].clone()).collect();
    assert!(kinds.iter().filter(|kind| **kind != "dialog").count() >= 12, "{kinds:?}");
    assert!(kinds.contains(&json!("question")) && kinds.contains(&json!("change")));

    let routine = first(&person, "api", "sent").await;
    assert_eq!((&routine["decision"], &routine["keys"]), (&json!("approve"), &json!(["1"])), "{routine}");
    let risky = first(&person, "web", "held").await;
    assert_eq!(risky["dialog_class"], "push_remote", "{risky}");
    assert!(!acted(&person, "web").await.iter().any(|entry| entry["outcome"] == "sent"), "nobody has decided yet");

    let waiting = person.get("/api/v1/reviews?status=pending&lane=web").await.body(200);
    let dialog = waiting["items"].as_array().unwrap().iter().find(|item| item["kind"] == "dialog").unwrap();
    let answer = json!({"outcome": "approved", "digest": dialog["digest"], "note": "The branch is reviewed."});
    let path = format!("/api/v1/proposals/{}/decision", dialog["id"].as_str().unwrap());
    person.post(&path, &answer).await.assert_status(200);
    assert_eq!(first(&person, "web", "sent").await["keys"], json!(["y"]));

    // Closing the pipe it was started with ends it as Ctrl-C does.
    let code = tokio::task::spawn_blocking(move || demo.ended()).await.unwrap();
    assert_eq!(code, Some(0));
}

#[test]
fn a_demo_that_is_killed_is_cleaned_up_all_the_same() {
    let demo = Demo::start();
    assert!(demo.folder().is_dir());
    let server = std::fs::read_to_string(demo.folder().join("data/lock")).unwrap().trim().parse().unwrap();
    signal(demo.child.id(), Signal::KILL);
    assert_eq!(demo.ended(), None);
    let pid = rustix::process::Pid::from_raw(server).unwrap();
    let stat = std::fs::read_to_string(format!("/proc/{server}/stat")).unwrap_or_default();
    let runs = rustix::process::test_kill_process(pid).is_ok() && !stat.contains(") Z ");
    assert!(!runs, "the server still runs");
}
