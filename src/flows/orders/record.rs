//! The one way in which an order is done with: its row, its one journal row, and what its dialog shows of it.

use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgConnection;

use super::texts;
use crate::app::App;
use crate::domain::acted::{Acted, Of};
use crate::domain::class::Class;
use crate::domain::event::{Actor, EventKind, Place};
use crate::domain::order::{Execution, Skip};
use crate::domain::verdict::PolicySource;
use crate::error::{Error, Result};
use crate::flows::fleet;
use crate::flows::record::particulars;
use crate::store::dialogs::{self, DialogRow};
use crate::store::events::{self, NewEvent};
use crate::store::orders::{self, OrderRow};
use crate::store::panes;
use crate::store::proposals::receipts;

/// What became of an order.
#[derive(Debug)]
pub(in crate::flows) struct Done<'a> {
    /// The outcome.
    pub outcome: Execution,
    /// Why.
    pub reason: Option<&'a str>,
    /// The keys that were sent.
    pub keys: &'a [String],
    /// The screen.
    pub excerpt: Option<&'a str>,
    /// The decision is void: what it was made for is gone.
    pub void: bool,
    /// Who says so.
    pub actor: Actor<'a>,
    /// When.
    pub now: DateTime<Utc>,
}

impl<'a> Done<'a> {
    /// An order that ends without its client's report: nobody tells of keys or a screen.
    pub(in crate::flows) fn unreported(
        outcome: Execution,
        reason: &'a str,
        actor: Actor<'a>,
        now: DateTime<Utc>,
    ) -> Self {
        Self { outcome, reason: Some(reason), keys: &[], excerpt: None, void: false, actor, now }
    }

    /// The server takes it back itself.
    pub(in crate::flows) fn taken_back(skip: Skip, now: DateTime<Utc>) -> Self {
        Self::unreported(Execution::Skipped, skip.as_str(), Actor::System, now)
    }

    /// The server took the order back before any client had it: no pane was tried.
    pub(in crate::flows) fn is_taken_back(&self) -> bool {
        self.outcome == Execution::Skipped && !matches!(self.actor, Actor::PaneClient(_))
    }
}

/// Writes it, with what follows for a message between agents.
pub(super) async fn finish_all(app: &App, tx: &mut PgConnection, order: &OrderRow, done: &Done<'_>) -> Result<()> {
    finish(tx, order, done).await?;
    fleet::after(app, tx, order, done).await
}

/// Writes it, in a transaction that holds the order and its proposal; false when it was done with already.
pub(in crate::flows) async fn finish(tx: &mut PgConnection, order: &OrderRow, done: &Done<'_>) -> Result<bool> {
    let word = done.outcome.as_str();
    let keys = (!done.keys.is_empty()).then(|| json!(done.keys));
    if !orders::finish(tx, order.id, (word, done.reason, keys), done.now).await? {
        return Ok(false);
    }
    let dialog = match order.proposal_id {
        Some(proposal) => Some(dialogs::find(tx, proposal).await?.ok_or_else(|| lost(order))?),
        None => None,
    };
    let agent = match &dialog {
        Some(dialog) => Some((dialog.agent_kind.clone(), dialog.session_id.clone())),
        None => panes::agent(tx, order.pane_client_id, &order.pane_key).await?,
    };
    let acted = acted(order, done, (dialog.as_ref(), agent));
    let place = Place::lane(order.project_id, order.lane_id);
    let proposal = dialog.as_ref().map(|dialog| (dialog.id, dialog.version));
    let payload = particulars(&acted)?;
    let kind = EventKind::SupervisionActed;
    let row = NewEvent { kind, actor: done.actor.clone(), place, proposal, payload, at: done.now };
    events::append(tx, row).await?;
    if order.kind != "answer" {
        texts::after(tx, order, done).await?;
    }
    if let Some(dialog) = dialog {
        let executed = if done.void { "void" } else { word };
        receipts::executed(tx, dialog.id, executed, done.now).await?;
        let payload = json!({ "executed": executed, "reason": done.reason, "order_id": order.id });
        let kind = EventKind::ProposalExecuted;
        let row = NewEvent { kind, actor: done.actor.clone(), place, proposal, payload, at: done.now };
        events::append(tx, row).await?;
    }
    Ok(true)
}

fn acted(
    order: &OrderRow,
    done: &Done<'_>,
    (dialog, agent): (Option<&DialogRow>, Option<(String, Option<String>)>),
) -> Acted {
    let (agent_kind, session_id) = agent.unzip();
    let subject = dialog.map(|dialog| dialog.command.clone().unwrap_or_else(|| dialog.title.clone()));
    Acted {
        lane: order.lane.clone(),
        pane: order.pane_key.clone(),
        session_id: session_id.flatten(),
        agent_kind,
        trigger: order.trigger.clone(),
        dialog_class: dialog.and_then(|dialog| Class::from_word(dialog.class.as_deref()?)),
        repo_scoped: dialog.map(|dialog| dialog.repo_scoped),
        decision: order.decision.clone(),
        policy_source: order.policy_source.as_deref().and_then(PolicySource::from_word),
        policy_version: order.policy_version,
        keys: (!done.keys.is_empty()).then(|| done.keys.to_vec()),
        outcome: done.outcome.as_str(),
        reason: done.reason.map(str::to_owned),
        subject: subject.or_else(|| said(order)),
        pane_excerpt: screen(order, done),
        of: Of::OrderId(order.id),
    }
}

/// What was typed. What people and agents write to agents stays out of the journal: of that only the frame's head.
fn said(order: &OrderRow) -> Option<String> {
    let text = order.text.as_deref()?;
    match order.kind.as_str() {
        "mail" => text.split_once("] ").map(|(opening, _)| format!("{opening}]")),
        "message" => text.lines().next().map(str::to_owned),
        _ => Some(text.to_owned()),
    }
}

/// The screen, as far as it shows nothing that agents or people write to agents: once their words were typed they stand there.
fn screen(order: &OrderRow, done: &Done<'_>) -> Option<String> {
    let carries = matches!(order.kind.as_str(), "mail" | "message");
    let shows = carries && done.outcome != Execution::Skipped;
    done.excerpt.filter(|_| !shows).map(str::to_owned)
}

fn lost(order: &OrderRow) -> Error {
    Error::Internal(format!("order {} has no dialog", order.id))
}
