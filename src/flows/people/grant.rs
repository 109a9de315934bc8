//! An admin at the machine gives somebody a role, somewhere, for some classes, for some time.

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::app::AppState;
use crate::auth::LocalAdmin;
use crate::domain::access::{GRANT_CLASSES, Grant, Role, Scope};
use crate::domain::event::EventKind;
use crate::domain::risk::Risk;
use crate::error::{Error, Result};
use crate::flows::attention::approvers;
use crate::flows::record::act;
use crate::store::grants::{self, NewGrant};
use crate::store::{self, events, people, places};

/// A grant as an admin writes it.
#[derive(Clone, Debug, Deserialize, Serialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GrantSpec {
    /// What it lets do.
    pub role: Role,
    /// `global` (when left out), `project:NAME` or `lane:NAME`.
    #[serde(default)]
    pub scope: Option<String>,
    /// Dialog classes and the words `change` and `question`; every class when left out.
    #[serde(default)]
    pub classes: Option<Vec<String>>,
    /// The highest risk it may decide; any when left out.
    #[serde(default)]
    pub max_risk: Option<Risk>,
    /// Days until it ends; never when left out.
    #[serde(default)]
    pub expires_days: Option<u32>,
}

impl GrantSpec {
    /// Looks up the names and checks the rest.
    pub(super) async fn resolve(&self, conn: &mut PgConnection, now: DateTime<Utc>) -> Result<Grant> {
        if let Some(classes) = &self.classes {
            let unknown = classes.iter().find(|class| !GRANT_CLASSES.contains(&class.as_str()));
            if let Some(unknown) = unknown {
                return Err(Error::invalid(
                    "classes",
                    format!("There is no class {unknown}; there are {}.", GRANT_CLASSES.join(", ")),
                ));
            }
            if classes.is_empty() {
                return Err(Error::invalid("classes", "Name a class, or leave it out for all."));
            }
        }
        if self.expires_days.is_some_and(|days| !(1..=3650).contains(&days)) {
            return Err(Error::invalid("expires_days", "takes 1 to 3650 days"));
        }
        Ok(Grant {
            role: self.role,
            scope: scope(conn, self.scope.as_deref().unwrap_or("global")).await?,
            classes: self.classes.clone(),
            max_risk: self.max_risk,
            expires_at: self.expires_days.map(|days| now + TimeDelta::days(days.into())),
        })
    }
}

async fn scope(conn: &mut PgConnection, text: &str) -> Result<Scope> {
    let missing = |what: &str, name: &str| Error::invalid("scope", format!("There is no {what} {name}."));
    match text.split_once(':') {
        None if text == "global" => Ok(Scope::Global),
        Some(("project", name)) => {
            let id = places::project(conn, name).await?;
            id.map(Scope::Project).ok_or_else(|| missing("project", name))
        }
        Some(("lane", name)) => {
            let found = places::lane(conn, name).await?;
            found.map(|(lane, _)| Scope::Lane(lane)).ok_or_else(|| missing("lane", name))
        }
        _ => Err(Error::invalid("scope", "A scope is global, project:NAME or lane:NAME.")),
    }
}

/// A grant as the journal keeps it.
pub(super) fn describe(spec: &GrantSpec, grant: &Grant) -> Value {
    json!({
        "role": spec.role,
        "scope": spec.scope.as_deref().unwrap_or("global"),
        "classes": spec.classes,
        "max_risk": spec.max_risk,
        "expires_at": grant.expires_at,
    })
}

/// Gives the grant; returns its id.
pub async fn grant(app: &AppState, admin: &LocalAdmin, user: &str, spec: &GrantSpec) -> Result<Uuid> {
    let mut tx = app.db.begin().await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    let grant = spec.resolve(&mut tx, now).await?;
    let account = people::lock(&mut tx, user).await?;
    let account = account.filter(|account| account.disabled_at.is_none()).ok_or_else(Error::not_found)?;
    admin.confirm(&mut tx, now).await?;
    let id = app.ids.new_id(now);
    let new = NewGrant { id, user_id: account.id, grant: &grant, granted_by: &admin.actor().to_string(), at: now };
    grants::insert(&mut tx, new).await?;
    let mut payload = describe(spec, &grant);
    payload["user"] = json!(account.name);
    payload["user_id"] = json!(account.id);
    payload["grant_id"] = json!(id);
    events::append(&mut tx, act(EventKind::GrantGiven, admin.actor(), payload, now)).await?;
    approvers::found(&mut tx, &admin.actor(), now).await?;
    tx.commit().await?;
    app.hub.poke();
    Ok(id)
}
