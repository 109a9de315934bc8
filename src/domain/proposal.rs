//! A proposal's life: which answers it may take, and when it is over.

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::ask::{BadField, Kind, Question, bad, no_nul};
use super::digest::Digest;
use super::risk::Risk;

/// How long a re-authentication counts for a high-risk approval.
pub const REAUTH_LASTS: TimeDelta = TimeDelta::minutes(5);
/// Longest note, in characters.
pub const NOTE_MAX: usize = 4_000;

/// Where a proposal stands; all but `pending` are final.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Waiting for a person.
    Pending,
    /// Approved as asked.
    Approved,
    /// Approved with other content.
    Modified,
    /// Refused by a person.
    Rejected,
    /// Nobody decided in time, which is not an approval.
    Expired,
    /// The agent moved on.
    Withdrawn,
}

impl Status {
    /// Every status.
    pub const ALL: &[Self] =
        &[Self::Pending, Self::Approved, Self::Modified, Self::Rejected, Self::Expired, Self::Withdrawn];

    /// The word on the wire and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Approved => "approved",
            Self::Modified => "modified",
            Self::Rejected => "rejected",
            Self::Expired => "expired",
            Self::Withdrawn => "withdrawn",
        }
    }

    /// Reads the word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|status| status.as_str() == word)
    }

    /// Whether nothing can change any more.
    pub const fn is_final(self) -> bool {
        !matches!(self, Self::Pending)
    }
}

/// What a person may answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// As asked.
    Approved,
    /// With the body given.
    Modified,
    /// Not at all.
    Rejected,
}

impl Outcome {
    /// The word on the wire and in the database.
    pub const fn as_str(self) -> &'static str {
        self.status().as_str()
    }

    /// The status it leads to.
    pub const fn status(self) -> Status {
        match self {
            Self::Approved => Status::Approved,
            Self::Modified => Status::Modified,
            Self::Rejected => Status::Rejected,
        }
    }

    /// Reads the word.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Approved, Self::Modified, Self::Rejected].into_iter().find(|outcome| outcome.as_str() == word)
    }
}

/// What it takes to approve, frozen at creation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Requirement {
    /// Approvals needed.
    pub votes: u32,
    /// A fresh re-authentication is needed.
    pub reauth: bool,
    /// A reason is needed.
    pub reason: bool,
}

impl Requirement {
    /// The requirement for a risk: high asks for a fresh password and a reason.
    pub const fn for_risk(risk: Risk) -> Self {
        let high = matches!(risk, Risk::High);
        Self { votes: 1, reauth: high, reason: high }
    }
}

