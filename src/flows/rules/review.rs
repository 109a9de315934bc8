//! The rules there are, with what somebody who reviews them needs to see.

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use serde_json::json;
use uuid::Uuid;

use crate::app::{App, AppState};
use crate::auth::{LocalAdmin, LocalPeer};
use crate::domain::event::{EventKind, Place};
use crate::domain::rule::{Attention, Match, Rule, attention, check, could_lift, spelled};
use crate::error::{Error, Result};
use crate::flows::record::{act, at};
use crate::store::rules::{self, RuleRow, SeenRow};
use crate::store::{self, events, places};

/// Commands that are looked through for what a rule covers.
const SEEN: i64 = 5_000;
/// Commands that are shown of them.
const SHOWN: usize = 20;
/// How far back, when nobody says otherwise.
const DAYS: u32 = 30;

/// A rule in a list.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct ListedRule {
    /// Its id.
    pub id: Uuid,
    /// Its project's name.
    pub project: String,
    /// Its words.
    pub argv: Vec<String>,
    /// The same as one would type it.
    pub command: String,
    /// `exact` or `prefix`.
    #[serde(rename = "match")]
    pub matching: String,
    /// Who confirmed it.
    pub owner: String,
    /// Why.
    pub reason: Option<String>,
    /// When.
    pub created_at: DateTime<Utc>,
    /// When it ends; null when it does not.
    pub expires_at: Option<DateTime<Utc>>,
    /// How often it lifted a hold.
    pub hits: i64,
    /// When it last did.
    pub last_used_at: Option<DateTime<Utc>>,
    /// Why somebody should look at it: `ended`, `ending`, `unused`; null when nobody has to.
    pub attention: Option<Attention>,
    /// Commands seen lately that it covers.
    pub covers: Covered,
}

/// What of the commands seen lately a rule covers.
#[derive(Clone, Debug, Default, Serialize, utoipa::ToSchema)]
pub struct Covered {
    /// How many different ones.
    pub commands: usize,
    /// The most frequent.
    pub most: Vec<Seen>,
}

/// A command seen lately.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct Seen {
    /// As one would type it.
    pub command: String,
    /// How often it was asked about.
    pub times: i64,
}

/// A rule that somebody thinks about.
#[derive(Clone, Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Draft {
    /// The project's name.
    pub project: String,
    /// The words.
    pub argv: Vec<String>,
    /// `exact` or `prefix`.
    #[serde(rename = "match")]
    pub matching: Match,
    /// How many days of dialogs to look through; 30 when left out.
    #[serde(default)]
    pub days: Option<u32>,
}

/// All rules that nobody removed, of one project or of all.
pub async fn list(app: &App, _: LocalPeer, project: Option<&str>) -> Result<Vec<ListedRule>> {
    let mut conn = app.db.acquire().await?;
    let now = store::now(&mut conn, app.clock.offset_us()).await?;
    let mut listed = Vec::new();
    let mut of_project: Option<(Uuid, Vec<SeenRow>)> = None;
    let mut rows = rules::list(&mut conn, project).await?;
    rows.sort_by_key(|row| row.project_id);
    for row in rows {
        if of_project.as_ref().is_none_or(|(project, _)| *project != row.project_id) {
            let seen = rules::seen(&mut conn, row.project_id, now - TimeDelta::days(DAYS.into()), SEEN).await?;
            of_project = Some((row.project_id, seen));
        }
        let seen = of_project.as_ref().map(|(_, seen)| seen.as_slice()).unwrap_or_default();
        listed.push(ListedRule::of(row, seen, now));
    }
    Ok(listed)
}

/// What a rule would cover of the commands seen lately, before it is confirmed.
pub async fn covers(app: &App, _: LocalPeer, draft: &Draft) -> Result<Covered> {
    check(&draft.argv, draft.matching)
        .and_then(|()| could_lift(&draft.argv))
        .map_err(|why| Error::invalid("argv", why))?;
    let days = draft.days.unwrap_or(DAYS);
    if !(1..=365).contains(&days) {
        return Err(Error::invalid("days", "days takes 1 to 365."));
    }
    let mut conn = app.db.acquire().await?;
    let now = store::now(&mut conn, app.clock.offset_us()).await?;
    let project = places::project(&mut conn, &draft.project).await?;
    let project =
        project.ok_or_else(|| Error::invalid("project", format!("There is no project {}.", draft.project)))?;
    let seen = rules::seen(&mut conn, project, now - TimeDelta::days(days.into()), SEEN).await?;
    Ok(Covered::of(&Rule { id: None, argv: draft.argv.clone(), matching: draft.matching }, &seen))
}

/// An admin takes a rule back.
pub async fn remove(app: &AppState, admin: &LocalAdmin, id: Uuid) -> Result<()> {
    let mut tx = app.db.begin().await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    let project = rules::remove(&mut tx, id, &admin.actor().to_string(), now).await?;
    let project = project.ok_or_else(Error::not_found)?;
    admin.confirm(&mut tx, now).await?;
    let row = act(EventKind::RuleRemoved, admin.actor(), json!({ "rule_id": id }), now);
    events::append(&mut tx, at(Place { project: Some(project), lane: None }, row)).await?;
    tx.commit().await?;
    app.hub.poke();
    Ok(())
}

impl ListedRule {
    fn of(row: RuleRow, seen: &[SeenRow], now: DateTime<Utc>) -> Self {
        let argv = row.argv.0;
        // A way of comparing that this program does not know covers nothing.
        let covers = Match::from_word(&row.matching)
            .map(|matching| Covered::of(&Rule { id: Some(row.id), argv: argv.clone(), matching }, seen));
        Self {
            id: row.id,
            project: row.project,
            command: spelled(&argv),
            argv,
            matching: row.matching,
            owner: row.owner,
            reason: row.reason,
            created_at: row.created_at,
            expires_at: row.expires_at,
            hits: row.hits,
            last_used_at: row.last_used_at,
            attention: attention(row.expires_at, row.last_used_at.unwrap_or(row.created_at), now),
            covers: covers.unwrap_or_default(),
        }
    }
}

impl Covered {
    fn of(rule: &Rule, seen: &[SeenRow]) -> Self {
        let covered: Vec<&SeenRow> = seen.iter().filter(|row| rule.covers(&row.argv)).collect();
        let most = covered.iter().take(SHOWN).map(|row| Seen { command: spelled(&row.argv), times: row.times });
        Self { commands: covered.len(), most: most.collect() }
    }
}
