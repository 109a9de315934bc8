//! The terminal's side of the check-up: tmux, its version, its socket, and the letters that agents draw with.

use crate::domain::health::{Check, Level};
use crate::pane::tmux::{Tmux, TmuxError};

/// Older ones have no client that only looks, and list fewer of a pane's states.
const OLDEST_TMUX: (u32, u32) = (3, 2);

/// The program, and what it lets be read.
pub(super) async fn tmux(socket: Option<String>) -> Vec<Check> {
    let tmux = Tmux::new(socket);
    let program = match tmux.version().await {
        Ok(said) => version(&said),
        Err(error) => return vec![refused("tmux", &error)],
    };
    let panes = match tmux.panes().await {
        Ok(panes) => Check::ok("panes", format!("{} can be read", panes.len())),
        Err(error @ TmuxError::NoServer) => Check::bad(
            "panes",
            Level::Warn,
            error.to_string(),
            "the client waits for it; nothing is watched until then",
        ),
        Err(error) => refused("panes", &error),
    };
    vec![program, panes]
}

fn refused(name: &'static str, error: &TmuxError) -> Check {
    let hint = match error {
        TmuxError::Missing => "on Debian and Ubuntu: apt-get install tmux",
        _ => "run this as the user whose tmux it is: its socket is open to that user alone",
    };
    Check::bad(name, Level::Fail, error.to_string(), hint)
}

/// `tmux 3.3a`, `tmux next-3.5`, `tmux openbsd-7.6`: what has no number of the usual kind is newer than this check.
fn version(said: &str) -> Check {
    let word = said.trim_start_matches("tmux ").trim_start_matches("next-");
    let mut parts = word.split('.').map(|part| part.chars().take_while(char::is_ascii_digit).collect::<String>());
    let mut part = || parts.next().and_then(|digits| digits.parse::<u32>().ok());
    match part().map(|major| (major, part().unwrap_or_default())) {
        Some(found) if found < OLDEST_TMUX => {
            let hint = "install tmux 3.2 or newer: older ones cannot be watched without taking part";
            Check::bad("tmux", Level::Fail, said.to_owned(), hint)
        }
        _ => Check::ok("tmux", said.to_owned()),
    }
}

/// Whether programs started here draw all letters.
pub(super) fn letters(locale: &str) -> Check {
    let plain: String = locale.to_lowercase().chars().filter(|c| *c != '-').collect();
    if plain.ends_with("utf8") {
        return Check::ok("locale", locale.to_owned());
    }
    let found = if locale.is_empty() { "none is set".to_owned() } else { format!("{locale} is not UTF-8") };
    let hint = "export LC_ALL=C.UTF-8 before tmux starts: agents draw plain letters without it, which no rule knows";
    Check::bad("locale", Level::Warn, found, hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_versions_of_tmux_are_told_from_new_ones() {
        for (said, level) in [
            ("tmux 3.1c", Level::Fail),
            ("tmux 2.9", Level::Fail),
            ("tmux 3.2", Level::Ok),
            ("tmux 3.3a", Level::Ok),
            ("tmux 10.0", Level::Ok),
            ("tmux next-3.5", Level::Ok),
            ("tmux master", Level::Ok),
        ] {
            assert_eq!(version(said).level, level, "{said}");
        }
    }

    #[test]
    fn letters_need_a_locale_that_has_them() {
        let levels = ["C.UTF-8", "de_DE.utf8", "C", ""].map(|locale| letters(locale).level);
        assert_eq!(levels, [Level::Ok, Level::Ok, Level::Warn, Level::Warn]);
    }
}
