//! Rows that grant or refuse more than this once, or switch the agent to another mode: never pressed by anyone from afar.

use crate::domain::dialog::DialogKind;
use crate::domain::screen::phrase::{fold, holds};

/// Why a row is not pressed from afar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It holds for later requests too.
    Remembered,
    /// It changes how the agent asks from now on.
    Mode,
    /// It trusts a folder or a program.
    Trust,
    /// It decides about money or an account.
    Account,
}

impl Standing {
    /// The sentence for the one who wanted it pressed.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Remembered => {
                "This row answers later requests too, and a standing permission is given at the terminal only."
            }
            Self::Mode => "This row changes how the agent asks from now on; choose it at the terminal.",
            Self::Trust => "This row trusts more than this one request; choose it at the terminal.",
            Self::Account => "This row decides about an account or a plan; choose it at the terminal.",
        }
    }
}

/// Whole phrases that no row has which holds for one time only; sought in any dialog.
const ALWAYS: &[(&str, Standing)] = &[
    ("always allow", Standing::Remembered),
    ("allow always", Standing::Remembered),
    ("always approve", Standing::Remembered),
    ("ask again", Standing::Remembered),
    ("remember this choice", Standing::Remembered),
    ("remember my choice", Standing::Remembered),
    ("this session", Standing::Remembered),
    ("running session", Standing::Remembered),
    ("future sessions", Standing::Remembered),
    ("in this conversation", Standing::Remembered),
    ("for this conversation", Standing::Remembered),
    ("in settings", Standing::Remembered),
    ("settings.json", Standing::Remembered),
    ("bypass permissions", Standing::Mode),
    ("auto-accept", Standing::Mode),
    ("auto accept", Standing::Mode),
    ("auto-approve", Standing::Mode),
    ("auto-run", Standing::Mode),
    ("autopilot", Standing::Mode),
    ("yolo", Standing::Mode),
    ("without asking", Standing::Mode),
    ("skip all", Standing::Remembered),
    ("allowlist", Standing::Remembered),
    ("allow list", Standing::Remembered),
    ("trust this folder", Standing::Trust),
    ("trust all", Standing::Trust),
];

/// Words that make a row of a permission dialog more than one answer; in a question of the agent's own they may be part
/// of an ordinary answer.
const IN_PERMISSIONS: &[(&str, Standing)] = &[
    ("always", Standing::Remembered),
    ("never", Standing::Remembered),
    ("session", Standing::Remembered),
    ("conversation", Standing::Remembered),
    ("future", Standing::Remembered),
    ("persist", Standing::Remembered),
    ("remember", Standing::Remembered),
    ("settings", Standing::Remembered),
    ("whole project", Standing::Remembered),
    ("for the project", Standing::Remembered),
    ("from now on", Standing::Remembered),
    ("going forward", Standing::Remembered),
    ("every", Standing::Remembered),
    ("until", Standing::Remembered),
    ("all", Standing::Remembered),
    ("(a)ll", Standing::Remembered),
    ("any", Standing::Remembered),
    ("these files", Standing::Remembered),
    ("commands that start", Standing::Remembered),
    ("permanently", Standing::Remembered),
    ("for good", Standing::Remembered),
    ("forever", Standing::Remembered),
    ("henceforth", Standing::Remembered),
    ("from here", Standing::Remembered),
    ("onwards", Standing::Remembered),
    ("everything", Standing::Remembered),
    ("everywhere", Standing::Remembered),
    ("minutes", Standing::Remembered),
    ("hours", Standing::Remembered),
    ("hour", Standing::Remembered),
    ("today", Standing::Remembered),
    ("days", Standing::Remembered),
    ("weeks", Standing::Remembered),
    ("auto", Standing::Mode),
    ("default", Standing::Mode),
    ("mode", Standing::Mode),
    ("bypass", Standing::Mode),
    ("automatically", Standing::Mode),
    ("trust", Standing::Trust),
];

/// What makes a row standing, if anything does.
pub(super) fn of(kind: DialogKind, text: &str) -> Option<Standing> {
    let folded = fold(text);
    let found =
        |list: &[(&str, Standing)]| list.iter().find(|(words, _)| holds(&folded, words)).map(|&(_, standing)| standing);
    match kind {
        DialogKind::UsageLimit | DialogKind::Login => Some(Standing::Account),
        // An answer to the agent's question: only what could be nothing else.
        DialogKind::Decision => found(ALWAYS),
        DialogKind::Trust if starts_with_yes(&folded) => Some(Standing::Trust),
        DialogKind::Permission | DialogKind::Plan | DialogKind::Trust => {
            found(ALWAYS).or_else(|| found(IN_PERMISSIONS))
        }
    }
}

fn starts_with_yes(folded: &str) -> bool {
    !folded.trim_start_matches(|c: char| !c.is_alphabetic()).starts_with("no")
}
