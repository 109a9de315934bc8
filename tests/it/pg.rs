//! The private Postgres: starts fast, survives kills, refuses what would lose data, and says what to do about it.
#![expect(
    clippy::disallowed_methods,
    reason = "these tests start and kill processes, which pg promises to survive"
)]

use std::ffi::OsString;
use std::fs::Permissions;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use countersign::pg::{self, Cluster, DataDir, Error, Options};
use rustix::process::{Pid, Signal, kill_process};

/// A folder of its own for each test, gone at its end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let dir = std::env::temp_dir().join(format!("cs-pg-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        // The cluster's account must get in when the tests run as root.
        std::fs::set_permissions(&dir, Permissions::from_mode(0o755)).unwrap();
        Self(dir)
    }

    fn options(&self) -> Options {
        Options {
            data_dir: self.0.join("data"),
            pg_bin: None,
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn psql(cluster: &Cluster, sql: &str) -> String {
    psql_at(&cluster.url(pg::DATABASE), cluster.bin_dir(), sql).unwrap()
}

fn psql_at(url: &str, bin_dir: &Path, sql: &str) -> Result<String, String> {
    let output = Command::new(bin_dir.join("psql"))
        .args([
            "-X",
            "-A",
            "-t",
            "-q",
            "-v",
            "ON_ERROR_STOP=1",
            "-c",
            sql,
            url,
        ])
        .output()
        .unwrap();
    if output.status.success() {
        Ok(String::from_utf8(output.stdout).unwrap().trim().to_owned())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(
            began.elapsed() < Duration::from_secs(30),
            "waited too long until {what}"
        );
        std::thread::yield_now();
    }
}

fn pid(number: u32) -> Pid {
    Pid::from_raw(i32::try_from(number).unwrap()).unwrap()
}

/// A zombie that nobody has reaped still takes signals, but has no program any more.
fn runs(pid: Pid) -> bool {
    std::fs::read_link(format!("/proc/{}/exe", pid.as_raw_nonzero())).is_ok()
}

fn postmaster_of(data_dir: &Path) -> Option<u32> {
    let text = std::fs::read_to_string(data_dir.join("pg/postmaster.pid")).ok()?;
    text.lines().next()?.parse().ok()
}

/// A server's stand-in in a process of its own: this same program, running `owner_process` below.
fn owner(options: &Options) -> Child {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "pg::owner_process", "--ignored", "--nocapture"])
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

#[test]
#[ignore = "not a test: the process that others kill"]
fn owner_process() {
    let data_dir = std::env::var_os("OWNER_DATA_DIR").unwrap().into();
    let _cluster = Cluster::start(&Options {
        data_dir,
        pg_bin: None,
    })
    .unwrap();
    println!("owner is ready");
    let mut line = String::new();
    let _ = std::io::stdin().read_line(&mut line);
}

#[test]
fn starts_from_nothing_and_again_with_its_data() {
    let scratch = Scratch::new("cold");
    let began = Instant::now();
    let cluster = Cluster::start(&scratch.options()).unwrap();
    println!("cold start: {:?}", began.elapsed());
    psql(
        &cluster,
        "create table kept(n int); insert into kept values (7)",
    );
    assert_eq!(psql(&cluster, "show listen_addresses"), "");
    assert_eq!(psql(&cluster, "show data_checksums"), "on");
    assert_eq!(psql(&cluster, "show fsync"), "on");
    assert!(
        psql(&cluster, "show max_connections")
            .parse::<u32>()
            .unwrap()
            >= 64
    );
    let modes = [
        ("", 0o711),
        ("run", 0o700),
        ("keys", 0o700),
        ("pg", 0o700),
        ("pg-run", 0o700),
    ];
    for (name, mode) in modes {
        let path = scratch.options().data_dir.join(name);
        assert_eq!(
            path.metadata().unwrap().permissions().mode() & 0o7777,
            mode,
            "{name}"
        );
    }
    let postmaster = pid(cluster.postmaster_pid().unwrap());
    cluster.stop();
    assert!(!runs(postmaster), "stop waits for the end");

    let began = Instant::now();
    let cluster = Cluster::start(&scratch.options()).unwrap();
    println!("warm start: {:?}", began.elapsed());
    assert_eq!(psql(&cluster, "select n from kept"), "7");
}

#[test]
fn starts_the_postmaster_again_when_it_is_killed() {
    let scratch = Scratch::new("postmaster");
    let cluster = Cluster::start(&scratch.options()).unwrap();
    psql(
        &cluster,
        "create table kept(n int); insert into kept values (7)",
    );
    let first = cluster.postmaster_pid().unwrap();
    kill_process(pid(first), Signal::KILL).unwrap();
    let seen = until("it answers again", || {
        let again = cluster.postmaster_pid().is_some_and(|now| now != first);
        again.then(|| {
            psql_at(
                &cluster.url(pg::DATABASE),
                cluster.bin_dir(),
                "select n from kept",
            )
            .ok()
        })?
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

#[test]
fn refuses_the_data_of_another_major_version() {
    let scratch = Scratch::new("major");
    let pg = scratch.options().data_dir.join("pg");
    drop(DataDir::claim(&scratch.options().data_dir).unwrap());
    std::fs::create_dir(&pg).unwrap();
    std::fs::write(pg.join("PG_VERSION"), "13\n").unwrap();
    let error = Cluster::start(&scratch.options()).err().unwrap();
    let text = error.to_string();
    assert!(matches!(error, Error::OtherMajor { .. }), "{text}");
    for part in ["Postgres 13", "--pg-bin", "pg_dumpall", "psql"] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert_eq!(
        std::fs::read_dir(&pg).unwrap().count(),
        1,
        "nothing was touched"
    );
}

#[test]
fn refuses_binaries_that_will_not_do() {
    let scratch = Scratch::new("binaries");
    let empty = scratch.0.join("bin");
    std::fs::create_dir(&empty).unwrap();
    let options = Options {
        pg_bin: Some(empty.clone()),
        ..scratch.options()
    };
    let error = Cluster::start(&options).err().unwrap();
    assert!(error.to_string().contains("--pg-bin"), "{error}");
    assert_eq!(error.exit_code(), 3);

    for program in ["initdb", "pg_ctl", "postgres"] {
        let path = empty.join(program);
        std::fs::write(&path, "#!/bin/sh\necho 'postgres (PostgreSQL) 14.9'\n").unwrap();
        std::fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
    }
    let error = Cluster::start(&options).err().unwrap();
    assert!(
        error
            .to_string()
            .contains("Postgres 14; 15 or newer is needed"),
        "{error}"
    );

    let missing = Error::NoBinaries {
        install: "sudo apt-get install -y postgresql".to_owned(),
    };
    assert_eq!(missing.exit_code(), 3);
    assert!(
        missing
            .to_string()
            .contains("`sudo apt-get install -y postgresql`")
    );
}

#[test]
fn moves_its_socket_when_the_path_is_too_long() {
    let scratch = Scratch::new("long");
    let data_dir = scratch.0.join("a".repeat(120));
    let cluster = Cluster::start(&Options {
        data_dir,
        pg_bin: None,
    })
    .unwrap();
    assert_eq!(psql(&cluster, "select 1"), "1");
    let socket_dir = cluster.socket_dir().to_path_buf();
    assert!(!socket_dir.starts_with(&scratch.0));
    assert_eq!(
        socket_dir.metadata().unwrap().permissions().mode() & 0o777,
        0o700
    );
    cluster.stop();
    std::fs::remove_dir(socket_dir).unwrap();
}

#[test]
fn names_the_folder_that_its_account_cannot_enter() {
    if !rustix::process::geteuid().is_root() {
        return; // Only root runs the cluster as someone else.
    }
    let scratch = Scratch::new("closed");
    let closed = scratch.0.join("closed");
    std::fs::create_dir(&closed).unwrap();
    std::fs::set_permissions(&closed, Permissions::from_mode(0o700)).unwrap();
    let options = Options {
        data_dir: closed.join("data"),
        pg_bin: None,
    };
    let error = Cluster::start(&options).err().unwrap();
    assert!(
        matches!(&error, Error::Untraversable { ancestor, .. } if *ancestor == closed),
        "{error}"
    );
    assert!(error.to_string().contains("chmod a+x"), "{error}");
}

#[test]
fn leaves_a_folder_of_someone_else_alone() {
    let scratch = Scratch::new("foreign");
    std::fs::write(scratch.0.join("letter.txt"), "dear").unwrap();
    let options = Options {
        data_dir: scratch.0.clone(),
        pg_bin: None,
    };
    let error = Cluster::start(&options).err().unwrap();
    assert!(matches!(error, Error::NotOurs { .. }), "{error}");
    assert_eq!(
        scratch.0.metadata().unwrap().permissions().mode() & 0o777,
        0o755
    );
}

#[test]
fn runs_a_command_against_a_running_server_or_without_one() {
    let scratch = Scratch::new("exec");
    let script = |sql: &str| -> Vec<OsString> {
        let line = format!(
            r#"[ "$(psql -XAtqc "{sql}")" = "$(psql -XAtqc "{sql}" "$DATABASE_URL")" ] && exit 4"#
        );
        ["sh", "-c", &line].map(OsString::from).to_vec()
    };
    assert_eq!(
        pg::exec(&scratch.options(), &script("select 1")).unwrap(),
        4
    );
    let cluster = Cluster::start(&scratch.options()).unwrap();
    let postmaster = cluster.postmaster_pid();
    assert_eq!(
        pg::exec(&scratch.options(), &script("select 2")).unwrap(),
        4
    );
    assert_eq!(cluster.postmaster_pid(), postmaster);
    assert!(matches!(
        pg::exec(&scratch.options(), &[]),
        Err(Error::NoCommand)
    ));
    cluster.stop();

    let _held = DataDir::claim(&scratch.options().data_dir).unwrap();
    let none = pg::exec(&scratch.options(), &script("select 3"));
    assert!(matches!(none, Err(Error::NoCluster { .. })));
}
