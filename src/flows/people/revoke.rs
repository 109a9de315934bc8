//! An admin at the machine takes a grant back.

use serde_json::json;
use uuid::Uuid;

use crate::app::AppState;
use crate::auth::LocalAdmin;
use crate::domain::event::EventKind;
use crate::error::{Code, Error, Problem, Result};
use crate::flows::record::act;
use crate::store::{self, events, grants, instance, people};

/// Takes the grant back, unless that would leave nobody who can give another.
pub async fn revoke(app: &AppState, admin: &LocalAdmin, grant_id: Uuid) -> Result<()> {
    let mut tx = app.db.begin().await?;
    // One at a time, or two admins could take each other's grant at once.
    instance::lock(&mut tx).await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    admin.confirm(&mut tx, now).await?;
    let user_id = grants::holder(&mut tx, grant_id).await?.ok_or_else(Error::not_found)?;
    // Whoever decides holds their own row: either they were first, or they read what is left to them.
    people::hold(&mut tx, user_id).await?;
    if !grants::revoke(&mut tx, grant_id, now).await? {
        return Err(Error::not_found());
    }
    keep_an_admin(&mut tx).await?;
    let payload = json!({"grant_id": grant_id, "user_id": user_id});
    let row = act(EventKind::GrantRevoked, admin.actor(), payload, now);
    events::append(&mut tx, row).await?;
    tx.commit().await?;
    app.hub.poke();
    Ok(())
}

/// Refuses what has just been done in the transaction if no lasting admin is left.
pub(super) async fn keep_an_admin(conn: &mut sqlx::PgConnection) -> Result<()> {
    if grants::lasting_admins(conn).await? > 0 {
        return Ok(());
    }
    Err(Problem::new(
        Code::LastAdmin,
        "That would leave nobody who is an admin everywhere and without end. Make another one first.",
    )
    .into())
}
