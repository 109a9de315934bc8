//! What no report brings about: windows that are over, panes that nobody reports, tries that are due again, nudges.

use super::nudge::nudge_due;
use super::settle::settle;
use super::tell::Moved;
use crate::app::App;
use crate::domain::pane::FRESH;
use crate::domain::rendezvous::{GONE_AFTER, MOUNT_WINDOW};
use crate::error::Result;
use crate::store;
use crate::store::tickets::{self, Candidate};

/// The tick. A pane that another server has in hand is its.
pub async fn tick(app: &App) -> Result<()> {
    close_asks(app).await?;
    let mut conn = app.db.acquire().await?;
    let now = store::now(&mut conn, app.clock.offset_us()).await?;
    let edges = (now - FRESH, now - MOUNT_WINDOW, now - GONE_AFTER);
    let panes = tickets::unsettled(&mut conn, now, edges).await?;
    drop(conn);
    for pane in panes {
        // One that cannot be settled now must not keep the others; the next tick comes back to it.
        if let Err(error) = settle_pane(app, &pane).await {
            tracing::warn!(pane = pane.pane_key, %error, "the messages of a pane could not be moved on yet");
        }
    }
    nudge_due(app).await.map(drop)
}

async fn settle_pane(app: &App, pane: &Candidate) -> Result<()> {
    let mut tx = app.db.begin().await?;
    if !tickets::try_lock_pane(&mut tx, pane.pane_client_id, &pane.pane_key).await? {
        return Ok(());
    }
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    let mut moved = Moved::default();
    settle(app, &mut tx, (pane.pane_client_id, &pane.pane_key), (now, &mut moved)).await?;
    tx.commit().await?;
    moved.tell(app);
    Ok(())
}

async fn close_asks(app: &App) -> Result<()> {
    let mut conn = app.db.acquire().await?;
    let now = store::now(&mut conn, app.clock.offset_us()).await?;
    let closed = tickets::close_overdue(&mut conn, now).await?;
    drop(conn);
    let (asks, tickets) = closed.into_iter().unzip();
    Moved { tickets, asks, ..Moved::default() }.tell(app);
    Ok(())
}
