//! The policy as a file: out for anybody at the machine, in by an admin.

use serde::{Deserialize, Serialize};

use super::View;
use super::change::{Basis, Change, refused_file};
use crate::app::{App, AppState};
use crate::auth::{LocalAdmin, LocalPeer};
use crate::domain::policy::file;
use crate::error::{Error, Result};
use crate::store::policies;

/// A file to put in force.
#[derive(Clone, Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Import {
    /// The version it was made on.
    pub version: i64,
    /// Why, for the history.
    #[serde(default)]
    pub reason: Option<String>,
    /// The file's text. What it does not name has its shipped value.
    pub toml: String,
}

/// The policy as a file.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct Export {
    /// The version it is.
    pub version: i64,
    /// The file's text.
    pub toml: String,
}

/// Puts a file in force, or says on which line it is wrong and changes nothing.
pub async fn import(app: &AppState, admin: &LocalAdmin, import: &Import) -> Result<View> {
    let after = file::read(&import.toml).map_err(|bad| refused_file(&bad))?;
    let basis = Basis { version: import.version, reason: import.reason.as_deref() };
    let mut change = Change::begin(app, admin, basis).await?;
    change.check_lanes(&after).await?;
    change.finish(after, "import", None).await
}

/// The policy in force, or as it was in a version.
pub async fn export(app: &App, _: LocalPeer, version: Option<i64>) -> Result<Export> {
    let mut conn = app.db.acquire().await?;
    let (version, document) = match version {
        None => policies::head(&mut conn).await?,
        Some(version) => {
            let document = policies::document(&mut conn, version).await?;
            (version, document.ok_or_else(Error::not_found)?)
        }
    };
    let toml = file::write(&document).map_err(|error| Error::Internal(format!("policy {version}: {error}")))?;
    Ok(Export { version, toml })
}
