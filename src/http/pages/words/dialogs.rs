//! The server's own words for dialogs: what is asked, why it is held, and what became of the answer.

use super::plural;
use crate::domain::class::Class;
use crate::domain::dialog::DialogKind;
use crate::domain::policy::Action;
use crate::domain::text::{self, Shown, show};
use crate::domain::verdict::{PolicySource, Verdict};

/// Longest name of a file or a host in a sentence; the page itself tells it whole.
const NAMED: usize = 48;

/// What a sentence tells of a dialog.
#[derive(Debug, Clone, Copy)]
pub struct Prompt<'a> {
    /// What sort of prompt.
    pub kind: DialogKind,
    /// What it asks for.
    pub class: Class,
    /// It would overwrite what a remote has.
    pub rewrites: bool,
    /// There is a command.
    pub command: bool,
    /// The files it names.
    pub files: &'a [String],
    /// The hosts it names.
    pub hosts: &'a [String],
}

/// What is asked for.
pub fn sentence(prompt: Prompt<'_>) -> String {
    match prompt.kind {
        DialogKind::Permission => permission(prompt),
        DialogKind::Decision => "Answer a choice of the agent".into(),
        DialogKind::Plan => "Agree to a plan".into(),
        DialogKind::Trust => "Trust a folder".into(),
        DialogKind::UsageLimit => "Answer the provider's usage limit".into(),
        DialogKind::Login => "Choose how to sign in".into(),
    }
}

fn permission(prompt: Prompt<'_>) -> String {
    match (prompt.class, prompt.files, prompt.hosts) {
        (Class::CredentialAccess, ..) => "Get at secrets".into(),
        (Class::PushRemote, ..) if prompt.rewrites => "Push to a remote, rewriting history".into(),
        (Class::PushRemote, ..) => "Push to a remote".into(),
        (Class::Install, ..) => "Install software".into(),
        (Class::DeviceAccess, ..) => "Reach a device or the system's settings".into(),
        (Class::NetworkAccess, _, [host]) => format!("Reach {}", named(host)),
        (Class::NetworkAccess, _, [_, _, ..]) => format!("Reach {} other hosts", prompt.hosts.len()),
        (Class::NetworkAccess, ..) => "Reach another host".into(),
        (Class::Deletion, [file], _) => format!("Delete {}", named(file)),
        (Class::Deletion, ..) => "Delete files".into(),
        (Class::FileWrite, [file], _) => format!("Write {}", named(file)),
        (Class::FileWrite, [], _) => "Write a file".into(),
        (Class::FileWrite, files, _) => format!("Write {}", plural(files.len(), "file")),
        (Class::CommandExec, ..) => "Run a command".into(),
        (Class::Unknown, ..) if prompt.command => "Run a command of no known kind".into(),
        (Class::Unknown, ..) => "Answer a prompt of no known kind".into(),
    }
}

/// A name within a sentence: what cannot be seen in it becomes visible, and of a long one the end is told.
fn named(name: &str) -> String {
    let whole = plain(&show(name, text::Kind::Command));
    let count = whole.chars().count();
    if count <= NAMED { whole } else { format!("…{}", whole.chars().skip(count - NAMED).collect::<String>()) }
}

/// The pieces of a shown text without their looks, for places that take words alone.
pub fn plain(shown: &Shown) -> String {
    shown.tokens.iter().map(|token| token.text.as_str()).collect()
}

/// A row as a button names it: its number and the beginning of its text, without hints of keys.
pub fn row(n: u32, label: &str, room: usize) -> String {
    let whole = plain(&show(label, text::Kind::Command));
    let words = whole
        .split(" (")
        .next()
        .unwrap_or_default()
        .split(", and ")
        .next()
        .unwrap_or_default()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    let mut short: String = words.chars().take(room).collect();
    if short.len() < words.len() {
        short = short.rsplit_once(' ').map_or(short.clone(), |(head, _)| head.trim_end_matches(',').to_owned());
        short.push('…');
    }
    format!("{n}. {short}")
}

