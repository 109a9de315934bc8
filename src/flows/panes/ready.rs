//! Whether a text may be ordered for a pane now.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use crate::domain::mail::SAME_LINE;
use crate::error::Result;
use crate::store::tickets;
use crate::store::typing::{self, Typing};

/// Whether this text may be ordered, in a transaction that holds the pane. The gate of messages between agents is one for
/// all texts: at most one a turn, and none while another is new.
pub(in crate::flows) async fn takes(
    tx: &mut PgConnection,
    pane: &Typing,
    text: &str,
    now: DateTime<Utc>,
) -> Result<bool> {
    let at = (pane.client, pane.key.as_str());
    let gate = tickets::pane_now(tx, at.0, at.1).await?;
    Ok(pane.state().takes_text()
        && gate.is_some_and(|gate| gate.obstacle(now).is_none())
        && !typing::was_typed(tx, at, text, now - SAME_LINE).await?)
}
