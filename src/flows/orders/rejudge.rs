//! What the policy ordered is judged again when it is leased: between the two a key may have been turned, or a file written.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::record::{Done, finish};
use crate::app::App;
use crate::auth::PaneClient;
use crate::domain::event::Actor;
use crate::domain::order::Skip;
use crate::domain::report::Report;
use crate::domain::verdict::{Judgement, Verdict};
use crate::error::{Error, Result};
use crate::flows::dialogs::judge::{Ground, Where};
use crate::flows::dialogs::write::{self, Fresh, Replaced};
use crate::store::dialogs;
use crate::store::orders::OrderRow;

/// Whether an order still stands.
#[derive(Debug)]
pub(super) enum Standing {
    /// It does.
    Stands,
    /// It does not: skipped, and this proposal stands for the same dialog now.
    Fallen(Uuid),
}

/// Judges an answer by the policy again, in a transaction that holds policy, proposal and order.
pub(super) async fn rejudge(
    app: &App,
    tx: &mut PgConnection,
    (client, order): (&PaneClient, &OrderRow),
    now: DateTime<Utc>,
) -> Result<Standing> {
    let broken = || Error::Internal(format!("order {} has no dialog to judge again", order.id));
    let proposal = order.proposal_id.ok_or_else(broken)?;
    let dialog = dialogs::find(tx, proposal).await?.ok_or_else(broken)?;
    let report: Report = dialog.report.ok_or_else(broken)?.0;
    let place = Where { project: order.project_id, lane: order.lane_id, client: order.pane_client_id };
    let ground = Ground::read(tx, place, &report, now).await?;
    let judgement = ground.judge(&report);
    if stands(order, &judgement) {
        return Ok(Standing::Stands);
    }
    let actor = Actor::Policy(ground.version);
    let done = Done { void: true, actor, ..Done::taken_back(Skip::PolicyChanged, now) };
    finish(tx, order, &done).await?;
    dialogs::supersede(tx, proposal).await?;
    let fresh = Fresh { client, place, report: &report, replaces: Some(replaced(proposal)), now };
    let written = write::write(app, tx, &fresh, (&ground, judgement)).await?;
    Ok(Standing::Fallen(written.id))
}

fn replaced(id: Uuid) -> Replaced {
    let text = "The policy had answered this; when the answer was to be given it would no longer have.";
    Replaced { id, code: "policy_changed", text }
}

/// Whether the policy would order the same again.
fn stands(order: &OrderRow, judgement: &Judgement) -> bool {
    let verdict = if order.deny { Verdict::AutoDeny } else { Verdict::AutoApprove };
    let row = judgement.answer.row();
    let same = row
        .zip(order.option.as_ref())
        .is_some_and(|(row, ordered)| (row.n, &row.text) == (ordered.0.n, &ordered.0.text));
    judgement.verdict() == verdict && same
}
