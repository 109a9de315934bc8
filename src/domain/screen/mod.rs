//! What a pane shows: whether the agent is idle, at work or asking, and every word of what it asks.
//!
//! Total and pure: any text gives a reading. What no rule knows is `unknown`, into which nothing is ever typed.

mod below;
mod boxed;
mod buttons;
mod choose;
mod command;
mod composer;
mod dialog;
mod drawn;
mod entry;
mod grid;
mod keys;
mod kind;
mod limit;
mod line;
mod live;
mod menu;
mod parts;
pub(in crate::domain) mod phrase;
mod region;
mod rules;
mod tail;
mod wrap;

use serde::Serialize;

pub use self::grid::{Colour, Row, Screen, Style};
pub use self::keys::{Choose, Key, choose};
pub use self::limit::{Limit, names_limit};
use self::line::Lines;
use self::phrase::{fold, holds_any};
use self::rules::{RowShape, Rules, VIEWERS};
pub use self::tail::Tail;
use super::dialog::DialogKind;
pub use super::pane::PaneStatus as Status;

/// The program in the pane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AgentKind {
    /// Claude Code.
    Claude,
    /// Codex.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// opencode.
    Opencode,
    /// Cursor's command line.
    Cursor,
    /// Copilot's command line.
    Copilot,
    /// aider.
    Aider,
    /// Anything else.
    Generic,
}

impl AgentKind {
    /// All of them.
    pub const ALL: &[Self] = &[
        Self::Claude,
        Self::Codex,
        Self::Gemini,
        Self::Opencode,
        Self::Cursor,
        Self::Copilot,
        Self::Aider,
        Self::Generic,
    ];

    /// The word on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::Opencode => "opencode",
            Self::Cursor => "cursor",
            Self::Copilot => "copilot",
            Self::Aider => "aider",
            Self::Generic => "generic",
        }
    }

    /// Reads the word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.as_str() == word)
    }

    /// Reads the word as a person gives it; the error names those that there are.
    pub fn parse(word: &str) -> Result<Self, String> {
        Self::from_word(word).ok_or_else(|| {
            let known: Vec<&str> = Self::ALL.iter().map(|kind| kind.as_str()).collect();
            format!("`{word}` is no agent that is known; use one of {}", known.join(", "))
        })
    }

    /// The version of the rules that read this agent's screens.
    pub const fn rules_version(self) -> u32 {
        rules::of(self).version
    }
}

/// One option of a dialog.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Offer {
    /// The number printed before it, or its place where none is.
    pub n: u32,
    /// Its text, put together where it was broken.
    pub text: String,
    /// It grants or refuses more than this one request.
    pub standing: bool,
    /// The program's own mark is on it.
    pub selected: bool,
}

/// A dialog that waits for an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Found {
    /// What sort of prompt.
    pub kind: DialogKind,
    /// Its title, if it has one.
    pub title: Option<String>,
    /// What it asks.
    pub question: String,
    /// The command it would run, where it can be told apart.
    pub command: Option<String>,
    /// Everything else it says.
    pub body: Option<String>,
    /// What the program drew above the dialog although the dialog is about it.
    #[serde(skip)]
    pub context: Option<String>,
    /// The rows to choose from.
    pub options: Vec<Offer>,
    /// The only row that says yes to this one request.
    pub approve_option: Option<u32>,
    /// The only row that says no to it.
    pub deny_option: Option<u32>,
    /// Part of what would be approved is not on the screen.
    pub truncated: bool,
    /// The command was put together from several rows. A row's end may have been a newline of its own, so nothing may
    /// be proven from it.
    #[serde(skip)]
    pub joined: bool,
    /// How the rows are laid out, which tells the keys.
    #[serde(skip)]
    shape: RowShape,
}

impl Found {
    /// Names the rows that answer only this request; where two could, none.
    fn pick(&mut self, prompt: choose::Prompt, whole: bool) {
        let only = |says: fn(choose::Prompt, &str) -> bool| {
            let mut found = self.options.iter().filter(|option| says(prompt, &option.text) && !option.standing);
            found.next().filter(|_| found.next().is_none()).map(|option| option.n)
        };
        self.approve_option = only(choose::Prompt::approves).filter(|_| whole);
        self.deny_option = only(choose::Prompt::denies);
    }
}

