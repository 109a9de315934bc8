//! Who the caller is, which sessions there are, and which profiles: names and status, and nothing that was said.

use serde::Serialize;

use super::seat::{self, horizon};
use crate::app::App;
use crate::auth::{Agent, Lead};
use crate::error::{Code, Result};
use crate::store;
use crate::store::places;
use crate::store::tickets::{self, Seat};

/// The caller.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Whoami {
    /// Its name.
    pub agent: String,
    /// `lead` or `member`.
    pub role: &'static str,
    /// Its lane.
    pub lane: String,
    /// Its project.
    pub project: String,
    /// The profile of its lane.
    pub profile: Option<String>,
    /// Its session, if exactly one of the lane's panes can be it.
    pub session_id: Option<String>,
    /// Why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'static str>,
}

/// A session (contract, section 7).
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Member {
    /// Its session.
    pub session_id: String,
    /// Its lane.
    pub lane: String,
    /// Its project.
    pub project: String,
    /// The profile of its lane.
    pub profile: Option<String>,
    /// The agent kind.
    #[serde(rename = "agent_kind")]
    pub agent_kind: String,
    /// `idle`, `working`, `blocked` or `unknown`.
    pub status: String,
    /// A token of its agent has made a call: messages reach it.
    pub mounted: bool,
    /// It is the caller's own.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub you: bool,
}

/// A profile of the project's lanes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Profile {
    /// Its name; null for lanes without one.
    pub profile: Option<String>,
    /// The lanes that run with it.
    pub lanes: Vec<String>,
}

/// Who the caller is.
pub async fn whoami(app: &App, agent: &Agent) -> Result<Whoami> {
    let mut conn = app.db.acquire().await?;
    let now = store::now(&mut conn, app.clock.offset_us()).await?;
    let (session_id, reason) = match seat::own(&mut conn, agent, now).await {
        Ok(Some(own)) => (Some(own.session_id), None),
        Ok(None) => (None, Some("no_session")),
        Err(error) if error.code() == Code::AmbiguousSession => (None, Some("ambiguous_session")),
        Err(error) => return Err(error),
    };
    let lane = places::lanes(&mut conn, Some(&agent.lane().name)).await?.into_iter().next();
    let (project, profile) = lane.map(|lane| (lane.project, lane.profile)).unwrap_or_default();
    Ok(Whoami {
        agent: agent.name().to_owned(),
        role: if agent.is_lead() { "lead" } else { "member" },
        lane: agent.lane().name.clone(),
        project,
        profile,
        session_id,
        reason,
    })
}

/// The sessions of a lead's project; a member sees itself.
pub async fn list(app: &App, agent: &Agent) -> Result<Vec<Member>> {
    let mut conn = app.db.acquire().await?;
    let now = store::now(&mut conn, app.clock.offset_us()).await?;
    let own = tickets::seats_of_agent(&mut conn, agent.id(), horizon(now)).await?;
    let seats = match agent.lead() {
        Ok(lead) => {
            let project = lead.agent().lane().project;
            tickets::seats_of_project(&mut conn, (project, None), horizon(now)).await?
        }
        // More than one, and none of them is known to be it.
        Err(_) if own.len() > 1 => return Ok(Vec::new()),
        Err(_) => own.clone(),
    };
    let is_own = |seat: &Seat| own.len() == 1 && own[0].pane() == seat.pane();
    Ok(seats.into_iter().map(|seat| member(is_own(&seat), seat)).collect())
}

fn member(you: bool, seat: Seat) -> Member {
    Member {
        session_id: seat.session_id,
        lane: seat.lane,
        project: seat.project,
        profile: seat.profile,
        agent_kind: seat.agent_kind,
        status: seat.status,
        mounted: seat.mounted,
        you,
    }
}

/// The profiles that the lanes of a lead's project run with.
pub async fn profiles(app: &App, lead: Lead<'_>) -> Result<Vec<Profile>> {
    let mut conn = app.db.acquire().await?;
    let project = lead.agent().lane().project;
    let mut found: Vec<Profile> = Vec::new();
    for lane in places::lanes(&mut conn, None).await?.into_iter().filter(|lane| lane.project_id == project) {
        match found.iter_mut().find(|one| one.profile == lane.profile) {
            Some(one) => one.lanes.push(lane.name),
            None => found.push(Profile { profile: lane.profile, lanes: vec![lane.name] }),
        }
    }
    found.sort_by(|one, other| one.profile.cmp(&other.profile));
    Ok(found)
}
