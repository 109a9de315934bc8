//! Who calls, and whom they mean: sessions come from tokens and panes, never from what a caller says of itself.

use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgConnection;

use crate::app::App;
use crate::auth::{Agent, Lead};
use crate::domain::pane::FRESH;
use crate::domain::rendezvous::GONE_AFTER;
use crate::error::{Code, Error, Problem, Result};
use crate::flows::access::reached;
use crate::store::tickets::{self, Seat};
use crate::store::tokens;

/// From when on a report counts, and a pane is there.
pub(super) fn horizon(now: DateTime<Utc>) -> (DateTime<Utc>, DateTime<Utc>) {
    (now - FRESH, now - GONE_AFTER)
}

/// Refuses a token that was taken back since the request came in.
pub(super) async fn confirm(conn: &mut PgConnection, agent: &Agent, now: DateTime<Utc>) -> Result<()> {
    if tokens::is_live(conn, agent.token_id(), now).await? { Ok(()) } else { Err(Error::unauthenticated()) }
}

/// The caller's own session, if there is exactly one that it can be.
pub(super) async fn own(conn: &mut PgConnection, agent: &Agent, now: DateTime<Utc>) -> Result<Option<Seat>> {
    let mut seats = tickets::seats_of_agent(conn, agent.id(), horizon(now)).await?;
    if seats.len() > 1 {
        let keys = seats.iter().map(|seat| seat.pane_key.clone()).collect::<Vec<_>>().join(", ");
        let detail = format!(
            "Lane {} has several sessions (panes {keys}), and this token is bound to none of them. An admin makes a token for one \
             with `countersign agent add NAME --lane {} --pane KEY`.",
            agent.lane().name,
            agent.lane().name,
        );
        return Err(Problem::new(Code::AmbiguousSession, detail).into());
    }
    Ok(seats.pop())
}

/// The caller's own session, for those who must have one.
pub(super) async fn must_own(conn: &mut PgConnection, agent: &Agent, now: DateTime<Utc>) -> Result<Seat> {
    own(conn, agent, now)
        .await?
        .ok_or_else(|| no_ticket("No pane of yours is watched, so no lead can have sent you anything."))
}

/// There is nothing that an answer or a question could belong to.
pub(super) fn no_ticket(detail: impl Into<std::borrow::Cow<'static, str>>) -> Error {
    Problem::new(Code::NoOpenTicket, detail).into()
}

/// The session that a lead means, in its own project.
pub(super) async fn target(
    app: &App,
    conn: &mut PgConnection,
    (lead, session): (Lead<'_>, &str),
    now: DateTime<Utc>,
) -> Result<Seat> {
    let project = lead.agent().lane().project;
    let mut seats = tickets::seats_of_project(conn, (project, Some(session)), horizon(now)).await?;
    if seats.len() > 1 {
        let detail = "Two panes are reported with this session; nobody can tell which is meant.";
        return Err(Problem::new(Code::AmbiguousSession, detail).field("sessionId").into());
    }
    let Some(seat) = seats.pop() else {
        let foreign = tickets::is_known(conn, session).await?;
        return Err(refuse(app, lead.agent(), foreign).await);
    };
    let own = tickets::seats_of_agent(conn, lead.agent().id(), horizon(now)).await?;
    if own.len() == 1 && own[0].pane() == seat.pane() {
        return Err(Error::invalid("sessionId", "This is your own session. fleet_list names the others."));
    }
    Ok(seat)
}

/// A session of another project is not there; one of nobody's is not journaled either.
async fn refuse(app: &App, agent: &Agent, foreign: bool) -> Error {
    let caller = (agent.id(), agent.actor(), agent.place());
    let sought = json!({ "what": "a session of another project, or one that is gone" });
    if foreign && let Err(error) = reached(app, caller, sought).await {
        return error;
    }
    let detail = "There is no such session in your project now. fleet_list names those that are there.";
    Problem::new(Code::NotFound, detail).field("sessionId").into()
}
