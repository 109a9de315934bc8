//! What a row would grant or refuse: this one request, more than it, or neither.

use super::phrase::{columns, fold, holds, holds_any, opens_with};
use crate::domain::dialog::DialogKind;

/// Rows that say yes to this one request and to nothing else; everything else needs a person.
const ONCE: &[&str] = &[
    "yes",
    "y",
    "yes, proceed",
    "yes, just this once",
    "yes (approve once)",
    "yes, grant these permissions",
    "proceed",
    "allow",
    "allow once",
    "approve",
    "approve once",
    "run",
    "run once",
    "run the tool",
    "accept",
];

/// Rows that say no to this one request.
const NO: &[&str] = &[
    "no",
    "n",
    "no, suggest changes",
    "no, exit",
    "no, quit",
    "no, cancel",
    "no, deny",
    "no, keep planning",
    "no, continue without running it",
    "no, continue without permissions",
    "no, ask me to approve edits and commands",
    "deny",
    "reject",
    "reject & propose changes",
    "cancel",
    "skip",
    "exit",
    "quit",
    "do not allow",
    "don't allow",
    "don't trust",
    "do not trust",
];

/// Yes to a plan with every edit still asked for.
const PLAN_ONCE: &[&str] = &[
    "yes, and manually approve edits",
    "yes, manually approve edits",
    "yes, manually accept edits",
    "yes, and manually accept edits",
];

/// Wordings of rows that outlive the request: they are remembered, cover more than it, or change the mode.
const STANDING: &[&str] = &[
    "always",
    "ask again",
    "ask me again",
    "ask anymore",
    "never",
    "this session",
    "the session",
    "running session",
    "future sessions",
    "this conversation",
    "in the future",
    "all future",
    "from now on",
    "remember",
    "until",
    "all edits",
    "all actions",
    "all commands",
    "all tools",
    "all server tools",
    "all requests",
    "for all",
    "yes to all",
    "skip all",
    "approve all",
    "allow all",
    "these files",
    "this file",
    "this folder",
    "this directory",
    "this project",
    "this workspace",
    "this host",
    "every",
    "everything",
    "auto-accept",
    "auto accept",
    "auto-approve",
    "auto-run",
    "auto mode",
    "automatically",
    "bypass permissions",
    "allowlist",
    "allow list",
    "whitelist",
    "without asking",
    "in settings",
    "commands that start with",
    "commands in",
    "access to",
    "reading from",
    "shift+tab",
    "trust folder",
    "trust parent folder",
    "trust all",
    "i accept",
    "permanently",
    "forever",
];

/// In a choice the rows are the agent's own words; only what a program adds to them is more than an answer.
const STANDING_CHOICE: &[&str] = &["ask again", "ask me again", "never show again", "for this session"];

/// Yes, said to something that is remembered.
const YES_OPENINGS: &[&str] = &["yes", "trust", "allow", "accept", "use ", "proceed", "continue and"];

/// The words of a label that count: without the key hints in brackets and the description beside it.
pub(super) fn label(text: &str) -> String {
    let text = text.split(" — ").next().unwrap_or(text).trim();
    let text = columns(text).map_or(text, |(left, _)| left);
    let mut folded = fold(text);
    if let Some(rest) = folded.strip_prefix('[').and_then(|rest| rest.get(1..)).and_then(|rest| rest.strip_prefix("] "))
    {
        folded = rest.to_owned();
    }
    // `(y)es` is a word with its key marked, `yes (y)` a word with its key behind it.
    if let Some((key, rest)) = folded.strip_prefix('(').and_then(|rest| rest.split_once(')'))
        && rest.starts_with(char::is_alphabetic)
    {
        folded = format!("{key}{rest}");
    }
    while let Some((before, hint)) = folded.strip_suffix(')').and_then(|inner| inner.rsplit_once('(')) {
        if !keys(hint) {
            break;
        }
        let length = before.trim_end().len();
        folded.truncate(length);
    }
    folded.trim_end_matches(['.', '?']).to_owned()
}

/// Whether what stands in brackets is keys to press; anything else is part of the label.
fn keys(hint: &str) -> bool {
    const NAMES: &[&str] = &[
        "esc",
        "escape",
        "enter",
        "return",
        "tab",
        "space",
        "shift",
        "ctrl",
        "alt",
        "cmd",
        "or",
        "once",
        "recommended",
    ];
    let mut parts = hint.split([' ', '+', '/', ',']).filter(|part| !part.is_empty()).peekable();
    parts.peek().is_some() && parts.all(|part| part.len() == 1 || NAMES.contains(&part))
}

/// Whether the row grants or refuses more than the one request.
pub(super) fn standing(kind: DialogKind, trust_is_kept: bool, text: &str) -> bool {
    let whole = fold(text);
    match kind {
        DialogKind::Decision => holds_any(&whole, STANDING_CHOICE),
        DialogKind::UsageLimit => holds_any(&whole, &["ask again", "never show again"]),
        DialogKind::Login => false,
        DialogKind::Trust if refuses(text) => false,
        DialogKind::Trust => outlives(&whole) || trust_is_kept && opens_with(&label(text), YES_OPENINGS),
        DialogKind::Permission | DialogKind::Plan => outlives(&whole),
    }
}

