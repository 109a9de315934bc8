//! An admin at the machine adds a person; the very first one needs no admin, because there is none.

use chrono::{DateTime, Utc};
use serde::Deserialize;
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::app::AppState;
use crate::auth::{LocalAdmin, LocalPeer, password};
use crate::domain::access::{Grant, Role, Scope};
use crate::domain::event::{Actor, EventKind};
use crate::domain::name::Name;
use crate::domain::secret::Secret;
use crate::error::{Code, Error, Problem, Result};
use crate::flows::attention::approvers;
use crate::flows::people::grant::{GrantSpec, describe};
use crate::flows::record::act;
use crate::store::grants::{self, NewGrant};
use crate::store::people::{self, NewAccount};
use crate::store::{self, events, instance};

/// Who adds.
#[derive(Clone, Copy, Debug)]
pub enum By<'a> {
    /// An admin, with their password.
    Admin(&'a LocalAdmin),
    /// Whoever is at the machine, while there is nobody.
    First(&'a LocalPeer),
}

/// A person to add.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewUser {
    /// The name to sign in with.
    #[schema(value_type = String)]
    pub name: Name,
    /// The password to begin with.
    #[schema(value_type = String)]
    pub password: Secret,
    /// What they may.
    pub grant: GrantSpec,
}

/// Adds a person with one grant; returns their id.
pub async fn add(app: &AppState, by: By<'_>, new: NewUser) -> Result<Uuid> {
    if matches!(by, By::First(_)) {
        // Hashing is dear, and only an admin may make the server do it once there is one.
        let mut conn = app.db.acquire().await?;
        if people::any(&mut conn).await? {
            return Err(Error::unauthenticated());
        }
    }
    let phc = password::hash_new(new.password, &new.name).await?;
    let mut tx = app.db.begin().await?;
    if matches!(by, By::First(_)) {
        instance::lock(&mut tx).await?;
    }
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    let grant = new.grant.resolve(&mut tx, now).await?;
    let actor = match by {
        By::Admin(admin) => {
            admin.confirm(&mut tx, now).await?;
            admin.actor()
        }
        By::First(peer) => {
            check_first(&mut tx, &grant).await?;
            peer.actor()
        }
    };
    let name = new.name.as_str();
    let id = insert(app, &mut tx, (name, &phc), &grant, (&actor, now)).await?;
    let mut payload = describe(&new.grant, &grant);
    payload["user"] = json!(name);
    events::append(&mut tx, act(EventKind::UserAdded, actor, payload, now)).await?;
    tx.commit().await?;
    app.hub.poke();
    Ok(id)
}

async fn check_first(conn: &mut PgConnection, grant: &Grant) -> Result<()> {
    if people::any(conn).await? {
        return Err(Error::unauthenticated());
    }
    if *grant != first_grant() {
        return Err(Error::invalid(
            "grant",
            "The first person is an admin everywhere and without end; otherwise nobody could add the next.",
        ));
    }
    instance::set_setup_code(conn, None).await?;
    Ok(())
}

/// What the first person gets.
pub(super) fn first_grant() -> Grant {
    Grant { role: Role::Admin, scope: Scope::Global, classes: None, max_risk: None, expires_at: None }
}

/// Writes account and grant in the caller's transaction.
pub(super) async fn insert(
    app: &AppState,
    conn: &mut PgConnection,
    (name, phc): (&str, &Secret),
    grant: &Grant,
    (actor, now): (&Actor<'_>, DateTime<Utc>),
) -> Result<Uuid> {
    let id = app.ids.new_id(now);
    let account = NewAccount { id, name, password_phc: phc, at: now };
    people::insert(conn, account).await.map_err(|error| taken(error, "users_name_key", name))?;
    let new = NewGrant { id: app.ids.new_id(now), user_id: id, grant, granted_by: &actor.to_string(), at: now };
    grants::insert(conn, new).await?;
    approvers::found(conn, actor, now).await?;
    Ok(id)
}

/// Turns a broken unique constraint into words; names are not reused, so a removed one is taken too.
pub(in crate::flows) fn taken(error: sqlx::Error, constraint: &str, name: &str) -> Error {
    if store::on_constraint(&error, constraint) {
        return Problem::new(
            Code::NameTaken,
            format!("The name {name} is taken, or was once; names are not used again."),
        )
        .field("name")
        .into();
    }
    error.into()
}
