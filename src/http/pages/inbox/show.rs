//! `GET /`: everything that waits where the reader may look, the riskiest and oldest first.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use axum::extract::State;
use chrono::{TimeDelta, Utc};

use super::{Group, Inbox, Item, Meanwhile, Start};
use crate::app::glances::Glance;
use crate::app::{App, AppState};
use crate::domain::proposal::{Outcome, Status};
use crate::domain::risk::Risk;
use crate::domain::text::{Kind, show};
use crate::error::Result;
use crate::flows::attention;
use crate::flows::proposals::reviews;
use crate::http::pages::frame::Tab;
use crate::http::pages::glance;
use crate::http::pages::needs::{self, Need};
use crate::http::pages::visit::Visit;
use crate::http::pages::{Page, words};
use crate::store::agents::AgentRow;
use crate::store::proposals::list::Filter;
use crate::store::proposals::{Row, glance as stored};
use crate::store::{agents, places};

/// How many one page lists.
const LISTED: i64 = 500;
/// How much of a command a list shows; its review shows all.
const COMMAND: usize = 160;
/// An agent that called within this time counts as connected.
const CONNECTED: TimeDelta = TimeDelta::minutes(5);

/// `GET /`.
pub async fn handle(State(app): State<AppState>, visit: Visit) -> Result<Page<Inbox>> {
    let (frame, _) = visit.frame(&app, "Inbox", Tab::Inbox).await?;
    let filter = Filter {
        statuses: vec![Status::Pending.as_str().to_owned()],
        limit: LISTED,
        ..reviews::visible(&visit.person)
    };
    let rows = reviews::list(&app, &filter).await?;
    let more = frame.waiting().saturating_sub(rows.len());
    let agents = agents(&app).await?;
    let groups = groups(&app, &visit, rows, &agents).await?;
    let needs = needs(&app, &visit).await?;
    let start = if groups.is_empty() && needs.is_empty() { start(&app, &filter, &agents).await? } else { None };
    let meanwhile = meanwhile(&app, &visit, &filter, &agents).await?;
    let stranger = !filter.everywhere && filter.projects.is_empty() && filter.lanes.is_empty();
    Ok(Page(Inbox { frame, needs, groups, start, meanwhile, more, stranger }))
}

async fn needs(app: &App, visit: &Visit) -> Result<Vec<Need>> {
    let mut conn = app.db.acquire().await?;
    let open = attention::mine(&mut conn, &visit.person).await?;
    Ok(open.into_iter().filter_map(|open| needs::need(visit, open)).collect())
}

async fn agents(app: &App) -> Result<Vec<AgentRow>> {
    let mut conn = app.db.acquire().await?;
    Ok(agents::list(&mut conn, None).await?)
}

async fn groups(app: &App, visit: &Visit, mut rows: Vec<Row>, agents: &[AgentRow]) -> Result<Vec<Group>> {
    rows.sort_by_key(urgency);
    let urgencies: Vec<_> = rows.iter().map(urgency).collect();
    let lanes: Vec<String> = rows.iter().map(|row| row.lane.clone()).collect();
    let mut by_lane: BTreeMap<String, (_, Vec<Item>)> = BTreeMap::new();
    for ((item, lane), urgency) in items(app, visit, &rows).await?.into_iter().zip(lanes).zip(urgencies) {
        by_lane.entry(lane).or_insert_with(|| (urgency, Vec::new())).1.push(item);
    }
    let mut groups: Vec<_> = by_lane.into_iter().collect();
    // A lane stands where its worst proposal would.
    groups.sort_by_key(|(_, (worst, _))| *worst);
    let group = |(lane, (_, items)): (String, (_, Vec<Item>))| {
        let count = agents.iter().filter(|agent| agent.lane == lane).count();
        Group { about: words::plural(count, "agent"), lane, items }
    };
    Ok(groups.into_iter().map(group).collect())
}

/// High risk first, then the oldest.
pub fn urgency(row: &Row) -> (Reverse<Risk>, chrono::DateTime<Utc>) {
    (Reverse(Risk::from_word(&row.risk)), row.created_at)
}

