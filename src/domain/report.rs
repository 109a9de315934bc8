//! What a pane client posts of a dialog: its shape, its bounds, the digest that names its content, and what is kept of it.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::ask::{BadField, bad, has_visible, no_nul};
use super::dialog::{Dialog, DialogKind, DialogOption, DialogSource};
use super::digest::{Digest, Encoder};
use super::facts::Facts;
use super::verdict::{Effects, Judgement, Reason};

/// Most rows of one dialog.
const OPTIONS_MAX: usize = 30;
/// Highest number of a row.
const NUMBER_MAX: u32 = 999;
/// Longest row, in characters.
const OPTION_MAX: usize = 2_000;
/// Longest title and question, in characters.
const LINE_MAX: usize = 4_000;
/// Longest path, in characters: Linux takes no longer ones.
const PATH_MAX: usize = 4_096;
/// Longest name of an agent kind or a session.
const NAME_MAX: usize = 200;
/// Longest excerpt of a screen, in characters.
pub const EXCERPT_MAX: usize = 65_536;
/// Longest title of a proposal in lists.
const TITLE_MAX: usize = 300;

/// The body of `POST /api/v1/dialogs`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// The client's own id for one continuously seen dialog.
    pub instance: Uuid,
    /// The pane's key.
    pub pane: String,
    /// The lane's name.
    pub lane: String,
    /// `claude`, `codex`, …
    pub agent_kind: String,
    /// The agent's session, if the client knows it.
    #[serde(default)]
    pub session_id: Option<String>,
    /// Where the text comes from.
    pub source: DialogSource,
    /// What sort of prompt.
    pub kind: DialogKind,
    /// Its title; may be empty.
    pub title: String,
    /// Its question; may be empty.
    pub question: String,
    /// The text between.
    #[serde(default)]
    pub body: Option<String>,
    /// The command, where the client could tell it apart.
    #[serde(default)]
    pub command: Option<String>,
    /// What stands on the screen around it.
    #[serde(default)]
    pub context: Option<String>,
    /// The rows to choose from.
    pub options: Vec<DialogOption>,
    /// The client could not read all of it.
    pub truncated: bool,
    /// Where the command would run.
    pub cwd: String,
    /// The repository's root.
    pub repo_root: String,
    /// The lane's worktree.
    pub worktree: String,
    /// What the client looked up on the disk.
    #[serde(default)]
    pub facts: Option<Facts>,
    /// The screen around it, for the record.
    #[serde(default)]
    pub pane_excerpt: Option<String>,
}

/// Whether a text can be a pane's key.
pub fn is_pane_key(text: &str) -> bool {
    (1..=64).contains(&text.len()) && text.bytes().all(|c| c.is_ascii_alphanumeric() || matches!(c, b'.' | b'_' | b'-'))
}

/// Checks a text's length and that Postgres can keep it.
pub fn bounded(field: &str, text: &str, max: usize) -> Result<(), BadField> {
    no_nul(field, text)?;
    if text.chars().count() > max {
        return Err(bad(field, format!("takes at most {max} characters")));
    }
    Ok(())
}

/// Checks a short name: one line, something to read.
pub fn named(field: &str, text: &str) -> Result<(), BadField> {
    bounded(field, text, NAME_MAX)?;
    if !has_visible(text) || text.chars().any(char::is_control) {
        return Err(bad(field, "is one line of 1 to 200 characters"));
    }
    Ok(())
}

impl Report {
    /// Checks every bound; the first field that fails is named. What it says is not judged here.
    pub fn check(&self) -> Result<(), BadField> {
        if !is_pane_key(&self.pane) {
            return Err(bad("pane", "has 1 to 64 of A-Z, a-z, 0-9, '.', '_', '-'"));
        }
        named("agent_kind", &self.agent_kind)?;
        self.session_id.as_deref().map_or(Ok(()), |text| named("session_id", text))?;
        bounded("title", &self.title, LINE_MAX)?;
        bounded("question", &self.question, LINE_MAX)?;
        for (field, text) in [("body", &self.body), ("command", &self.command), ("context", &self.context)] {
            text.as_deref().map_or(Ok(()), |text| no_nul(field, text))?;
        }
        for (field, path) in [("cwd", &self.cwd), ("repo_root", &self.repo_root), ("worktree", &self.worktree)] {
            bounded(field, path, PATH_MAX)?;
        }
        self.pane_excerpt.as_deref().map_or(Ok(()), |text| bounded("pane_excerpt", text, EXCERPT_MAX))?;
        let rows = self.options.iter().map(|option| &option.text);
        let said = [&self.title, &self.question].into_iter().chain(&self.body).chain(&self.command).chain(rows);
        if !said.into_iter().any(|text| has_visible(text)) {
            return Err(bad("title", "is empty, and so is all the rest: there is nothing to decide"));
        }
        self.check_facts()?;
        self.check_options()
    }

