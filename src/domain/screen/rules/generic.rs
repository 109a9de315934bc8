//! Any other program: line prompts, and menus that look like one of the known ones.

use super::{ComposerShape, Layout, Live, Press, RowShape, Rules};
use crate::domain::screen::AgentKind;

pub(super) const RULES: Rules = Rules {
    agent: AgentKind::Generic,
    version: 1,
    layout: Layout::Loose,
    bars: &['┃', '▌'],
    sidebar: None,
    markers: &['❯', '›', '●', '→', '>', '❭', '▸', '▶'],
    shapes: &[RowShape::Numbered, RowShape::Pointed, RowShape::Inline, RowShape::Entry],
    titles: &[],
    questions: &[
        "do you want",
        "would you like",
        "allow ",
        "apply this change",
        "run this command",
        "are you sure",
        "do you trust",
    ],
    fields: &[],
    footer_needed: false,
    content_above: false,
    bare_numbers: true,
    trust_is_kept: true,
    keys: &[
        (RowShape::Numbered, &[Press::Down]),
        (RowShape::Pointed, &[Press::Down]),
        (RowShape::Inline, &[Press::Word]),
    ],
    prompts: &['❯', '>', '›'],
    composers: &[ComposerShape::Boxed, ComposerShape::Ruled],
    faint_hints: false,
    placeholders: &["type your message*", "ask anything…*", "ask anything...*"],
    live: &[
        Live::Verb(&['✢', '✳', '✶', '✻', '✽', '⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏', '⬡', '⬢']),
        Live::Timer(&['•', '◦']),
        Live::Words(&["esc to interrupt", "ctrl+c to interrupt", "(esc to cancel"]),
    ],
    reach: 2,
    overlays: &[],
    close: None,
};
