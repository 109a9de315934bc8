//! What an agent asks for: its shape, its bounds, and the digest that names its exact content.

use serde::{Deserialize, Serialize};

use super::digest::{Digest, Encoder};
use super::text::{is_blank, is_unseen};

/// Longest title, in characters.
pub const TITLE_MAX: usize = 300;
/// Longest action, in characters.
pub const ACTION_MAX: usize = 64;
/// Most questions in one proposal.
pub const QUESTIONS_MAX: usize = 20;
/// Most options of one question.
pub const OPTIONS_MAX: usize = 30;
/// Longest life of a proposal, in seconds: 30 days.
pub const EXPIRES_MAX: u32 = 30 * 24 * 3600;
/// Longest wait of one request, in seconds: clients are cut near 60.
pub const WAIT_MAX: u32 = 45;

/// Which sort of decision is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Something the agent wants to do.
    #[default]
    Change,
    /// Something the agent wants to know.
    Question,
    /// A permission dialog on a pane. Only pane clients bring these.
    #[serde(skip_deserializing)]
    Dialog,
}

impl Kind {
    /// The word on the wire and in the database; also the class that grants name it by, but for dialogs, which have one.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Change => "change",
            Self::Question => "question",
            Self::Dialog => "dialog",
        }
    }

    /// Reads the word.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Change, Self::Question, Self::Dialog].into_iter().find(|kind| kind.as_str() == word)
    }
}

/// One question with its options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// The question itself.
    pub question: String,
    /// Labels to choose from; may be empty when free text is allowed.
    #[serde(default)]
    pub options: Vec<String>,
    /// More than one option may be chosen.
    #[serde(default)]
    pub multi: bool,
    /// An answer in the person's own words is allowed; the only way to answer a question without options.
    #[serde(default)]
    pub free_text: bool,
}

/// The body of `POST /api/v1/proposals`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Ask {
    /// `change` unless said otherwise.
    #[serde(default)]
    pub kind: Kind,
    /// A short word for the act, e.g. `edit`, `egress.allow`.
    pub action: String,
    /// One line for the list.
    pub title: String,
    /// The agent's reasons; shown as its words.
    #[serde(default)]
    pub justification: Option<String>,
    /// The text that would be written, or a unified diff.
    #[serde(default)]
    pub body: Option<String>,
    /// The text as it is now.
    #[serde(default)]
    pub base: Option<String>,
    /// The command that would be run.
    #[serde(default)]
    pub command: Option<String>,
    /// For `question` only.
    #[serde(default)]
    pub questions: Vec<Question>,
    /// Seconds until it expires undecided, 1 to 2,592,000; never when absent.
    #[serde(default)]
    pub expires_in: Option<u32>,
    /// Seconds to wait for a decision, 0 to 45.
    #[serde(default)]
    pub wait: Option<u32>,
}

/// A field that cannot be used, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {detail}")]
pub struct BadField {
    /// Its path in the request.
    pub field: String,
    /// What it takes.
    pub detail: String,
}

pub(in crate::domain) fn bad(field: impl Into<String>, detail: impl Into<String>) -> BadField {
    BadField { field: field.into(), detail: detail.into() }
}

impl Ask {
    /// Checks every bound; the first field that fails is named.
    pub fn check(&self) -> Result<(), BadField> {
        line("action", &self.action, ACTION_MAX)?;
        if !self.action.is_ascii() || self.action.trim() != self.action {
            // It decides about the risk, so it may not look like another one.
            return Err(bad("action", "is plain ASCII without blanks around it"));
        }
        line("title", &self.title, TITLE_MAX)?;
        for (field, text) in [
            ("justification", &self.justification),
            ("body", &self.body),
            ("base", &self.base),
            ("command", &self.command),
        ] {
            text.as_deref().map_or(Ok(()), |text| no_nul(field, text))?;
        }
        if self.base.is_some() && self.body.is_none() {
            return Err(bad("base", "is compared with `body`, which is missing"));
        }
        if self.command.as_deref().is_some_and(|command| command.trim().is_empty()) {
            return Err(bad("command", "is empty"));
        }
        if self.expires_in.is_some_and(|secs| !(1..=EXPIRES_MAX).contains(&secs)) {
            return Err(bad("expires_in", "takes 1 to 2592000 seconds"));
        }
        if self.wait.is_some_and(|secs| secs > WAIT_MAX) {
            return Err(bad("wait", "takes 0 to 45 seconds"));
        }
        self.check_questions()
    }

