//! Ending sessions from elsewhere: one's own other devices, or anybody's at the machine.

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::app::AppState;
use crate::auth::{LocalAdmin, Person};
use crate::domain::event::{Actor, EventKind};
use crate::error::{Error, Result};
use crate::flows::record::act;
use crate::store::{self, events, sessions};

/// What sockets look for in `session.closed`.
pub(super) fn closed(session_id: Uuid, user_id: Uuid, reason: &str) -> Value {
    json!({"session_id": session_id, "user_id": user_id, "reason": reason})
}

/// Ends one of one's own sessions. Somebody else's is not there.
pub async fn close_own(app: &AppState, person: &Person, session_id: Uuid) -> Result<()> {
    let mut tx = app.db.begin().await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    let owner = sessions::owner(&mut tx, session_id).await?;
    if owner.is_none_or(|(user, _)| user != person.user_id()) {
        return Err(Error::not_found());
    }
    end(&mut tx, session_id, (person.actor(), "closed_by_owner"), now).await?;
    tx.commit().await?;
    app.hub.poke();
    Ok(())
}

/// Ends anybody's session.
pub async fn close(app: &AppState, admin: &LocalAdmin, session_id: Uuid) -> Result<()> {
    let mut tx = app.db.begin().await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    admin.confirm(&mut tx, now).await?;
    if !end(&mut tx, session_id, (admin.actor(), "closed_by_admin"), now).await? {
        return Err(Error::not_found());
    }
    tx.commit().await?;
    app.hub.poke();
    Ok(())
}

/// Ends a session and writes its row; false if it had ended already.
pub(super) async fn end(
    conn: &mut PgConnection,
    session_id: Uuid,
    (actor, reason): (Actor<'_>, &str),
    now: DateTime<Utc>,
) -> Result<bool> {
    let Some(user_id) = sessions::revoke(conn, session_id, now).await? else {
        return Ok(false);
    };
    let payload = closed(session_id, user_id, reason);
    events::append(conn, act(EventKind::SessionClosed, actor, payload, now)).await?;
    Ok(true)
}

/// Ends all of a person's sessions but the one to keep, each with its row.
pub(in crate::flows) async fn end_all(
    conn: &mut PgConnection,
    (user_id, keep): (Uuid, Option<Uuid>),
    (actor, reason): (Actor<'_>, &str),
    now: DateTime<Utc>,
) -> Result<()> {
    for session_id in sessions::revoke_all(conn, user_id, keep, now).await? {
        let payload = closed(session_id, user_id, reason);
        let row = act(EventKind::SessionClosed, actor.clone(), payload, now);
        events::append(conn, row).await?;
    }
    Ok(())
}
