//! Somebody ends the session they came with.

use crate::app::AppState;
use crate::auth::Person;
use crate::error::Result;
use crate::flows::sessions::close::end;
use crate::store;

/// Ends this session; its sockets close within a second.
pub async fn sign_out(app: &AppState, person: &Person) -> Result<()> {
    let mut tx = app.db.begin().await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    end(&mut tx, person.session_id(), (person.actor(), "signed_out"), now).await?;
    tx.commit().await?;
    app.hub.poke();
    Ok(())
}
