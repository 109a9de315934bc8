//! Codex: no frame, the question on top, `›` marks, letters beside the rows, the composer flush left.

use super::{ComposerShape, Layout, Live, Press, RowShape, Rules};
use crate::domain::screen::AgentKind;

/// `(esc)` is all that these rows name; the letter does the same and interrupts nothing when the dialog has gone.
const REFUSALS: &[(&str, char)] = &[("no, and tell codex what to do differently", 'n')];

pub(super) const RULES: Rules = Rules {
    agent: AgentKind::Codex,
    version: 1,
    layout: Layout::Headed,
    bars: &['▌'],
    sidebar: None,
    markers: &['›', '>', '❯', '▸'],
    shapes: &[RowShape::Numbered],
    titles: &["field ", "question "],
    questions: &[
        "would you like to",
        "do you want to",
        "do you trust",
        "trust this folder",
        "allow the ",
        "allow this action",
        "allow command",
        "allow codex to",
        "apply changes?",
        "since this folder",
        "approaching rate limits",
        "approaching usage limit",
        "hooks need review",
        "you've hit your",
        "sign in with",
        "implement this plan",
    ],
    fields: &[("question ", "enter to submit answer")],
    footer_needed: true,
    content_above: false,
    bare_numbers: false,
    trust_is_kept: true,
    keys: &[(RowShape::Numbered, &[Press::Hint, Press::Letter(REFUSALS), Press::Down])],
    prompts: &['›', '▌'],
    composers: &[ComposerShape::Flush],
    faint_hints: true,
    placeholders: &[
        "ask codex to do anything",
        "explain this codebase",
        "summarize recent commits",
        "implement {feature}",
        "find and fix a bug in @filename",
        "write tests for @filename",
        "improve documentation in @filename",
        "run /review on my current changes",
        "use /skills to list available skills",
    ],
    live: &[Live::Timer(&['•', '◦'])],
    reach: 1,
    overlays: &["t r a n s c r i p t", "q to quit", "to scroll", "pgup/pgdn"],
    close: None,
};
