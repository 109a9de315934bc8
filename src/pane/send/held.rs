//! Which rows of a screen hold what is about to be typed: those of the dialog, or those at its foot.

use crate::domain::screen::{Found, Screen};

/// Rows at the foot that must stand still while a text goes in.
const FOOT: usize = 6;
/// Fewer letters and digits tell no row from another.
const FEWEST: usize = 3;

/// The letters and digits of a text: what is left when frames, marks and breaks are taken away.
pub(super) fn bare(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// The rows that show a dialog: first the one with the chosen option, then the others from below.
/// Empty when the option itself cannot be found.
pub(super) fn of_dialog(screen: &Screen, found: &Found, option: u32) -> Vec<usize> {
    let rows: Vec<String> = screen.rows.iter().map(|row| bare(&row.text)).collect();
    let Some(offer) = found.options.iter().find(|offer| offer.n == option) else { return Vec::new() };
    let text = bare(&offer.text);
    let numbered = format!("{option}{text}");
    // The number is printed or it is not; a long text goes on in the next row.
    let begins = |row: &String| !row.is_empty() && (numbered.starts_with(row.as_str()) || row.starts_with(&numbered));
    let holds = |row: &String| !text.is_empty() && row.contains(&text);
    let Some(chosen) = rows.iter().rposition(begins).or_else(|| rows.iter().rposition(holds)) else {
        return Vec::new();
    };
    let texts = [found.title.as_deref(), Some(&found.question), found.command.as_deref(), found.body.as_deref()];
    let mut pieces: Vec<String> = texts.into_iter().flatten().map(bare).collect();
    pieces.extend(found.options.iter().map(|offer| format!("{}{}", offer.n, bare(&offer.text))));
    let of_it = |row: &String| !row.is_empty() && pieces.iter().any(|piece| piece.contains(row.as_str()));
    let others = (0..rows.len()).rev().filter(|at| *at != chosen && of_it(&rows[*at]));
    std::iter::once(chosen).chain(others).collect()
}

/// The lowest rows that say something.
pub(super) fn of_foot(screen: &Screen) -> Vec<usize> {
    let told = |at: &usize| bare(&screen.rows[*at].text).chars().count() >= FEWEST;
    (0..screen.rows.len()).rev().filter(told).take(FOOT).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::screen::{AgentKind, read};

    fn rows(text: &str, agent: AgentKind, option: u32) -> Vec<String> {
        let screen = Screen::plain(text, 0);
        let found = read(agent, &screen).dialog.expect("a dialog");
        of_dialog(&screen, &found, option).into_iter().map(|at| screen.rows[at].text.trim().to_owned()).collect()
    }

    #[test]
    fn the_chosen_row_comes_first_and_the_command_is_among_the_others() {
        let screen = include_str!("../../../tests/fixtures/panes/claude_bash_two_options.txt");
        let found = rows(screen, AgentKind::Claude, 2);
        assert_eq!(found[0], "2. No");
        for row in ["❯ 1. Yes", "Do you want to proceed?", "git push origin HEAD:refs/heads/wip/ada-spike"] {
            assert!(found.iter().any(|found| found == row), "{row}");
        }
        assert!(!found.iter().any(|row| row.contains("Running")));
    }

    #[test]
    fn a_row_without_a_number_or_with_a_neighbour_is_found() {
        let buttons = include_str!("../../../tests/fixtures/panes/opencode_permission_buttons.txt");
        assert!(rows(buttons, AgentKind::Opencode, 1)[0].contains("Allow once   Allow always   Reject"));
        let inline = include_str!("../../../tests/fixtures/panes/aider_run_shell.txt");
        assert!(rows(inline, AgentKind::Aider, 1)[0].contains("(Y)es"));
    }
}
