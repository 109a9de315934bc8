//! An admin at the machine gives a pane client a new token; the old one dies at once, or after an overlap.

use chrono::TimeDelta;
use serde_json::json;

use super::token::{Issued, issue, revoke_all};
use crate::app::AppState;
use crate::auth::LocalAdmin;
use crate::domain::event::EventKind;
use crate::error::{Error, Result};
use crate::flows::agents::OVERLAP_MAX;
use crate::flows::record::act;
use crate::store::{self, events, pane_clients, tokens};

/// Makes the new token. Without an overlap the short-lived tokens end with the old one; with it they end by themselves.
pub async fn rotate(app: &AppState, admin: &LocalAdmin, name: &str, overlap_secs: u32) -> Result<Issued> {
    if overlap_secs > OVERLAP_MAX {
        return Err(Error::invalid("overlap_secs", "takes 0 to 604800 seconds"));
    }
    let mut tx = app.db.begin().await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    let id = pane_clients::lock(&mut tx, name).await?.ok_or_else(Error::not_found)?;
    admin.confirm(&mut tx, now).await?;
    if overlap_secs == 0 {
        revoke_all(&mut tx, (admin, name), (id, now)).await?;
    } else {
        let end = now + TimeDelta::seconds(overlap_secs.into());
        for token_id in tokens::expire_all(&mut tx, id, end).await? {
            let payload = json!({"pane_client": name, "pane_client_id": id, "token_id": token_id, "ends_at": end});
            events::append(&mut tx, act(EventKind::TokenRevoked, admin.actor(), payload, now)).await?;
        }
    }
    let issued = issue(app, &mut tx, (admin, name), (id, now)).await?;
    tx.commit().await?;
    app.hub.poke();
    Ok(issued)
}
