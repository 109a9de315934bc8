//! A pane client says what became of an order: once, the same again is no error, and the first word stands.

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::{Value, json};
use sqlx::PgConnection;
use utoipa::ToSchema;
use uuid::Uuid;

use super::expire::{self, NO_REPORT};
use super::record::{Done, finish_all};
use crate::app::App;
use crate::auth::PaneClient;
use crate::domain::attention::Cause;
use crate::domain::event::{EventKind, Place};
use crate::domain::order::{Execution, OutcomeReport, Sequel, sequel};
use crate::error::{Code, Error, Problem, Result};
use crate::flows::dialogs::cross::{self, Reached};
use crate::flows::{attention, fleet, mail};
use crate::store::events::{self, NewEvent};
use crate::store::orders::{self, OrderRow};
use crate::store::{self, dialogs};

/// What stands of an order after a report.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Reported {
    /// The order.
    pub id: Uuid,
    /// What the journal says became of it.
    pub outcome: String,
    /// Why.
    pub reason: Option<String>,
    /// The report came after the lease ran out: the journal's row stands, and the report is kept beside it.
    pub late: bool,
}

/// Takes the report. Another client's order is not there.
pub async fn report(app: &App, client: &PaneClient, id: Uuid, report: &OutcomeReport) -> Result<Reported> {
    report.check()?;
    let mut tx = app.db.begin().await?;
    client.confirm(&mut tx).await?;
    let order = expire::lock_both(&mut tx, id).await?.ok_or_else(Error::not_found)?;
    if order.pane_client_id != client.id() {
        tx.rollback().await?;
        return Err(cross::refuse(app, client, Reached::Order(id)).await);
    }
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    let case = Case { app, client, report, now };
    let reported = match order.state.as_str() {
        "queued" => {
            let detail = "This order was not taken: take it with GET /api/v1/orders before you act on it.";
            return Err(Problem::new(Code::NotTaken, detail).into());
        }
        "taken" if expire::is_overdue(&order, now) => {
            expire::close_unreported(app, &mut tx, &order, now).await?;
            case.late(&mut tx, &order).await?
        }
        "taken" => case.write(&mut tx, &order).await?,
        _ if order.reason.as_deref() == Some(NO_REPORT) && order.outcome.as_deref() == Some("failed") => {
            case.late(&mut tx, &order).await?
        }
        _ => return case.repeated(&order),
    };
    tx.commit().await?;
    app.hub.waiters.stir(id);
    app.hub.poke();
    app.metrics.executed(if reported.late { "late" } else { report.outcome.as_str() });
    Ok(reported)
}

struct Case<'a> {
    app: &'a App,
    client: &'a PaneClient,
    report: &'a OutcomeReport,
    now: DateTime<Utc>,
}

impl Case<'_> {
    /// The first report in time.
    async fn write(&self, tx: &mut PgConnection, order: &OrderRow) -> Result<Reported> {
        let report = self.report;
        let legacy = order.trigger == "legacy_rule";
        let follows = sequel(report.outcome, report.reason.as_deref(), order.attempt, legacy);
        let done = Done {
            outcome: report.outcome,
            reason: report.reason.as_deref(),
            keys: &report.keys,
            excerpt: report.pane_excerpt.as_deref(),
            void: follows == Sequel::Void,
            actor: self.client.actor(),
            now: self.now,
        };
        finish_all(self.app, tx, order, &done).await?;
        if let Some(proposal) = order.proposal_id {
            self.follow(tx, (order, proposal), follows).await?;
        }
        Ok(Reported {
            id: order.id,
            outcome: report.outcome.as_str().to_owned(),
            reason: report.reason.clone(),
            late: false,
        })
    }

    async fn follow(&self, tx: &mut PgConnection, (order, proposal): (&OrderRow, Uuid), follows: Sequel) -> Result<()> {
        match follows {
            Sequel::Done | Sequel::Void => {
                let why = if follows == Sequel::Done { "answered" } else { "state_changed" };
                dialogs::end(tx, proposal, why, self.now).await?;
                attention::clear(tx, proposal, &self.client.actor(), self.now).await
            }
            // Once the same dialog is reported again.
            Sequel::Again(_) => Ok(()),
            Sequel::Person => {
                let pane = &order.pane_key;
                let (cause, detail) = match self.report.outcome {
                    Execution::Failed => (
                        Cause::OrderFailed,
                        format!(
                            "An answer was sent to pane {pane}, and it is not known to have worked. Look at the terminal."
                        ),
                    ),
                    _ => (
                        Cause::OrderSkipped,
                        format!("An answer could not be given: pane {pane} was never ready for it."),
                    ),
                };
                expire::raise(self.app, tx, (order, cause, &detail), self.now).await
            }
        }
    }

    /// A report after the lease ran out: kept, told once, and nothing that was written changes.
    async fn late(&self, tx: &mut PgConnection, order: &OrderRow) -> Result<Reported> {
        let said = json!({ "outcome": self.report.outcome, "reason": self.report.reason, "keys": self.report.keys });
        match &order.late {
            Some(before) if *before != said => return Err(differs(before)),
            Some(_) => {}
            None => {
                orders::note_late(tx, order.id, &said).await?;
                let mut payload = said;
                payload["order_id"] = json!(order.id);
                let row = NewEvent {
                    kind: EventKind::OrderLate,
                    actor: self.client.actor(),
                    place: Place::lane(order.project_id, order.lane_id),
                    proposal: None,
                    payload,
                    at: self.now,
                };
                events::append(tx, row).await?;
                if self.report.outcome == Execution::Sent {
                    mail::late(tx, order, (&self.client.actor(), self.now)).await?;
                    fleet::late(tx, order, (&self.client.actor(), self.now)).await?;
                }
                if let (Execution::Sent, Some(proposal)) = (self.report.outcome, order.proposal_id) {
                    // It went away after all: nobody has to look.
                    dialogs::end(tx, proposal, "answered", self.now).await?;
                    attention::clear(tx, proposal, &self.client.actor(), self.now).await?;
                }
            }
        }
        let (outcome, reason) = (Execution::Failed.as_str().to_owned(), Some(NO_REPORT.to_owned()));
        Ok(Reported { id: order.id, outcome, reason, late: true })
    }

    /// The order is done with: the same again, or something else.
    fn repeated(&self, order: &OrderRow) -> Result<Reported> {
        let report = self.report;
        let keys = order.keys.as_ref().map_or(&[][..], |keys| &keys.0[..]);
        let same = order.outcome.as_deref() == Some(report.outcome.as_str())
            && order.reason == report.reason
            && keys == report.keys;
        if !same {
            return Err(differs(&json!({ "outcome": order.outcome, "reason": order.reason, "keys": keys })));
        }
        let outcome = report.outcome.as_str().to_owned();
        Ok(Reported { id: order.id, outcome, reason: order.reason.clone(), late: false })
    }
}

fn differs(stands: &Value) -> Error {
    let detail = "Something else was reported of this order before, and that stands.";
    Problem::new(Code::OutcomeDiffers, detail).field("outcome").with("stands", stands.clone()).into()
}
