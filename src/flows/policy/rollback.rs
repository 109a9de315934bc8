//! Back to an earlier version, as a new one; and the history to choose it from.

use serde::{Deserialize, Serialize};

use super::View;
use super::change::{Basis, Change};
use crate::app::{App, AppState};
use crate::auth::{LocalAdmin, LocalPeer};
use crate::domain::policy::takes;
use crate::error::{Error, Result};
use crate::store::policies::{self, VersionRow};

/// What to go back to.
#[derive(Clone, Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Rollback {
    /// The version it was made on.
    pub version: i64,
    /// Why, for the history.
    #[serde(default)]
    pub reason: Option<String>,
    /// The version whose policy is to hold again.
    pub to: i64,
}

/// Versions, newest first.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct History {
    /// The versions.
    pub items: Vec<VersionRow>,
    /// The `before` of the next page; null on the last.
    pub next: Option<i64>,
}

/// Makes a new version of an earlier one.
pub async fn rollback(app: &AppState, admin: &LocalAdmin, back: &Rollback) -> Result<View> {
    let basis = Basis { version: back.version, reason: back.reason.as_deref() };
    let mut change = Change::begin(app, admin, basis).await?;
    let after = policies::document(&mut change.tx, back.to).await?;
    let after = after.ok_or_else(|| Error::invalid("to", format!("There is no version {}.", back.to)))?;
    // An earlier program may have taken what this one does not.
    takes::check(&after).map_err(super::change::refused)?;
    change.finish(after, "rollback", None).await
}

/// A page of the history.
pub async fn history(app: &App, _: LocalPeer, (before, limit): (Option<i64>, i64)) -> Result<History> {
    let mut conn = app.db.acquire().await?;
    let mut items = policies::history(&mut conn, (before, limit + 1)).await?;
    let more = i64::try_from(items.len()).is_ok_and(|found| found > limit);
    if more {
        items.pop();
    }
    let next = items.last().filter(|_| more).map(|row| row.version);
    Ok(History { items, next })
}
