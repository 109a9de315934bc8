//! Gemini CLI, opencode, Cursor, Copilot CLI and aider.

use super::{ComposerShape, Layout, Live, Press, RowShape, Rules, Sidebar};
use crate::domain::screen::AgentKind;

/// Braille frames of a spinner.
const SPINNER: &[char] = &['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏', '⠟', '⠯', '⠷', '⠾', '⠽', '⠻'];

/// Gemini CLI: round boxes, `●` marks, long bodies folded by itself.
pub(super) const GEMINI: Rules = Rules {
    agent: AgentKind::Gemini,
    version: 1,
    layout: Layout::Boxed,
    bars: &[],
    sidebar: None,
    markers: &['●', '❯', '›', '>'],
    shapes: &[RowShape::Numbered],
    titles: &["?"],
    questions: &[
        "allow execution",
        "apply this change",
        "do you want to",
        "do you trust",
        "would you like to",
        "how would you like to",
        "usage limit reached",
        "a potential loop",
        "ready to start implementation",
    ],
    footer_needed: false,
    bare_numbers: false,
    trust_is_kept: true,
    keys: &[(RowShape::Numbered, &[Press::Digit])],
    prompts: &['>', '!', '*'],
    composers: &[ComposerShape::Boxed, ComposerShape::Ruled, ComposerShape::Open],
    faint_hints: false,
    placeholders: &["type your message*", "press 'i' for insert mode*", "press 'esc' for normal mode*"],
    live: &[Live::Words(&["esc to cancel", "press esc to cancel"]), Live::Verb(SPINNER)],
    reach: 4,
    overlays: &["press ctrl-s to exit", "esc to close", "press esc to close"],
};

/// opencode: a thick bar at the left, buttons in one row, the chosen one told by colour alone.
pub(super) const OPENCODE: Rules = Rules {
    agent: AgentKind::Opencode,
    version: 1,
    layout: Layout::Barred,
    bars: &['┃', '│', '║', '▌'],
    sidebar: Some(Sidebar { above: 120, width: 42, text: 40, sign: "Context" }),
    markers: &['❯', '›', '>', '●'],
    shapes: &[RowShape::Buttons, RowShape::Numbered],
    titles: &["△", "▲", "⚠"],
    questions: &["permission required", "always allow", "reject permission"],
    footer_needed: true,
    bare_numbers: false,
    trust_is_kept: true,
    keys: &[(RowShape::Buttons, &[Press::Right, Press::Refuse]), (RowShape::Numbered, &[Press::Down])],
    prompts: &['>'],
    composers: &[ComposerShape::Barred],
    faint_hints: false,
    placeholders: &["ask anything…*", "ask anything...*", "run a command…*", "run a command...*"],
    live: &[Live::Words(&["esc interrupt", "esc to interrupt", "esc again to interrupt"])],
    reach: 1,
    overlays: &[],
};

/// Cursor CLI: square boxes, the command in a box of its own above the question, `→` marks.
pub(super) const CURSOR: Rules = Rules {
    agent: AgentKind::Cursor,
    version: 1,
    layout: Layout::Boxed,
    bars: &[],
    sidebar: None,
    markers: &['→', '▶', '❯', '>'],
    shapes: &[RowShape::Keyed, RowShape::Pointed, RowShape::Numbered],
    titles: &[],
    questions: &[
        "run this command",
        "write to this file",
        "delete this file",
        "do you trust",
        "allow ",
        "edit this file",
        "workspace trust",
    ],
    footer_needed: false,
    bare_numbers: false,
    trust_is_kept: true,
    keys: &[
        (RowShape::Keyed, &[Press::Hint]),
        (RowShape::Pointed, &[Press::Hint, Press::Down]),
        (RowShape::Numbered, &[Press::Down]),
    ],
    prompts: &['→', '>'],
    composers: &[ComposerShape::Boxed, ComposerShape::Ruled],
    faint_hints: false,
    placeholders: &["plan, search, build anything", "add a follow-up"],
    live: &[Live::Verb(&['⬡', '⬢']), Live::Words(&["ctrl+c to stop"])],
    reach: 2,
    overlays: &["esc to close", "esc to go back"],
};

/// Copilot CLI: round boxes like Gemini's, numbers act at once.
pub(super) const COPILOT: Rules = Rules {
    agent: AgentKind::Copilot,
    version: 1,
    layout: Layout::Boxed,
    bars: &[],
    sidebar: None,
    markers: &['❯', '›', '>', '●'],
    shapes: &[RowShape::Numbered, RowShape::Pointed],
    titles: &["confirm folder trust", "copilot needs information"],
    questions: &["do you want to", "do you trust", "would you like to", "allow ", "what account"],
    footer_needed: false,
    bare_numbers: false,
    trust_is_kept: false,
    keys: &[(RowShape::Numbered, &[Press::Digit]), (RowShape::Pointed, &[Press::Down])],
    prompts: &['❯', '>'],
    composers: &[ComposerShape::Ruled, ComposerShape::Boxed],
    faint_hints: false,
    placeholders: &["type @ to mention*", "enter @ to mention*", "ask copilot*", "describe a task*"],
    live: &[Live::Words(&["(esc to cancel", "waiting for background agents"])],
    reach: 3,
    overlays: &["esc to close", "esc to go back"],
};

/// aider: everything is a line; its question ends with the letters.
pub(super) const AIDER: Rules = Rules {
    agent: AgentKind::Aider,
    version: 1,
    layout: Layout::Loose,
    bars: &[],
    sidebar: None,
    markers: &[],
    shapes: &[RowShape::Inline, RowShape::Entry],
    titles: &[],
    questions: &[],
    footer_needed: false,
    bare_numbers: false,
    trust_is_kept: true,
    keys: &[(RowShape::Inline, &[Press::Word])],
    prompts: &['>'],
    composers: &[ComposerShape::Prompt],
    faint_hints: false,
    placeholders: &[],
    live: &[Live::Words(&["waiting for "]), Live::Verb(SPINNER)],
    reach: 1,
    overlays: &[],
};
