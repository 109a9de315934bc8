//! Rows of real dialogs, and rows that only look like one.

use super::{Standing, pressable, rows};
use crate::domain::dialog::{DialogKind, DialogOption};

fn options(texts: &[&str]) -> Vec<DialogOption> {
    (1..).zip(texts).map(|(n, &text)| DialogOption { n, text: text.to_owned(), selected: false }).collect()
}

fn chosen(kind: &str, texts: &[&str]) -> Numbers {
    let options = options(texts);
    let rows = rows(kind, &options);
    (rows.approve.map(|row| row.n), rows.deny.map(|row| row.n))
}

type Numbers = (Option<u32>, Option<u32>);

/// Agent kind, rows, and the numbers of the rows that agree and refuse.
const REAL: &[(&str, &[&str], Numbers)] = &[
    ("claude", &["Yes", "Yes, and don't ask again for cargo", "No, and tell Claude what to do"], (Some(1), Some(3))),
    ("claude", &["1. Yes", "2. No, and tell Claude what to do differently (esc)"], (Some(1), Some(2))),
    ("claude", &["Yes", "Yes, allow all edits during this session (shift+tab)", "No"], (Some(1), Some(3))),
    (
        "",
        &["Yes, proceed once", "Yes, always allow this command", "No, continue without running it"],
        (Some(1), Some(3)),
    ),
    (
        "codex",
        &[
            "Yes, proceed (y)",
            "Yes, and don't ask again for `x` (p)",
            "No, and tell Codex what to do differently (esc)",
        ],
        (Some(1), Some(3)),
    ),
    (
        "codex",
        &["Allow — Run the tool and continue.", "Always allow — x", "Cancel — Cancel this tool call"],
        (Some(1), Some(3)),
    ),
    (
        "codex",
        &["Allow                   Run the tool and continue", "Cancel                  Cancel this tool call"],
        (Some(1), Some(2)),
    ),
    (
        "codex",
        &[
            "Yes, just this once (y)",
            "Yes, and allow this host for this conversation (a)",
            "Yes, and allow this host in the future (p)",
            "No",
        ],
        (Some(1), Some(4)),
    ),
    (
        "codex",
        &[
            "Yes, grant these permissions (y)",
            "Yes, grant these permissions for this session (a)",
            "No, continue without permissions (n)",
        ],
        (Some(1), Some(3)),
    ),
    (
        "gemini",
        &["Allow once", "Allow for this session", "Modify with external editor", "No, suggest changes (esc)"],
        (Some(1), Some(4)),
    ),
    ("opencode", &["Allow once", "Allow always", "Reject"], (Some(1), Some(3))),
    (
        "cursor",
        &[
            "Run (y) (enter)",
            "Reject (esc or p)",
            "Add Shell(ss) to allowlist? (tab)",
            "Auto-run all commands (shift+tab)",
        ],
        (Some(1), Some(2)),
    ),
    (
        "copilot",
        &[
            "Yes",
            "Yes, and approve `jq` for the rest of the running session",
            "No, and tell Copilot what to do differently (Esc)",
        ],
        (Some(1), Some(3)),
    ),
    ("aider", &["(Y)es", "(N)o", "(A)ll", "(S)kip all", "(D)on't ask again"], (Some(1), Some(2))),
    ("generic", &["y", "n"], (Some(1), Some(2))),
    ("", &["Don't allow", "Allow"], (Some(2), Some(1))),
    ("", &["Yes.", "No."], (Some(1), Some(2))),
    ("", &["✓ Yes", "No"], (Some(1), Some(2))),
    ("", &["❯ 1. Yes", "  2. No"], (Some(1), Some(2))),
];

#[test]
fn single_shot_rows_are_found() {
    for (kind, texts, want) in REAL {
        assert_eq!(chosen(kind, texts), *want, "{kind} {texts:?}");
    }
}

#[test]
fn a_standing_permission_option_is_never_selected() {
    for texts in [
        &["Yes, for the whole project", "Maybe"][..],
        &["Yes, and bypass permissions", "Maybe"],
        &["Yes, allow all edits during this session", "Maybe"],
        &["Yes, and remember this choice", "Maybe"],
        &["Proceed in this conversation", "Maybe"],
        &["Always allow", "Never"],
        &["Yes (always)", "No (never ask again)"],
        &["Yes, I trust this folder", "Maybe"],
        &["Yes, and don’t ask again", "Maybe"],
        &["Allow — remember for future calls", "Maybe"],
        // What a description adds is part of the answer.
        &["Yes — and allow everything in /srv", "Maybe"],
        &["Yes — for good", "Maybe"],
        &["Yes — henceforth", "Maybe"],
        &["Yes — dauerhaft", "Maybe"],
        &["Approve  for 30 days", "Maybe"],
        &["Allow  everywhere", "Maybe"],
        &["Yes  auto from here", "Maybe"],
        &["Yes  — reject", "Maybe"],
        &["Yes - for this repo", "Maybe"],
        &["Confirm", "Maybe"],
    ] {
        assert_eq!(chosen("claude", texts), (None, None), "{texts:?}");
    }
}

#[test]
fn ambiguous_and_unknown_rows_are_not_chosen() {
    for (texts, want) in [
        (&["Yes", "Yes", "No"][..], (None, Some(3))),
        (&["Yes", "Allow", "No"], (None, Some(3))),
        (&["Yes, deploy to staging", "Yes, deploy to production", "No"], (None, Some(3))),
        (&["Yes, deploy to staging", "No"], (None, Some(2))),
        (&["OAuth", "API keys"], (None, None)),
        (&["Ja", "Nein"], (None, None)),
        (&["Yes", "Não"], (Some(1), None)),
        (&["Yesterday", "No"], (None, Some(2))),
        (&["No", "Cancel"], (None, None)),
        (&["Y\u{200b}es", "No"], (None, Some(2))),
        (&["Yes, and tell Claude what to do", "No"], (None, Some(2))),
        (&["Yes (option 2)", "No (default)"], (None, None)),
        (&["", "👍", "(", "(y)", "1.", "()"], (None, None)),
    ] {
        assert_eq!(chosen("claude", texts), want, "{texts:?}");
    }
    let mut same = options(&["Yes", "No"]);
    same[1].n = 1;
    assert_eq!(rows("claude", &same), super::Rows::default());
}

#[test]
fn a_person_presses_answers_but_no_standing_rows() {
    use DialogKind::{Decision, Login, Permission, Plan, Trust, UsageLimit};
    for (kind, text, want) in [
        (Permission, "Yes", Ok(())),
        (Permission, "No", Ok(())),
        (Permission, "Yes, deploy to staging", Ok(())),
        (Permission, "Yes, and don't ask again for cargo", Err(Standing::Remembered)),
        (Permission, "Never", Err(Standing::Remembered)),
        (Decision, "Postgres", Ok(())),
        (Decision, "Keep it in the session", Ok(())),
        (Decision, "Always validate", Ok(())),
        (Decision, "Yes, and don't ask again", Err(Standing::Remembered)),
        (Decision, "Bypass permissions", Err(Standing::Mode)),
        (Plan, "Yes, and auto-accept edits", Err(Standing::Mode)),
        (Plan, "Yes, and manually approve edits", Ok(())),
        (Trust, "Yes, proceed", Err(Standing::Trust)),
        (Trust, "No, exit", Ok(())),
        (UsageLimit, "Upgrade your plan", Err(Standing::Account)),
        (Login, "Anthropic Console account", Err(Standing::Account)),
    ] {
        assert_eq!(pressable(kind, text), want, "{kind:?} {text}");
    }
}
