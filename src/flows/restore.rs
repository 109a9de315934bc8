//! A restored database has forgotten revocations and decisions: all power given before is taken back, and a new epoch begins.

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::json;
use sqlx::PgConnection;

use crate::app::App;
use crate::domain::event::{Actor, EventKind, Place};
use crate::domain::journal::checkpoint::Checkpoint;
use crate::domain::journal::restore::{Cause, Found};
use crate::domain::order::Execution;
use crate::error::Result;
use crate::flows::attention;
use crate::flows::fleet;
use crate::flows::orders::{Done, finish};
use crate::store;
use crate::store::epoch::{self, Identity};
use crate::store::events::{self, NewEvent};
use crate::store::{journal, messages, orders};

/// What agents and people read on a proposal that was pending in the backup.
const WITHDRAWN: &str = "The database was restored from a backup, so everything that was pending is void. Ask again.";

/// What a restore took back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Restored {
    /// The epoch that has begun.
    pub epoch: i32,
    /// How it showed: `other_cluster` or `behind_checkpoint`.
    pub cause: &'static str,
    /// Sessions ended.
    pub sessions: u64,
    /// Tokens revoked: each agent needs a new one.
    pub tokens: u64,
    /// Proposals withdrawn.
    pub proposals: i64,
}

/// Looks whether this is a restored database and, if so, begins a new epoch; one transaction, so it happens once and whole.
/// `furthest` is what this server signed last, from its file. Safe to call at any time.
pub async fn restore(app: &App, furthest: Option<&Checkpoint>) -> Result<Option<Restored>> {
    let mut tx = app.db.begin().await?;
    let identity = epoch::lock_identity(&mut tx).await?;
    let height = furthest.map_or(0, |signed| signed.height);
    let found = Found {
        cluster: &identity.cluster,
        noted: identity.noted.as_deref(),
        epoch: identity.epoch,
        hash_there: journal::hash_at(&mut tx, height).await?,
    };
    let Some(cause) = found.restored(furthest) else {
        if identity.noted.is_none() {
            epoch::note_cluster(&mut tx, &identity.cluster).await?;
        }
        tx.commit().await?;
        return Ok(None);
    };
    let next = found.next_epoch(furthest);
    let restored = take_back(app, &mut tx, &identity, (next, cause)).await?;
    tx.commit().await?;
    app.hub.poke();
    tracing::warn!(
        epoch = restored.epoch,
        cause = restored.cause,
        sessions = restored.sessions,
        tokens = restored.tokens,
        proposals = restored.proposals,
        "the database is a restored one: sessions, tokens and pending proposals are void"
    );
    Ok(Some(restored))
}

/// What was ordered before the backup was taken may have been carried out since. An answer is void with its decision; of a
/// text it counts as begun, so that mail which may stand in a terminal is not typed there again.
async fn void_orders(conn: &mut PgConnection, now: DateTime<Utc>) -> Result<()> {
    for order in orders::open(conn, None).await? {
        let is_answer = order.kind == "answer";
        let outcome = if is_answer { Execution::Skipped } else { Execution::Failed };
        let done = Done { void: is_answer, ..Done::unreported(outcome, "restored", Actor::System, now) };
        finish(conn, &order, &done).await?;
    }
    Ok(())
}

async fn take_back(
    app: &App,
    conn: &mut PgConnection,
    identity: &Identity,
    (next, cause): (i32, Cause),
) -> Result<Restored> {
    epoch::hold_everything(conn).await?;
    let now = store::now(conn, app.clock.offset_us()).await?;
    let kept = journal::head(conn).await?;
    epoch::begin(conn, next, &identity.cluster).await?;
    void_orders(conn, now).await?;
    messages::doubt_all(conn).await?;
    fleet::void(app, conn, now).await?;
    epoch::end_dialogs(conn, now).await?;
    attention::clear_all_of_proposals(conn, now).await?;
    epoch::raise_token_epochs(conn).await?;
    let restored = Restored {
        epoch: next,
        cause: cause.as_str(),
        sessions: epoch::revoke_sessions(conn, now).await?,
        tokens: epoch::revoke_tokens(conn, now).await?,
        proposals: epoch::withdraw_pending(conn, WITHDRAWN, now).await?,
    };
    let mut payload = json!(restored);
    payload["height"] = kept.height.into();
    let event = NewEvent {
        kind: EventKind::InstanceRestored,
        actor: Actor::System,
        place: Place::default(),
        proposal: None,
        payload,
        at: now,
    };
    events::append(conn, event).await?;
    Ok(restored)
}
