//! Forgets what no longer counts: ended sessions and old failures to sign in.

use chrono::TimeDelta;

use crate::app::AppState;
use crate::domain::throttle::FORGOTTEN;
use crate::error::Result;
use crate::store::{self, sessions, throttle, tickets};

/// Ended sessions stay in the table this long, for `doctor` and for whoever wonders.
const ENDED: TimeDelta = TimeDelta::days(30);

/// What passed between agents is kept this long after it is closed.
const TICKETS: TimeDelta = TimeDelta::days(30);

/// Housekeeping without a journal row: nothing that anybody could still use is touched.
pub async fn sweep(app: &AppState) -> Result<()> {
    let mut conn = app.db.acquire().await?;
    let now = store::now(&mut conn, app.clock.offset_us()).await?;
    let sessions = sessions::sweep(&mut conn, now - ENDED).await?;
    let tries = throttle::sweep(&mut conn, now - FORGOTTEN).await?;
    let tickets = tickets::sweep(&mut conn, now - TICKETS).await?;
    tracing::debug!(sessions, tries, tickets, "swept");
    Ok(())
}
