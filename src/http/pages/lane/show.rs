//! `GET /lanes/{name}`: one lane for one reader.

use axum::extract::State;
use axum::response::Response;
use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{Agent, Lane, activity, policy, tickets, traffic};
use crate::app::{App, AppState};
use crate::domain::pane::FRESH;
use crate::domain::policy::{Effective, MailMode};
use crate::domain::proposal::Status;
use crate::error::{Error, Result};
use crate::flows::proposals::reviews;
use crate::http::extract::{Path, Query};
use crate::http::pages::frame::Tab;
use crate::http::pages::mail::{self, Mail};
use crate::http::pages::needs;
use crate::http::pages::nudge::{self, Nudge};
use crate::http::pages::suggest::{self, Came, Suggest};
use crate::http::pages::visit::Visit;
use crate::http::pages::{Page, history, inbox, see_other};
use crate::store::agents::{self, AgentRow};
use crate::store::attentions::{self, Attention};
use crate::store::messages::{self, MessageRow};
use crate::store::panes;
use crate::store::places::{self, LaneRow};
use crate::store::proposals::list::Filter;
use crate::store::stalls::{self, Episode};
use crate::store::tickets::{InFlight, in_flight};
use crate::store::{policies, shown};

/// How many one page lists.
const WAITING: i64 = 200;
const DECIDED: i64 = 10;
const ACTED: i64 = 40;
const LETTERS: i64 = 20;

/// What was done on the page just now.
#[derive(Debug, Default)]
pub(in crate::http::pages) struct Tried<'a> {
    /// What was taken.
    pub done: &'a str,
    /// What was not.
    pub refused: Option<Refused<'a>>,
}