/// A class as a person says it.
pub const fn class(class: Class) -> &'static str {
    match class {
        Class::CredentialAccess => "Secrets",
        Class::PushRemote => "Push to a remote",
        Class::Install => "Installation",
        Class::DeviceAccess => "Device or system",
        Class::NetworkAccess => "Network",
        Class::Deletion => "Deletion",
        Class::FileWrite => "Writing a file",
        Class::CommandExec => "Running a command",
        Class::Unknown => "Unknown",
    }
}

/// The class of a dialog by its stored word; nothing for what is no dialog.
pub fn class_of(word: Option<&str>) -> Option<&'static str> {
    word.map(|word| class(Class::from_word(word).unwrap_or(Class::Unknown)))
}

/// What the policy does with a class, for a list of them.
pub const fn action(class: Class, action: Action) -> &'static str {
    match action {
        Action::AutoApprove if class.can_be_scoped() => "approves, if proven to stay inside",
        // The bounds refuse this setting; should it be there all the same, it is held.
        Action::AutoApprove | Action::Hold => "asks a person",
        Action::AutoDeny => "refuses",
    }
}

/// Why a verdict is what it is, as a sentence; a judgement's own reasons say it better where there are any.
pub const fn source(source: PolicySource, verdict: Verdict) -> &'static str {
    match source {
        PolicySource::LaneClass => match verdict {
            Verdict::AutoApprove => "This lane's policy approves this class where it is proven to stay inside.",
            Verdict::AutoDeny => "This lane's policy refuses this class.",
            Verdict::Hold => "This lane's policy leaves this class to people.",
        },
        PolicySource::GlobalClass => match verdict {
            Verdict::AutoApprove => "The policy approves this class where it is proven to stay inside.",
            Verdict::AutoDeny => "The policy refuses this class.",
            Verdict::Hold => "The policy leaves this class to people.",
        },
        PolicySource::Paused => "Everything is paused: no policy answers.",
        PolicySource::LegacyRule => "A confirmed rule covers it, while supervision is off.",
        PolicySource::MasterOff => "Supervision is off: people answer every dialog.",
        PolicySource::LaneOff => "Supervision is off in this lane: people answer its dialogs.",
        PolicySource::Capture => "The screen could not be read whole.",
        PolicySource::AlwaysEscalate => "Always held: no policy and no rule answers this.",
        PolicySource::DecisionClass => "Not a permission but a choice: a person makes it.",
        PolicySource::RunnerTaint => "Something that tests or builds run has changed, and nobody has looked since.",
        PolicySource::NotRepoScoped => "Not proven to stay inside the repository.",
        PolicySource::AmbiguousOptions => "No single row of the dialog just says yes or no.",
        PolicySource::LearnedRule => "A confirmed rule covers it.",
        PolicySource::Person => "A person decided.",
    }
}

/// Why nothing was pressed, as the end of a sentence.
pub fn skip(reason: &str) -> String {
    let known = match reason {
        "latch_held" => "a key was pressed for it before",
        "capture_timeout" => "the pane could not be read in time",
        "capture_failed" => "the pane could not be read",
        "state_changed" => "the screen no longer shows what was decided",
        "dialog_present" => "a dialog is in the way",
        "usage_limit_menu" => "the provider's usage limit is in the way",
        "pane_in_mode" => "somebody is scrolling in the pane",
        "not_idle" => "the agent is working",
        "policy_changed" => "the policy says otherwise by now",
        "paused" => "everything is paused",
        other => return plain(&show(other, text::Kind::Command)),
    };
    known.into()
}

