//! What was decided, by whom, and what came of it.

use askama::Template;
use axum::extract::State;
use serde::Deserialize;
use uuid::Uuid;

use super::frame::{Frame, Tab};
use super::glance;
use super::inbox::beginning;
use super::visit::Visit;
use super::when::When;
use super::{Page, words};
use crate::app::glances::Glance;
use crate::app::{App, AppState};
use crate::domain::proposal::Status;
use crate::domain::risk::Risk;
use crate::domain::text::{Kind, Shown, show};
use crate::error::Result;
use crate::flows::proposals::reviews;
use crate::http::extract::Query;
use crate::store::places::{self, LaneRow};
use crate::store::proposals::Row as Stored;
use crate::store::proposals::list::Filter;

/// `/history`
#[derive(Debug, Template)]
#[template(path = "pages/history.html")]
pub struct History {
    /// The frame.
    pub frame: Frame,
    /// The lanes to choose from, and which is chosen.
    pub lanes: Vec<Pick>,
    /// The outcomes to choose from.
    pub statuses: Vec<Pick>,
    /// What was found, newest first.
    pub rows: Vec<Row>,
    /// The address of the next page.
    pub older: Option<String>,
    /// A filter is on.
    pub filtered: bool,
}

/// A choice in a filter.
#[derive(Debug, Clone)]
pub struct Pick {
    /// What is sent.
    pub value: String,
    /// What is shown.
    pub label: String,
    /// It is on.
    pub on: bool,
}

/// One closed proposal.
#[derive(Debug)]
pub struct Row {
    /// The proposal's id.
    pub id: String,
    /// Its lane.
    pub lane: String,
    /// Its risk.
    pub risk: Risk,
    /// How it ended.
    pub status: Status,
    /// It was a question.
    pub question: bool,
    /// The server's sentence.
    pub sentence: String,
    /// The act's name; a dialog has a class instead.
    pub action: Shown,
    /// The class of a dialog, in words.
    pub class: Option<&'static str>,
    /// The beginning of a dialog's command.
    pub command: Option<Shown>,
    /// The agent's title.
    pub says: Shown,
    /// By whom; empty when by nobody.
    pub by: String,
    /// When it ended.
    pub at: When,
    /// Whether the agent has picked it up, in words.
    pub after: String,
    /// The note.
    pub note: Option<Shown>,
}

impl Row {
    /// How it ended, in words.
    pub fn word(&self) -> &'static str {
        if self.question && self.status == Status::Approved { "Answered" } else { words::status(self.status) }
    }
}

/// The filters of `/history`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Asked {
    lane: String,
    status: String,
    before: Option<Uuid>,
}

/// How many one page lists.
const LISTED: usize = 40;

/// `GET /history`.
pub async fn handle(State(app): State<AppState>, visit: Visit, Query(asked): Query<Asked>) -> Result<Page<History>> {
    let (frame, _) = visit.frame(&app, "History", Tab::History).await?;
    let status = Status::from_word(&asked.status).filter(|status| status.is_final());
    let filter = Filter {
        lane: Some(asked.lane.clone()).filter(|lane| !lane.is_empty()),
        statuses: status.map_or_else(finals, |status| vec![status.as_str().to_owned()]),
        before: asked.before,
        limit: i64::try_from(LISTED + 1).unwrap_or(i64::MAX),
        ..reviews::visible(&visit.person)
    };
    let mut rows = reviews::list(&app, &filter).await?;
    let more = rows.len() > LISTED;
    rows.truncate(LISTED);
    let last = rows.last().filter(|_| more).map(|row| row.id);
    let lanes = visible_lanes(&app, &filter).await?;
    let lane = |lane: &LaneRow| (lane.name.clone(), lane.name.clone());
    let outcome = |status: &Status| (status.as_str().to_owned(), words::status(*status).to_owned());
    Ok(Page(History {
        frame,
        lanes: picks("All lanes", lanes.iter().map(lane), &asked.lane),
        statuses: picks("All outcomes", Status::ALL[1..].iter().map(outcome), &asked.status),
        rows: self::rows(&app, &visit, &rows).await?,
        older: last.map(|id| older(&asked, id)),
        filtered: status.is_some() || filter.lane.is_some(),
    }))
}

