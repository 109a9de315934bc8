//! The private Postgres: starts fast, survives kills, refuses what would lose data, and says what to do about it.

mod kills;

use std::ffi::OsString;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Instant;

use countersign::pg::{self, Cluster, DataDir, Error, Options};

use crate::support::scratch::{self, program};

/// A folder of its own for each test; a cluster is big enough to be removed at once.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        Self(scratch::folder(name))
    }

    fn options(&self) -> Options {
        Options { data_dir: self.0.join("data"), pg_bin: None }
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
    let output = program(bin_dir.join("psql"))
        .args(["-X", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=1", "-c", sql, url])
        .output()
        .unwrap();
    if output.status.success() {
        Ok(String::from_utf8(output.stdout).unwrap().trim().to_owned())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

#[test]
fn starts_from_nothing_and_again_with_its_data() {
    let scratch = Scratch::new("cold");
    let began = Instant::now();
    let cluster = Cluster::start(&scratch.options()).unwrap();
    println!("cold start: {:?}", began.elapsed());
    psql(&cluster, "create table kept(n int); insert into kept values (7)");
    assert_eq!(psql(&cluster, "show listen_addresses"), "");
    assert_eq!(psql(&cluster, "show data_checksums"), "on");
    assert_eq!(psql(&cluster, "show fsync"), "on");
    assert!(psql(&cluster, "show max_connections").parse::<u32>().unwrap() >= 64);
    let modes = [("", 0o711), ("run", 0o700), ("keys", 0o700), ("pg", 0o700), ("pg-run", 0o700)];
    for (name, mode) in modes {
        let path = scratch.options().data_dir.join(name);
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o7777, mode, "{name}");
    }
    let postmaster = cluster.postmaster_pid().unwrap();
    cluster.stop();
    assert!(!kills::runs(kills::pid(postmaster)), "stop waits for the end");

    let began = Instant::now();
    let cluster = Cluster::start(&scratch.options()).unwrap();
    println!("warm start: {:?}", began.elapsed());
    assert_eq!(psql(&cluster, "select n from kept"), "7");
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
    assert_eq!(std::fs::read_dir(&pg).unwrap().count(), 1, "nothing was touched");
}

#[test]
fn refuses_binaries_that_will_not_do() {
    let scratch = Scratch::new("binaries");
    let empty = scratch.0.join("bin");
    std::fs::create_dir(&empty).unwrap();
    let options = Options { pg_bin: Some(empty.clone()), ..scratch.options() };
    let error = Cluster::start(&options).err().unwrap();
    assert!(error.to_string().contains("--pg-bin"), "{error}");
    assert_eq!(error.exit_code(), 3);

    for program in ["initdb", "pg_ctl", "postgres"] {
        let path = empty.join(program);
        std::fs::write(&path, "#!/bin/sh\necho 'postgres (PostgreSQL) 14.9'\n").unwrap();
        std::fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
    }
    let error = Cluster::start(&options).err().unwrap();
    assert!(error.to_string().contains("Postgres 14; 15 or newer is needed"), "{error}");

    let missing = Error::NoBinaries { install: "sudo apt-get install -y postgresql".to_owned() };
    assert_eq!(missing.exit_code(), 3);
    assert!(missing.to_string().contains("`sudo apt-get install -y postgresql`"));
}

#[test]
fn moves_its_socket_when_the_path_is_too_long() {
    let scratch = Scratch::new("long");
    let data_dir = scratch.0.join("a".repeat(120));
    let cluster = Cluster::start(&Options { data_dir, pg_bin: None }).unwrap();
    assert_eq!(psql(&cluster, "select 1"), "1");
    let socket_dir = cluster.socket_dir().to_path_buf();
    assert!(!socket_dir.starts_with(&scratch.0));
    assert_eq!(socket_dir.metadata().unwrap().permissions().mode() & 0o777, 0o700);
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
    let options = Options { data_dir: closed.join("data"), pg_bin: None };
    let error = Cluster::start(&options).err().unwrap();
    assert!(matches!(&error, Error::Untraversable { ancestor, .. } if *ancestor == closed), "{error}");
    assert!(error.to_string().contains("chmod a+x"), "{error}");
}

#[test]
fn leaves_a_folder_of_someone_else_alone() {
    let scratch = Scratch::new("foreign");
    std::fs::write(scratch.0.join("letter.txt"), "dear").unwrap();
    let options = Options { data_dir: scratch.0.clone(), pg_bin: None };
    let error = Cluster::start(&options).err().unwrap();
    assert!(matches!(error, Error::NotOurs { .. }), "{error}");
    assert_eq!(scratch.0.metadata().unwrap().permissions().mode() & 0o777, 0o755);
}

#[test]
fn runs_a_command_against_a_running_server_or_without_one() {
    let scratch = Scratch::new("exec");
    let script = |sql: &str| -> Vec<OsString> {
        let line = format!(r#"[ "$(psql -XAtqc "{sql}")" = "$(psql -XAtqc "{sql}" "$DATABASE_URL")" ] && exit 4"#);
        ["sh", "-c", &line].map(OsString::from).to_vec()
    };
    assert_eq!(pg::exec(&scratch.options(), &script("select 1")).unwrap(), 4);
    let cluster = Cluster::start(&scratch.options()).unwrap();
    let postmaster = cluster.postmaster_pid();
    assert_eq!(pg::exec(&scratch.options(), &script("select 2")).unwrap(), 4);
    assert_eq!(cluster.postmaster_pid(), postmaster);
    assert!(matches!(pg::exec(&scratch.options(), &[]), Err(Error::NoCommand)));
    cluster.stop();

    let _held = DataDir::claim(&scratch.options().data_dir).unwrap();
    let none = pg::exec(&scratch.options(), &script("select 3"));
    assert!(matches!(none, Err(Error::NoCluster { .. })));
}