    fn check_questions(&self) -> Result<(), BadField> {
        match (self.kind, self.questions.len()) {
            (Kind::Change, 0) => return Ok(()),
            (Kind::Change, _) => return Err(bad("questions", "go with `kind: question` only")),
            (Kind::Question, 1..=QUESTIONS_MAX) => {}
            (Kind::Question, _) => return Err(bad("questions", "takes 1 to 20 questions")),
            (Kind::Dialog, _) => return Err(bad("kind", "is `change` or `question`; dialogs come from pane clients")),
        }
        if self.body.is_some() || self.command.is_some() {
            let field = if self.body.is_some() { "body" } else { "command" };
            return Err(bad(field, "goes with `kind: change` only"));
        }
        for (index, question) in self.questions.iter().enumerate() {
            check_question(&format!("questions[{index}]"), question)?;
        }
        Ok(())
    }

    /// The digest of the content as asked in `lane` (design, section 3): not of justification, expiry or wait.
    pub fn digest(&self, lane: &str) -> Digest {
        self.digest_with(lane, self.body.as_deref())
    }

    fn digest_with(&self, lane: &str, body: Option<&str>) -> Digest {
        let mut encoder = Encoder::new("countersign/proposal/1");
        encoder
            .text(self.kind.as_str())
            .text(&self.action)
            .text(&self.title)
            .maybe(body)
            .maybe(self.base.as_deref())
            .maybe(self.command.as_deref())
            .number(self.questions.len() as u64);
        for question in &self.questions {
            encoder.text(&question.question).number(question.options.len() as u64);
            for option in &question.options {
                encoder.text(option);
            }
            encoder.number(u64::from(question.multi)).number(u64::from(question.free_text));
        }
        // Options and instance belong to dialogs.
        encoder.number(0).text(lane).maybe(None);
        encoder.finish()
    }

    /// What an idempotency key stands for: everything but `wait`.
    pub fn request_hash(&self, lane: &str) -> Digest {
        let mut encoder = Encoder::new("countersign/request/1");
        encoder
            .bytes(&self.digest(lane).0)
            .maybe(self.justification.as_deref())
            .maybe(self.expires_in.map(|secs| secs.to_string()).as_deref());
        encoder.finish()
    }
}

fn check_question(path: &str, question: &Question) -> Result<(), BadField> {
    line(&format!("{path}.question"), &question.question, 2_000)?;
    if question.options.len() > OPTIONS_MAX {
        return Err(bad(format!("{path}.options"), "takes at most 30 options"));
    }
    if question.options.is_empty() && !question.free_text {
        return Err(bad(format!("{path}.options"), "is empty and `free_text` is off: nobody could answer"));
    }
    for (index, label) in question.options.iter().enumerate() {
        line(&format!("{path}.options[{index}]"), label, 500)?;
        if question.options[..index].contains(label) {
            return Err(bad(format!("{path}.options[{index}]"), "is the same as an earlier option"));
        }
    }
    Ok(())
}

/// Whether there is anything in a text that somebody could read.
pub(crate) fn has_visible(text: &str) -> bool {
    text.chars().any(|c| !is_unseen(c) && !is_blank(c))
}

/// Postgres cannot keep the character NUL, and no honest text has one.
pub(super) fn no_nul(field: &str, text: &str) -> Result<(), BadField> {
    if text.contains('\0') { Err(bad(field, "has the character U+0000")) } else { Ok(()) }
}

fn line(field: &str, text: &str, max: usize) -> Result<(), BadField> {
    if !has_visible(text) {
        return Err(bad(field, "is empty"));
    }
    if text.chars().count() > max {
        return Err(bad(field, format!("takes at most {max} characters")));
    }
    if text.chars().any(char::is_control) {
        return Err(bad(field, "is one line without control characters"));
    }
    Ok(())
}

#[cfg(test)]
pub(crate) mod samples;
#[cfg(test)]
mod tests;
