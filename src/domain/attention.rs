//! Why a person is needed: stable words, and the sentence that each opens with.

use serde::{Deserialize, Serialize};

use super::access::Verb;
use super::verdict::words;

words! {
    /// Why a person is needed, beyond the changes and questions that wait by themselves.
    Cause {
        /// A dialog waits for an answer.
        Held "held",
        /// A dialog waits, and nobody may answer it.
        NoApprover "no_approver",
        /// A dialog was rejected, and no row of it just says no.
        NoDenyRow "no_deny_row",
        /// An answer was taken to be typed, and nobody said what became of it.
        NoReport "no_report",
        /// An answer was typed, and it is not known to have worked.
        OrderFailed "order_failed",
        /// An answer could not be typed.
        OrderSkipped "order_skipped",
        /// A pane shows a menu that no rule knows.
        Drift "drift",
        /// Mail could not be handed over.
        MailUndelivered "mail_undelivered",
        /// A message between agents came to nothing.
        MessageFailed "message_failed",
        /// An agent has work and does nothing.
        Stalled "stalled",
    }
}

impl Cause {
    /// What people read first; the episode's own sentence follows.
    pub const fn head(self) -> &'static str {
        match self {
            Self::Held => "A dialog waits",
            Self::NoApprover => "Nobody may decide",
            Self::NoDenyRow => "Close it at the terminal",
            Self::NoReport => "An answer is lost from sight",
            Self::OrderFailed => "An answer may not have worked",
            Self::OrderSkipped => "An answer could not be given",
            Self::Drift => "A menu that is not known",
            Self::MailUndelivered => "Mail is not delivered",
            Self::MessageFailed => "A message between agents failed",
            Self::Stalled => "An agent has stalled",
        }
    }

    /// What somebody has to be allowed who is asked to see to it.
    pub const fn asks_for(self) -> Verb {
        match self {
            // Only a grant helps, which an admin gives.
            Self::NoApprover => Verb::Pause,
            _ => Verb::Nudge,
        }
    }

    /// Whether the episode is a proposal that waits, and is listed and counted as that.
    pub const fn is_the_proposal(self) -> bool {
        matches!(self, Self::Held)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cause_has_its_word_and_its_sentence() {
        for cause in Cause::ALL {
            assert_eq!(Cause::from_word(cause.as_str()), Some(*cause));
            assert!(cause.head().starts_with(|first: char| first.is_ascii_uppercase()), "{cause:?}");
        }
        assert_eq!(Cause::from_word("bored"), None);
    }
}