/// The words of everything that is over.
pub fn finals() -> Vec<String> {
    Status::ALL.iter().filter(|status| status.is_final()).map(|status| status.as_str().to_owned()).collect()
}

/// The lanes whose proposals may be seen.
pub async fn visible_lanes(app: &App, seen: &Filter) -> Result<Vec<LaneRow>> {
    let mut conn = app.db.acquire().await?;
    let lanes = places::lanes(&mut conn, None).await?;
    Ok(lanes.into_iter().filter(|lane| seen.shows(lane.project_id, lane.id)).collect())
}

/// Choices for a filter, the one for all of them first.
pub fn picks(all: &str, values: impl Iterator<Item = (String, String)>, chosen: &str) -> Vec<Pick> {
    let every = (String::new(), all.to_owned());
    let pick = |(value, label): (String, String)| Pick { on: value == chosen, value, label };
    std::iter::once(every).chain(values).map(pick).collect()
}

fn older(asked: &Asked, before: Uuid) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    for (name, value) in [("lane", &asked.lane), ("status", &asked.status)] {
        if !value.is_empty() {
            query.append_pair(name, value);
        }
    }
    format!("/history?{}", query.append_pair("before", &before.to_string()).finish())
}

/// Closed proposals as list rows, in their order.
pub async fn rows(app: &App, visit: &Visit, rows: &[Stored]) -> Result<Vec<Row>> {
    let glances = glance::all(app, rows).await?;
    Ok(rows.iter().zip(glances).map(|(row, glance)| self::row(visit, row, glance)).collect())
}

fn row(visit: &Visit, row: &Stored, glance: Glance) -> Row {
    let status = Status::from_word(&row.status).unwrap_or(Status::Pending);
    let note = row.note.as_deref().or(row.close_reason.as_deref()).filter(|note| !note.trim().is_empty());
    let dialog = row.kind == "dialog";
    let command = row.command.as_deref().filter(|_| dialog).map(beginning);
    Row {
        id: row.id.to_string(),
        lane: row.lane.clone(),
        risk: Risk::from_word(&row.risk),
        status,
        question: row.kind == "question",
        sentence: glance.sentence,
        action: show(&row.action, Kind::Command),
        class: words::dialogs::class_of(row.class.as_deref()),
        command: command.map(|(text, _)| show(text, Kind::Command)),
        says: show(&row.title, Kind::Prose),
        by: by(visit, row, glance.policy_version),
        at: visit.reader().when(row.closed_at.unwrap_or(row.created_at)),
        after: after(row, status).into(),
        note: note.filter(|_| !dialog || status != Status::Withdrawn).map(|note| show(note, Kind::Prose)),
    }
}

fn by(visit: &Visit, row: &Stored, policy_version: Option<i64>) -> String {
    match (row.source.as_deref(), policy_version) {
        (Some("policy"), Some(version)) => format!("the policy, version {version}"),
        (Some("policy"), None) => "the policy".into(),
        _ if visit.is_me(row.decided_by.as_deref()) => "you".into(),
        _ => row.decided_by.clone().unwrap_or_default(),
    }
}

fn after(row: &Stored, status: Status) -> &'static str {
    if row.kind == "dialog" {
        return match (status, row.executed.as_deref()) {
            (Status::Withdrawn, _) => words::dialogs::ended_briefly(row.close_reason.as_deref()),
            (Status::Expired, _) => "not approved",
            (_, Some("sent")) => "pressed",
            (_, Some("skipped" | "void")) => "nothing was pressed",
            (_, Some(_)) => "not known to have worked",
            (_, None) => "not pressed yet",
        };
    }
    match (status, row.collected_at) {
        (Status::Withdrawn, _) => "the agent moved on",
        (Status::Expired, _) => "not approved",
        (_, Some(_)) => "the agent has it",
        (_, None) => "not picked up yet",
    }
}
