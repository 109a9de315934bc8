//! The same dialog is reported again, so it is still there: what its last order left open goes on from here.

use sqlx::PgConnection;
use uuid::Uuid;

use super::judge::{Ground, Where};
use super::write::{self, Fresh, Replaced, Written};
use crate::app::App;
use crate::auth::PaneClient;
use crate::domain::order::{Execution, Sequel, sequel};
use crate::domain::report::Report;
use crate::error::Result;
use crate::flows::attention;
use crate::store::orders::{self, NewAnswer, OrderRow};
use crate::store::proposals::close;
use crate::store::{self, dialogs};

/// What another report changes.
#[derive(Debug)]
pub(super) enum Again {
    /// Nothing.
    Same,
    /// The answer is ordered once more.
    Ordered,
    /// A person is asked anew: this one stands for the instance now.
    Replaced(Written),
}

/// Looks at what the dialog's last order came to, and goes on. It is never pressed again unasked after a failure.
pub(super) async fn again(
    app: &App,
    tx: &mut PgConnection,
    (client, place): (&PaneClient, Where),
    (id, report): (Uuid, &Report),
) -> Result<Again> {
    close::lock(tx, id).await?;
    let Some(dialog) = dialogs::find(tx, id).await? else { return Ok(Again::Same) };
    let order = orders::newest_of(tx, id).await?;
    let Some(order) = order.filter(|order| order.state == "done" && dialog.ended_at.is_none()) else {
        return Ok(Again::Same);
    };
    let Some(outcome) = order.outcome.as_deref().and_then(Execution::from_word) else { return Ok(Again::Same) };
    match sequel(outcome, order.reason.as_deref(), order.attempt, order.trigger == "legacy_rule") {
        Sequel::Done | Sequel::Void => Ok(Again::Same),
        Sequel::Again(after) => {
            let now = store::now(tx, app.clock.offset_us()).await?;
            let not_before = order.done_at.unwrap_or(now) + after;
            once_more(app, tx, &order, (now, not_before)).await
        }
        Sequel::Person => {
            let now = store::now(tx, app.clock.offset_us()).await?;
            let ground = Ground::read(tx, place, report, now).await?;
            let judgement = ground.judge(report);
            dialogs::supersede(tx, id).await?;
            // The new one needs somebody, in one place.
            attention::clear(tx, id, &client.actor(), now).await?;
            let fresh = Fresh { client, place, report, replaces: Some(replaced(id, outcome)), now };
            Ok(Again::Replaced(write::write(app, tx, &fresh, (&ground, judgement)).await?))
        }
    }
}

/// Why a person is asked after an answer that may have arrived.
pub(super) const FAILED: &str = "answer_failed";

/// Stands in for a dialog of which an order came to this.
pub(super) fn replaced(id: Uuid, outcome: Execution) -> Replaced {
    let (code, text) = match outcome {
        Execution::Failed => (FAILED, "It was decided before, and the answer is not known to have worked."),
        _ => ("answer_skipped", "It was decided before, and the answer could not be given."),
    };
    Replaced { id, code, text }
}

async fn once_more(
    app: &App,
    tx: &mut PgConnection,
    order: &OrderRow,
    (now, not_before): (chrono::DateTime<chrono::Utc>, chrono::DateTime<chrono::Utc>),
) -> Result<Again> {
    let (Some(proposal_id), Some(option)) = (order.proposal_id, &order.option) else { return Ok(Again::Same) };
    let new = NewAnswer {
        id: app.ids.new_id(now),
        proposal_id,
        attempt: order.attempt + 1,
        trigger: &order.trigger,
        option: &option.0,
        deny: order.deny,
        by_policy: order.by_policy,
        policy_source: order.policy_source.as_deref().unwrap_or_default(),
        ordered_by: &order.ordered_by,
        now,
        not_before,
    };
    orders::insert_answer(tx, &new).await?;
    Ok(Again::Ordered)
}
