//! A lease ran out and nobody said what became of the order: it counts as failed, and a person is needed.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::record::{Done, finish_all};
use crate::app::App;
use crate::domain::attention::Cause;
use crate::domain::event::Actor;
use crate::domain::order::Execution;
use crate::error::Result;
use crate::flows::attention::{self, Episode};
use crate::store;
use crate::store::orders::{self, OrderRow};
use crate::store::proposals::close;

/// The reason of an order whose lease ran out.
pub const NO_REPORT: &str = "no_report";
/// How many a tick looks at.
const TICK: i64 = 200;

/// The tick: closes what is overdue; the answer is how many.
pub async fn expire_overdue(app: &App) -> Result<usize> {
    expire_of(app, None).await
}

/// Closes what is overdue of one client, or of all.
pub async fn expire_of(app: &App, client: Option<Uuid>) -> Result<usize> {
    let mut conn = app.db.acquire().await?;
    let now = store::now(&mut conn, app.clock.offset_us()).await?;
    let overdue = orders::overdue(&mut conn, client, (now, TICK)).await?;
    drop(conn);
    let mut closed = 0;
    for id in overdue {
        match expire(app, id).await {
            Ok(done) => closed += usize::from(done),
            // One that somebody holds must not keep the others alive; the next tick comes back to it.
            Err(error) => tracing::warn!(order = %id, %error, "an order could not be closed as unreported yet"),
        }
    }
    Ok(closed)
}

async fn expire(app: &App, id: Uuid) -> Result<bool> {
    let mut tx = app.db.begin().await?;
    let Some(order) = lock_both(&mut tx, id).await? else { return Ok(false) };
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    if !is_overdue(&order, now) {
        return Ok(false);
    }
    close_unreported(app, &mut tx, &order, now).await?;
    tx.commit().await?;
    app.hub.waiters.stir(order.id);
    app.hub.poke();
    app.metrics.executed(Execution::Failed.as_str());
    Ok(true)
}

/// Locks an order's proposal and then the order, in the order that everybody keeps.
pub(super) async fn lock_both(tx: &mut PgConnection, id: Uuid) -> Result<Option<OrderRow>> {
    let Some(seen) = orders::find(tx, id).await? else { return Ok(None) };
    if let Some(proposal) = seen.proposal_id {
        close::lock(tx, proposal).await?;
    }
    Ok(orders::lock(tx, id).await?)
}

/// Whether a lease has run out at `now`. The edge itself is over.
pub(super) fn is_overdue(order: &OrderRow, now: DateTime<Utc>) -> bool {
    order.state == "taken" && order.leased_until.is_some_and(|until| now >= until)
}

/// Writes it, in a transaction that holds both.
pub(super) async fn close_unreported(
    app: &App,
    tx: &mut PgConnection,
    order: &OrderRow,
    now: DateTime<Utc>,
) -> Result<()> {
    let done = Done::unreported(Execution::Failed, NO_REPORT, Actor::System, now);
    finish_all(app, tx, order, &done).await?;
    if order.proposal_id.is_none() {
        // A line that was not typed keeps nobody waiting at a dialog; the audit has it.
        return Ok(());
    }
    let pane = &order.pane_key;
    let detail =
        format!("A pane client took an order for pane {pane} and did not say what became of it. Look at the terminal.");
    raise(app, tx, (order, Cause::NoReport, &detail), now).await
}

/// A person is needed because of an order.
pub(super) async fn raise(
    app: &App,
    tx: &mut PgConnection,
    (order, cause, detail): (&OrderRow, Cause, &str),
    now: DateTime<Utc>,
) -> Result<()> {
    let episode = Episode {
        place: (order.project_id, order.lane_id),
        cause,
        key: &order.id.to_string(),
        proposal: order.proposal_id,
        detail,
    };
    attention::raise(app, tx, &episode, now).await
}
