//! The rows of a token that is made or taken back.

use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::app::AppState;
use crate::auth::LocalAdmin;
use crate::auth::token::FreshToken;
use crate::domain::event::{EventKind, Place};
use crate::error::Result;
use crate::flows::record::{act, at};
use crate::store::agents::AgentPlace;
use crate::store::tokens::NewToken;
use crate::store::{events, tokens};

/// A token that was just made. It is shown once and stored nowhere.
#[derive(Debug)]
pub struct Issued {
    /// The agent's id.
    pub agent_id: Uuid,
    /// The token.
    pub token: FreshToken,
}

/// Makes a token in the caller's transaction, with its row.
pub(super) async fn issue(
    app: &AppState,
    conn: &mut PgConnection,
    (admin, name): (&LocalAdmin, &str),
    agent: &AgentPlace,
    now: DateTime<Utc>,
) -> Result<Issued> {
    let token = FreshToken::for_agent();
    let id = app.ids.new_id(now);
    let new =
        NewToken { id, principal_kind: "agent", principal_id: agent.id, hash: &token.hash, hint: &token.hint, at: now };
    tokens::insert(conn, new).await?;
    let payload = json!({"agent": name, "agent_id": agent.id, "token_id": id, "hint": token.hint});
    let row = act(EventKind::TokenIssued, admin.actor(), payload, now);
    let place = Place::lane(agent.project_id, agent.lane_id);
    events::append(conn, at(place, row)).await?;
    Ok(Issued { agent_id: agent.id, token })
}

/// Ends all of an agent's tokens now, with a row for each; returns how many.
pub(super) async fn revoke_all(
    conn: &mut PgConnection,
    (admin, name): (&LocalAdmin, &str),
    agent: &AgentPlace,
    now: DateTime<Utc>,
) -> Result<usize> {
    let ended = tokens::revoke_all(conn, agent.id, now).await?;
    let place = Place::lane(agent.project_id, agent.lane_id);
    for token_id in &ended {
        let payload = json!({"agent": name, "agent_id": agent.id, "token_id": token_id});
        let row = act(EventKind::TokenRevoked, admin.actor(), payload, now);
        events::append(conn, at(place, row)).await?;
    }
    Ok(ended.len())
}
