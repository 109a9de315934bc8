//! An admin at the machine removes a person: no sign-in, no sessions, no grants; the name stays taken.

use serde_json::json;

use crate::app::AppState;
use crate::auth::LocalAdmin;
use crate::domain::event::EventKind;
use crate::error::{Error, Result};
use crate::flows::people::revoke::keep_an_admin;
use crate::flows::record::act;
use crate::flows::sessions::end_all;
use crate::store::{self, events, grants, instance, people};

/// Removes the person.
pub async fn remove(app: &AppState, admin: &LocalAdmin, name: &str) -> Result<()> {
    let mut tx = app.db.begin().await?;
    instance::lock(&mut tx).await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    let account = people::lock(&mut tx, name).await?;
    let account = account.filter(|account| account.disabled_at.is_none()).ok_or_else(Error::not_found)?;
    admin.confirm(&mut tx, now).await?;
    people::disable(&mut tx, account.id, now).await?;
    let revoked = grants::revoke_all(&mut tx, account.id, now).await?;
    keep_an_admin(&mut tx).await?;
    end_all(&mut tx, (account.id, None), (admin.actor(), "user_removed"), now).await?;
    let payload = json!({"user": account.name, "user_id": account.id, "grants": revoked});
    let row = act(EventKind::UserRemoved, admin.actor(), payload, now);
    events::append(&mut tx, row).await?;
    tx.commit().await?;
    app.hub.poke();
    Ok(())
}
