//! Somebody changes their own password with the old one; their other sessions end.

use serde_json::json;

use crate::app::AppState;
use crate::auth::session::FreshCookie;
use crate::auth::source::Client;
use crate::auth::{Person, credentials, password};
use crate::domain::event::EventKind;
use crate::domain::name::Name;
use crate::domain::secret::Secret;
use crate::error::{Error, Result};
use crate::flows::record::act;
use crate::flows::sessions::end_all;
use crate::store::{self, events, people, sessions};

/// Changes the password from `old` to `new`; this session goes on under the cookie that is returned.
pub async fn change_password(
    app: &AppState,
    person: &Person,
    (old, new): (Secret, Secret),
    client: &Client,
) -> Result<FreshCookie> {
    let name = Name::parse(person.name()).map_err(|error| Error::Internal(error.to_string()))?;
    let before = credentials::check(app, person.name(), old, &client.source).await?;
    let phc = password::hash_new(new, &name).await?;
    let cookie = FreshCookie::new();
    let mut tx = app.db.begin().await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    let account = people::lock(&mut tx, person.name()).await?;
    let stands =
        account.is_some_and(|account| account.disabled_at.is_none() && account.password_phc == before.password_phc);
    if !stands || !sessions::rotate(&mut tx, person.session_id(), &cookie.hash(), now).await? {
        return Err(Error::unauthenticated());
    }
    people::set_password(&mut tx, person.user_id(), phc.reveal()).await?;
    let others = (person.user_id(), Some(person.session_id()));
    end_all(&mut tx, others, (person.actor(), "password_changed"), now).await?;
    let payload = json!({"user": person.name(), "user_id": person.user_id()});
    let row = act(EventKind::PasswordChanged, person.actor(), payload, now);
    events::append(&mut tx, row).await?;
    tx.commit().await?;
    app.hub.poke();
    Ok(cookie)
}
