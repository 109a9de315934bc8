//! An admin at the machine confirms a rule: these words, in this project, until then.

use chrono::{DateTime, TimeDelta, Utc};
use serde::Deserialize;
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::app::{App, AppState};
use crate::auth::LocalAdmin;
use crate::domain::event::{EventKind, Place};
use crate::domain::rule::{Match, check, could_lift};
use crate::error::{Error, Result};
use crate::flows::record::{act, at};
use crate::store::{self, events, places, rules};

/// Longest reason, in characters.
const REASON_MAX: usize = 500;
/// Days that a rule lasts when nobody says otherwise.
const DAYS: u32 = 90;

/// A rule as an admin writes it.
#[derive(Clone, Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewRule {
    /// The project's name.
    pub project: String,
    /// The words, one an entry.
    pub argv: Vec<String>,
    /// `exact`, or `prefix`: any words may follow.
    #[serde(rename = "match")]
    pub matching: Match,
    /// Days until it ends, 1 to 3650; 90 when left out.
    #[serde(default)]
    pub days: Option<u32>,
    /// It does not end.
    #[serde(default)]
    pub never: bool,
    /// Why, for whoever reviews it.
    #[serde(default)]
    pub reason: Option<String>,
}

/// How long a rule lasts, and why there is one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terms<'a> {
    pub(super) days: Option<u32>,
    pub(super) never: bool,
    pub(super) reason: Option<&'a str>,
}

/// What a rule is made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Making<'a> {
    pub(super) project: Uuid,
    pub(super) argv: &'a [String],
    pub(super) matching: Match,
    pub(super) terms: Terms<'a>,
    pub(super) suggestion: Option<Uuid>,
}

/// Confirms the rule; returns its id. The same rule again replaces the one there was.
pub async fn confirm(app: &AppState, admin: &LocalAdmin, new: &NewRule) -> Result<Uuid> {
    let mut tx = app.db.begin().await?;
    let project = places::project(&mut tx, &new.project).await?;
    let missing = || Error::invalid("project", format!("There is no project {}.", new.project));
    let project = project.ok_or_else(missing)?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    admin.confirm(&mut tx, now).await?;
    let terms = Terms { days: new.days, never: new.never, reason: new.reason.as_deref() };
    let making = Making { project, argv: &new.argv, matching: new.matching, terms, suggestion: None };
    let id = make(app, admin, &mut tx, (&making, now)).await?;
    tx.commit().await?;
    app.hub.poke();
    Ok(id)
}

/// Writes a rule with its journal row.
pub(super) async fn make(
    app: &App,
    admin: &LocalAdmin,
    tx: &mut PgConnection,
    (making, now): (&Making<'_>, DateTime<Utc>),
) -> Result<Uuid> {
    let Making { project, argv, matching, terms, suggestion } = *making;
    check(argv, matching).and_then(|()| could_lift(argv)).map_err(|why| Error::invalid("argv", why))?;
    let expires_at = terms.ends(now)?;
    let reason = terms.reason.map(str::trim).filter(|reason| !reason.is_empty());
    let live = rules::live(tx, project, now).await?;
    let twins: Vec<Uuid> = live
        .into_iter()
        .filter(|rule| rule.argv == argv && rule.matching == matching)
        .filter_map(|rule| rule.id)
        .collect();
    let owner = admin.actor().to_string();
    for twin in &twins {
        rules::remove(tx, *twin, &owner, now).await?;
    }
    let id = app.ids.new_id(now);
    let new = rules::NewRule { id, project_id: project, argv, matching, owner: &owner, reason, at: now, expires_at };
    rules::insert(tx, new).await?;
    let payload = json!({
        "rule_id": id, "argv": argv, "match": matching, "expires_at": expires_at, "reason": reason, "suggestion_id": suggestion,
        "replaces": twins,
    });
    let row = act(EventKind::RuleConfirmed, admin.actor(), payload, now);
    events::append(tx, at(Place { project: Some(project), lane: None }, row)).await?;
    Ok(id)
}

impl Terms<'_> {
    fn ends(self, now: DateTime<Utc>) -> Result<Option<DateTime<Utc>>> {
        if self.reason.is_some_and(|reason| reason.chars().count() > REASON_MAX || reason.contains('\0')) {
            return Err(Error::invalid("reason", "reason takes at most 500 characters."));
        }
        match (self.never, self.days) {
            (true, None) => Ok(None),
            (true, Some(_)) => Err(Error::invalid("days", "Give days, or never, not both.")),
            (false, days) => match days.unwrap_or(DAYS) {
                days @ 1..=3650 => Ok(Some(now + TimeDelta::days(days.into()))),
                _ => Err(Error::invalid("days", "days takes 1 to 3650; a rule that is not to end takes never.")),
            },
        }
    }
}