/// Rows as list items, in their order.
pub async fn items(app: &App, visit: &Visit, rows: &[Row]) -> Result<Vec<Item>> {
    let glances = glance::all(app, rows).await?;
    Ok(rows.iter().zip(glances).map(|(row, glance)| item(visit, row, glance)).collect())
}

fn item(visit: &Visit, row: &Row, glance: Glance) -> Item {
    let reader = visit.reader();
    let (command, rest) = row.command.as_deref().map(beginning).unzip();
    Item {
        id: row.id.to_string(),
        risk: Risk::from_word(&row.risk),
        sentence: glance.sentence,
        action: show(&row.action, Kind::Command),
        class: words::dialogs::class_of(row.class.as_deref()),
        command: command.map(|text| show(text, Kind::Command)),
        command_rest: rest.unwrap_or_default(),
        says: show(&row.title, Kind::Prose),
        notes: notes(visit, row),
        misleading: glance.misleading,
        asked: reader.when(row.created_at),
        left: row.expires_at.map(|end| reader.left(end)),
    }
}

/// The first characters of a command, and how many are not among them.
pub(in crate::http::pages) fn beginning(command: &str) -> (&str, usize) {
    let end = command.char_indices().nth(COMMAND).map_or(command.len(), |(at, _)| at);
    (&command[..end], command[end..].chars().count())
}

fn notes(visit: &Visit, row: &Row) -> Vec<String> {
    let mut notes = Vec::new();
    if row.requirement.votes > 1 {
        let votes = row.votes.iter().flat_map(|votes| votes.iter());
        let have = votes.filter(|vote| vote.outcome != Outcome::Rejected.as_str()).count();
        notes.push(format!("{have} of {} votes", row.requirement.votes));
    }
    if row.previously_rejected {
        notes.push("asked again after a rejection".into());
    }
    if let Err(why) = reviews::may_decide(&visit.person, row) {
        let why = why.trim_end_matches('.');
        let mut letters = why.chars();
        let first = letters.next().map(|first| first.to_ascii_lowercase());
        notes.push(first.into_iter().chain(letters).collect());
    }
    notes
}

/// What to do next, while something is missing or nobody has asked anything yet.
async fn start(app: &App, seen: &Filter, agents: &[AgentRow]) -> Result<Option<Start>> {
    let any = Filter { statuses: Vec::new(), limit: 1, ..seen.clone() };
    let asked = !reviews::list(app, &any).await?.is_empty();
    if !seen.everywhere || (asked && !agents.is_empty()) {
        return Ok(None);
    }
    let mut conn = app.db.acquire().await?;
    Ok(Some(Start {
        url: app.public_url.origin(),
        project: !places::projects(&mut conn, None).await?.is_empty(),
        lane: !places::lanes(&mut conn, None).await?.is_empty(),
        agent: !agents.is_empty(),
    }))
}

async fn meanwhile(app: &App, visit: &Visit, seen: &Filter, agents: &[AgentRow]) -> Result<Meanwhile> {
    let reader = visit.reader();
    let mut conn = app.db.acquire().await?;
    let lanes: Vec<_> = places::lanes(&mut conn, None).await?;
    let visible = |agent: &AgentRow| {
        let lane = lanes.iter().find(|lane| lane.name == agent.lane);
        lane.is_some_and(|lane| seen.shows(lane.project_id, lane.id))
    };
    let lately = |agent: &&AgentRow| agent.last_used_at.is_some_and(|at| reader.now - at < CONNECTED);
    let decided = stored::decided_since(&mut conn, seen, reader.midnight()).await?;
    let last = stored::last_decision(&mut conn, seen).await?;
    Ok(Meanwhile {
        agents: agents.iter().filter(lately).filter(|agent| visible(agent)).count(),
        decided: usize::try_from(decided).unwrap_or_default(),
        last: last.map(|last| {
            let what = Status::from_word(&last.outcome).map_or("Decided", words::status);
            let who = if visit.is_me(last.by.as_deref()) { Some("you".to_owned()) } else { last.by };
            let told = who.map_or_else(|| what.to_owned(), |who| format!("{what} by {who}"));
            (told, reader.when(last.at))
        }),
    })
}
