//! Mail that was ordered is looked at again when its client takes it: the policy may be another, or the mail read.

use sqlx::PgConnection;

use super::deliver::{Next, next};
use crate::domain::order::Skip;
use crate::error::Result;
use crate::store::orders::OrderRow;
use crate::store::{messages, policies};

/// Why an order does not stand any more, in a transaction that holds policy and order; none while it does.
pub(in crate::flows) async fn fallen(tx: &mut PgConnection, order: &OrderRow) -> Result<Option<Skip>> {
    if messages::lock(tx, order.lane_id).await?.is_none() {
        return Ok(Some(Skip::StateChanged));
    }
    let carried = messages::of_order(tx, order.id).await?;
    let waiting: Vec<_> = carried.into_iter().filter(|row| row.state == "queued" && row.nudged_at.is_none()).collect();
    let (_, document) = policies::head(tx).await?;
    let effective = document.resolve(&order.lane);
    Ok(match next(&effective, &waiting) {
        None => Some(Skip::StateChanged),
        Some(_) if order.by_policy != effective.enabled => Some(Skip::PolicyChanged),
        Some(Next::Line(_)) if order.kind == "nudge" && order.text.as_ref() == Some(&effective.nudge_text) => None,
        Some(Next::Mail(_)) if order.kind == "mail" => None,
        Some(_) => Some(Skip::PolicyChanged),
    })
}
