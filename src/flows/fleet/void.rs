//! After a restore nobody knows what of the messages under way has arrived since the backup: none is typed again.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::close::close;
use super::tell::Moved;
use crate::app::App;
use crate::domain::event::Actor;
use crate::domain::rendezvous::{Closing, Failure, Stage};
use crate::error::Result;
use crate::store::tickets;

/// Closes every message that is under way.
pub(in crate::flows) async fn void(app: &App, tx: &mut PgConnection, now: DateTime<Utc>) -> Result<()> {
    // Whoever waits is woken with everybody else.
    let mut moved = Moved::default();
    for ticket in tickets::all_live(tx).await? {
        let open = ticket.stage() != Stage::Closed;
        let ended = if ticket.holds_pane() { ticket.turn_ended(now) } else { ticket };
        if open {
            let closing = Closing::failure(Failure::Restored);
            close(app, tx, (ended, closing, Actor::System), (now, &mut moved)).await?;
        } else {
            tickets::save(tx, &ended).await?;
        }
    }
    Ok(())
}