/// The answer to one question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// Its index in the proposal's questions, from 0.
    pub question: usize,
    /// The labels chosen.
    #[serde(default)]
    pub choices: Vec<String>,
    /// The person's own words, where allowed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

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
        if mine.is_some_and(|vote| vote.outcome == ruling.outcome && vote.digest == approved) {
            return Ok(Step::Repeated);
        }
        if self.status.is_final() {
            return Err(Refusal::Closed(self.status));
        }
        if ruling.digest != self.digest {
            return Err(Refusal::Changed);
        }
        self.check_ruling(ruling).map_err(Refusal::Bad)?;
        if ruling.outcome == Outcome::Rejected {
            return Ok(Step::Closed(Outcome::Rejected));
        }
        if ruling.outcome == Outcome::Modified && !(self.kind == Kind::Change && self.has_body) {
            return Err(Refusal::NotModifiable("Only a change that has a body can be approved with an edit."));
        }
        if self.requirement.reauth && now - voter.reauth_at > REAUTH_LASTS {
            return Err(Refusal::ReauthRequired);
        }
        if self.requirement.reason && ruling.note.as_deref().is_none_or(|note| note.trim().is_empty()) {
            return Err(Refusal::ReasonRequired);
        }
        // Approvals of different content are tallied apart: an edit changes what others approved.
        let same =
            |vote: &&Vote| vote.user_id != voter.user_id && vote.outcome == ruling.outcome && vote.digest == approved;
        let have = 1 + self.votes.iter().filter(same).count();
        let enough = have >= usize::try_from(self.requirement.votes).unwrap_or(usize::MAX);
        Ok(if enough { Step::Closed(ruling.outcome) } else { Step::Counted })
    }

    fn check_ruling(&self, ruling: &Ruling) -> Result<(), BadField> {
        if let Some(note) = &ruling.note {
            no_nul("note", note)?;
            if note.chars().count() > NOTE_MAX {
                return Err(bad("note", "takes at most 4000 characters"));
            }
        }
        if ruling.option.is_some() {
            return Err(bad("option", "goes with dialogs only"));
        }
        match (ruling.outcome, &ruling.body) {
            (Outcome::Modified, None) => {
                return Err(bad("body", "is missing: `modified` carries the new text"));
            }
            (Outcome::Modified, Some(body)) => no_nul("body", body)?,
            (_, Some(_)) => return Err(bad("body", "goes with `modified` only")),
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

fn check_answers(questions: &[Question], answers: &[Answer]) -> Result<(), BadField> {
    for (index, question) in questions.iter().enumerate() {
        let mut given = answers.iter().enumerate().filter(|(_, answer)| answer.question == index);
        let Some((at, answer)) = given.next() else {
            return Err(bad("answers", format!("question {index} has no answer")));
        };
        if given.next().is_some() {
            return Err(bad("answers", format!("question {index} is answered twice")));
        }
        check_answer(&format!("answers[{at}]"), question, answer)?;
    }
    match answers.iter().position(|answer| answer.question >= questions.len()) {
        Some(at) => Err(bad(format!("answers[{at}].question"), "is not the index of a question")),
        None => Ok(()),
    }
}

fn check_answer(path: &str, question: &Question, answer: &Answer) -> Result<(), BadField> {
    let choices = format!("{path}.choices");
    for (index, choice) in answer.choices.iter().enumerate() {
        if !question.options.contains(choice) {
            return Err(bad(choices, format!("`{choice}` is not one of the options")));
        }
        if answer.choices[..index].contains(choice) {
            return Err(bad(choices, format!("`{choice}` is chosen twice")));
        }
    }
    if answer.choices.len() > 1 && !question.multi {
        return Err(bad(choices, "takes one option"));
    }
    let text = answer.text.as_deref().filter(|text| !text.trim().is_empty());
    if let Some(text) = text {
        if !question.free_text {
            return Err(bad(format!("{path}.text"), "is not allowed for this question"));
        }
        no_nul(&format!("{path}.text"), text)?;
        if text.chars().count() > NOTE_MAX {
            return Err(bad(format!("{path}.text"), "takes at most 4000 characters"));
        }
    }
    if answer.choices.is_empty() && text.is_none() {
        return Err(bad(path, "has neither a choice nor a text"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::ask::tests as asks;

    fn at(secs: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(10_000 + secs, 0).unwrap()
    }

    fn locked(risk: Risk) -> Locked {
        let ask = asks::change();
        Locked {
            kind: ask.kind,
            status: Status::Pending,
            digest: ask.digest("api"),
            has_body: true,
            questions: vec![],
            expires_at: Some(at(100)),
            requirement: Requirement::for_risk(risk),
            votes: vec![],
        }
    }

    fn ruling(outcome: Outcome) -> Ruling {
        let body = (outcome == Outcome::Modified).then(|| "limit = 3\n".to_owned());
        Ruling { outcome, digest: locked(Risk::Low).digest, note: None, body, option: None, answers: None }
    }

    const ANNA: Voter = Voter { user_id: Uuid::from_u128(1), reauth_at: DateTime::<Utc>::UNIX_EPOCH };

    fn fresh(id: u128) -> Voter {
        Voter { user_id: Uuid::from_u128(id), reauth_at: at(0) }
    }

    #[test]
    fn one_answer_closes_and_the_edge_of_expiry_is_too_late() {
        for outcome in [Outcome::Approved, Outcome::Modified, Outcome::Rejected] {
            assert_eq!(locked(Risk::Medium).judge(&ruling(outcome), ANNA, at(99)), Ok(Step::Closed(outcome)));
            assert_eq!(locked(Risk::Medium).judge(&ruling(outcome), ANNA, at(100)), Err(Refusal::Due));
        }
    }

    #[test]
    fn a_closed_proposal_takes_no_answer_but_the_same_one_again() {
        let vote = Vote { user_id: ANNA.user_id, outcome: Outcome::Approved, digest: locked(Risk::Low).digest };
        let closed = Locked { status: Status::Approved, votes: vec![vote], ..locked(Risk::Low) };
        assert_eq!(closed.judge(&ruling(Outcome::Approved), ANNA, at(500)), Ok(Step::Repeated));
        let refused = Err(Refusal::Closed(Status::Approved));
        assert_eq!(closed.judge(&ruling(Outcome::Rejected), ANNA, at(1)), refused);
        assert_eq!(closed.judge(&ruling(Outcome::Approved), fresh(2), at(1)), refused);
    }

    #[test]
    fn other_content_is_never_approved() {
        let other = Ruling { digest: Digest::of(b"other"), ..ruling(Outcome::Approved) };
        assert_eq!(locked(Risk::Low).judge(&other, ANNA, at(1)), Err(Refusal::Changed));
    }

    #[test]
    fn high_risk_needs_a_fresh_password_and_a_reason_to_approve_but_not_to_reject() {
        let high = locked(Risk::High);
        let reasoned = Ruling { note: Some("reviewed".into()), ..ruling(Outcome::Approved) };
        assert_eq!(high.judge(&reasoned, ANNA, at(1)), Err(Refusal::ReauthRequired));
        assert_eq!(high.judge(&ruling(Outcome::Approved), fresh(1), at(1)), Err(Refusal::ReasonRequired));
        let blank = Ruling { note: Some("  ".into()), ..ruling(Outcome::Approved) };
        assert_eq!(high.judge(&blank, fresh(1), at(1)), Err(Refusal::ReasonRequired));
        assert_eq!(high.judge(&reasoned, fresh(1), at(99)), Ok(Step::Closed(Outcome::Approved)));
        assert_eq!(high.judge(&ruling(Outcome::Rejected), ANNA, at(1)), Ok(Step::Closed(Outcome::Rejected)));
    }

    #[test]
    fn votes_are_counted_per_content_and_person() {
        let two = Requirement { votes: 2, reauth: false, reason: false };
        let first = Locked { requirement: two, ..locked(Risk::Low) };
        assert_eq!(first.judge(&ruling(Outcome::Approved), ANNA, at(1)), Ok(Step::Counted));
        let vote = Vote { user_id: ANNA.user_id, outcome: Outcome::Approved, digest: first.digest };
        let second = Locked { votes: vec![vote], ..first };
        assert_eq!(second.judge(&ruling(Outcome::Approved), ANNA, at(1)), Ok(Step::Repeated));
        assert_eq!(second.judge(&ruling(Outcome::Approved), fresh(2), at(1)), Ok(Step::Closed(Outcome::Approved)));
        assert_eq!(second.judge(&ruling(Outcome::Modified), fresh(2), at(1)), Ok(Step::Counted));
        assert_eq!(second.judge(&ruling(Outcome::Rejected), fresh(2), at(1)), Ok(Step::Closed(Outcome::Rejected)));
    }

    #[test]
    fn only_a_change_with_a_body_takes_an_edit() {
        let bare = Locked { has_body: false, ..locked(Risk::Low) };
        assert!(matches!(bare.judge(&ruling(Outcome::Modified), ANNA, at(1)), Err(Refusal::NotModifiable(_))));
        let body = Ruling { body: Some("x".into()), ..ruling(Outcome::Approved) };
        assert!(matches!(locked(Risk::Low).judge(&body, ANNA, at(1)), Err(Refusal::Bad(bad)) if bad.field == "body"));
    }

    #[test]
    fn every_question_needs_one_fitting_answer() {
        let free = Question { question: "Why?".into(), options: vec![], multi: false, free_text: true };
        let multi =
            Question { question: "All?".into(), options: vec!["x".into(), "y".into()], multi: true, free_text: false };
        let questions = vec![asks::question().questions.remove(0), free, multi];
        let asked = Locked { kind: Kind::Question, has_body: false, questions, ..locked(Risk::Low) };
        let answer = |question, choices: &[&str], text: Option<&str>| Answer {
            question,
            choices: choices.iter().map(|&c| c.to_owned()).collect(),
            text: text.map(str::to_owned),
        };
        let good = [answer(0, &["a"], None), answer(1, &[], Some("so")), answer(2, &["x", "y"], None)];
        let judge = |answers: &[Answer]| {
            let ruling = Ruling { answers: Some(answers.to_vec()), ..ruling(Outcome::Approved) };
            asked.judge(&ruling, ANNA, at(1)).map_err(|refusal| match refusal {
                Refusal::Bad(bad) => bad.field,
                other => format!("{other:?}"),
            })
        };
        assert_eq!(judge(&good), Ok(Step::Closed(Outcome::Approved)));
        let but = |at: usize, answer: Answer| {
            let mut answers = good.to_vec();
            answers[at] = answer;
            answers
        };
        for (field, answers) in [
            ("answers", good[..2].to_vec()),
            ("answers", but(2, good[0].clone())),
            ("answers[0].choices", but(0, answer(0, &["c"], None))),
            ("answers[0].choices", but(0, answer(0, &["a", "b"], None))),
            ("answers[2].choices", but(2, answer(2, &["x", "x"], None))),
            ("answers[0].text", but(0, answer(0, &["a"], Some("more")))),
            ("answers[1]", but(1, answer(1, &[], Some(" ")))),
        ] {
            assert_eq!(judge(&answers), Err(field.to_owned()), "{answers:?}");
        }
        let more = [good.to_vec(), vec![answer(3, &["a"], None)]].concat();
        assert_eq!(judge(&more), Err("answers[3].question".to_owned()));
        assert_eq!(asked.judge(&ruling(Outcome::Rejected), ANNA, at(1)), Ok(Step::Closed(Outcome::Rejected)));
    }
}
