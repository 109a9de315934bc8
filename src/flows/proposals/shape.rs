//! The shape of a proposal as agents and approvers are told it (contract, sections 3 and 5).

use chrono::{DateTime, Utc};
use serde::Serialize;
use sqlx::types::Json;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::app::App;
use crate::auth::Agent;
use crate::domain::answer::Answer;
use crate::domain::proposal::Status;
use crate::store::proposals::Row;
use crate::store::proposals::create::{Created, NewProposal};

/// `Proposal` of the contract.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Proposal {
    /// Its id.
    pub id: Uuid,
    /// `change`, `question` or `dialog`.
    pub kind: String,
    /// The act.
    pub action: String,
    /// The agent's title.
    pub title: String,
    /// Where it stands.
    pub status: String,
    /// The lane's name.
    pub lane: String,
    /// When it was asked.
    pub created_at: DateTime<Utc>,
    /// When it is over undecided.
    pub expires_at: Option<DateTime<Utc>>,
    /// SHA-256 of the content; deciding echoes it.
    pub digest: String,
    /// The number in the ETag.
    pub version: i32,
    /// Where a person decides it.
    pub review_url: String,
    /// Where the agent looks again.
    pub check_url: String,
    /// Seconds after which to look again; null once it is final.
    pub retry_after: Option<u32>,
    /// This answer joined a proposal that was pending already.
    pub joined: bool,
    /// The same agent asked the same before and was refused.
    pub previously_rejected: bool,
    /// The proposal it replaces.
    pub replaces: Option<Uuid>,
    /// The votes.
    pub votes: Votes,
    /// The decision; null while pending, and when it expired or was withdrawn.
    pub decision: Option<Decision>,
    /// What happened to it on its way.
    pub receipts: Receipts,
}

/// How many approvals it needs and has.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Votes {
    /// Approvals needed.
    pub needed: u32,
    /// Approvals given.
    pub have: usize,
    /// By whom.
    pub by: Vec<String>,
}

/// The one final answer.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Decision {
    /// `approved`, `modified` or `rejected`.
    pub outcome: String,
    /// The decider's words.
    pub note: Option<String>,
    /// The replacement text, when modified.
    pub body: Option<String>,
    /// SHA-256 of that text.
    pub digest: Option<String>,
    /// The option to press; dialogs only.
    #[schema(value_type = Option<Object>)]
    pub option: Option<serde_json::Value>,
    /// The answers to questions.
    pub answers: Option<Vec<Answer>>,
    /// Who decided.
    pub decided_by: Option<String>,
    /// When.
    pub decided_at: DateTime<Utc>,
    /// `person`, `policy` or `terminal`.
    pub source: String,
}

/// What happened to a proposal on its way.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Receipts {
    /// The first hint went to somebody who may decide.
    pub notified_at: Option<DateTime<Utc>>,
    /// The first of them opened it.
    pub seen_at: Option<DateTime<Utc>>,
    /// The agent had the final answer.
    pub collected_at: Option<DateTime<Utc>>,
    /// The agent was done with it.
    pub archived_at: Option<DateTime<Utc>>,
    /// What became of the order; dialogs only.
    pub executed: Option<String>,
    /// When.
    pub executed_at: Option<DateTime<Utc>>,
}

/// How long an agent waits before it looks again: soon while a person is likely there, then less often.
fn retry_after(row: &Row, now: DateTime<Utc>) -> Option<u32> {
    let age = (now - row.created_at).num_seconds();
    row.is_pending().then_some(match age {
        ..60 => 5,
        60..600 => 15,
        _ => 60,
    })
}

/// The contract's `Proposal` from a row.
pub fn proposal(app: &App, row: &Row, joined: bool) -> Proposal {
    let origin = app.public_url.origin();
    let approvals = row.votes.iter().flat_map(|votes| votes.iter()).filter(|vote| vote.outcome != "rejected");
    let by: Vec<String> = approvals.map(|vote| vote.by.clone()).collect();
    Proposal {
        id: row.id,
        kind: row.kind.clone(),
        action: row.action.clone(),
        title: row.title.clone(),
        status: row.status.clone(),
        lane: row.lane.clone(),
        created_at: row.created_at,
        expires_at: row.expires_at,
        digest: hex::encode(&row.digest),
        version: row.version,
        review_url: format!("{origin}/p/{}", row.id),
        check_url: format!("{origin}/api/v1/proposals/{}", row.id),
        retry_after: retry_after(row, app.clock.now()),
        joined,
        previously_rejected: row.previously_rejected,
        replaces: row.replaces,
        votes: Votes { needed: row.requirement.votes, have: by.len(), by },
        decision: decision(row),
        receipts: Receipts {
            notified_at: row.notified_at,
            seen_at: row.seen_at,
            collected_at: row.collected_at,
            archived_at: row.archived_at,
            executed: row.executed.clone(),
            executed_at: row.executed_at,
        },
    }
}

fn decision(row: &Row) -> Option<Decision> {
    let (outcome, source, decided_at) = (row.outcome.clone()?, row.source.clone()?, row.decided_at?);
    Some(Decision {
        outcome,
        note: row.note.clone(),
        body: row.decided_body.clone(),
        digest: row.body_digest.as_ref().map(hex::encode),
        option: row.option.clone(),
        answers: row.answers.as_ref().map(|Json(answers)| answers.clone()),
        decided_by: row.decided_by.clone(),
        decided_at,
        source,
    })
}

/// The row of a proposal that was written just now, without reading it back.
pub fn fresh_row(new: &NewProposal, created: &Created, agent: &Agent) -> Row {
    Row {
        id: new.id,
        project_id: agent.lane().project,
        lane_id: agent.lane().id,
        lane: agent.lane().name.clone(),
        agent_id: Some(new.agent_id),
        agent: Some(agent.name().to_owned()),
        kind: new.ask.kind.as_str().to_owned(),
        action: new.ask.action.clone(),
        class: None,
        risk: new.risk.as_str().to_owned(),
        title: new.ask.title.clone(),
        command: new.ask.command.clone(),
        digest: new.digest.0.to_vec(),
        status: Status::Pending.as_str().to_owned(),
        version: 1,
        created_at: created.created_at,
        expires_at: created.expires_at,
        closed_at: None,
        close_reason: None,
        requirement: Json(new.requirement.clone()),
        previously_rejected: created.previously_rejected,
        replaces: None,
        archived_at: None,
        outcome: None,
        source: None,
        decided_by: None,
        note: None,
        decided_body: None,
        body_digest: None,
        option: None,
        answers: None,
        decided_at: None,
        notified_at: None,
        seen_at: None,
        collected_at: None,
        executed: None,
        executed_at: None,
        votes: None,
    }
}
