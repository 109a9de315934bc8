//! What supervision did, and how each lane stands: for people as far as their grants reach, for an agent of its own lane.

use chrono::{DateTime, Utc};
use serde::Serialize;

use super::sight;
use crate::app::App;
use crate::auth::reader::Reader;
use crate::error::Result;
use crate::store::acted::{self, ActedRow, Particulars};
use crate::store::instance::{self, Pause};
use crate::store::policies;

/// One entry of the audit: exactly one for each order that is done with, and one for each hold.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct AuditEntry {
    /// Its number.
    pub id: i64,
    /// When.
    pub at: DateTime<Utc>,
    /// The lane's name.
    pub lane: String,
    /// The rest.
    #[serde(flatten)]
    pub particulars: Particulars,
}

/// Entries, newest first.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct Entries {
    /// The entries.
    pub entries: Vec<AuditEntry>,
    /// The `before` of the next page; null on the last.
    pub next: Option<i64>,
}

/// How everything stands.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct SupervisionStatus {
    /// The master switch.
    pub master: bool,
    /// The pause; null when nothing is held.
    pub paused: Option<Pause>,
    /// The lanes that the reader may see.
    pub lanes: Vec<LaneStatus>,
}

/// How a lane stands.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct LaneStatus {
    /// The lane's name.
    pub lane: String,
    /// Both switches are on.
    pub enabled: bool,
    /// What supervision last did there.
    pub last: Option<AuditEntry>,
}

impl From<&ActedRow> for AuditEntry {
    fn from(row: &ActedRow) -> Self {
        Self { id: row.id, at: row.at, lane: row.lane.clone(), particulars: row.particulars() }
    }
}

/// A page of the audit. An agent reads its own lane's; another lane is not there.
pub async fn audit(
    app: &App,
    reader: &Reader,
    lane: Option<&str>,
    (before, limit): (Option<i64>, i64),
) -> Result<Entries> {
    let mut conn = app.db.acquire().await?;
    let lane = sight::one_lane(&mut conn, reader, lane).await?;
    let scope = sight::scope(reader)?;
    let mut rows = acted::page(&mut conn, &scope, lane.as_deref(), (before, limit + 1)).await?;
    let more = i64::try_from(rows.len()).is_ok_and(|found| found > limit);
    if more {
        rows.pop();
    }
    let next = rows.last().filter(|_| more).map(|row| row.id);
    Ok(Entries { entries: rows.iter().map(AuditEntry::from).collect(), next })
}

/// The switches, the pause, and what was last done in each lane.
pub async fn status(app: &App, reader: &Reader) -> Result<SupervisionStatus> {
    let mut conn = app.db.acquire().await?;
    let lanes = sight::lanes(&mut conn, reader).await?;
    let ids: Vec<_> = lanes.iter().map(|lane| lane.id).collect();
    let newest = acted::newest(&mut conn, &ids).await?;
    let (_, document) = policies::head(&mut conn).await?;
    let paused = instance::pause(&mut conn).await?;
    let lanes = lanes.into_iter().map(|lane| LaneStatus {
        enabled: document.resolve(&lane.name).enabled,
        last: newest.iter().find(|row| row.lane_id == lane.id).map(AuditEntry::from),
        lane: lane.name,
    });
    Ok(SupervisionStatus { master: document.supervision.enabled, paused, lanes: lanes.collect() })
}
