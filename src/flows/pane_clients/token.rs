//! The rows of a pane client's token that is made or taken back.

use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::app::AppState;
use crate::auth::LocalAdmin;
use crate::auth::token::FreshToken;
use crate::domain::event::EventKind;
use crate::error::Result;
use crate::flows::record::act;
use crate::store::tokens::NewToken;
use crate::store::{events, pane_clients, tokens};

/// A token that was just made. It is shown once and stored nowhere.
#[derive(Debug)]
pub struct Issued {
    /// The pane client's id.
    pub pane_client_id: Uuid,
    /// The token.
    pub token: FreshToken,
}

/// Makes a token in the caller's transaction, with its row.
pub(super) async fn issue(
    app: &AppState,
    conn: &mut PgConnection,
    (admin, name): (&LocalAdmin, &str),
    (id, now): (Uuid, DateTime<Utc>),
) -> Result<Issued> {
    let token = FreshToken::for_pane_client();
    let token_id = app.ids.new_id(now);
    let new = NewToken {
        id: token_id,
        principal_kind: "pane_client",
        principal_id: id,
        hash: &token.hash,
        hint: &token.hint,
        at: now,
    };
    tokens::insert(conn, new).await?;
    let payload = json!({"pane_client": name, "pane_client_id": id, "token_id": token_id, "hint": token.hint});
    events::append(conn, act(EventKind::TokenIssued, admin.actor(), payload, now)).await?;
    Ok(Issued { pane_client_id: id, token })
}

/// Ends all of a pane client's tokens now, the short-lived ones too, with a row for each long-lived one; returns how many.
pub(super) async fn revoke_all(
    conn: &mut PgConnection,
    (admin, name): (&LocalAdmin, &str),
    (id, now): (Uuid, DateTime<Utc>),
) -> Result<usize> {
    let ended = tokens::revoke_all(conn, id, now).await?;
    pane_clients::raise_epoch(conn, id).await?;
    for token_id in &ended {
        let payload = json!({"pane_client": name, "pane_client_id": id, "token_id": token_id});
        events::append(conn, act(EventKind::TokenRevoked, admin.actor(), payload, now)).await?;
    }
    Ok(ended.len())
}
