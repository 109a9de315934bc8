//! A person's answer to a proposal, judged: every path that closes one has passed every check.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::answer::{Answer, check_answers};
use super::ask::{BadField, Kind, Question, bad, has_visible, no_nul};
use super::choice::Standing;
use super::dialog::DialogOption;
use super::digest::Digest;
use super::pick::{Asked, Unfit};
use super::proposal::{NOTE_MAX, Outcome, REAUTH_LASTS, Requirement, Status};

/// What a person submits. The body of `POST …/decision`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Ruling {
    /// The answer.
    pub outcome: Outcome,
    /// The digest of what was read, as the server gave it.
    #[schema(value_type = String)]
    pub digest: Digest,
    /// Words for the agent and the record.
    #[serde(default)]
    pub note: Option<String>,
    /// The replacement text, with `modified` only.
    #[serde(default)]
    pub body: Option<String>,
    /// The option to press; dialogs only.
    #[serde(default)]
    pub option: Option<u32>,
    /// One answer per question, with `approved` on questions only.
    #[serde(default)]
    pub answers: Option<Vec<Answer>>,
}

/// A vote that is already there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vote {
    /// Whose.
    pub user_id: Uuid,
    /// Their answer.
    pub outcome: Outcome,
    /// The digest of what they approved: the proposal's, or their replacement's.
    pub digest: Digest,
    /// Their answers to questions.
    pub answers: Option<Vec<Answer>>,
    /// The row of a dialog that they named.
    pub option: Option<u32>,
}

/// What the domain needs to know of a locked proposal.
#[derive(Clone, Debug)]
pub struct Locked {
    /// Its kind.
    pub kind: Kind,
    /// Its status in the database.
    pub status: Status,
    /// Its content's digest.
    pub digest: Digest,
    /// Whether it has a body that an edit could replace.
    pub has_body: bool,
    /// Its questions.
    pub questions: Vec<Question>,
    /// Its rows, if it is a dialog.
    pub dialog: Option<Asked>,
    /// When it is over undecided.
    pub expires_at: Option<DateTime<Utc>>,
    /// What it takes.
    pub requirement: Requirement,
    /// The votes so far.
    pub votes: Vec<Vote>,
}

/// Who votes.
#[derive(Clone, Copy, Debug)]
pub struct Voter {
    /// The person.
    pub user_id: Uuid,
    /// When they last proved to be that person.
    pub reauth_at: DateTime<Utc>,
}

/// What a ruling does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The vote is counted, more are needed.
    Counted,
    /// The proposal is closed with this outcome.
    Closed(Outcome),
    /// The same person gives the same answer again: nothing changes.
    Repeated,
}

/// Why a ruling changes nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The time is over: it has to be closed as expired.
    Due,
    /// Already closed, with this status.
    Closed(Status),
    /// The digest is not the proposal's.
    Changed,
    /// Only a change with a body takes an edit.
    NotModifiable(&'static str),
    /// Approving this needs a reason.
    ReasonRequired,
    /// Approving this needs a fresh password.
    ReauthRequired,
    /// The row would grant more than this once, or change a mode.
    StandingOption(Standing),
    /// A field cannot be used.
    Bad(BadField),
}

impl Locked {
    /// Whether an undecided proposal is over at `now`. The edge itself is over.
    pub fn due(&self, now: DateTime<Utc>) -> bool {
        self.status == Status::Pending && self.expires_at.is_some_and(|end| now >= end)
    }

    /// Judges one ruling. Doubt never approves: every path to `Closed` has passed every check.
    pub fn judge(&self, ruling: &Ruling, voter: Voter, now: DateTime<Utc>) -> Result<Step, Refusal> {
        if self.due(now) {
            return Err(Refusal::Due);
        }
        let approved = ruling.approved_digest();
        let mine = self.votes.iter().find(|vote| vote.user_id == voter.user_id);
        let same = |vote: &Vote| {
            (vote.outcome, vote.digest, vote.option) == (ruling.outcome, approved, ruling.option)
                && vote.answers == ruling.answers
        };
        if mine.is_some_and(&same) {
            return Ok(Step::Repeated);
        }
        if self.status.is_final() {
            return Err(Refusal::Closed(self.status));
        }
        if self.dialog.as_ref().is_some_and(|dialog| dialog.ended) {
            return Err(Refusal::Closed(Status::Withdrawn));
        }
        if ruling.digest != self.digest {
            return Err(Refusal::Changed);
        }
        if ruling.body.is_some() && ruling.outcome != Outcome::Modified {
            return Err(Refusal::NotModifiable("`body` goes with `modified` only."));
        }
        let editable = self.kind == Kind::Change && (self.has_body || ruling.body.is_none());
        if ruling.outcome == Outcome::Modified && !editable {
            return Err(Refusal::NotModifiable("Only a change that has a body can be approved with an edit."));
        }
        self.check_ruling(ruling).map_err(Refusal::Bad)?;
        self.picked(ruling)?;
        if ruling.outcome == Outcome::Rejected {
            return Ok(Step::Closed(Outcome::Rejected));
        }
        if self.requirement.reauth && now - voter.reauth_at > REAUTH_LASTS {
            return Err(Refusal::ReauthRequired);
        }
        if self.requirement.reason && !ruling.note.as_deref().is_some_and(has_visible) {
            return Err(Refusal::ReasonRequired);
        }
        // Approvals of different content are tallied apart: an edit changes what others approved.
        let others = self.votes.iter().filter(|vote| vote.user_id != voter.user_id && same(vote));
        let have = 1 + others.count();
        let enough = have >= usize::try_from(self.requirement.votes).unwrap_or(usize::MAX);
        Ok(if enough { Step::Closed(ruling.outcome) } else { Step::Counted })
    }

    /// The row that the ruling presses; none where it presses nothing.
    pub fn picked(&self, ruling: &Ruling) -> Result<Option<DialogOption>, Refusal> {
        let Some(dialog) = &self.dialog else { return Ok(None) };
        dialog.pick(ruling.outcome, ruling.option).map_err(|unfit| match unfit {
            Unfit::Bad(bad) => Refusal::Bad(bad),
            Unfit::Standing(standing) => Refusal::StandingOption(standing),
        })
    }

    fn check_ruling(&self, ruling: &Ruling) -> Result<(), BadField> {
        if let Some(note) = &ruling.note {
            no_nul("note", note)?;
            if note.chars().count() > NOTE_MAX {
                return Err(bad("note", "takes at most 4000 characters"));
            }
        }
        if ruling.option.is_some() && self.dialog.is_none() {
            return Err(bad("option", "goes with dialogs only"));
        }
        match (ruling.outcome, &ruling.body) {
            (Outcome::Modified, None) => {
                return Err(bad("body", "is missing: `modified` carries the new text"));
            }
            (_, Some(body)) => no_nul("body", body)?,
            (_, None) => {}
        }
        let answers_wanted = self.kind == Kind::Question && ruling.outcome == Outcome::Approved;
        match (&ruling.answers, answers_wanted) {
            (Some(answers), true) => check_answers(&self.questions, answers),
            (None, true) => Err(bad("answers", "is missing: every question needs an answer")),
            (Some(_), false) => Err(bad("answers", "goes with an approved question only")),
            (None, false) => Ok(()),
        }
    }
}

impl Ruling {
    /// The digest of what this ruling lets happen: the proposal's, or the replacement's own.
    pub fn approved_digest(&self) -> Digest {
        match (&self.outcome, &self.body) {
            (Outcome::Modified, Some(body)) => Digest::of(body.as_bytes()),
            _ => self.digest,
        }
    }
}

#[cfg(test)]
mod tests;
