//! The local admin settles a suggestion: a rule is confirmed of it, a policy one is marked done, or it is dismissed.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use super::confirm::{Making, Terms, make};
use crate::app::{App, AppState};
use crate::auth::{LocalAdmin, LocalPeer};
use crate::domain::event::{EventKind, Place};
use crate::domain::rule::{Match, argv_hash};
use crate::error::{Code, Error, Problem, Result};
use crate::flows::record::{act, at};
use crate::store::suggestions::{self, Open, Settled, SuggestionRow};
use crate::store::{self, events, places, policies, rules};

/// Suggestions in a list.
const LISTED: i64 = 200;

/// How a suggestion is accepted.
#[derive(Clone, Debug, Default, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Accept {
    /// A rule's words, where the suggestion has none or only their beginning is meant.
    pub argv: Option<Vec<String>>,
    /// The rule's project, where the suggestion has none.
    pub project: Option<String>,
    /// `exact` when left out.
    #[serde(rename = "match")]
    pub matching: Option<Match>,
    /// Days until the rule ends; 90 when left out.
    pub days: Option<u32>,
    /// The rule does not end.
    pub never: bool,
    /// Why, for the rule's review.
    pub reason: Option<String>,
    /// The version of the policy that came of it; the one in force when left out.
    pub version: Option<i64>,
}

/// What accepting led to.
#[derive(Clone, Copy, Debug, Serialize, utoipa::ToSchema)]
pub struct Accepted {
    /// The rule, of a suggestion of a rule.
    pub rule_id: Option<Uuid>,
    /// The version of the policy, of a suggestion of a policy: it was noted and nothing else; the words are prose.
    pub policy_version: Option<i64>,
}

/// Suggestions that wait, or all.
pub async fn suggestions(app: &App, _: LocalPeer, open: bool) -> Result<Vec<SuggestionRow>> {
    let mut conn = app.db.acquire().await?;
    Ok(suggestions::list(&mut conn, open, LISTED).await?)
}

/// Accepts a suggestion: of a rule by confirming one, of a policy by noting the version that came of it.
pub async fn accept(app: &AppState, admin: &LocalAdmin, id: Uuid, how: &Accept) -> Result<Accepted> {
    let mut tx = app.db.begin().await?;
    let open = open(&mut tx, id).await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    admin.confirm(&mut tx, now).await?;
    let accepted = if open.kind == "rule" {
        let argv = how.argv.clone().or_else(|| open.argv.clone().map(|argv| argv.0)).ok_or_else(no_words)?;
        let project = project_of(&mut tx, &open, how).await?;
        let terms = Terms { days: how.days, never: how.never, reason: how.reason.as_deref() };
        let matching = how.matching.unwrap_or(Match::Exact);
        let making = Making { project, argv: &argv, matching, terms, suggestion: Some(id) };
        Accepted { rule_id: Some(make(app, admin, &mut tx, (&making, now)).await?), policy_version: None }
    } else {
        let version = match how.version {
            None => policies::head(&mut tx).await?.0,
            Some(version) => {
                let known = policies::document(&mut tx, version).await?.map(|_| version);
                known
                    .ok_or_else(|| Error::invalid("version", format!("There is no version {version} of the policy.")))?
            }
        };
        Accepted { rule_id: None, policy_version: Some(version) }
    };
    settle(&mut tx, admin, (id, &open, now), ("accepted", accepted)).await?;
    tx.commit().await?;
    app.hub.poke();
    Ok(accepted)
}

/// Dismisses a suggestion. The service makes the same one again only after as many approvals in a row as the first time.
pub async fn dismiss(app: &AppState, admin: &LocalAdmin, id: Uuid) -> Result<()> {
    let mut tx = app.db.begin().await?;
    let open = open(&mut tx, id).await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    admin.confirm(&mut tx, now).await?;
    let nothing = Accepted { rule_id: None, policy_version: None };
    settle(&mut tx, admin, (id, &open, now), ("dismissed", nothing)).await?;
    tx.commit().await?;
    app.hub.poke();
    Ok(())
}

async fn open(tx: &mut PgConnection, id: Uuid) -> Result<Open> {
    let open = suggestions::lock(tx, id).await?.ok_or_else(Error::not_found)?;
    if open.state == "open" {
        return Ok(open);
    }
    let by = open.settled_by.as_deref().unwrap_or("somebody");
    let detail = format!("{by} was first: the suggestion is {} already.", open.state);
    Err(Problem::new(Code::AlreadyDecided, detail).with("state", open.state.clone()).into())
}

async fn project_of(tx: &mut PgConnection, open: &Open, how: &Accept) -> Result<Uuid> {
    let missing = || Error::invalid("project", "The suggestion names no project: give the one the rule is for.");
    match (&how.project, open.project_id) {
        (None, known) => known.ok_or_else(missing),
        (Some(name), known) => {
            let found = places::project(tx, name).await?;
            let found = found.ok_or_else(|| Error::invalid("project", format!("There is no project {name}.")))?;
            if known.is_none_or(|known| known == found) {
                return Ok(found);
            }
            Err(Error::invalid("project", "The suggestion is about another project; confirm a rule of its own there."))
        }
    }
}

fn no_words() -> Error {
    Error::invalid("argv", "The suggestion has no command that a rule can be made of: give its words.")
}

async fn settle(
    tx: &mut PgConnection,
    admin: &LocalAdmin,
    (id, open, now): (Uuid, &Open, DateTime<Utc>),
    (state, to): (&str, Accepted),
) -> Result<()> {
    let by = admin.actor().to_string();
    let Accepted { rule_id, policy_version } = to;
    suggestions::settle(tx, id, Settled { state, by: &by, at: now, rule_id, policy_version }).await?;
    if let (Some(argv), Some(project)) = (&open.argv, open.project_id) {
        rules::end_streak(tx, project, &argv_hash(argv)).await?;
    }
    let payload = json!({
        "suggestion_id": id, "kind": open.kind, "state": state, "rule_id": rule_id, "policy_version": policy_version,
    });
    let row = act(EventKind::SuggestionSettled, admin.actor(), payload, now);
    let place = Place { project: open.project_id, lane: open.lane_id };
    events::append(tx, at(place, row)).await?;
    Ok(())
}
