//! Time is over: a pending proposal is closed as expired, by a job or by whoever meets it first. Expired is not approved.

use uuid::Uuid;

use crate::app::App;
use crate::domain::event::Actor;
use crate::domain::proposal::Status;
use crate::error::Result;
use crate::store;
use crate::store::proposals::close::{self, Close};
use crate::store::proposals::counter;

/// How many a tick looks at.
const TICK: i64 = 200;

/// Closes one proposal if its time is over; true when this call closed it.
pub async fn expire(app: &App, id: Uuid) -> Result<bool> {
    let mut tx = app.db.begin().await?;
    let Some(locked) = close::lock(&mut tx, id).await? else { return Ok(false) };
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    if locked.status != Status::Pending.as_str() || locked.expires_at.is_none_or(|end| now < end) {
        return Ok(false);
    }
    let actor = Actor::System.to_string();
    let closing = Close { proposal_id: id, status: Status::Expired, reason: None, now, actor };
    let version = close::close(&mut tx, closing).await?;
    tx.commit().await?;
    app.hub.tell(id, version);
    app.metrics.closed(Status::Expired.as_str());
    Ok(true)
}

/// The tick: closes what is due; the answer is how many.
pub async fn expire_due(app: &App) -> Result<usize> {
    let mut conn = app.db.acquire().await?;
    let due = close::due(&mut conn, app.clock.offset_us(), TICK).await?;
    drop(conn);
    let mut closed = 0;
    for id in due {
        match expire(app, id).await {
            Ok(done) => closed += usize::from(done),
            // One that somebody holds must not keep the others alive; the next tick comes back to it.
            Err(error) => tracing::warn!(proposal = %id, %error, "a proposal could not be closed as expired yet"),
        }
    }
    Ok(closed)
}

/// The slow tick: puts right the counters of proposals in flight; the answer is how many were wrong.
pub async fn recount(app: &App) -> Result<usize> {
    let mut conn = app.db.acquire().await?;
    let suspects = counter::miscounted(&mut conn).await?;
    drop(conn);
    let mut wrong = 0;
    for agent in suspects {
        let mut tx = app.db.begin().await?;
        let was_wrong = counter::recount(&mut tx, agent).await?;
        tx.commit().await?;
        if was_wrong {
            tracing::error!(%agent, "an agent's counter of proposals in flight was wrong and has been set right");
        }
        wrong += usize::from(was_wrong);
    }
    Ok(wrong)
}
