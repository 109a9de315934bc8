//! What can move on a pane moves: the head of its queue is ordered, what waited too long or lost its session fails.

use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use super::close::close;
use super::tell::Moved;
use crate::app::App;
use crate::domain::event::Actor;
use crate::domain::order::Skip;
use crate::domain::rendezvous::{Closing, Failure, Gate, Head, PaneNow, Stage, Ticket, framed, gate};
use crate::error::Result;
use crate::flows::orders::{Done, finish};
use crate::store::orders::{self, NewText};
use crate::store::{agents, tickets};

/// Moves what can move, in a transaction that holds the pane.
pub(super) async fn settle(
    app: &App,
    tx: &mut PgConnection,
    (client, key): (Uuid, &str),
    (now, moved): (DateTime<Utc>, &mut Moved),
) -> Result<()> {
    let live = tickets::live(tx, client, key).await?;
    if live.is_empty() {
        return Ok(());
    }
    let Some(mut pane) = tickets::pane_now(tx, client, key).await? else { return Ok(()) };
    let mut at_head = true;
    for ticket in live {
        let ticket = if ticket.holds_pane() {
            match release(app, tx, (ticket, &mut pane), (now, moved)).await? {
                Some(back) => back,
                None => continue,
            }
        } else {
            ticket
        };
        let head =
            Head { session_id: &ticket.session_id, created_at: ticket.created_at, not_before: ticket.not_before };
        match gate(&pane, head, now) {
            Gate::Deliver if at_head && is_leadless(tx, &ticket).await? => {
                close(app, tx, (ticket, Closing::failure(Failure::LeadGone), Actor::System), (now, moved)).await?;
            }
            Gate::Deliver if at_head => {
                order(app, tx, ticket, (now, moved)).await?;
                pane.turn_open = true;
                at_head = false;
            }
            Gate::Deliver | Gate::Wait(_) => at_head = false,
            Gate::Fail(why) => {
                close(app, tx, (ticket, Closing::failure(why), Actor::System), (now, moved)).await?;
            }
        }
    }
    Ok(())
}

/// Lets go of a pane whose session is gone: of a message that was typed there, or that nobody has taken to type. The
/// latter comes back, queued.
async fn release(
    app: &App,
    tx: &mut PgConnection,
    (ticket, pane): (Ticket, &mut PaneNow),
    (now, moved): (DateTime<Utc>, &mut Moved),
) -> Result<Option<Ticket>> {
    if !pane.has_lost(&ticket.session_id, now) {
        return Ok(None);
    }
    if ticket.sent_at.is_some() {
        pane.turn_open = false;
        let open = ticket.stage() == Stage::Delivered;
        let ended = ticket.turn_ended(now);
        if open {
            let gone = Closing::failure(Failure::SessionGone);
            close(app, tx, (ended, gone, Actor::System), (now, moved)).await?;
        } else {
            tickets::save(tx, &ended).await?;
        }
        return Ok(None);
    }
    let Some(back) = take_back(tx, &ticket, now).await? else { return Ok(None) };
    (pane.turn_open, pane.other_text) = (false, false);
    Ok(Some(back).filter(|back| back.stage() == Stage::Queued))
}

/// Takes back an order that its client has not taken. One that it has taken ends with the client's word or its lease.
async fn take_back(tx: &mut PgConnection, ticket: &Ticket, now: DateTime<Utc>) -> Result<Option<Ticket>> {
    let Some(order) = ticket.order_id else { return Ok(None) };
    if !orders::try_lock_queued(tx, order).await? {
        return Ok(None);
    }
    let Some(order) = orders::find(tx, order).await? else { return Ok(None) };
    finish(tx, &order, &Done::taken_back(Skip::StateChanged, now)).await?;
    let Some(back) = ticket.clone().skipped(now) else { return Ok(None) };
    tickets::save(tx, &back).await?;
    Ok(Some(back))
}

/// Whether the lead that sent a message was removed: nobody waits for what comes of it, and nobody answers for it.
pub(super) async fn is_leadless(tx: &mut PgConnection, ticket: &Ticket) -> Result<bool> {
    Ok(agents::list(tx, Some(&ticket.from_agent)).await?.is_empty())
}

/// Orders the head to be typed.
async fn order(
    app: &App,
    tx: &mut PgConnection,
    ticket: Ticket,
    (now, moved): (DateTime<Utc>, &mut Moved),
) -> Result<()> {
    let id = app.ids.new_id(now);
    let (text, ids, by) =
        (framed(ticket.id, &ticket.from_agent, &ticket.content), json!([ticket.id]), ticket.from_agent.clone());
    let new = NewText {
        id,
        kind: "message",
        trigger: "message",
        place: (ticket.project_id, ticket.lane_id),
        pane: (ticket.pane_client_id, &ticket.pane_key),
        text: &text,
        msg_ids: Some(&ids),
        policy_version: None,
        ordered_by: &Actor::Agent(&by).to_string(),
        now,
    };
    orders::insert_text(tx, &new).await?;
    let client = ticket.pane_client_id;
    if let Some(ordered) = ticket.ordered(id) {
        tickets::save(tx, &ordered).await?;
        moved.clients.push(client);
    }
    Ok(())
}
