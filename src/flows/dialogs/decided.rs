//! A person has decided a dialog: in the same transaction the order to press the row, what the approval leaves behind, and
//! what is learned of it.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::effects::{self, Approval};
use super::judge::Where;
use crate::app::App;
use crate::domain::attention::Cause;
use crate::domain::choice::pressable;
use crate::domain::dialog::{DialogKind, DialogOption};
use crate::domain::event::Actor;
use crate::domain::pick::{Asked, Row};
use crate::domain::proposal::Outcome;
use crate::domain::verdict::PolicySource;
use crate::error::Result;
use crate::flows::attention::{self, Episode};
use crate::flows::rules::{Lesson, note_approval, note_denial};
use crate::store::dialogs::DialogRow;
use crate::store::orders::{self, NewAnswer};

/// A person's decision on a dialog.
#[derive(Clone, Copy, Debug)]
pub struct Decided<'a> {
    /// The dialog, as it was before.
    pub dialog: &'a DialogRow,
    /// The outcome.
    pub outcome: Outcome,
    /// The row to press, if there is one.
    pub option: Option<&'a DialogOption>,
    /// Who.
    pub actor: &'a Actor<'a>,
    /// When.
    pub now: DateTime<Utc>,
}

/// What the ruling is judged by. Of what retention has emptied no row is known, so none can be chosen.
pub fn asked(dialog: &DialogRow) -> Asked {
    let options = dialog.report.as_ref().map(|report| report.0.options.clone()).unwrap_or_default();
    let kind = kind(dialog);
    let row = |option: DialogOption| Row { standing: pressable(kind, &option.text).err(), option };
    Asked {
        kind,
        rows: options.into_iter().map(row).collect(),
        approve: dialog.judgement.0.approve.clone(),
        deny: dialog.judgement.0.deny.clone(),
        ended: dialog.ended_at.is_some(),
    }
}

/// What sort of prompt. One that this program does not know allows the least: nothing of it is pressed from afar.
pub fn kind(dialog: &DialogRow) -> DialogKind {
    DialogKind::from_word(&dialog.dialog_kind).unwrap_or(DialogKind::Login)
}

/// Writes what follows from the decision.
pub async fn settle(app: &App, tx: &mut PgConnection, decided: &Decided<'_>) -> Result<()> {
    let Decided { dialog, outcome, option, actor, now } = *decided;
    attention::clear(tx, dialog.id, actor, now).await?;
    learn(app, tx, decided).await?;
    let approved = outcome != Outcome::Rejected;
    if approved {
        let approval = Approval {
            proposal: dialog.id,
            place: Where { project: dialog.project_id, lane: dialog.lane_id, client: dialog.pane_client_id },
            pane: &dialog.pane_key,
            report: dialog.report.as_ref().map(|report| &report.0),
            by_person: true,
            now,
        };
        effects::apply(tx, dialog.judgement.0.effects, &approval).await?;
    }
    let Some(option) = option else {
        return unpressed(app, tx, dialog, now).await;
    };
    let order = NewAnswer {
        id: app.ids.new_id(now),
        proposal_id: dialog.id,
        attempt: 1,
        trigger: "dialog",
        option,
        deny: !approved,
        by_policy: false,
        policy_source: PolicySource::Person.as_str(),
        ordered_by: &actor.to_string(),
        now,
        not_before: now,
    };
    Ok(orders::insert_answer(tx, &order).await?)
}

/// The refusal is on the record, and no row of the dialog says just no: somebody has to close it at the terminal.
async fn unpressed(app: &App, tx: &mut PgConnection, dialog: &DialogRow, now: DateTime<Utc>) -> Result<()> {
    let episode = Episode {
        place: (dialog.project_id, dialog.lane_id),
        cause: Cause::NoDenyRow,
        key: &dialog.id.to_string(),
        proposal: Some(dialog.id),
        detail: "It was rejected, but no single row of the dialog just says no. Close it at the terminal.",
    };
    attention::raise(app, tx, &episode, now).await
}

async fn learn(app: &App, tx: &mut PgConnection, decided: &Decided<'_>) -> Result<()> {
    let dialog = decided.dialog;
    let Some(argv) = dialog.judgement.0.argv.as_deref() else { return Ok(()) };
    let lesson =
        Lesson { proposal: dialog.id, project: dialog.project_id, lane: dialog.lane_id, argv, now: decided.now };
    if decided.outcome == Outcome::Rejected {
        return note_denial(tx, &lesson).await;
    }
    note_approval(app, tx, &lesson).await
}
