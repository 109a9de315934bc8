//! Screens in the manner of Codex: no frame, the question on top, letters behind the rows.

use super::paint::{composer, indented, options};
use super::play::Play;
use super::rows::Row;
use super::scene::{Asking, Prompt, Rest};
use super::script::Ask;

const PLACEHOLDER: &str = "Ask Codex to do anything";
const FOOTER: &str = "  demo-model default · 64% left";

/// A running turn.
pub(super) fn working(play: &Play, cols: usize, seconds: u64) -> Vec<Row> {
    let mut rows = vec![Row::default(), Row::plain(format!("• Working ({seconds}s • esc to interrupt)"))];
    rows.extend(resting(play, None, cols));
    rows
}

/// At rest.
pub(super) fn idle(play: &Play, rest: &Rest, cols: usize) -> Vec<Row> {
    resting(play, Some(rest), cols)
}

fn resting(play: &Play, rest: Option<&Rest>, cols: usize) -> Vec<Row> {
    let hint = rest.and_then(|rest| rest.hint.clone()).unwrap_or_else(|| PLACEHOLDER.to_owned());
    let hinted = Rest { hint: Some(hint), ..Rest::default() };
    let mut rows = vec![Row::default()];
    rows.extend(composer("› ", &play.draft, Some(&hinted), cols));
    rows.extend([Row::default(), Row::dim(FOOTER)]);
    rows
}

/// A dialog in place of the composer.
pub(super) fn dialog(asking: &Asking, cols: usize) -> Vec<Row> {
    let mut rows = vec![Row::default()];
    // Scripts for Codex hold permissions only; the reader of scripts sees to it.
    if let Prompt::Ask(ask) = &asking.prompt {
        rows.extend(indented(ask.question.as_deref().unwrap_or(question(ask)), 2, cols));
        let reason = ask.description.as_ref().map(|text| format!("Reason: {text}"));
        let command = ask.command.as_ref().map(|text| format!("$ {text}"));
        for part in [reason, ask.body.clone(), ask.file.clone(), ask.diff.clone(), command].into_iter().flatten() {
            rows.push(Row::default());
            rows.extend(indented(&part, 2, cols));
        }
    }
    rows.push(Row::default());
    rows.extend(options(asking, "› ", cols, |_| None));
    rows.push(Row::default());
    rows.extend(indented("Press enter to confirm or esc to cancel", 2, cols));
    rows
}

fn question(ask: &Ask) -> &'static str {
    match (&ask.command, &ask.diff) {
        (Some(_), _) => "Would you like to run the following command?",
        (None, Some(_)) => "Would you like to make the following edits?",
        (None, None) => "Do you want to proceed?",
    }
}
