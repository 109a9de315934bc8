//! The question that tmux answers in the same step in which it types: is this still the pane, and are these its rows?
//!
//! The rows come from a screen that may be hostile. Only letters, digits and a few harmless signs go into the question as
//! they are; whatever means something to tmux's formats or to a regular expression becomes a wildcard. The whole screen
//! was compared before; the question closes the moment between that and the key.

use unicode_width::UnicodeWidthChar;

use crate::domain::screen::Screen;
use crate::pane::tmux::Pane;

/// Most rows in one question, and most bytes: tmux takes 16 KiB of arguments.
const MOST_ROWS: usize = 24;
const MOST_BYTES: usize = 8 << 10;
/// Longer rows are compared by their beginning.
const LONGEST_ROW: usize = 300;

/// One place of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// This character.
    Exactly(char),
    /// Any one character.
    One,
    /// Anything, also nothing: what terminals count differently.
    Any,
}

/// The question about a pane and some of its rows, counted from 0. Nothing when none of the rows says anything.
pub(super) fn question(pane: &Pane, screen: &Screen, rows: &[usize]) -> Option<String> {
    let (mut asked, mut expected) = identity(pane);
    let known = asked.len();
    let mut bytes = 0;
    for &at in rows.iter().take(MOST_ROWS) {
        let Some(places) = screen.rows.get(at).map(|row| places(&row.text)).filter(|places| says(places)) else {
            continue;
        };
        let pattern = pattern(&places, screen.rows[at].text.chars().count() <= LONGEST_ROW);
        bytes += pattern.len();
        if bytes > MOST_BYTES {
            break;
        }
        // tmux names the first row that matches, counted from 1.
        let first = screen.rows.iter().position(|row| matches(&places, &start(&row.text))).unwrap_or(at);
        asked.push(format!("#{{C/r:{pattern}}}"));
        expected.push((first + 1).to_string());
    }
    (asked.len() > known).then(|| format!("#{{==:{},{}}}", asked.join(" "), expected.join(" ")))
}

/// What is asked of the pane itself, and the answers. `if-shell` takes another pane when its own has gone, so the id is
/// asked for as well.
fn identity(pane: &Pane) -> (Vec<String>, Vec<String>) {
    let identity = &pane.identity;
    let size = format!("{}x{}", identity.cols, identity.rows);
    // Rows that stay where they are may have become history, with something new below: the cursor tells.
    let cursor = format!("{}x{}", pane.cursor.0, pane.cursor.1);
    let mut both = vec![
        ("#{pane_id}", identity.id.clone()),
        ("#{pane_pid}", identity.pid.to_string()),
        ("#{pid}:#{start_time}", identity.server.clone()),
        ("#{pane_width}x#{pane_height}", size),
        ("#{cursor_x}x#{cursor_y}", cursor),
        ("#{pane_dead}#{||:#{pane_in_mode},#{||:#{pane_synchronized},#{pane_input_off}}}", "00".to_owned()),
    ];
    if identity.command.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.')) {
        both.push(("#{pane_current_command}", identity.command.clone()));
    }
    both.into_iter().map(|(asked, expected)| (asked.to_owned(), expected)).unzip()
}

fn start(text: &str) -> Vec<char> {
    text.trim_end().chars().take(LONGEST_ROW).collect()
}

fn places(text: &str) -> Vec<Place> {
    let chars = start(text);
    let mut places: Vec<Place> = Vec::with_capacity(chars.len());
    for (at, &c) in chars.iter().enumerate() {
        let beside = |at: Option<usize>| at.and_then(|at| chars.get(at)) == Some(&' ');
        let place = match c {
            // Several blanks may be a tab.
            ' ' if beside(at.checked_sub(1)) || beside(Some(at + 1)) => Place::Any,
            ' ' | '-' | '_' | '/' | '=' => Place::Exactly(c),
            c if c.is_ascii_alphanumeric() => Place::Exactly(c),
            c if c.is_ascii() && !c.is_control() => Place::One,
            c if is_plain(c) => Place::Exactly(c),
            _ => Place::Any,
        };
        if place != Place::Any || places.last() != Some(&Place::Any) {
            places.push(place);
        }
    }
    places
}

/// Letters, and the signs, arrows and frames that programs draw with: every terminal has them in cells of their own.
fn is_plain(c: char) -> bool {
    let drawn = ('\u{2010}'..='\u{2bff}').contains(&c);
    (c.is_alphanumeric() || drawn) && c.width().is_some_and(|width| width > 0)
}

/// Whether it holds a letter or a digit; frames alone are everywhere.
fn says(places: &[Place]) -> bool {
    places.iter().any(|place| matches!(place, Place::Exactly(c) if c.is_alphanumeric()))
}

fn pattern(places: &[Place], whole: bool) -> String {
    let mut pattern = String::from("^");
    for place in places {
        match place {
            Place::Exactly(c) => pattern.push(*c),
            Place::One => pattern.push('.'),
            Place::Any => pattern.push_str(".*"),
        }
    }
    if whole {
        pattern.push('$');
    }
    pattern
}

/// Whether a row matches as tmux would find it. Backtracks over the last `Any` only, as for file names.
fn matches(places: &[Place], row: &[char]) -> bool {
    let (mut p, mut r) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    while r < row.len() {
        match places.get(p) {
            Some(Place::Any) => {
                retry = Some((p, r));
                p += 1;
                continue;
            }
            Some(Place::One) => {
                (p, r) = (p + 1, r + 1);
                continue;
            }
            Some(Place::Exactly(c)) if *c == row[r] => {
                (p, r) = (p + 1, r + 1);
                continue;
            }
            _ => {}
        }
        let Some((at, from)) = retry else { return false };
        retry = Some((at, from + 1));
        (p, r) = (at + 1, from + 1);
    }
    places[p..].iter().all(|place| *place == Place::Any)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> String {
        pattern(&places(text), true)
    }

    #[test]
    fn what_means_something_to_a_format_becomes_a_wildcard() {
        for (text, expected) in [
            (" ❯ 1. Yes", "^ ❯ 1. Yes$"),
            ("   2. No,  (esc)", "^.*2. No..*.esc.$"),
            ("#{pane_id}#(touch /x),}", "^..pane_id...touch /x...$"),
            ("a\\'\"$HOME;`x`*?[b]^|", "^a....HOME..x....b...$"),
            ("漢字 é e\u{301} 🦀", "^漢字 é e.* .*$"),
        ] {
            assert_eq!(of(text), expected, "{text}");
        }
    }

    #[test]
    fn a_row_matches_itself_and_no_other() {
        let row = "│ > rm -rf a   b │";
        let places = places(row);
        assert!(matches(&places, &start(row)));
        assert!(matches(&places, &start("│ > rm -rf a\tb │")));
        for other in ["│ > rm -rf a   c │", "│ > rm -rf a   b", "", "x│ > rm -rf a   b │"] {
            assert!(!matches(&places, &start(other)), "{other}");
        }
    }
}
