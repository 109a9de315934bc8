//! What follows an order that typed mail, or a line about it, in the transaction that is done with the order.

use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use super::{as_typed, told};
use crate::domain::attention::Cause;
use crate::domain::event::{Actor, EventKind};
use crate::domain::mail::Schedule;
use crate::domain::order::Execution;
use crate::error::Result;
use crate::flows::attention;
use crate::flows::orders::Done;
use crate::store::events;
use crate::store::messages::{self, Round};
use crate::store::orders::OrderRow;

/// Writes it. An order that the server itself took back tried nothing, and is no attempt.
pub(in crate::flows) async fn after(tx: &mut PgConnection, order: &OrderRow, done: &Done<'_>) -> Result<()> {
    // A lane has its row since its first mail.
    let Some(round) = messages::lock(tx, order.lane_id).await? else { return Ok(()) };
    if done.is_taken_back() {
        return Ok(messages::put_back(tx, order.id, (false, false), done.reason).await?);
    }
    let full = order.kind == "mail";
    let failed = done.outcome == Execution::Failed;
    let schedule = match done.outcome {
        Execution::Sent if full && is_all_typed(tx, order).await? => {
            let typed = messages::typed(tx, order.id, done.now).await?;
            delivered(tx, order, typed, (&done.actor, done.now)).await?;
            Schedule::default()
        }
        Execution::Sent => {
            messages::nudged(tx, order.id, done.now).await?;
            Schedule::default()
        }
        Execution::Skipped | Execution::Failed => {
            messages::put_back(tx, order.id, (true, failed && full), done.reason).await?;
            Schedule { attempts: round.attempts, next_at: round.next_at, gave_up: false }.failed(done.now)
        }
    };
    let round = Round {
        attempts: schedule.attempts,
        next_at: schedule.next_at,
        pane_client_id: Some(order.pane_client_id),
        pane_key: Some(order.pane_key.clone()),
        bound: failed,
    };
    Ok(messages::save(tx, order.lane_id, &round).await?)
}

/// Whether a mail stands in the terminal whole. Of a long one it is the beginning, which speaks of the rest as a line would.
async fn is_all_typed(tx: &mut PgConnection, order: &OrderRow) -> Result<bool> {
    let carried = messages::of_order(tx, order.id).await?;
    Ok(carried.iter().all(|row| as_typed(row).1))
}

/// A client says after the lease that it did type the mail: delivered after all.
pub(in crate::flows) async fn late(
    tx: &mut PgConnection,
    order: &OrderRow,
    (actor, now): (&Actor<'_>, DateTime<Utc>),
) -> Result<()> {
    if order.kind != "mail" || messages::lock(tx, order.lane_id).await?.is_none() {
        return Ok(());
    }
    let carried = order.msg_ids.clone().unwrap_or_default();
    // Our own list of ids; one that cannot be read names none.
    let ids: Vec<Uuid> = serde_json::from_value(carried).unwrap_or_default();
    let mut whole = Vec::new();
    for id in ids {
        let row = messages::find(tx, id).await?;
        if row.is_some_and(|row| as_typed(&row).1) {
            whole.push(id);
        }
    }
    let late = messages::delivered_late(tx, &whole, now).await?;
    delivered(tx, order, late, (actor, now)).await
}

async fn delivered(
    tx: &mut PgConnection,
    order: &OrderRow,
    ids: Vec<Uuid>,
    (actor, now): (&Actor<'_>, DateTime<Utc>),
) -> Result<()> {
    let place = (order.project_id, order.lane_id);
    if !ids.is_empty() {
        let payload = json!({ "message_ids": ids, "by": "pane" });
        events::append(tx, told((EventKind::MailDelivered, actor.clone()), place, payload, now)).await?;
    }
    // Mail gets through again; the lane's queue still names what did not.
    for group in messages::settled_groups(tx, order.lane_id, true).await? {
        attention::clear_episode(tx, (place, Cause::MailUndelivered, &group.to_string()), actor, now).await?;
    }
    Ok(())
}
