//! What follows a nudge that was to wake a stalled agent, and whether one that waits still stands.

use sqlx::PgConnection;

use crate::domain::order::{Execution, Skip};
use crate::error::Result;
use crate::flows::orders::Done;
use crate::store::orders::OrderRow;
use crate::store::{messages, policies, stalls};

/// Writes what became of it. A nudge that was not typed counts: what cannot be nudged needs a person all the more. One that
/// the server itself took back does not.
pub(in crate::flows) async fn after(tx: &mut PgConnection, order: &OrderRow, done: &Done<'_>) -> Result<()> {
    if done.is_taken_back() {
        stalls::take_back(tx, order.id).await?;
    } else {
        stalls::nudged(tx, order.id, done.outcome == Execution::Sent, done.now).await?;
    }
    Ok(())
}

/// Why a nudge does not stand any more, in a transaction that holds policy and order; none while it does.
pub(in crate::flows) async fn fallen(tx: &mut PgConnection, order: &OrderRow) -> Result<Option<Skip>> {
    let (_, document) = policies::head(tx).await?;
    let effective = document.resolve(&order.lane);
    if !effective.enabled || order.text.as_ref() != Some(&effective.nudge_text) {
        return Ok(Some(Skip::PolicyChanged));
    }
    let work = effective.expect_work || messages::unread_since(tx, order.lane_id).await?.is_some();
    let stands = work && stalls::of_order(tx, order.id).await?.is_some();
    Ok((!stands).then_some(Skip::StateChanged))
}
