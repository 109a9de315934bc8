//! How much a wrong approval could cost, which sets the gesture and the proof that the review page asks for.

use serde::{Deserialize, Serialize};

use super::ask::Kind;

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
/// `high_actions` (exact, or a prefix that ends in `.*`) is high (contract, section 5).
pub fn of_ask(kind: Kind, action: &str, high_actions: &[String]) -> Risk {
    // The agent chooses the word: another spelling of it must not be another risk.
    let folded = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_ascii_lowercase();
    let action = folded(action);
    let high = high_actions.iter().map(|pattern| folded(pattern)).any(|pattern| match pattern.strip_suffix(".*") {
        Some(prefix) => action == prefix || action.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('.')),
        None => action == pattern,
    });
    match kind {
        _ if high => Risk::High,
        Kind::Question => Risk::Low,
        Kind::Change => Risk::Medium,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            assert_eq!(of_ask(kind, action, &high), want, "{kind:?} {action}");
        }
        assert_eq!(Risk::from_word("?"), Risk::High);
    }
}