/// A form of the page that was not taken.
#[derive(Debug)]
pub(in crate::http::pages) enum Refused<'a> {
    /// The suggestion.
    Suggestion(suggest::Refused<'a>),
    /// The nudge.
    Nudge(suggest::Refused<'a>),
    /// The mail.
    Mail(suggest::Refused<'a>),
}

/// `GET /lanes/{name}`.
pub async fn handle(
    State(app): State<AppState>,
    visit: Visit,
    Path(name): Path<String>,
    Query(came): Query<Came>,
) -> Result<Page<Lane>> {
    page(&app, &visit, &name, Tried { done: &came.done, refused: None }).await.map(Page)
}

/// `GET` of a form's address, which only a reload asks for: back to the page.
pub async fn back(Path(name): Path<String>) -> Response {
    see_other(&format!("/lanes/{name}"))
}

/// A lane that the visitor may see.
pub(in crate::http::pages) async fn find(app: &App, visit: &Visit, name: &str) -> Result<LaneRow> {
    let mut conn = app.db.acquire().await?;
    let lane = places::lanes(&mut conn, Some(name)).await?.into_iter().next();
    let seen = reviews::visible(&visit.person);
    lane.filter(|lane| seen.shows(lane.project_id, lane.id)).ok_or_else(Error::not_found)
}

/// The whole page.
pub(in crate::http::pages) async fn page(app: &App, visit: &Visit, name: &str, tried: Tried<'_>) -> Result<Lane> {
    let lane = find(app, visit, name).await?;
    let (agents, (version, document), acted, panes, Beside { open, flying, letters, stalls: stalled }) = {
        let mut conn = app.db.acquire().await?;
        let acted = shown::acted(&mut conn, lane.id, ACTED).await?;
        let panes = panes::of_lane(&mut conn, lane.id, visit.person.now() - FRESH).await?;
        let beside = Beside::read(&mut conn, lane.id, visit.person.now()).await?;
        (agents::list(&mut conn, None).await?, policies::head(&mut conn).await?, acted, panes, beside)
    };
    let (frame, _) = visit.frame(app, name, Tab::Lanes).await?;
    let here = Filter { lane: Some(name.to_owned()), ..reviews::visible(&visit.person) };
    let pending = vec![Status::Pending.as_str().to_owned()];
    let mut waiting = reviews::list(app, &Filter { statuses: pending, limit: WAITING, ..here.clone() }).await?;
    waiting.sort_by_key(inbox::urgency);
    let decided = reviews::list(app, &Filter { statuses: history::finals(), limit: DECIDED, ..here }).await?;
    let effective = document.resolve(&lane.name);
    let watched: Vec<_> = panes.iter().filter(|pane| pane.status != "unknown").map(|pane| pane.key.clone()).collect();
    let Forms { nudge, mail, suggest } = forms(visit, &lane, (watched, effective), tried);
    let agents = agents.into_iter().filter(|agent| agent.lane == lane.name);
    Ok(Lane {
        frame,
        policy: policy::policy(version, &document, &lane.name),
        activity: activity::activity(visit, acted),
        panes: panes.iter().map(|pane| super::pane(visit, pane)).collect(),
        nudge,
        mail,
        suggest,
        needs: open.into_iter().filter_map(|open| needs::need(visit, open)).collect(),
        letters: letters.iter().map(|row| traffic::letter(visit, row)).collect(),
        stalls: stalled.iter().map(|episode| traffic::stall(visit, episode)).collect(),
        tickets: flying.into_iter().map(|row| tickets::ticket(visit, row)).collect(),
        agents: agents.map(|agent| self::agent(visit, agent)).collect(),
        name: lane.name,
        project: lane.project,
        worktree: lane.worktree,
        waiting: inbox::items(app, visit, &waiting).await?,
        decided: history::rows(app, visit, &decided).await?,
    })
}

/// What is under way in a lane beside what waits for a decision.
struct Beside {
    open: Vec<Attention>,
    flying: Vec<InFlight>,
    letters: Vec<MessageRow>,
    stalls: Vec<Episode>,
}

impl Beside {
    async fn read(conn: &mut PgConnection, lane: Uuid, now: DateTime<Utc>) -> Result<Self> {
        Ok(Self {
            open: attentions::open(conn, lane).await?,
            flying: in_flight(conn, lane, now).await?,
            letters: messages::queue_of(conn, lane, LETTERS).await?,
            stalls: stalls::open_in(conn, lane).await?,
        })
    }
}

fn agent(visit: &Visit, agent: AgentRow) -> Agent {
    Agent {
        name: agent.name,
        lead: agent.lead,
        pending: (usize::try_from(agent.pending).unwrap_or_default(), usize::try_from(agent.cap).unwrap_or_default()),
        seen: agent.last_used_at.map(|at| visit.reader().when(at)),
    }
}

/// What the reader may send from the page.
struct Forms {
    nudge: Option<Nudge>,
    mail: Option<Mail>,
    suggest: Option<Suggest>,
}

fn forms(visit: &Visit, lane: &LaneRow, (panes, effective): (Vec<String>, Effective), tried: Tried<'_>) -> Forms {
    let place = (lane.project_id, lane.id);
    let by_line = effective.enabled && effective.mail_mode == MailMode::Nudge;
    let mut mail = mail::form(visit, place, (tried.done, by_line));
    let (suggestion, nudged) = match tried.refused {
        Some(Refused::Suggestion(refused)) => (Some(refused), None),
        Some(Refused::Nudge(refused)) => (None, Some(refused)),
        Some(Refused::Mail(refused)) => {
            let (problem, note) = (Some(refused.problem), refused.note.to_owned());
            mail = mail.map(|form| Mail { problem, note, ..form });
            (None, None)
        }
        None => (None, None),
    };
    let suggest = Suggest { action: format!("/lanes/{}/suggest", lane.name), ..Suggest::default() };
    let (problem, note) = nudged.map(|refused| (refused.problem, refused.note.to_owned())).unzip();
    let usual = effective.nudge_text;
    let nudge = Nudge { panes, usual, done: nudge::done(tried.done), problem, note: note.unwrap_or_default() };
    let shown = !nudge.panes.is_empty() || nudge.problem.is_some();
    Forms {
        nudge: (nudge::may(visit, place) && shown).then_some(nudge),
        mail,
        suggest: suggest::may(visit, place).then(|| suggest.after(tried.done, suggestion)),
    }
}
