//! A full disk: the data folder is a small file system in memory that only the server's own processes see.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value, json};
use sqlx::{Executor, PgConnection};
use tokio::time::{sleep, timeout};

use super::gone::answered;
use super::promises::all_is_in_order;
use super::stage::Stage;
use crate::support::client::Client;
use crate::support::proposals::{at, change, review_at, with};
use crate::support::scratch::{self, program};
use crate::support::server::{Server, serve};

/// What the stage needs, and a few segments of the write-ahead log.
const SIZE: &str = "size=192m,mode=711";

/// Mounted in a namespace of its own, the file system ends with the last process in it, however that ends.
const INSIDE: &str = r#"mount -t tmpfs -o "$1" tmpfs "$2" && cp -a "$3/." "$2" && shift 3 && exec "$@""#;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_stops_writes_and_nothing_else() {
    let Some(server) = on_a_small_disk().await else { return };
    let stage = Stage::new().await;
    let (agent, approver) = (stage.agent(0, &server.url), stage.approver(&server.url));
    let mut db = server.database().await;
    // What is written from here on has a segment that lies there already.
    db.execute("select pg_switch_wal()").await.unwrap();
    let asked = agent.propose(&change("before")).await;

    let ballast = Ballast::fill(&server);
    for title in ["large 1", "large 2", "large 3"] {
        agent.post("/api/v1/proposals", &with(change(title), &noise())).await.assert_problem(503, "unavailable");
    }
    let edit = with(json!({ "outcome": "modified" }), &noise());
    approver.rule(&asked, &edit).await.assert_problem(503, "unavailable");
    assert_eq!(agent.get(&at(&asked)).await.body(200)["status"], "pending");
    approver.get("/api/v1/reviews").await.assert_status(200);
    assert_eq!(approver.get(&review_at(&asked)).await.body(200)["decision"], json!(null));

    ballast.drop_it();
    agent.propose(&with(change("large 4"), &noise())).await;
    approver.rule(&asked, &edit).await.assert_status(200);

    // Worse: the write-ahead log has no room either. Postgres stops itself, and cannot start.
    let waiting = agent.propose(&change("between")).await;
    let ballast = Ballast::fill(&server);
    use_up_the_log(&mut db, &agent).await;
    approver.decide(&waiting, "approved").await.assert_problem(503, "unavailable");
    postgres_gives_up(&server).await;
    agent.get("/readyz").await.assert_problem(503, "unavailable");
    ballast.drop_it();
    let seen = answered(async || agent.get(&at(&waiting)).await).await.body(200);
    assert_eq!(seen["status"], "pending");
    let decided = answered(async || approver.decide(&waiting, "rejected").await).await;
    assert_eq!(decided.body(200)["status"], "rejected");
    assert_eq!(agent.look(&asked).await["status"], "modified");
    all_is_in_order(&server);
    assert!(server.stop().success());
}

/// Takes one segment of the log after the other, until there is none left.
async fn use_up_the_log(db: &mut PgConnection, agent: &Client) {
    for n in 0..20 {
        // At the end it is this that fails, or what is written next.
        let _ = db.execute("select pg_switch_wal()").await;
        let answer = agent.post("/api/v1/proposals", &change(&format!("segment {n}"))).await;
        if answer.status != 201 {
            return answer.assert_problem(503, "unavailable");
        }
    }
    panic!("the disk is not full");
}

/// Returns once the server has found its Postgres gone, which had stopped itself and could not recover.
async fn postgres_gives_up(server: &Server) {
    let looking = async {
        while !server.log().contains("Postgres is gone") {
            sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(Duration::from_secs(30), looking).await.expect("Postgres goes on without room");
}

/// A server on the stage's data; none where nobody may mount anything, which continuous integration as root may.
async fn on_a_small_disk() -> Option<Server> {
    let stage = Stage::new().await;
    let folder = scratch::folder("faults").join("disk");
    std::fs::create_dir(&folder).unwrap();
    let mount = |script: &str| {
        let mut command = program("unshare");
        command.args(["--mount", "sh", "-c", script, "sh", SIZE]).args([&folder, stage.template()]);
        command
    };
    let may_mount = mount(r#"mount -t tmpfs -o "$1" tmpfs "$2""#).output();
    if !may_mount.as_ref().is_ok_and(|tried| tried.status.success()) {
        let must = rustix::process::geteuid().is_root() && in_ci();
        assert!(!must, "a file system cannot be mounted: {may_mount:?}");
        println!("skipped: the full disk, which needs a mount and so root");
        return None;
    }
    let real = serve(&folder, &[]);
    let mut command = mount(INSIDE);
    command.arg(real.get_program()).args(real.get_args());
    for (name, _) in real.get_envs().filter(|(_, value)| value.is_none()) {
        command.env_remove(name);
    }
    let mut server = Server::launch(command, &folder).unwrap();
    // The only way to see the file system from here.
    server.folder = PathBuf::from(format!("/proc/{}/root{}", server.pid(), folder.display()));
    Some(server)
}

#[expect(clippy::disallowed_methods, reason = "whether this is continuous integration is for the tests alone")]
fn in_ci() -> bool {
    std::env::var_os("CI").is_some()
}

/// Text that cannot be made smaller: it needs new pages, and there are none.
fn noise() -> Value {
    let mut seed = 0x2545_f491_u32;
    let mut next = || {
        seed ^= seed << 13;
        seed ^= seed >> 17;
        seed ^= seed << 5;
        char::from(b'!' + u8::try_from(seed % 90).unwrap())
    };
    json!({ "body": std::iter::repeat_with(&mut next).take(150_000).collect::<String>() })
}

/// A file that takes all that is left.
struct Ballast(PathBuf);

impl Ballast {
    fn fill(server: &Server) -> Self {
        let path = server.folder.join("ballast");
        let mut file = File::create(&path).unwrap();
        for size in [1 << 20, 1 << 12, 1] {
            let block = vec![0; size];
            while file.write_all(&block).is_ok() {}
        }
        Self(path)
    }

    fn drop_it(self) {
        std::fs::remove_file(self.0).unwrap();
    }
}
