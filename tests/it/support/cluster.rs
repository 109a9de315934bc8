//! One private cluster for the whole run, started by the product's own code, and a fresh database for each test.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use countersign::{pg, store};
use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Executor, PgConnection};
use tokio::sync::OnceCell;

use super::scratch;

/// The cluster stays up as long as the process: the thread that `Cluster` owns is what Postgres takes for its parent.
static CLUSTER: OnceLock<pg::Cluster> = OnceLock::new();

/// Made once, by whichever test comes first; the others wait for it.
static TEMPLATE_READY: OnceCell<()> = OnceCell::const_new();

const TEMPLATE: &str = "migrated";

fn cluster() -> &'static pg::Cluster {
    CLUSTER.get_or_init(|| {
        let options = pg::Options { data_dir: scratch::folder("cluster"), pg_bin: None };
        let cluster = pg::Cluster::start(&options).unwrap();
        // Nothing of it is kept, so nothing has to be written.
        scratch::stop_at_exit("QUIT", cluster.postmaster_pid().unwrap());
        cluster
    })
}

/// The address of a new database that has the whole schema and no data.
pub async fn database() -> String {
    TEMPLATE_READY.get_or_init(make_template).await;
    copy(TEMPLATE).await
}

/// The address of a new database that is a copy of another, to which nobody is connected.
pub async fn copy_of(url: &str) -> String {
    let options = PgConnectOptions::from_str(url).unwrap();
    copy(options.get_database().unwrap()).await
}

async fn copy(template: &str) -> String {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let name = format!("test_{}", NEXT.fetch_add(1, Ordering::Relaxed));
    run(&format!("create database {name} template {template}")).await;
    cluster().url(&name)
}

/// The folder and the name of the socket behind a database's address.
pub fn socket_of(url: &str) -> (PathBuf, String) {
    let options = PgConnectOptions::from_str(url).unwrap();
    (options.get_socket().unwrap().clone(), format!(".s.PGSQL.{}", options.get_port()))
}

/// The same database by a socket in another folder.
pub fn through(url: &str, folder: &Path) -> String {
    let parts = url.split('&').map(|part| match part.split_once("host=") {
        Some((start, _)) => format!("{start}host={}", folder.display()),
        None => part.to_owned(),
    });
    parts.collect::<Vec<_>>().join("&")
}

/// A connection of the test's own, for what no interface shows: rows as they are written, and faults.
pub async fn connect(url: &str) -> PgConnection {
    PgConnectOptions::from_str(url).unwrap().connect().await.unwrap()
}

/// The address of a new database without any schema.
pub async fn empty_database(name: &str) -> String {
    run(&format!("create database {name}")).await;
    cluster().url(name)
}

async fn make_template() {
    let url = empty_database(TEMPLATE).await;
    let options = PgConnectOptions::from_str(&url).unwrap();
    let mut connection = options.connect().await.unwrap();
    store::MIGRATOR.run(&mut connection).await.unwrap();
    // A template that somebody is connected to cannot be copied.
    sqlx::Connection::close(connection).await.unwrap();
}

async fn run(sql: &str) {
    let options = PgConnectOptions::from_str(&cluster().url("postgres")).unwrap();
    let mut connection = options.connect().await.unwrap();
    connection.execute(AssertSqlSafe(sql)).await.unwrap();
    sqlx::Connection::close(connection).await.unwrap();
}
