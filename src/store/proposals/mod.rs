//! Proposals as rows: reading one, locking one, listing many. Writing is in the files beside this one.

pub mod close;
pub mod counter;
pub mod create;
pub mod glance;
pub mod list;
pub mod receipts;

use chrono::{DateTime, Utc};
use serde::Deserialize;
use sqlx::PgConnection;
use sqlx::types::{Json, JsonValue};
use uuid::Uuid;

use crate::domain::access::Target;
use crate::domain::answer::Answer;
use crate::domain::ask::Question;
use crate::domain::proposal::{Outcome, Requirement, Status};
use crate::domain::risk::Risk;
use crate::store::dialogs::{self, DialogRow};

/// One proposal with its lane, agent, decision, receipts and votes.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its id.
    pub id: Uuid,
    /// Its project.
    pub project_id: Uuid,
    /// Its lane.
    pub lane_id: Uuid,
    /// Its lane's name.
    pub lane: String,
    /// The agent that asked; none for dialogs.
    pub agent_id: Option<Uuid>,
    /// That agent's name.
    pub agent: Option<String>,
    /// `change`, `question` or `dialog`.
    pub kind: String,
    /// The act.
    pub action: String,
    /// The dialog class, if any.
    pub class: Option<String>,
    /// `low`, `medium` or `high`.
    pub risk: String,
    /// The agent's title.
    pub title: String,
    /// The command, if any.
    pub command: Option<String>,
    /// The content's digest, 32 bytes.
    pub digest: Vec<u8>,
    /// Where it stands.
    pub status: String,
    /// The ETag's number.
    pub version: i32,
    /// When it was asked.
    pub created_at: DateTime<Utc>,
    /// When it is over undecided.
    pub expires_at: Option<DateTime<Utc>>,
    /// When it was closed.
    pub closed_at: Option<DateTime<Utc>>,
    /// Why it was withdrawn.
    pub close_reason: Option<String>,
    /// What approving takes.
    pub requirement: Json<Requirement>,
    /// The same agent asked the same before and was refused.
    pub previously_rejected: bool,
    /// The proposal it replaces.
    pub replaces: Option<Uuid>,
    /// When its agent was done with it.
    pub archived_at: Option<DateTime<Utc>>,
    /// The decision's outcome.
    pub outcome: Option<String>,
    /// Who or what decided: `person`, `policy`, `terminal`.
    pub source: Option<String>,
    /// The deciding person's name.
    pub decided_by: Option<String>,
    /// Their words.
    pub note: Option<String>,
    /// The replacement text.
    pub decided_body: Option<String>,
    /// The replacement's own SHA-256.
    pub body_digest: Option<Vec<u8>>,
    /// The row of a dialog that is pressed.
    pub option: Option<JsonValue>,
    /// The answers to questions.
    pub answers: Option<Json<Vec<Answer>>>,
    /// When it was decided.
    pub decided_at: Option<DateTime<Utc>>,
    /// When the first approver's socket was told.
    pub notified_at: Option<DateTime<Utc>>,
    /// When the first approver opened it.
    pub seen_at: Option<DateTime<Utc>>,
    /// When the agent first had the final answer.
    pub collected_at: Option<DateTime<Utc>>,
    /// What became of the order; dialogs only.
    pub executed: Option<String>,
    /// When.
    pub executed_at: Option<DateTime<Utc>>,
    /// The votes, oldest first.
    pub votes: Option<Json<Vec<VoteRow>>>,
}

impl Row {
    /// Whether a person can still decide it.
    pub fn is_pending(&self) -> bool {
        self.status == Status::Pending.as_str()
    }

    /// Whether status and decision say the same. They are written in one statement, so where they differ somebody has
    /// changed one of them behind the service's back, and neither is told to anybody.
    pub fn is_coherent(&self) -> bool {
        let decided = [Outcome::Approved, Outcome::Modified, Outcome::Rejected].map(Outcome::as_str);
        match &self.outcome {
            Some(outcome) => *outcome == self.status,
            None => !decided.contains(&self.status.as_str()),
        }
    }

    /// What a right to decide it has to cover.
    pub fn target(&self) -> Target<'_> {
        Target {
            project: self.project_id,
            lane: self.lane_id,
            class: self.class.as_deref().unwrap_or(&self.kind),
            risk: Risk::from_word(&self.risk),
        }
    }

    /// Who has approved it, with or without an edit, oldest first.
    pub fn approvals(&self) -> impl Iterator<Item = &VoteRow> {
        self.votes.iter().flat_map(|votes| votes.iter()).filter(|vote| vote.outcome != Outcome::Rejected.as_str())
    }
}

