//! An admin at the machine gives somebody a new password, which ends their sessions.

use serde_json::json;

use crate::app::AppState;
use crate::auth::{LocalAdmin, password};
use crate::domain::event::EventKind;
use crate::domain::name::Name;
use crate::domain::secret::Secret;
use crate::error::{Error, Result};
use crate::flows::record::act;
use crate::flows::sessions::end_all;
use crate::store::{self, events, people};

/// Sets the password.
pub async fn reset_password(app: &AppState, admin: &LocalAdmin, name: &Name, password: Secret) -> Result<()> {
    let phc = password::hash_new(password, name).await?;
    let mut tx = app.db.begin().await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    let account = people::lock(&mut tx, name.as_str()).await?;
    let account = account.filter(|account| account.disabled_at.is_none()).ok_or_else(Error::not_found)?;
    admin.confirm(&mut tx, now).await?;
    people::set_password(&mut tx, account.id, phc.reveal()).await?;
    end_all(&mut tx, (account.id, None), (admin.actor(), "password_changed"), now).await?;
    let payload = json!({"user": account.name, "user_id": account.id});
    let row = act(EventKind::PasswordChanged, admin.actor(), payload, now);
    events::append(&mut tx, row).await?;
    tx.commit().await?;
    app.hub.poke();
    Ok(())
}
