//! The hash that ties a decision to what the pane showed: everything of the dialog but where the mark stands.

use std::fmt;

use crate::domain::digest::{Digest, Encoder};
use crate::domain::facts::PaneIdentity;
use crate::domain::screen::{AgentKind, Found};

/// What one dialog in one pane looks like. Two are equal only if a person could not tell the dialogs apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ScreenDigest(Digest);

/// Hashes a dialog with the pane it is in. Texts go in whole and as they were read: blanks and line ends can change what
/// a command does. The mark is left out, for it moves while the dialog stays.
pub fn digest(agent: AgentKind, pane: &PaneIdentity, found: &Found) -> ScreenDigest {
    let mut encoder = Encoder::new("countersign/screen/1");
    encoder
        .text(agent.as_str())
        .text(&pane.id)
        .number(pane.pid.into())
        .number(pane.cols.into())
        .number(pane.rows.into())
        .text(found.kind.as_str())
        .maybe(found.title.as_deref())
        .maybe(found.body.as_deref())
        .maybe(found.command.as_deref())
        .maybe(found.context.as_deref())
        .text(&found.question)
        .number(u64::from(found.truncated) + 2 * u64::from(found.joined))
        .number(found.options.len() as u64);
    for option in &found.options {
        encoder.number(option.n.into()).text(&option.text);
    }
    ScreenDigest(encoder.finish())
}

impl fmt::Display for ScreenDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for ScreenDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ScreenDigest({})", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::screen::{Screen, read};

    const SCREEN: &str = include_str!("../../tests/fixtures/panes/claude_bash_two_options.txt");

    fn pane() -> PaneIdentity {
        let (server, id, command) = ("1:2".into(), "%3".into(), "node".into());
        PaneIdentity { server, id, pid: 7, command, cols: 80, rows: 24 }
    }

    fn of(text: &str, pane: &PaneIdentity) -> ScreenDigest {
        let reading = read(AgentKind::Claude, &Screen::plain(text, 80));
        digest(AgentKind::Claude, pane, &reading.dialog.expect("a dialog"))
    }

    #[test]
    fn only_the_mark_may_differ() {
        let same = of(SCREEN, &pane());
        assert_eq!(same, of(&SCREEN.replace(" ❯ 1. Yes\n   2. No", "   1. Yes\n ❯ 2. No"), &pane()));
        for (old, new) in [
            ("wip/ada-spike", "wip/ada-spikes"),
            ("a scratch branch", "another branch"),
            ("Bash command", "Edit file"),
            ("Do you want to proceed?", "Do you want to go on?"),
            ("2. No", "2. No, and tell Claude what to do differently (esc)"),
            ("push origin", "push  origin"),
        ] {
            assert!(SCREEN.contains(old));
            assert_ne!(same, of(&SCREEN.replace(old, new), &pane()), "{old}");
        }
    }

    #[test]
    fn another_pane_process_or_size_differs() {
        let same = of(SCREEN, &pane());
        for other in [
            PaneIdentity { id: "%4".into(), ..pane() },
            PaneIdentity { pid: 8, ..pane() },
            PaneIdentity { cols: 81, ..pane() },
            PaneIdentity { rows: 25, ..pane() },
        ] {
            assert_ne!(same, of(SCREEN, &other), "{other:?}");
        }
    }
}
