//! What a dialog is about without showing it: Codex draws the content of an edit above, as part of the talk, and may fold it.

use super::AgentKind;
use super::line::{Line, Lines};
use super::phrase::{fold, holds_any};
use super::region::{Region, TALK};

/// The rows of the talk that a dialog is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Drawn {
    /// What they say.
    pub text: String,
    /// Nothing of it is folded away or above the screen.
    pub whole: bool,
}

/// Questions that show no content of their own when they name only where it goes.
const ELSEWHERE: &[(AgentKind, &str)] = &[(AgentKind::Codex, "make the following edits")];

/// How a dialog names a file whose content it does not show.
const PLACE: &str = "Destination: ";

/// The rows above a dialog that it is about, or nothing when it shows everything itself. Their row of the talk counts
/// the lines that come and go, which tells whether all of them are there.
pub(super) fn above(lines: &Lines, region: &Region, agent: AgentKind) -> Option<Drawn> {
    let asks =
        |line: &Line| ELSEWHERE.iter().any(|(kind, words)| *kind == agent && holds_any(&fold(&line.text), &[words]));
    let places = region.lines.iter().any(|line| line.text.starts_with(PLACE));
    if !places || !region.lines.first().is_some_and(asks) {
        return None;
    }
    let before = &lines.all[..region.first];
    // At the very edge: the rows of an edit are set in, so that nothing in them can pass for its head.
    let heads = |line: &Line| line.is_text() && line.start <= lines.margin && line.text.starts_with(TALK);
    let Some(head) = before.iter().rposition(heads) else {
        return Some(Drawn { text: String::new(), whole: false });
    };
    let rows: Vec<&Line> = before[head..].iter().filter(|line| line.is_text()).collect();
    let text = rows.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n");
    let shown = |sign: char| rows.iter().filter(|line| changed(&line.text) == Some(sign)).count();
    let whole = counts(&before[head].text) == Some((shown('+'), shown('-')));
    Some(Drawn { text, whole: whole && rows.iter().all(|line| !line.cut) })
}

/// `(+2 -1)` at the end of a row.
fn counts(text: &str) -> Option<(usize, usize)> {
    let (more, less) = text.strip_suffix(')')?.rsplit_once('(')?.1.split_once(' ')?;
    Some((more.strip_prefix('+')?.parse().ok()?, less.strip_prefix('-')?.parse().ok()?))
}

/// The sign of a numbered row that comes or goes: `12 +text`.
fn changed(text: &str) -> Option<char> {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let sign = rest.trim_start().chars().next()?;
    (rest.len() < text.len() && rest.starts_with(' ') && matches!(sign, '+' | '-')).then_some(sign)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::screen::{Found, Screen, read};

    fn dialog(talk: &str) -> Found {
        let asked = "  Would you like to make the following edits?\n\n  Description: Apply proposed file edits\n  \
                     Destination: /srv/shop/a.txt\n\n› 1. Yes, proceed (y)\n  2. Yes, and don't ask again for these files (a)\n  \
                     3. No, and tell Codex what to do differently (esc)\n\n  Press enter to confirm or esc to cancel";
        let screen = Screen::plain(&format!("{talk}\n\n\n{asked}"), 100);
        read(AgentKind::Codex, &screen).dialog.expect("a dialog")
    }

    #[test]
    fn the_content_of_an_edit_is_part_of_its_dialog() {
        let found = dialog("› go\n\n• Edited a.txt (+1 -1)\n    1 -hi\n    1 +hello\n    + Show details");
        assert_eq!(found.context.as_deref(), Some("• Edited a.txt (+1 -1)\n1 -hi\n1 +hello\n+ Show details"));
        assert!(!found.truncated && found.approve_option == Some(1));
        assert_eq!(found.body.as_deref(), Some("Description: Apply proposed file edits\nDestination: /srv/shop/a.txt"));
    }

    #[test]
    fn what_is_folded_or_gone_leaves_the_dialog_incomplete() {
        for talk in [
            "• Edited a.txt (+70 -1)\n     1 -hi\n     1 +one\n     2 +two\n    + Show details",
            "    1 -hi\n    1 +hello\n    + Show details",
            "• Ran ls\n  └ a.txt",
            "• Edited a.txt (+70 -1)\n    1 +a line that goes on\n      • Edited a.txt (+0 -0)\n    + Show details",
            "",
        ] {
            assert!(dialog(talk).truncated, "{talk}");
        }
    }
}
