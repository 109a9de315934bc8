//! A new session's rows, for whoever has just proved who they are.

use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::app::AppState;
use crate::auth::session::{ABSOLUTE, FreshCookie, IDLE};
use crate::auth::source::Client;
use crate::domain::event::{Actor, EventKind};
use crate::error::Result;
use crate::flows::record::act;
use crate::store::{events, sessions};

/// A session that has just begun.
#[derive(Debug)]
pub struct Opened {
    /// What the browser keeps.
    pub cookie: FreshCookie,
    /// The session's id.
    pub session_id: Uuid,
    /// Whose it is.
    pub user: String,
    /// When it ends in any case.
    pub expires_at: DateTime<Utc>,
}

/// Writes the session and its journal row in the caller's transaction.
pub(in crate::flows) async fn open(
    app: &AppState,
    conn: &mut PgConnection,
    (user_id, name): (Uuid, &str),
    client: &Client,
    now: DateTime<Utc>,
) -> Result<Opened> {
    let cookie = FreshCookie::new();
    let id = app.ids.new_id(now);
    let session = sessions::NewSession {
        id,
        hash: &cookie.hash(),
        user_id,
        device: &client.device,
        source: &client.source,
        at: now,
        idle_until: now + IDLE,
        expires_at: now + ABSOLUTE,
    };
    sessions::insert(conn, session).await?;
    let payload = json!({"session_id": id, "source": client.source, "device": client.device});
    events::append(conn, act(EventKind::SessionOpened, Actor::Person(name), payload, now)).await?;
    Ok(Opened { cookie, session_id: id, user: name.to_owned(), expires_at: now + ABSOLUTE })
}