fn outlives(whole: &str) -> bool {
    let label = label(whole);
    holds_any(whole, STANDING) || holds_any(&label, STANDING) || label == "all"
}

/// Whether a title or question makes every yes below it outlive the request.
pub(super) fn asks_for_good(text: &str) -> bool {
    holds_any(&fold(text), &["always allow", "don't ask again", "this session", "from now on", "all future"])
}

fn refuses(text: &str) -> bool {
    let label = label(text);
    NO.contains(&label.as_str()) || tells(&label) || label.starts_with("continue without")
}

/// `No, and tell Claude what to do differently`, whoever it is.
fn tells(label: &str) -> bool {
    label.starts_with("no, and tell ") && label.ends_with(" what to do differently")
        || label == "no, and tell the agent what to do instead"
}

/// Whether the row says yes to this one request.
pub(super) fn approves(kind: DialogKind, text: &str) -> bool {
    let label = label(text);
    match kind {
        DialogKind::Permission | DialogKind::Trust => ONCE.contains(&label.as_str()),
        DialogKind::Plan => PLAN_ONCE.contains(&label.as_str()) || label == "yes",
        DialogKind::Decision | DialogKind::UsageLimit | DialogKind::Login => false,
    }
}

/// Whether the row says no to this one request.
pub(super) fn denies(kind: DialogKind, text: &str) -> bool {
    match kind {
        DialogKind::Permission | DialogKind::Trust | DialogKind::Plan => refuses(text),
        DialogKind::Decision | DialogKind::UsageLimit | DialogKind::Login => false,
    }
}

/// Whether the row is one of a permission's at all.
pub(super) fn known(text: &str) -> bool {
    let whole = fold(text);
    let label = label(text);
    ONCE.contains(&label.as_str())
        || refuses(text)
        || outlives(&whole)
        || opens_with(&label, &["yes, ", "no, ", "allow ", "trust ", "don't "])
        || holds(&whole, "shift+tab")
}

/// Whether the row says no in any way, also for good.
pub(super) fn negative(text: &str) -> bool {
    let label = label(text);
    refuses(text) || label.starts_with("no,") || label.starts_with("no ") || label.starts_with("don't")
}

/// Whether the row says yes in any way, also for good.
pub(super) fn positive(text: &str) -> bool {
    let label = label(text);
    ONCE.contains(&label.as_str())
        || opens_with(&label, &["yes", "allow", "always allow", "approve", "run ", "confirm"])
}

#[cfg(test)]
mod tests {
    use super::*;

    const PERMISSION: DialogKind = DialogKind::Permission;

    #[test]
    fn labels_lose_their_hints() {
        for (text, expected) in [
            ("Yes, proceed (y)", "yes, proceed"),
            ("Run (once) (y)", "run"),
            ("(D)on't ask again", "don't ask again"),
            ("Allow — Run the tool and continue.", "allow"),
            ("[a] Trust this workspace", "trust this workspace"),
            ("No, and tell Claude what to do differently (esc)", "no, and tell claude what to do differently"),
        ] {
            assert_eq!(label(text), expected);
        }
    }

    #[test]
    fn rows_that_outlive_the_request_are_standing() {
        for text in [
            "Yes, and don\u{2019}t ask again for: npm run:*",
            "Yes, allow all edits during this session (shift+tab)",
            "Yes, and allow this host for this conversation (a)",
            "No, and block this host in the future (d)",
            "Yes, and approve `jq` for the rest of the running session",
            "Add Shell(ss) to allowlist? (tab)",
            "Allow all server tools for this session",
            "Yes, allow reading from src/ during this session",
            "(A)ll",
            "(S)kip all",
            "Run everything",
            "Yes, and auto-accept edits",
        ] {
            assert!(standing(PERMISSION, true, text), "{text}");
            assert!(!approves(PERMISSION, text), "{text}");
            assert!(!denies(PERMISSION, text), "{text}");
        }
    }

    #[test]
    fn rows_for_this_once_are_not() {
        for text in
            ["Yes", "Yes, proceed (y)", "Allow once", "Run (y) (enter)", "(Y)es", "y", "Yes, just this once (y)"]
        {
            assert!(approves(PERMISSION, text) && !standing(PERMISSION, true, text), "{text}");
        }
        for text in
            ["No", "No (esc)", "Reject (esc or p)", "No, suggest changes (esc)", "Cancel — Cancel this tool call"]
        {
            assert!(denies(PERMISSION, text) && !standing(PERMISSION, true, text), "{text}");
        }
        assert!(
            !approves(PERMISSION, "Modify with external editor") && !denies(PERMISSION, "Modify with external editor")
        );
    }
}
