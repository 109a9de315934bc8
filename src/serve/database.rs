//! The database a server runs on: somebody's by address, or the private cluster, and its schema.

use crate::config::ServeArgs;
use crate::pg::{Cluster, DATABASE, DataDir, OLDEST_MAJOR};
use crate::store::{self, Pools};

use super::Error;

/// A database, with what must live as long as it is used.
pub(super) enum Database {
    /// Our own, in the data folder.
    Private { cluster: Cluster, url: String },
    /// Somebody's; the folder is still ours alone.
    Named { url: String, _dir: DataDir },
}

impl Database {
    /// Starts the private cluster, unless another database is named.
    pub(super) async fn open(args: &ServeArgs, dir: DataDir) -> Result<Self, Error> {
        if let Some(url) = args.database_url.clone() {
            return Ok(Self::Named { url, _dir: dir });
        }
        let pg_bin = args.pg_bin.clone();
        let cluster = blocking(move || Cluster::start_in(dir, pg_bin.as_deref())).await??;
        let url = cluster.url(DATABASE);
        Ok(Self::Private { cluster, url })
    }

    /// How to connect.
    pub(super) fn url(&self) -> &str {
        match self {
            Self::Private { url, .. } | Self::Named { url, .. } => url,
        }
    }

    /// Stops the private cluster.
    pub(super) async fn close(self) {
        if let Self::Private { cluster, .. } = self
            && let Err(error) = blocking(move || cluster.stop()).await
        {
            tracing::error!(%error, "the private Postgres was not stopped");
        }
    }
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Error> {
    tokio::task::spawn_blocking(work).await.map_err(|error| Error::Database(error.to_string()))
}

/// Checks the version, brings the schema up to date and opens the pools.
pub(super) async fn prepare(url: &str) -> Result<Pools, Error> {
    let said = |error: sqlx::Error| Error::Database(error.to_string());
    let mut conn = store::dial(url).await.map_err(said)?;
    let version = store::server_version(&mut conn).await.map_err(said)?;
    let major = version.unsigned_abs() / 10_000;
    if major < OLDEST_MAJOR {
        return Err(Error::Database(format!("it is Postgres {major}, and {OLDEST_MAJOR} or newer is needed")));
    }
    store::migrate(url).await.map_err(|error| match error {
        sqlx::migrate::MigrateError::VersionMissing(step) => Error::Database(format!(
            "a newer Countersign has moved its schema on (step {step} is unknown here); start that version"
        )),
        other => Error::Database(format!("its schema could not be brought up to date: {other}")),
    })?;
    store::connect(url).await.map_err(said)
}
