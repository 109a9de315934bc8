//! Writing a judged dialog: a hold is a pending proposal with its one journal row, an answer of the policy a decided one
//! with its order. Approvers are told of holds alone.

use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use super::effects::{self, Approval};
use super::judge::{Ground, Where};
use crate::app::App;
use crate::auth::PaneClient;
use crate::domain::acted::{Acted, Of};
use crate::domain::attention::Cause;
use crate::domain::dialog::DialogOption;
use crate::domain::event::{Actor, EventKind, Place};
use crate::domain::proposal::{Outcome, Requirement, Status};
use crate::domain::report::Report;
use crate::domain::verdict::{Judgement, PolicySource, Reason, Verdict};
use crate::error::Result;
use crate::flows::attention::{self, Episode, approvers};
use crate::flows::record::particulars;
use crate::store::attentions::Waiting;
use crate::store::dialogs::{self, NewDialog};
use crate::store::events::{self, NewEvent};
use crate::store::orders::{self, NewAnswer};
use crate::store::rules;

/// A dialog that is written for the first time, or in another one's stead.
#[derive(Clone, Copy, Debug)]
pub struct Fresh<'a> {
    /// Who reported it.
    pub client: &'a PaneClient,
    /// Where.
    pub place: Where,
    /// What was reported.
    pub report: &'a Report,
    /// The proposal it stands in for: then only a person answers.
    pub replaces: Option<Replaced>,
    /// When.
    pub now: DateTime<Utc>,
}

/// Why a dialog is asked about a second time.
#[derive(Clone, Copy, Debug)]
pub struct Replaced {
    /// The proposal that stood for it.
    pub id: Uuid,
    /// A stable word.
    pub code: &'static str,
    /// A sentence.
    pub text: &'static str,
}

/// What was written.
#[derive(Clone, Copy, Debug)]
pub struct Written {
    /// The dialog.
    pub id: Uuid,
    /// What was decided about it.
    pub verdict: Verdict,
    /// It waits for a person.
    pub held: bool,
}

/// Writes all of it in the caller's transaction.
pub async fn write(
    app: &App,
    tx: &mut PgConnection,
    fresh: &Fresh<'_>,
    (ground, mut judgement): (&Ground, Judgement),
) -> Result<Written> {
    if let Some(Replaced { code, text, .. }) = fresh.replaces {
        judgement.hold(judgement.policy_source);
        judgement.reasons.insert(0, Reason { code: code.to_owned(), text: text.to_owned() });
    }
    let answer = answer(&judgement);
    let id = app.ids.new_id(fresh.now);
    let digest = fresh.report.digest();
    let new = NewDialog {
        id,
        place: (fresh.place.project, fresh.place.lane),
        pane_client_id: fresh.place.client,
        report: fresh.report,
        digest,
        judgement: &judgement,
        requirement: Requirement::for_risk(judgement.risk).with_reason(ground.require_reason),
        policy_version: ground.version,
        replaces: fresh.replaces.map(|replaced| replaced.id),
        decided: answer,
        now: fresh.now,
    };
    dialogs::insert(tx, &new).await?;
    let case = Case { fresh, judgement: &judgement, id, version: ground.version };
    match answer {
        None => {
            case.hold(tx, &digest.to_string()).await?;
            case.needs_somebody(app, tx).await?;
        }
        Some(answer) => case.answer(app, tx, answer).await?,
    }
    Ok(Written { id, verdict: judgement.verdict(), held: answer.is_none() })
}

/// What the policy decides, and the row for it.
fn answer(judgement: &Judgement) -> Option<(Outcome, &DialogOption)> {
    let outcome = match judgement.verdict() {
        Verdict::AutoApprove => Outcome::Approved,
        Verdict::AutoDeny => Outcome::Rejected,
        Verdict::Hold => return None,
    };
    judgement.answer.row().map(|row| (outcome, row))
}

struct Case<'a> {
    fresh: &'a Fresh<'a>,
    judgement: &'a Judgement,
    id: Uuid,
    version: i64,
}

