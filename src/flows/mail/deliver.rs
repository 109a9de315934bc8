//! The tick that hands mail over: one order at a time in a lane, to one pane, and after the second try that came to nothing
//! a person is told.

use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use super::{as_typed, told};
use crate::app::App;
use crate::domain::attention::Cause;
use crate::domain::event::{Actor, EventKind};
use crate::domain::mail::{ATTEMPTS, Delivery, Schedule, choose, decide_mail};
use crate::domain::pane::FRESH;
use crate::domain::policy::{Effective, MailMode};
use crate::error::Result;
use crate::flows::attention::{self, Episode};
use crate::flows::panes::ready;
use crate::store::messages::{self, Addressee, MessageRow, Round};
use crate::store::orders::{self, NewText};
use crate::store::typing::{self, Typing};
use crate::store::{self, events, instance, policies};

/// The tick; the answer is how many orders it made.
pub async fn tick(app: &App) -> Result<usize> {
    let mut conn = app.db.acquire().await?;
    let lanes = messages::addressees(&mut conn).await?;
    drop(conn);
    let mut ordered = 0;
    for lane in lanes {
        match deliver(app, &lane).await {
            Ok(done) => ordered += usize::from(done),
            // One lane that somebody holds must not keep the others waiting.
            Err(error) => tracing::warn!(lane = lane.name, %error, "mail could not be handed over yet"),
        }
    }
    Ok(ordered)
}

/// One lane; true when something was ordered.
async fn deliver(app: &App, lane: &Addressee) -> Result<bool> {
    let mut tx = app.db.begin().await?;
    policies::hold(&mut tx).await?;
    if instance::pause(&mut tx).await?.is_some() {
        return Ok(false);
    }
    // Whoever holds it is another server at the same work, or somebody who reads: the next tick comes back to it.
    let Some(round) = messages::take(&mut tx, lane.id).await? else { return Ok(false) };
    if typing::is_mail_under_way(&mut tx, lane.id).await? {
        return Ok(false);
    }
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    let waiting = messages::waiting(&mut tx, lane.id).await?;
    let schedule = Schedule { attempts: round.attempts, next_at: round.next_at, gave_up: waiting.is_empty() };
    let case = Case { app, lane, round, now };
    let client = match decide_mail(&schedule, now) {
        Delivery::Wait => return Ok(false),
        Delivery::GiveUp => {
            case.give_up(&mut tx).await?;
            None
        }
        Delivery::Send => case.order(&mut tx, &waiting).await?,
    };
    tx.commit().await?;
    if let Some(client) = client {
        app.hub.waiters.stir(client);
    }
    app.hub.poke();
    Ok(client.is_some())
}

/// What is typed next in a lane.
#[derive(Debug)]
pub(super) enum Next<'a> {
    /// One line that speaks of all of these.
    Line(Vec<&'a MessageRow>),
    /// The mail itself.
    Mail(&'a MessageRow),
}

/// What comes next of what waits: all in one line, or the oldest in full. What may stand in a terminal already is only
/// spoken of: it is in the inbox, and nobody gets it in full twice.
pub(super) fn next<'a>(effective: &Effective, waiting: &'a [MessageRow]) -> Option<Next<'a>> {
    let first = waiting.first()?;
    let line = effective.enabled && effective.mail_mode == MailMode::Nudge;
    Some(match (line, first.maybe_typed) {
        (true, _) => Next::Line(waiting.iter().collect()),
        (false, true) => Next::Line(waiting.iter().filter(|row| row.maybe_typed).collect()),
        (false, false) => Next::Mail(first),
    })
}

struct Case<'a> {
    app: &'a App,
    lane: &'a Addressee,
    round: Round,
    now: DateTime<Utc>,
}

impl Case<'_> {
    fn place(&self) -> (Uuid, Uuid) {
        (self.lane.project_id, self.lane.id)
    }

    /// Orders what comes next, if a pane takes it; whose pane it is.
    async fn order(&self, tx: &mut PgConnection, waiting: &[MessageRow]) -> Result<Option<Uuid>> {
        let (version, document) = policies::head(tx).await?;
        let effective = document.resolve(&self.lane.name);
        let Some(next) = next(&effective, waiting) else { return Ok(None) };
        let (kind, rows, text) = match next {
            Next::Line(rows) => ("nudge", rows, effective.nudge_text.clone()),
            Next::Mail(row) => ("mail", vec![row], as_typed(row).0),
        };
        let Some(pane) = self.pane(tx, &text).await? else { return Ok(None) };
        let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
        let ordered_by = match rows.first().filter(|_| !effective.enabled) {
            Some(first) => first.sender.clone(),
            None => Actor::Policy(version).to_string(),
        };
        let id = self.app.ids.new_id(self.now);
        let new = NewText {
            id,
            kind,
            trigger: "mail",
            place: self.place(),
            pane: (pane.client, &pane.key),
            text: &text,
            msg_ids: Some(&json!(ids)),
            policy_version: effective.enabled.then_some(version),
            ordered_by: &ordered_by,
            now: self.now,
        };
        orders::insert_text(tx, &new).await?;
        messages::carry(tx, &ids, id).await?;
        Ok(Some(pane.client))
    }

    /// The pane that gets it, held: no other text is ordered for it meanwhile.
    async fn pane(&self, tx: &mut PgConnection, text: &str) -> Result<Option<Typing>> {
        let fresh = self.now - FRESH;
        let panes = typing::of_lane(tx, self.lane.id, fresh).await?;
        let last = self.round.pane_client_id.zip(self.round.pane_key.clone());
        let key = |pane: &Typing| (pane.client, pane.key.clone());
        let looks = (key, |pane: &Typing| pane.fresh, |pane: &Typing| pane.state().takes_text());
        let Some(chosen) = choose(&panes, (last.as_ref(), self.round.bound), looks) else { return Ok(None) };
        let Some(held) = typing::take(tx, (chosen.client, &chosen.key), fresh).await? else { return Ok(None) };
        let takes = held.lane_id == self.lane.id && ready::takes(tx, &held, text, self.now).await?;
        Ok(takes.then_some(held))
    }

    /// Says once that what was tried twice has failed.
    async fn give_up(&self, tx: &mut PgConnection) -> Result<()> {
        let failed = messages::give_up(tx, self.lane.id, ATTEMPTS, self.now).await?;
        messages::save(tx, self.lane.id, &Round { attempts: 0, next_at: None, ..self.round.clone() }).await?;
        let Some(first) = failed.first() else { return Ok(()) };
        let ids: Vec<Uuid> = failed.iter().map(|one| one.id).collect();
        let maybe = failed.iter().any(|one| one.maybe_typed);
        let payload = json!({ "message_ids": ids, "reason": "not_typed", "maybe_typed": maybe });
        events::append(tx, told((EventKind::MailFailed, Actor::System), self.place(), payload, self.now)).await?;
        let what = if ids.len() == 1 { "A message".to_owned() } else { format!("{} messages", ids.len()) };
        let tried =
            if maybe { "may have been typed, and will not be typed again" } else { "could not be typed, twice" };
        let lane = &self.lane.name;
        let detail = format!("{what} to lane {lane} {tried}. The inbox has it until an agent reads it there.");
        let episode = Episode {
            place: self.place(),
            cause: Cause::MailUndelivered,
            key: &first.id.to_string(),
            proposal: None,
            detail: &detail,
        };
        attention::raise(self.app, tx, &episode, self.now).await
    }
}
