//! The first person: whoever holds the code that was printed at the machine becomes its admin.

use chrono::{DateTime, Utc};
use serde::Deserialize;
use serde_json::json;
use subtle::ConstantTimeEq;

use crate::app::AppState;
use crate::auth::source::Client;
use crate::auth::{password, token};
use crate::domain::event::{Actor, EventKind};
use crate::domain::name::Name;
use crate::domain::secret::Secret;
use crate::error::{Code, Error, Problem, Result};
use crate::flows::people::add::{first_grant, insert};
use crate::flows::people::time_zone::zone;
use crate::flows::record::act;
use crate::flows::sessions::{Opened, open};
use crate::store::instance::SetupCode;
use crate::store::{self, events, instance, people};

/// What the first person sends.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SetUp {
    /// The code behind `#` in the printed link.
    #[schema(value_type = String)]
    pub code: Secret,
    /// The name to sign in with.
    #[schema(value_type = String)]
    pub name: Name,
    /// The password to sign in with.
    #[schema(value_type = String)]
    pub password: Secret,
    /// The zone of their pages; UTC when left out.
    #[serde(default)]
    pub time_zone: Option<String>,
}

/// Whether there is anybody: then set-up is not there, for ever.
pub async fn is_set_up(app: &AppState) -> Result<bool> {
    let mut conn = app.db.acquire().await?;
    Ok(people::any(&mut conn).await?)
}

/// Makes the first admin and signs them in. It and the first `user add` take the same row: one of them wins.
pub async fn set_up(app: &AppState, wish: SetUp, client: &Client) -> Result<Opened> {
    {
        // Hashing is dear: the code is looked at first, and again when it counts.
        let mut conn = app.db.acquire().await?;
        let now = store::now(&mut conn, app.clock.offset_us()).await?;
        if people::any(&mut conn).await? {
            return Err(Error::not_found());
        }
        check_code(&instance::setup_code(&mut conn).await?, wish.code.reveal(), now)?;
    }
    let zone = wish.time_zone.as_deref().map(zone).transpose()?;
    let phc = password::hash_new(wish.password, &wish.name).await?;

    let mut tx = app.db.begin().await?;
    let code = instance::lock(&mut tx).await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    if people::any(&mut tx).await? {
        return Err(Error::not_found());
    }
    check_code(&code, wish.code.reveal(), now)?;
    let name = wish.name.as_str();
    let actor = Actor::Person(name);
    let user_id = insert(app, &mut tx, (name, &phc), &first_grant(), (&actor, now)).await?;
    instance::set_setup_code(&mut tx, None).await?;
    if let Some(zone) = zone {
        people::set_time_zone(&mut tx, user_id, zone.name()).await?;
    }
    let payload = json!({"user": name, "role": "admin", "scope": "global", "through": "setup"});
    events::append(&mut tx, act(EventKind::UserAdded, actor, payload, now)).await?;
    let opened = open(app, &mut tx, (user_id, name), client, now).await?;
    tx.commit().await?;
    app.hub.poke();
    Ok(opened)
}

fn check_code(stored: &SetupCode, given: &str, now: DateTime<Utc>) -> Result<()> {
    let live = stored.expires_at.is_some_and(|end| now < end);
    let hash = stored.hash.as_deref().unwrap_or_default();
    if live && bool::from(hash.ct_eq(&token::hash(given.trim()))) {
        return Ok(());
    }
    Err(Problem::new(
        Code::WrongCredentials,
        "The set-up code is wrong or over 30 minutes old. Start the server again for a new link.",
    )
    .field("code")
    .into())
}
