//! An agent reaches for a proposal that is not its own: it is told that there is nothing, and the journal is told the truth.

use serde_json::json;
use uuid::Uuid;

use crate::app::App;
use crate::auth::Agent;
use crate::domain::event::EventKind;
use crate::error::Error;
use crate::store;
use crate::store::events::{self, NewEvent};

/// The answer to an agent that asked for a proposal of others, or for none. Journaled at most once a minute for each
/// agent, so that a hostile one cannot fill the journal.
pub async fn refuse(app: &App, agent: &Agent, id: Uuid, exists: bool) -> Error {
    let now = app.clock.now().timestamp();
    if exists
        && app.refusals.first_this_minute(agent.id(), now)
        && let Err(error) = journal(app, agent, id).await
    {
        return error;
    }
    Error::not_found()
}

async fn journal(app: &App, agent: &Agent, id: Uuid) -> Result<(), Error> {
    let mut tx = app.db.begin().await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    let event = NewEvent {
        kind: EventKind::AccessRefused,
        actor: agent.actor(),
        place: agent.place(),
        proposal: None,
        payload: json!({ "proposal_id": id }),
        at: now,
    };
    events::append(&mut tx, event).await?;
    tx.commit().await?;
    app.hub.poke();
    Ok(())
}
