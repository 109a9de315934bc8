//! The run's own Postgres, flushing to disk as in production, and the databases in it.

use std::str::FromStr;

use countersign::{pg, store};
use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Executor, PgConnection, Row};

use crate::Res;
use crate::scratch::Scratch;

/// The cluster.
pub(crate) struct Databases {
    pub(crate) cluster: pg::Cluster,
}

impl Databases {
    pub(crate) fn start(scratch: &Scratch) -> Res<Self> {
        let options = pg::Options { data_dir: scratch.path().join("pg"), pg_bin: None };
        Ok(Self { cluster: pg::Cluster::start(&options)? })
    }

    /// Makes a database with the product's schema.
    pub(crate) async fn make(&self, name: &str) -> Res<()> {
        self.run("postgres", &format!("create database {name}")).await?;
        let mut conn = self.connect(name).await?;
        store::MIGRATOR.run(&mut conn).await?;
        Ok(conn.close().await?)
    }

    /// Makes a database that is another's copy; nobody may be connected to that one.
    pub(crate) async fn copy(&self, name: &str, of: &str) -> Res<()> {
        self.run("postgres", &format!("create database {name} template {of}")).await
    }

    pub(crate) fn url(&self, name: &str) -> String {
        self.cluster.url(name)
    }

    async fn connect(&self, name: &str) -> Res<PgConnection> {
        Ok(PgConnectOptions::from_str(&self.url(name))?.connect().await?)
    }

    /// Runs statements.
    pub(crate) async fn run(&self, name: &str, sql: &str) -> Res<()> {
        let mut conn = self.connect(name).await?;
        conn.execute(AssertSqlSafe(sql)).await?;
        Ok(conn.close().await?)
    }

    /// One column of text.
    pub(crate) async fn texts(&self, name: &str, sql: &str) -> Res<Vec<String>> {
        let mut conn = self.connect(name).await?;
        let rows = conn.fetch_all(AssertSqlSafe(sql)).await?;
        conn.close().await?;
        rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
    }

    /// Empties what a cell has written, so that every cell begins alike. The journal stays: nothing may take from it.
    pub(crate) async fn reset(&self, name: &str) -> Res<()> {
        self.run(name, "truncate proposals cascade; update agents set pending = 0").await
    }

    /// Transactions so far, of everybody in the database.
    pub(crate) async fn transactions(&self, name: &str) -> Res<f64> {
        let sql = format!("select (xact_commit + xact_rollback)::text from pg_stat_database where datname = '{name}'");
        // Asked from another database, so that asking is not counted.
        let texts = self.texts("postgres", &sql).await?;
        Ok(texts.first().ok_or("no such database")?.parse()?)
    }
}
