//! Orders to type a text: what follows each of them, whether one still stands when it is taken, and those that nobody takes.

use sqlx::PgConnection;
use uuid::Uuid;

use super::expire::lock_both;
use super::record::{Done, finish};
use crate::app::App;
use crate::domain::event::Actor;
use crate::domain::order::{Execution, Skip};
use crate::error::Result;
use crate::flows::panes::silence::FRESH;
use crate::flows::{mail, stalls};
use crate::store::orders::OrderRow;
use crate::store::{self, policies, typing};

/// What follows a text that is done with, in its transaction. A line that a person had typed has no sequel.
pub(super) async fn after(tx: &mut PgConnection, order: &OrderRow, done: &Done<'_>) -> Result<()> {
    match order.trigger.as_str() {
        "mail" => mail::after(tx, order, done).await,
        "stall" => stalls::after(tx, order, done).await,
        _ => Ok(()),
    }
}

/// Takes a text back that does not stand any more, in a transaction that holds policy and order; false when it stands.
pub(super) async fn take_back(app: &App, tx: &mut PgConnection, order: &OrderRow) -> Result<bool> {
    let fallen = match order.trigger.as_str() {
        "mail" => mail::fallen(tx, order).await?,
        "stall" => stalls::fallen(tx, order).await?,
        // What a person says stands; its pane may have another lane's agent by now, or nobody may see it.
        "manual_nudge" => None,
        _ => return Ok(false),
    };
    let now = store::now(tx, app.clock.offset_us()).await?;
    let pane = (order.pane_client_id, order.pane_key.as_str());
    let watched = typing::is_watched(tx, pane, order.lane_id, now - FRESH).await?;
    match fallen.or((!watched).then_some(Skip::CaptureFailed)) {
        Some(skip) => taken_back(app, tx, (order, skip)).await.map(|()| true),
        None => Ok(false),
    }
}

async fn taken_back(app: &App, tx: &mut PgConnection, (order, skip): (&OrderRow, Skip)) -> Result<()> {
    let done = Done {
        outcome: Execution::Skipped,
        reason: Some(skip.as_str()),
        keys: &[],
        excerpt: None,
        void: false,
        actor: Actor::System,
        now: store::now(tx, app.clock.offset_us()).await?,
    };
    finish(tx, order, &done).await.map(drop)
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
    taken_back(app, &mut tx, (&order, Skip::CaptureFailed)).await?;
    tx.commit().await?;
    app.hub.poke();
    app.metrics.executed(Execution::Skipped.as_str());
    Ok(true)
}