/// What a screen says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reading {
    /// What the agent is doing.
    pub status: Status,
    /// It is idle and nobody has begun to type: a text may go in.
    pub safe_to_type: bool,
    /// The dialog that is open.
    pub dialog: Option<Found>,
    /// A usage limit stops the agent.
    #[serde(skip)]
    pub limit: Option<Limit>,
    /// What was said last, when the agent is idle.
    #[serde(skip)]
    pub tail: Option<Tail>,
    /// A survey waits for a digit; it would swallow the first of a text.
    #[serde(skip)]
    pub survey: bool,
    /// A menu at the foot of the screen that no rule knows: the program has changed, or this is a new one.
    #[serde(skip)]
    pub drift: Option<String>,
}

/// Reads a screen. The order matters: what lies over everything, a dialog, work, rest; else it is unknown.
pub fn read(agent: AgentKind, screen: &Screen) -> Reading {
    let rules = rules::of(agent);
    let lines = Lines::of(screen, rules);
    let composer = composer::find(&lines, rules);
    let mut reading = Reading {
        status: Status::Unknown,
        safe_to_type: false,
        dialog: None,
        limit: None,
        tail: None,
        survey: has_survey(&lines),
        drift: None,
    };
    if lines.all.is_empty() || is_covered(&lines, rules, composer.as_ref()) {
        return reading;
    }
    reading.limit = limit::read(&lines, rules, composer.as_ref().map_or(lines.all.len(), |composer| composer.top));
    match dialog::find(&lines, rules) {
        dialog::Outcome::Open(found) => return blocked(reading, *found),
        dialog::Outcome::Unknown(excerpt) => reading.drift = Some(excerpt),
        dialog::Outcome::None => {}
    }
    if let Some(found) = entry::find(&lines, rules) {
        return blocked(reading, found);
    }
    if live::works(&lines, rules, composer.as_ref()) {
        reading.status = Status::Working;
    } else if let Some(composer) = composer {
        reading.status = Status::Idle;
        reading.tail = tail::read(&lines, rules, composer.top);
        let taken = composer.footer.iter().any(|row| holds_any(row, TAKEN));
        reading.safe_to_type = composer.empty && reading.limit.is_none() && !taken;
    }
    reading
}

fn blocked(mut reading: Reading, found: Found) -> Reading {
    let early = fold(&found.question).starts_with("approaching");
    if found.kind == DialogKind::UsageLimit && !early && reading.limit.is_none() {
        reading.limit = Some(Limit { resets: None });
    }
    reading.status = Status::Blocked;
    reading.dialog = Some(found);
    reading
}

/// What stands below a composer whose next key does something else than type.
const TAKEN: &[&str] = &["-- normal --", "-- visual --", "again to exit", "again to quit"];

/// Rows at the foot of the screen in which a viewer shows itself.
const FOOT: usize = 4;

fn is_covered(lines: &Lines, rules: &Rules, composer: Option<&composer::Composer>) -> bool {
    // Above a composer stands the conversation, which may quote anything.
    let from = composer.map_or(0, |composer| composer.top);
    let shown = lines.all[from..].iter().rev().filter(|line| line.is_text()).take(FOOT);
    let mut foot = shown.map(|line| fold(&line.text)).peekable();
    let last = foot.peek().cloned().unwrap_or_default();
    let viewer = composer.is_none() && (last == ":" || holds_any(&last, VIEWERS));
    viewer || foot.any(|row| holds_any(&row, rules.overlays)) || rules.close.is_some_and(|key| has_head(lines, key))
}

/// Whether a row is the head of an overlay: a title, and far to its right the key that closes it.
fn has_head(lines: &Lines, key: &str) -> bool {
    lines.all.iter().any(|line| line.text.split("  ").skip(1).any(|piece| piece.trim() == key))
}

/// Rows at the foot of the screen in which a survey can be.
const SURVEY_ROWS: usize = 8;

fn has_survey(lines: &Lines) -> bool {
    let foot = lines.all.iter().rev().filter(|line| line.is_text()).take(SURVEY_ROWS);
    foot.map(|line| fold(&line.text)).any(|row| holds_any(&row, &["how is claude doing this session"]))
}
