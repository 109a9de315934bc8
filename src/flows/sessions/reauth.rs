//! Somebody signed in gives the password again, which high risk asks for.

use serde_json::json;

use crate::app::AppState;
use crate::auth::session::FreshCookie;
use crate::auth::source::Client;
use crate::auth::{Person, credentials};
use crate::domain::event::EventKind;
use crate::domain::secret::Secret;
use crate::error::{Error, Result};
use crate::flows::record::act;
use crate::store::{self, events, sessions};

/// The session goes on under a new cookie; the old value is worth nothing any more.
pub async fn reauth(app: &AppState, person: &Person, password: Secret, client: &Client) -> Result<FreshCookie> {
    credentials::check(app, person.name(), password, &client.source).await?;
    let cookie = FreshCookie::new();
    let mut tx = app.db.begin().await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    if !sessions::rotate(&mut tx, person.session_id(), &cookie.hash(), now).await? {
        return Err(Error::unauthenticated());
    }
    let payload = json!({"session_id": person.session_id(), "source": client.source});
    let row = act(EventKind::SessionReauthenticated, person.actor(), payload, now);
    events::append(&mut tx, row).await?;
    tx.commit().await?;
    app.hub.poke();
    Ok(cookie)
}
