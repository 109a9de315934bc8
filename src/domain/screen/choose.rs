//! What a row would grant or refuse: this one request, more than it, or neither.

use super::AgentKind;
use super::phrase::{columns, fold, holds_any, opens_with};
use super::rules::rows::{LEAVES, LEAVING, PLAN_ONCE, STANDING, STANDING_CHOICE, YES_OPENINGS};
use crate::domain::choice;
use crate::domain::dialog::{DialogKind, DialogOption};

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
        // `Run (once)` says no more than `Run`, but is no key.
        if !choice::is_keys(hint) && hint != "once" {
            break;
        }
        let length = before.trim_end().len();
        folded.truncate(length);
    }
    folded.trim_end_matches(['.', '?']).to_owned()
}

/// What a row says by the words that consent and refuse, whatever is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    Yes,
    No,
    Other,
}

/// The words of consent are one list for the whole product: what is not on it cannot be pressed.
fn word(agent: AgentKind, text: &str) -> Word {
    let option = [DialogOption { n: 1, text: text.to_owned(), selected: false }];
    let rows = choice::rows(agent.as_str(), &option);
    match (rows.approve, rows.deny) {
        (Some(_), None) => Word::Yes,
        (None, Some(_)) => Word::No,
        _ => Word::Other,
    }
}

/// A prompt, for what its rows mean.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prompt {
    /// Whose it is.
    pub agent: AgentKind,
    /// What sort.
    pub kind: DialogKind,
    /// Trust that is given is remembered.
    pub kept: bool,
}

impl Prompt {
    /// Whether the row grants or refuses more than the one request.
    pub(super) fn stands(self, text: &str) -> bool {
        let whole = fold(text);
        match self.kind {
            DialogKind::Decision => holds_any(&whole, STANDING_CHOICE),
            DialogKind::UsageLimit => holds_any(&whole, &["ask again", "never show again"]),
            DialogKind::Login => false,
            DialogKind::Trust => outlives(&whole) || self.kept && opens_with(&label(text), YES_OPENINGS),
            DialogKind::Permission => {
                outlives(&whole) || choice::pressable(self.kind, text).is_err() || self.widens(text)
            }
            DialogKind::Plan => outlives(&whole) || choice::pressable(self.kind, text).is_err(),
        }
    }

    /// A yes that adds something no list knows: it may grant more, and is taken as if it did.
    fn widens(self, text: &str) -> bool {
        let label = label(text);
        let adds = opens_with(&label, &["yes, and ", "yes and ", "allow ", "approve "]);
        adds && word(self.agent, text) == Word::Other && !holds_any(&label, &["tell"])
    }

    /// Whether the row says yes to this one request.
    pub(super) fn approves(self, text: &str) -> bool {
        let yes = word(self.agent, text) == Word::Yes;
        match self.kind {
            DialogKind::Permission | DialogKind::Trust => yes && !self.stands(text),
            DialogKind::Plan => (yes || PLAN_ONCE.contains(&label(text).as_str())) && !self.stands(text),
            DialogKind::Decision | DialogKind::UsageLimit | DialogKind::Login => false,
        }
    }

    /// Whether the row says no to this one request.
    pub(super) fn denies(self, text: &str) -> bool {
        match self.kind {
            DialogKind::Permission => word(self.agent, text) == Word::No && !self.stands(text),
            DialogKind::Plan => negative(self.agent, text) && !self.stands(text),
            DialogKind::Trust => self.leaves(text),
            DialogKind::Decision | DialogKind::UsageLimit | DialogKind::Login => false,
        }
    }

    fn leaves(self, text: &str) -> bool {
        let label = label(text);
        let leaves =
            LEAVES.contains(&label.as_str()) || opens_with(&label, LEAVING) || word(self.agent, text) == Word::No;
        leaves && !outlives(&fold(text))
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

/// Whether the row is one of a permission's at all.
pub(super) fn known(agent: AgentKind, text: &str) -> bool {
    let openings = ["yes, ", "no, ", "allow ", "trust ", "don't "];
    word(agent, text) != Word::Other || outlives(&fold(text)) || opens_with(&label(text), &openings)
}

/// Whether the row says no in any way, also for good.
pub(super) fn negative(agent: AgentKind, text: &str) -> bool {
    word(agent, text) == Word::No || opens_with(&label(text), &["no,", "no ", "don't", "do not", "quit"])
}

/// Whether the row says yes in any way, also for good.
pub(super) fn positive(agent: AgentKind, text: &str) -> bool {
    let label = label(text);
    let opens = |words: &&str| label.strip_prefix(words).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
    word(agent, text) == Word::Yes || ["yes", "allow", "always allow", "approve", "run", "confirm"].iter().any(opens)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn permission(agent: AgentKind) -> Prompt {
        Prompt { agent, kind: DialogKind::Permission, kept: true }
    }

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
        for (agent, text) in [
            (AgentKind::Claude, "Yes, and don\u{2019}t ask again for: npm run:*"),
            (AgentKind::Claude, "Yes, allow all edits during this session (shift+tab)"),
            (AgentKind::Claude, "Yes, allow reading from src/ during this session"),
            (AgentKind::Claude, "Yes, and auto-accept edits"),
            (AgentKind::Codex, "Yes, and allow this host for this conversation (a)"),
            (AgentKind::Codex, "No, and block this host in the future (d)"),
            (AgentKind::Copilot, "Yes, and approve `jq` for the rest of the running session"),
            (AgentKind::Cursor, "Add Shell(ss) to allowlist? (tab)"),
            (AgentKind::Cursor, "Run everything"),
            (AgentKind::Gemini, "Allow all server tools for this session"),
            (AgentKind::Aider, "(A)ll"),
            (AgentKind::Aider, "(S)kip all"),
        ] {
            let prompt = permission(agent);
            assert!(prompt.stands(text) && !prompt.approves(text) && !prompt.denies(text), "{text}");
        }
    }

    #[test]
    fn rows_for_this_once_are_not() {
        for (agent, text) in [
            (AgentKind::Claude, "Yes"),
            (AgentKind::Codex, "Yes, proceed (y)"),
            (AgentKind::Codex, "Yes, just this once (y)"),
            (AgentKind::Gemini, "Allow once"),
            (AgentKind::Cursor, "Run (y) (enter)"),
            (AgentKind::Cursor, "Run (once) (y)"),
            (AgentKind::Aider, "(Y)es"),
            (AgentKind::Generic, "y"),
        ] {
            let prompt = permission(agent);
            assert!(prompt.approves(text) && !prompt.denies(text) && !prompt.stands(text), "{text}");
        }
        for (agent, text) in [
            (AgentKind::Claude, "No (esc)"),
            (AgentKind::Cursor, "Reject (esc or p)"),
            (AgentKind::Cursor, "Reject & propose changes (esc or n or p)"),
            (AgentKind::Gemini, "No, suggest changes (esc)"),
            (AgentKind::Codex, "Cancel — Cancel this tool call"),
        ] {
            let prompt = permission(agent);
            assert!(prompt.denies(text) && !prompt.approves(text) && !prompt.stands(text), "{text}");
        }
        let trust = Prompt { kind: DialogKind::Trust, ..permission(AgentKind::Claude) };
        assert!(trust.denies("No, exit") && !trust.denies("No, and never ask again"));
        let prompt = permission(AgentKind::Gemini);
        assert!(!prompt.approves("Modify with external editor") && !prompt.denies("Modify with external editor"));
    }
}
