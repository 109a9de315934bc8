//! Somebody gives name and password, and gets a session under a new id.

use crate::app::AppState;
use crate::auth::credentials;
use crate::auth::source::Client;
use crate::domain::event::{Actor, EventKind};
use crate::domain::secret::Secret;
use crate::error::Result;
use crate::flows::record::act;
use crate::flows::sessions::close::closed;
use crate::flows::sessions::open::{Opened, open};
use crate::store::{self, events, people, sessions};

/// Signs in. `carried` is the hash of the cookie that came along: whatever it was, it ends here.
pub async fn sign_in(
    app: &AppState,
    (name, password): (&str, Secret),
    client: &Client,
    carried: Option<[u8; 32]>,
) -> Result<Opened> {
    let account = credentials::check(app, name, password, &client.source).await?;
    let mut tx = app.db.begin().await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    let current = people::lock_share(&mut tx, account.id).await?;
    // Between the check and here the password may have been changed or the account removed.
    let stands =
        current.is_some_and(|current| current.disabled_at.is_none() && current.password_phc == account.password_phc);
    if !stands {
        return Err(credentials::wrong());
    }
    if let Some(hash) = carried
        && let Some((session, user)) = sessions::revoke_hash(&mut tx, &hash, now).await?
    {
        let payload = closed(session, user, "signed_in_anew");
        let row = act(EventKind::SessionClosed, Actor::Person(&account.name), payload, now);
        events::append(&mut tx, row).await?;
    }
    let opened = open(app, &mut tx, (account.id, &account.name), client, now).await?;
    tx.commit().await?;
    app.hub.poke();
    Ok(opened)
}