    fn check_options(&self) -> Result<(), BadField> {
        if self.options.len() > OPTIONS_MAX {
            return Err(bad("options", "takes at most 30 rows"));
        }
        for (index, option) in self.options.iter().enumerate() {
            bounded(&format!("options[{index}].text"), &option.text, OPTION_MAX)?;
            if option.n > NUMBER_MAX {
                return Err(bad(format!("options[{index}].n"), "takes 0 to 999"));
            }
        }
        Ok(())
    }

    fn check_facts(&self) -> Result<(), BadField> {
        let Some(facts) = &self.facts else { return Ok(()) };
        // Lists are bounded by the body's size; what Postgres cannot keep is named.
        let texts = [&facts.shell, &facts.root_real, &facts.digest].into_iter();
        let lists = facts.git_exec_keys.iter().chain(&facts.shadow_modules).chain(&facts.env_names);
        let paths = facts.paths.iter().flat_map(|(word, fact)| [word, &fact.real]);
        let pane = facts.pane.iter().flat_map(|pane| [&pane.server, &pane.id, &pane.command]);
        for text in texts.chain(lists).chain(paths).chain(pane) {
            bounded("facts", text, PATH_MAX)?;
        }
        Ok(())
    }

    /// What is judged.
    pub fn dialog(&self) -> Dialog {
        Dialog {
            agent_kind: self.agent_kind.clone(),
            kind: self.kind,
            title: self.title.clone(),
            question: self.question.clone(),
            body: self.body.clone().unwrap_or_default(),
            command: self.command.clone(),
            context: self.context.clone().unwrap_or_default(),
            options: self.options.clone(),
            truncated: self.truncated,
            cwd: self.cwd.clone(),
            repo_root: self.repo_root.clone(),
            worktree: self.worktree.clone(),
            facts: self.facts.clone(),
            home: None,
        }
    }

    /// One line for lists: the title, else the question, else the command, else the text.
    pub fn headline(&self) -> String {
        let texts = [Some(&self.title), Some(&self.question), self.command.as_ref(), self.body.as_ref()];
        let text = texts.into_iter().flatten().find(|text| has_visible(text)).map_or("", |text| text.as_str());
        let line = text.lines().find(|line| has_visible(line)).unwrap_or_default();
        line.chars().filter(|c| !c.is_control()).take(TITLE_MAX).collect()
    }

    /// The digest of the content in its lane and instance (design, section 3). Where the cursor stands is not content:
    /// it moves while the dialog stays. A dialog has one question and no base.
    pub fn digest(&self) -> Digest {
        let mut encoder = Encoder::new("countersign/proposal/1");
        encoder
            .text("dialog")
            .text(self.kind.as_str())
            .text(&self.title)
            .maybe(self.body.as_deref())
            .maybe(None)
            .maybe(self.command.as_deref())
            .number(1)
            .text(&self.question)
            .number(0)
            .number(0)
            .number(0)
            .number(self.options.len() as u64);
        for option in &self.options {
            encoder.number(u64::from(option.n)).text(&option.text);
        }
        encoder.text(&self.lane).maybe(Some(&self.instance.to_string()));
        encoder.finish()
    }
}

/// A judgement as it was made, kept for the page, for learning, and for what an approval leaves behind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Kept {
    /// Why it is held.
    pub reasons: Vec<Reason>,
    /// The row that agrees, if there is exactly one.
    pub approve: Option<DialogOption>,
    /// The row that refuses, if there is exactly one.
    pub deny: Option<DialogOption>,
    /// The words that a rule could be learned of.
    pub argv: Option<Vec<String>>,
    /// What an approval leaves behind.
    pub effects: Effects,
}

impl Kept {
    /// What is kept of a judgement.
    pub fn of(judgement: &Judgement) -> Self {
        Self {
            reasons: judgement.reasons.clone(),
            approve: judgement.approve.clone(),
            deny: judgement.deny.clone(),
            argv: super::rule::learnable(judgement).map(<[String]>::to_vec),
            effects: judgement.effects,
        }
    }
}

#[cfg(test)]
pub(crate) mod samples;
#[cfg(test)]
mod tests;
