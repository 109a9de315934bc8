//! Orders to type a text: what follows each of them, whether one still stands when it is taken, and those that nobody takes.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::expire::lock_both;
use super::record::{Done, finish, finish_all};
use crate::app::App;
use crate::domain::order::{Execution, Skip};
use crate::domain::pane::FRESH;
use crate::error::Result;
use crate::flows::{fleet, mail, stalls};
use crate::store::orders::OrderRow;
use crate::store::{self, policies, typing};

/// Whether a text may be taken.
#[derive(Debug)]
pub(in crate::flows) enum AtLease {
    /// It may.
    Stands,
    /// Not now: the pane is at work, or nobody knows what it does.
    Waits,
    /// Never: what it was made for is gone.
    Fallen,
}

/// What follows mail and nudges that are done with, in the same transaction. A line that a person had typed has no sequel;
/// that of a message between agents needs more than the row (`finish_all`).
pub(super) async fn after(tx: &mut PgConnection, order: &OrderRow, done: &Done<'_>) -> Result<()> {
    match order.trigger.as_str() {
        "mail" => mail::after(tx, order, done).await,
        "stall" => stalls::after(tx, order, done).await,
        _ => Ok(()),
    }
}

/// Looks at a text again when its client wants to take it, in a transaction that holds policy and order. One that has
/// fallen is taken back.
pub(super) async fn at_lease(
    app: &App,
    tx: &mut PgConnection,
    order: &OrderRow,
    now: DateTime<Utc>,
) -> Result<AtLease> {
    let fallen = match order.trigger.as_str() {
        "mail" => mail::fallen(tx, order).await?.or(unwatched(tx, order, now).await?),
        "stall" => stalls::fallen(tx, order).await?.or(unwatched(tx, order, now).await?),
        // What a person says stands; its pane may have another lane's agent by now, or nobody may see it.
        "manual_nudge" => unwatched(tx, order, now).await?,
        "message" => match fleet::at_lease(tx, order, now).await? {
            AtLease::Fallen => Some(Skip::StateChanged),
            standing => return Ok(standing),
        },
        _ => None,
    };
    let Some(skip) = fallen else { return Ok(AtLease::Stands) };
    finish_all(app, tx, order, &Done::taken_back(skip, now)).await?;
    Ok(AtLease::Fallen)
}

/// Nobody reports the pane of an order any more.
async fn unwatched(tx: &mut PgConnection, order: &OrderRow, now: DateTime<Utc>) -> Result<Option<Skip>> {
    let pane = (order.pane_client_id, order.pane_key.as_str());
    let watched = typing::is_watched(tx, pane, order.lane_id, now - FRESH).await?;
    Ok((!watched).then_some(Skip::CaptureFailed))
}

/// The tick: mail and nudges that wait for a client which does not report their pane any more are taken back, so that
/// another pane of the lane may have them; the answer is how many.
pub async fn unstrand(app: &App) -> Result<usize> {
    let mut conn = app.db.acquire().await?;
    let now = store::now(&mut conn, app.clock.offset_us()).await?;
    let stranded = typing::stranded(&mut conn, now - FRESH).await?;
    drop(conn);
    let mut taken = 0;
    for id in stranded {
        match unstrand_one(app, id).await {
            Ok(done) => taken += usize::from(done),
            Err(error) => tracing::warn!(order = %id, %error, "an order that nobody takes could not be taken back yet"),
        }
    }
    Ok(taken)
}

async fn unstrand_one(app: &App, id: Uuid) -> Result<bool> {
    let mut tx = app.db.begin().await?;
    policies::hold(&mut tx).await?;
    let Some(order) = lock_both(&mut tx, id).await? else { return Ok(false) };
    if order.state != "queued" {
        return Ok(false);
    }
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    finish(&mut tx, &order, &Done::taken_back(Skip::CaptureFailed, now)).await?;
    tx.commit().await?;
    app.hub.poke();
    app.metrics.executed(Execution::Skipped.as_str());
    Ok(true)
}