/// Why it is not known to have worked, as the end of a sentence.
pub fn failure(reason: &str) -> String {
    match reason {
        "no_report" => "the pane client never reported back".into(),
        "interrupted" => "the pane client was interrupted while it pressed".into(),
        "not_noted_before_key" => "the pane client could not write down that it begins, so nothing was typed".into(),
        "standing_option" => "the row grants more than this request, so nothing was pressed".into(),
        "no_key_for_option" => "no key is known for the row, so nothing was pressed".into(),
        "row_not_on_screen" => "the row could not be found on the screen, so nothing was typed".into(),
        "text_not_allowed" => "the text begins like a command, so nothing was typed".into(),
        "unknown_if_typed" => "tmux did not say whether it typed".into(),
        "dialog_stayed" => "the dialog was still there after its key".into(),
        "dialog_changed" => "the dialog changed while its mark was moved, so nothing was confirmed".into(),
        "mark_moved" => "the mark was not seen on the row, so nothing was confirmed".into(),
        "pane_gone" => "the pane ended with its key".into(),
        "pane_lost" => "the pane could not be read after its key".into(),
        "pane_in_mode" => "somebody began to scroll, so the text was not sent".into(),
        "text_not_seen" => "the text was not seen in the composer, so it was not sent".into(),
        "text_stayed" => "the text was still in the composer after Enter".into(),
        "dialog_before_enter" => "a dialog came up before Enter, so the text was not sent".into(),
        "screen_moved_before_enter" => "the screen kept changing, so the text was not sent".into(),
        other => plain(&show(other, text::Kind::Command)),
    }
}

/// Why a dialog is no longer on the screen.
pub fn end(reason: &str) -> String {
    match reason {
        "answered_locally" => "It was answered at the terminal.".into(),
        "vanished" => "It is no longer on the screen.".into(),
        "changed" => "Another dialog took its place on the screen.".into(),
        other => plain(&show(other, text::Kind::Prose)),
    }
}

/// The same in a list.
pub fn ended_briefly(reason: Option<&str>) -> &'static str {
    match reason {
        Some("answered_locally") => "answered at the terminal",
        _ => "no longer on the screen",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_say_what_a_dialog_asks_for() {
        let prompt = Prompt {
            kind: DialogKind::Permission,
            class: Class::CommandExec,
            rewrites: false,
            command: true,
            files: &[],
            hosts: &[],
        };
        let (file, host) = (["src/x.rs".to_owned()], ["example.com".to_owned()]);
        let cases = [
            (prompt, "Run a command"),
            (Prompt { kind: DialogKind::Decision, ..prompt }, "Answer a choice of the agent"),
            (Prompt { class: Class::PushRemote, rewrites: true, ..prompt }, "Push to a remote, rewriting history"),
            (Prompt { class: Class::FileWrite, files: &file, ..prompt }, "Write src/x.rs"),
            (Prompt { class: Class::FileWrite, ..prompt }, "Write a file"),
            (Prompt { class: Class::NetworkAccess, hosts: &host, ..prompt }, "Reach example.com"),
            (Prompt { class: Class::Unknown, command: false, ..prompt }, "Answer a prompt of no known kind"),
        ];
        for (prompt, want) in cases {
            assert_eq!(sentence(prompt), want);
        }
        let hidden = ["a\u{202e}b".to_owned()];
        assert_eq!(sentence(Prompt { class: Class::Deletion, files: &hidden, ..prompt }), "Delete aU+202Eb");
        let long = [format!("{}/x.rs", "a".repeat(200))];
        let told = sentence(Prompt { class: Class::FileWrite, files: &long, ..prompt });
        assert!(told.starts_with("Write …a") && told.ends_with("a/x.rs") && told.chars().count() < 60, "{told}");
    }

    #[test]
    fn a_button_names_a_row_by_its_beginning() {
        assert_eq!(row(1, "Yes", 20), "1. Yes");
        assert_eq!(row(3, "No, and tell Claude what to do differently (esc)", 12), "3. No");
        assert_eq!(row(1, "Yes, proceed with all of it", 15), "1. Yes, proceed…");
        assert_eq!(row(1, "Allow once", 15), "1. Allow once");
        assert_eq!(row(3, "No (esc)", 12), "3. No");
        assert_eq!(row(2, "Ja\u{200b}wohl", 20), "2. JaU+200Bwohl");
    }

    #[test]
    fn an_unknown_reason_is_shown_as_it_is() {
        assert_eq!(skip("not_idle"), "the agent is working");
        assert_eq!(skip("x\u{202e}"), "xU+202E");
        assert_eq!(failure("no_report"), "the pane client never reported back");
        assert_eq!(end("vanished"), "It is no longer on the screen.");
    }
}