impl Case<'_> {
    fn event<'a>(&'a self, kind: EventKind, actor: Actor<'a>, payload: serde_json::Value) -> NewEvent<'a> {
        let place = Place::lane(self.fresh.place.project, self.fresh.place.lane);
        NewEvent { kind, actor, place, proposal: Some((self.id, 1)), payload, at: self.fresh.now }
    }

    async fn hold(&self, tx: &mut PgConnection, digest: &str) -> Result<()> {
        let (report, judgement) = (self.fresh.report, self.judgement);
        let payload = json!({
            "kind": "dialog", "action": report.kind.as_str(), "title": report.headline(), "class": judgement.class,
            "risk": judgement.risk.as_str(), "digest": digest, "pane": report.pane, "agent_kind": report.agent_kind,
            "policy_source": judgement.policy_source, "replaces": self.fresh.replaces.map(|replaced| replaced.id),
        });
        let actor = self.fresh.client.actor();
        events::append(tx, self.event(EventKind::ProposalCreated, actor.clone(), payload)).await?;
        let acted = particulars(&self.held())?;
        events::append(tx, self.event(EventKind::SupervisionActed, actor, acted)).await?;
        Ok(())
    }

    /// A hold needs somebody who decides, and one that nobody may decide somebody who gives the right to.
    async fn needs_somebody(&self, app: &App, tx: &mut PgConnection) -> Result<()> {
        let Where { project, lane, .. } = self.fresh.place;
        let class = self.judgement.class.as_str();
        let held = Episode {
            place: (project, lane),
            cause: Cause::Held,
            key: &self.id.to_string(),
            proposal: Some(self.id),
            detail: &format!("A dialog of the class {class} waits for an answer."),
        };
        attention::raise(app, tx, &held, self.fresh.now).await?;
        let waiting = Waiting {
            id: self.id,
            project_id: project,
            lane_id: lane,
            class: class.to_owned(),
            risk: self.judgement.risk.as_str().to_owned(),
            over: 0,
        };
        approvers::sought(app, tx, &waiting, self.fresh.now).await
    }

    fn held(&self) -> Acted {
        let (report, judgement) = (self.fresh.report, self.judgement);
        Acted {
            lane: report.lane.clone(),
            pane: report.pane.clone(),
            session_id: report.session_id.clone(),
            agent_kind: Some(report.agent_kind.clone()),
            trigger: "dialog".to_owned(),
            dialog_class: Some(judgement.class),
            repo_scoped: Some(judgement.repo_scoped),
            decision: "hold".to_owned(),
            policy_source: Some(judgement.policy_source),
            policy_version: Some(self.version),
            keys: None,
            outcome: "held",
            reason: judgement.reasons.first().map(|reason| reason.code.clone()),
            subject: Some(report.command.clone().unwrap_or_else(|| report.headline())),
            pane_excerpt: report.pane_excerpt.clone(),
            of: Of::HoldOf(self.id),
        }
    }

    async fn answer(&self, app: &App, tx: &mut PgConnection, answer: (Outcome, &DialogOption)) -> Result<()> {
        let ((outcome, option), now, judgement) = (answer, self.fresh.now, self.judgement);
        let actor = Actor::Policy(self.version);
        let status: Status = outcome.status();
        let payload = json!({
            "outcome": outcome, "status": status, "source": "policy", "class": judgement.class,
            "policy_source": judgement.policy_source, "policy_version": self.version, "rule_id": judgement.rule,
            "option": { "n": option.n, "text": option.text }, "subject": self.fresh.report.command,
        });
        events::append(tx, self.event(EventKind::ProposalDecided, actor.clone(), payload)).await?;
        let legacy = judgement.policy_source == PolicySource::LegacyRule;
        let order = NewAnswer {
            id: app.ids.new_id(now),
            proposal_id: self.id,
            attempt: 1,
            trigger: if legacy { "legacy_rule" } else { "dialog" },
            option,
            deny: outcome == Outcome::Rejected,
            by_policy: true,
            policy_source: judgement.policy_source.as_str(),
            ordered_by: &actor.to_string(),
            now,
            not_before: now,
        };
        orders::insert_answer(tx, &order).await?;
        if let Some(rule) = judgement.rule {
            rules::hit(tx, rule, now).await?;
        }
        if outcome == Outcome::Approved {
            let report = Some(self.fresh.report);
            let (place, pane) = (self.fresh.place, self.fresh.report.pane.as_str());
            let approval = Approval { proposal: self.id, place, pane, report, by_person: false, now };
            effects::apply(tx, judgement.effects, &approval).await?;
        }
        Ok(())
    }
}