/// One vote as lists show it.
#[derive(Clone, Debug, Deserialize)]
pub struct VoteRow {
    /// The voter's name.
    pub by: String,
    /// Their answer.
    pub outcome: String,
    /// When.
    pub at: DateTime<Utc>,
}

/// The redactable part of a proposal.
#[derive(Clone, Debug, Default)]
pub struct Content {
    /// The agent's reasons.
    pub justification: Option<String>,
    /// The proposed text.
    pub body: Option<String>,
    /// The text as it is.
    pub base: Option<String>,
    /// The questions.
    pub questions: Option<Json<Vec<Question>>>,
    /// Retention has emptied it.
    pub redacted_at: Option<DateTime<Utc>>,
    /// What was reported and judged; dialogs only.
    pub dialog: Option<Box<DialogRow>>,
}

/// `select … from proposal_rows` with a tail of its own, so that the columns stand once.
/// Whoever uses it has `Json`, `Requirement`, `Answer` and `VoteRow` in scope.
macro_rules! rows {
    ($tail:literal, $($arg:expr),* $(,)?) => {
        sqlx::query_as!(
            $crate::store::proposals::Row,
            r#"select id as "id!", project_id as "project_id!", lane_id as "lane_id!", lane as "lane!", agent_id, agent,
                kind as "kind!", action as "action!", class, risk as "risk!", title as "title!", command,
                digest as "digest!", status as "status!", version as "version!", created_at as "created_at!", expires_at,
                closed_at, close_reason, requirement as "requirement!: Json<Requirement>",
                previously_rejected as "previously_rejected!", replaces, archived_at, outcome as "outcome?",
                source as "source?", decided_by, note, decided_body, body_digest,
                option as "option?", answers as "answers: Json<Vec<Answer>>", decided_at as "decided_at?", notified_at, seen_at, collected_at,
                executed, executed_at, votes as "votes: Json<Vec<VoteRow>>"
            from proposal_rows "# + $tail,
            $($arg),*
        )
    };
}
use rows;

/// One proposal.
pub async fn find(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<Row>> {
    let row = rows!("where id = $1", id).fetch_optional(conn).await?;
    match row {
        Some(row) if !row.is_coherent() => {
            let what = format!("proposal {id}: status and decision differ, the tables were changed from outside");
            Err(sqlx::Error::Decode(what.into()))
        }
        row => Ok(row),
    }
}

/// The redactable part of one proposal.
pub async fn content(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<Content>> {
    let row = sqlx::query!(
        r#"select c.justification, c.body, c.base, c.questions as "questions: Json<Vec<Question>>", c.redacted_at,
            d.proposal_id is not null as "is_dialog!"
        from proposal_content c left join dialogs d on d.proposal_id = c.proposal_id where c.proposal_id = $1"#,
        id,
    )
    .fetch_optional(&mut *conn)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let dialog = if row.is_dialog { dialogs::find(conn, id).await?.map(Box::new) } else { None };
    Ok(Some(Content {
        justification: row.justification,
        body: row.body,
        base: row.base,
        questions: row.questions,
        redacted_at: row.redacted_at,
        dialog,
    }))
}

/// The newest proposal of an agent with this content, if it was decided within the last `within` seconds and its agent
/// has not taken the decision.
pub async fn missed(
    conn: &mut PgConnection,
    agent_id: Uuid,
    digest: &[u8],
    (offset_us, within): (i64, f64),
) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar!(
        r#"select p.id as "id!" from (
            select id, status, closed_at, archived_at from proposals
            where agent_id = $1 and digest = $2 order by id desc limit 1
        ) p
        where p.status in ('approved', 'modified', 'rejected') and p.archived_at is null
            and p.closed_at > clock_at($3) - $4 * interval '1 second'"#,
        agent_id,
        digest,
        offset_us,
        within,
    )
    .fetch_optional(conn)
    .await
}

/// When the same content by the same agent was last rejected before this proposal.
pub async fn last_rejection(conn: &mut PgConnection, row: &Row) -> sqlx::Result<Option<DateTime<Utc>>> {
    sqlx::query_scalar!(
        r#"select max(closed_at) from proposals
        where agent_id = $1 and digest = $2 and id < $3 and status = 'rejected'"#,
        row.agent_id,
        row.digest,
        row.id,
    )
    .fetch_one(conn)
    .await
}
