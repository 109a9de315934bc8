//! How much a wrong approval could cost, which sets the gesture and the proof that the review page asks for.

use serde::{Deserialize, Serialize};

use super::ask::{Ask, Kind};
use super::class::{self, Class};
use super::dialog::DialogKind;
use super::reading;
use super::veto;

/// Three steps; the order is the order of danger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Risk {
    /// A tap.
    Low,
    /// A held button.
    Medium,
    /// A fresh password and a reason.
    High,
}

impl Risk {
    /// The word on the wire and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }

    /// Reads the word; anything unknown is high, because doubt holds.
    pub fn from_word(word: &str) -> Self {
        match word {
            "low" => Self::Low,
            "medium" => Self::Medium,
            _ => Self::High,
        }
    }
}

/// The risk of what an agent proposes: questions are low, changes medium, and an action that matches one of
/// `high_actions` (exact, or a prefix that ends in `.*`) is high. A change's command is classified too, and the higher
/// risk counts (contract, section 5).
pub fn of_ask(ask: &Ask, high_actions: &[String]) -> Risk {
    let by_kind = match ask.kind {
        Kind::Question => Risk::Low,
        Kind::Change => Risk::Medium,
        // A dialog's risk comes of its judgement; by its words alone nothing is known of it.
        Kind::Dialog => Risk::High,
    };
    let by_action = if is_high(&ask.action, high_actions) { Risk::High } else { Risk::Low };
    by_kind.max(by_action).max(ask.command.as_deref().map_or(Risk::Low, of_command))
}

fn is_high(action: &str, high_actions: &[String]) -> bool {
    // The agent chooses the word: another spelling of it must not be another risk.
    let folded = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_ascii_lowercase();
    let action = folded(action);
    high_actions.iter().map(|pattern| folded(pattern)).any(|pattern| match pattern.strip_suffix(".*") {
        Some(prefix) => action == prefix || action.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('.')),
        None => action == pattern,
    })
}

/// The risk of a command of which nothing is proven.
pub fn of_command(command: &str) -> Risk {
    let reading = reading::read(command);
    if veto::find(&reading).is_some() { Risk::High } else { of_class(class::of_command(&reading), false) }
}

/// The risk of a dialog by its class and kind, whether it is proven to stay inside, and whether the veto hit.
pub fn of_dialog(class: Class, kind: DialogKind, (repo_scoped, veto): (bool, bool)) -> Risk {
    match kind {
        _ if veto => Risk::High,
        // A choice between ways is not the unknown; what marks it still counts.
        DialogKind::Decision if class == Class::Unknown => Risk::Medium,
        DialogKind::Decision => of_class(class, false),
        _ => of_class(class, repo_scoped),
    }
}

const fn of_class(class: Class, repo_scoped: bool) -> Risk {
    match class {
        Class::CommandExec | Class::FileWrite if repo_scoped => Risk::Low,
        Class::CommandExec | Class::FileWrite | Class::NetworkAccess => Risk::Medium,
        Class::CredentialAccess
        | Class::PushRemote
        | Class::Install
        | Class::DeviceAccess
        | Class::Deletion
        | Class::Unknown => Risk::High,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::ask::samples;

    #[test]
    fn actions_and_kinds_give_the_risk() {
        let high = ["egress.*".to_owned(), "prod".to_owned()];
        for (kind, action, want) in [
            (Kind::Question, "choose", Risk::Low),
            (Kind::Change, "edit", Risk::Medium),
            (Kind::Change, "egress.allow", Risk::High),
            (Kind::Change, "egress", Risk::High),
            (Kind::Change, "Egress.X", Risk::High),
            (Kind::Change, "egress .x", Risk::High),
            (Kind::Change, "egressive", Risk::Medium),
            (Kind::Change, "prod", Risk::High),
            (Kind::Change, "prod.x", Risk::Medium),
            (Kind::Question, "egress.why", Risk::High),
        ] {
            assert_eq!(of_ask(&ask(kind, action, None), &high), want, "{kind:?} {action}");
        }
        assert_eq!(Risk::from_word("?"), Risk::High);
    }

    fn ask(kind: Kind, action: &str, command: Option<&str>) -> Ask {
        Ask { kind, action: action.to_owned(), command: command.map(str::to_owned), ..samples::change() }
    }

    #[test]
    fn a_changes_command_counts() {
        for (command, want) in [
            ("cargo test", Risk::Medium),
            ("curl https://a.example", Risk::Medium),
            ("git push", Risk::High),
            ("cat .env", Risk::High),
            ("bash -c 'rm x'", Risk::High),
            ("git reset --hard", Risk::High),
        ] {
            assert_eq!(of_ask(&ask(Kind::Change, "edit", Some(command)), &[]), want, "{command}");
        }
    }

    #[test]
    fn dialogs_have_the_contracts_risk() {
        use DialogKind::{Decision, Permission};
        for (class, kind, scoped, veto, want) in [
            (Class::CommandExec, Permission, true, false, Risk::Low),
            (Class::FileWrite, Permission, true, false, Risk::Low),
            (Class::CommandExec, Permission, false, false, Risk::Medium),
            (Class::FileWrite, Permission, false, false, Risk::Medium),
            (Class::NetworkAccess, Permission, true, false, Risk::Medium),
            (Class::Deletion, Permission, true, false, Risk::High),
            (Class::CredentialAccess, Permission, false, false, Risk::High),
            (Class::PushRemote, Permission, false, false, Risk::High),
            (Class::Install, Permission, false, false, Risk::High),
            (Class::DeviceAccess, Permission, false, false, Risk::High),
            (Class::Unknown, Permission, false, false, Risk::High),
            (Class::CommandExec, Permission, true, true, Risk::High),
            (Class::Unknown, Decision, false, false, Risk::Medium),
            (Class::CommandExec, Decision, true, false, Risk::Medium),
            (Class::Install, Decision, false, false, Risk::High),
        ] {
            assert_eq!(of_dialog(class, kind, (scoped, veto)), want, "{class:?} {kind:?} {scoped} {veto}");
        }
    }
}
