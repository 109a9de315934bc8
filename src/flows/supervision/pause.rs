//! Holding everything, by an admin from anywhere; letting it go on, by an admin at the machine alone.

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::json;
use sqlx::PgConnection;

use crate::app::{App, AppState};
use crate::auth::{LocalAdmin, Person};
use crate::domain::access::{self, Verb};
use crate::domain::ask::has_visible;
use crate::domain::event::{Actor, EventKind};
use crate::error::{Code, Error, Problem, Result};
use crate::flows::record::act;
use crate::store::instance::{self, Pause};
use crate::store::{self, events};

/// Longest reason, in characters.
const REASON_MAX: usize = 500;

/// Who pauses.
#[derive(Clone, Copy, Debug)]
pub enum By<'a> {
    /// An admin with a session, from anywhere.
    Person(&'a Person),
    /// An admin at the machine.
    Admin(&'a LocalAdmin),
}

/// Whether all is held, and by whom.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct Paused {
    /// Who paused, when and why; null when nothing is held.
    pub paused: Option<Pause>,
}

impl By<'_> {
    fn name(&self) -> &str {
        match self {
            Self::Person(person) => person.name(),
            Self::Admin(admin) => admin.name(),
        }
    }

    fn actor(&self) -> Actor<'_> {
        match self {
            Self::Person(person) => person.actor(),
            Self::Admin(admin) => admin.actor(),
        }
    }

    async fn confirm(&self, conn: &mut PgConnection, now: DateTime<Utc>) -> Result<()> {
        match self {
            Self::Admin(admin) => admin.confirm(conn, now).await,
            Self::Person(person) => {
                let grants = person.confirm(conn, now).await?;
                if access::everywhere(&grants, Verb::Pause, now) {
                    return Ok(());
                }
                Err(Error::forbidden(
                    "Only an admin of everything pauses: it holds what policies answer in every lane.",
                ))
            }
        }
    }
}

/// Holds everything that a policy would answer. Who pauses first is who paused: a second one changes nothing.
pub async fn pause(app: &AppState, by: By<'_>, reason: &str) -> Result<Paused> {
    let reason = reason.trim();
    if !has_visible(reason) {
        return Err(Problem::new(Code::ReasonRequired, "Say why: whoever lifts the pause has to know.")
            .field("reason")
            .into());
    }
    if reason.chars().count() > REASON_MAX || reason.contains('\0') {
        return Err(Error::invalid("reason", "reason takes at most 500 characters."));
    }
    let mut tx = app.db.begin().await?;
    instance::lock(&mut tx).await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    by.confirm(&mut tx, now).await?;
    if let Some(paused) = instance::pause(&mut tx).await? {
        return Ok(Paused { paused: Some(paused) });
    }
    let paused = Pause { by: by.name().to_owned(), reason: reason.to_owned(), at: now };
    instance::set_pause(&mut tx, Some(&paused)).await?;
    let payload = json!({ "by": paused.by, "reason": paused.reason });
    events::append(&mut tx, act(EventKind::SupervisionPaused, by.actor(), payload, now)).await?;
    tx.commit().await?;
    app.hub.poke();
    Ok(Paused { paused: Some(paused) })
}

/// Lets policies answer again.
pub async fn resume(app: &AppState, admin: &LocalAdmin) -> Result<Paused> {
    let mut tx = app.db.begin().await?;
    instance::lock(&mut tx).await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    admin.confirm(&mut tx, now).await?;
    if let Some(paused) = instance::pause(&mut tx).await? {
        instance::set_pause(&mut tx, None).await?;
        let payload = json!({ "paused_by": paused.by, "reason": paused.reason, "paused_at": paused.at });
        events::append(&mut tx, act(EventKind::SupervisionResumed, admin.actor(), payload, now)).await?;
        tx.commit().await?;
        app.hub.poke();
    }
    Ok(Paused { paused: None })
}

/// Whether all is held.
pub async fn state(app: &App) -> Result<Paused> {
    let mut conn = app.db.acquire().await?;
    Ok(Paused { paused: instance::pause(&mut conn).await? })
}
