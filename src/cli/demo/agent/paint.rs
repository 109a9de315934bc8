//! Draws the simulated agent's screen: the conversation, and below it a dialog, a running turn or the composer.

use super::play::{Block, Play, Voice};
use super::rows::{Row, marked, rule, wrap};
use super::scene::{Asking, Rest, Scene};
use super::script::Ask;
use super::{claude, codex};
use crate::domain::screen::AgentKind;

/// Longest call that the conversation shows of a dialog.
const LONGEST_CALL: usize = 60;

/// The rows of a block of the conversation.
pub(super) fn block(kind: AgentKind, block: &Block, cols: usize) -> Vec<Row> {
    let codex = kind == AgentKind::Codex;
    let (mark, apart) = match block.voice {
        Voice::Agent if codex => ("• ", true),
        Voice::Agent => ("● ", true),
        Voice::Person if codex => ("› ", true),
        Voice::Person => ("❯ ", true),
        Voice::Result if codex => ("  └ ", false),
        Voice::Result => ("  ⎿  ", false),
        Voice::Program => ("", true),
    };
    let gap = apart.then(Row::default);
    gap.into_iter().chain(marked(mark, &block.text, cols).into_iter().map(Row::plain)).collect()
}

/// The rows below the conversation.
pub(super) fn live(play: &Play, cols: usize, now: u64) -> Vec<Row> {
    match (&play.scene, play.kind) {
        (Scene::Working { began, .. }, AgentKind::Codex) => codex::working(play, cols, (now - began) / 1000),
        (Scene::Working { began, .. }, _) => claude::working(play, cols, now - began),
        (Scene::Asking(asking), AgentKind::Codex) => codex::dialog(asking, cols),
        (Scene::Asking(asking), _) => claude::dialog(asking, cols),
        (Scene::Idle(rest), AgentKind::Codex) => codex::idle(play, rest, cols),
        (Scene::Idle(rest), _) => claude::idle(play, rest, cols),
        (Scene::Over, _) => Vec::new(),
    }
}

/// The composer: what is typed, or a suggestion, and the cursor.
pub(super) fn composer(prompt: &str, draft: &str, rest: Option<&Rest>, cols: usize) -> Vec<Row> {
    if let (true, Some(hint)) = (draft.is_empty(), rest.and_then(|rest| rest.hint.as_deref())) {
        return vec![Row::plain(prompt).then_hint(hint)];
    }
    let mut rows: Vec<Row> = marked(prompt, draft, cols).into_iter().map(Row::plain).collect();
    let last = rows.pop().unwrap_or_default();
    rows.push(last.then_cursor());
    rows
}

/// The options, the marked one behind its mark; what an option means stands below it.
pub(super) fn options(asking: &Asking, mark: &str, cols: usize, about: impl Fn(usize) -> Option<String>) -> Vec<Row> {
    let mut rows = Vec::new();
    let blank = " ".repeat(mark.chars().count());
    for (at, text) in asking.options.iter().enumerate() {
        let lead = format!("{}{}. ", if at == asking.selected { mark } else { &blank }, at + 1);
        rows.extend(marked(&lead, text, cols).into_iter().map(Row::plain));
        let below = " ".repeat(lead.chars().count());
        rows.extend(about(at).iter().flat_map(|text| marked(&below, text, cols)).map(Row::dim));
    }
    rows
}

/// Text with a margin at its left.
pub(super) fn indented(text: &str, by: usize, cols: usize) -> Vec<Row> {
    let margin = " ".repeat(by);
    wrap(text, cols.saturating_sub(by + 1)).into_iter().map(|row| Row::plain(format!("{margin}{row}"))).collect()
}

/// A change between two dashed lines.
pub(super) fn between_dashes(text: &str, cols: usize) -> Vec<Row> {
    let mut rows = vec![rule('╌', cols)];
    rows.extend(indented(text, 1, cols));
    rows.push(rule('╌', cols));
    rows
}

/// How the conversation names what a dialog is about.
pub(super) fn call(ask: &Ask) -> String {
    let tool = ask.title.split(' ').next().unwrap_or_default();
    let subject = ask.command.as_ref().or(ask.file.as_ref()).or(ask.body.as_ref());
    let subject = subject.and_then(|text| text.lines().next()).unwrap_or_default();
    let short: String = subject.chars().take(LONGEST_CALL).collect();
    let end = if short.len() < subject.len() { "…" } else { "" };
    format!("{tool}({short}{end})")
}
