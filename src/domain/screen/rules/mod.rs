//! What is known of each agent's screen, as data: to follow a new release, change a table here and raise its version.

mod claude;
mod codex;
mod generic;
pub(super) mod kinds;
mod others;
pub(super) mod rows;

use super::AgentKind;

/// How a dialog is set off from what is above it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// Under one line across the pane; in older releases inside a box.
    Ruled,
    /// Inside a box, what it would do in a box inside or right above.
    Boxed,
    /// Under its question, which is its first line.
    Headed,
    /// Beside a bar at the left.
    Barred,
    /// Nothing sets it off.
    Loose,
}

/// How what can be chosen is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowShape {
    /// `1. Yes`, `2. No`, one a row.
    Numbered,
    /// `→ Run (y)`: one a row, the marker alone tells the chosen one.
    Pointed,
    /// `[a] Trust this workspace`: one a row, with its key.
    Keyed,
    /// `Allow once   Allow always   Reject`: all in one row.
    Buttons,
    /// `(Y)es/(N)o`, `[y/N]`: at the end of the question.
    Inline,
    /// A text or a secret is asked for; there is nothing to choose.
    Entry,
}

/// Where the text that a person types stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ComposerShape {
    /// Between two lines across the pane.
    Ruled,
    /// In a box of its own.
    Boxed,
    /// Begins at the left edge, with the footer below.
    Flush,
    /// Under a line across, with nothing below but the footer.
    Open,
    /// Beside a bar that is closed at its foot.
    Barred,
    /// The last row, behind a prompt.
    Prompt,
}

/// A way to choose a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Press {
    /// Its number acts at once.
    Digit,
    /// The letter that the row names acts at once.
    Hint,
    /// A letter that acts at once though the row does not name it.
    Letter(&'static [(&'static str, char)]),
    /// The answer or its marked letter, then Enter.
    Word,
    /// Up or down to it, a look, Enter.
    Down,
    /// Left or right to it, a look, Enter.
    Right,
    /// Escape, when the row is the refusal.
    Refuse,
}

/// What a row looks like while the agent works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Live {
    /// A glyph, a verb and an ellipsis: `✳ Untangling… (42s)`.
    Verb(&'static [char]),
    /// A glyph, anything, and in brackets a time or a key that interrupts: `• Tracing (1m 16s • esc to interrupt)`.
    Timer(&'static [char]),
    /// These words, anywhere in the row.
    Words(&'static [&'static str]),
    /// These words and no others.
    Row(&'static [&'static str]),
}

/// A column at the right that has nothing to do with the conversation beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sidebar {
    /// It is drawn in panes wider than this.
    pub above: usize,
    /// How wide it is.
    pub width: usize,
    /// How far from the right edge its text begins.
    pub text: usize,
    /// What stands in it as long as it is drawn.
    pub sign: &'static str,
}

/// One agent's screen.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts in a table, each read by its name")]
pub(super) struct Rules {
    pub agent: AgentKind,
    /// Raised with each change to the table.
    pub version: u32,
    pub layout: Layout,
    /// What draws a bar at the left of a text.
    pub bars: &'static [char],
    pub sidebar: Option<Sidebar>,
    /// What marks the chosen row.
    pub markers: &'static [char],
    pub shapes: &'static [RowShape],
    /// How first lines of dialogs begin.
    pub titles: &'static [&'static str],
    /// How questions begin.
    pub questions: &'static [&'static str],
    /// Forms that ask for a text: how their head begins, and a key that their foot names.
    pub fields: &'static [(&'static str, &'static str)],
    /// Options never come without the line of keys below them.
    pub footer_needed: bool,
    /// What a dialog would do is always in a box of its own above it.
    pub content_above: bool,
    /// Numbers may come without a dot behind them.
    pub bare_numbers: bool,
    /// Saying yes to a folder is remembered, so it is more than one yes.
    pub trust_is_kept: bool,
    /// How rows of each shape are chosen; the first way that a row has counts.
    pub keys: &'static [(RowShape, &'static [Press])],
    /// What stands before the text that a person types.
    pub prompts: &'static [char],
    pub composers: &'static [ComposerShape],
    /// What it suggests is drawn faint, wherever the look is known.
    pub faint_hints: bool,
    /// What an empty composer suggests; a `*` stands for anything that follows.
    pub placeholders: &'static [&'static str],
    pub live: &'static [Live],
    /// How many blocks above the composer a live row may be.
    pub reach: usize,
    /// What the foot of a screen says when something lies over the conversation.
    pub overlays: &'static [&'static str],
    /// What stands at the right of an overlay's head, which can be anywhere.
    pub close: Option<&'static str>,
}

/// The rules of an agent.
pub(super) const fn of(agent: AgentKind) -> &'static Rules {
    match agent {
        AgentKind::Claude => &claude::RULES,
        AgentKind::Codex => &codex::RULES,
        AgentKind::Gemini => &others::GEMINI,
        AgentKind::Opencode => &others::OPENCODE,
        AgentKind::Cursor => &others::CURSOR,
        AgentKind::Copilot => &others::COPILOT,
        AgentKind::Aider => &others::AIDER,
        AgentKind::Generic => &generic::RULES,
    }
}

/// What lines of keys below a dialog are made of.
pub(super) const FOOTERS: &[&str] = &[
    "esc to",
    "escape to",
    "press esc",
    "esc skip",
    "esc dismiss",
    "enter to",
    "press enter",
    "enter confirm",
    "enter submit",
    "enter select",
    "enter continue",
    "enter accept",
    "esc back",
    "esc cancel",
    "esc close",
    "to confirm",
    "to navigate",
    "to select",
    "to cancel",
    "tab to",
    "shift+tab",
    "ctrl+g",
    "ctrl+e",
    "ctrl+f",
    "ctrl + n",
    "number keys",
    "arrow keys",
    "⇆ select",
    "↑↓ select",
    "pending",
];

/// Keys that stop a running turn, as the footer names them; dialogs of some agents say `esc to cancel`, never these.
pub(super) const INTERRUPTS: &[&str] = &["to interrupt", "esc interrupt", "ctrl+c to stop"];

/// What pagers, editors and monitors leave on the last row.
pub(super) const VIEWERS: &[&str] = &[
    "(end)",
    "--more--",
    "manual page",
    "press h for help or q to quit",
    "-- insert --",
    "-- normal --",
    "-- visual --",
    "-- replace --",
    "f1help",
    "f10quit",
    "^g help",
    "^x exit",
    "q to quit",
    "q quit",
    "q: quit",
];
