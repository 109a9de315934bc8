//! A member answers the message that it was sent: the lead's ticket closes with that.

use super::close::{clear_person, close};
use super::seat;
use super::shape::{self, Answer};
use super::tell::Moved;
use crate::app::App;
use crate::auth::Agent;
use crate::domain::rendezvous::{Closing, Outcome, Stage, Ticket, clean};
use crate::error::Result;
use crate::store;
use crate::store::tickets;

/// Answers. The same answer again is no fault; one that comes after the turn was given up takes the place of the guess.
pub async fn reply(app: &App, agent: &Agent, content: &str) -> Result<Answer> {
    let content = clean("content", content)?;
    let mut tx = app.db.begin().await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    seat::confirm(&mut tx, agent, now).await?;
    let own = seat::must_own(&mut tx, agent, now).await?;
    tickets::lock_pane(&mut tx, own.pane_client_id, &own.pane_key).await?;
    let ticket = tickets::newest_of_session(&mut tx, own.pane(), &own.session_id).await?.ok_or_else(|| {
        seat::no_ticket("No message of a lead was typed in your session, so there is nothing to answer.")
    })?;
    if repeats(&ticket, &content) {
        return Ok(shape::taken());
    }
    if ticket.stage() == Stage::Closed && !ticket.takes_late_reply() {
        let detail =
            "The last message in your session is answered or put away, and no other was typed since. End your turn.";
        return Err(seat::no_ticket(detail));
    }
    let mut moved = Moved::default();
    let closing = (ticket.called(now), Closing::reply(&content), agent.actor());
    clear_person(&mut tx, &closing.0, &agent.actor(), now).await?;
    close(app, &mut tx, closing, (now, &mut moved)).await?;
    tx.commit().await?;
    moved.tell(app);
    Ok(shape::taken())
}

/// The member's own words once more: its call was cut off before it heard that they are kept.
fn repeats(ticket: &Ticket, content: &str) -> bool {
    ticket.outcome() == Some(Outcome::Reply) && ticket.result.as_deref() == Some(content)
}
