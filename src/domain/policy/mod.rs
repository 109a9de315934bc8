//! The supervision policy: what an admin writes, and what holds for one lane.

pub mod diff;
pub mod file;
pub mod hosts;
pub mod patch;
pub mod takes;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::class::Class;
use super::verdict::words;

words! {
    /// What the policy does with a class.
    Action {
        /// Answer yes, when proven and unambiguous.
        AutoApprove "auto_approve",
        /// Answer no.
        AutoDeny "auto_deny",
        /// Ask a person.
        Hold "hold",
    }
}

words! {
    /// How mail reaches a supervised lane.
    #[derive(Default)]
    MailMode {
        #[default]
        /// One line that says there is mail.
        Nudge "nudge",
        /// The mail itself.
        FullBody "full_body",
    }
}

/// Classes that are set; one that is not in it inherits.
pub type Classes = BTreeMap<Class, Action>;

/// The global part, complete; what was never set has its shipped value (contract, section 6).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default)]
pub struct Global {
    /// The master switch.
    pub enabled: bool,
    /// What is done with each class; all nine are there.
    pub classes: Classes,
    /// How mail is delivered.
    pub mail_mode: MailMode,
    /// The line that wakes an agent. 1–500 characters, no control characters.
    pub nudge_text: String,
    /// Minutes after which a quiet agent counts as stalled. 1–1440.
    pub stall_mins: u32,
    /// Nudges before a stall is escalated. 0–10.
    pub nudge_retries: u32,
    /// Hosts that a request may name and still be scoped: a host, or `https://host` for https alone.
    pub network_hosts: Vec<String>,
    /// Actions of high risk: exact, or a prefix that ends in `.*`.
    pub high_actions: Vec<String>,
    /// Every approval needs a reason, not only those of high risk.
    pub require_reason: bool,
}

/// One lane's own part; what is missing inherits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default)]
pub struct Lane {
    /// The lane's switch; off while it was never set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enabled: Option<bool>,
    /// Only the classes that differ.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub classes: Classes,
    /// How mail is delivered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mail_mode: Option<MailMode>,
    /// The line that wakes an agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nudge_text: Option<String>,
    /// Minutes after which a quiet agent counts as stalled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stall_mins: Option<u32>,
    /// Nudges before a stall is escalated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nudge_retries: Option<u32>,
    /// The lane has work even without unread mail.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expect_work: Option<bool>,
}

/// One version of the whole policy, as it is stored and exported: `[supervision]`, `[supervision.classes]`, `[lanes.L]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default)]
pub struct Document {
    /// For every lane.
    pub supervision: Global,
    /// By the lane's name.
    pub lanes: BTreeMap<String, Lane>,
}

/// What was decided about a class, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct Mapped {
    /// What is done.
    pub action: Action,
    /// Set by the lane itself.
    pub own: bool,
}

/// Both keys, resolved once: nothing but `Both` acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keys {
    /// Master and lane are on.
    Both,
    /// The master switch is off.
    MasterOff,
    /// The lane's switch is off.
    LaneOff,
}

/// What holds for one lane.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct Effective {
    /// Both switches are on.
    pub enabled: bool,
    /// The two keys.
    #[serde(skip)]
    pub keys: Keys,
    /// All nine.
    #[serde(serialize_with = "actions")]
    #[schema(value_type = BTreeMap<Class, Action>)]
    pub classes: BTreeMap<Class, Mapped>,
    /// How mail is delivered.
    pub mail_mode: MailMode,
    /// The line that wakes an agent.
    pub nudge_text: String,
    /// Minutes.
    pub stall_mins: u32,
    /// Nudges.
    pub nudge_retries: u32,
    /// The lane has work even without unread mail.
    pub expect_work: bool,
    /// Hosts that a scoped request may name.
    pub network_hosts: Vec<String>,
}

/// On the wire a class has its action; whether the lane set it itself stands in the lane's own part.
fn actions<S: serde::Serializer>(classes: &BTreeMap<Class, Mapped>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(classes.iter().map(|(class, mapped)| (class, mapped.action)))
}

impl Default for Global {
    fn default() -> Self {
        let shipped = |class: &Class| match class {
            Class::CommandExec | Class::FileWrite => Action::AutoApprove,
            _ => Action::Hold,
        };
        let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
        Self {
            enabled: false,
            classes: Class::ALL.iter().map(|class| (*class, shipped(class))).collect(),
            mail_mode: MailMode::Nudge,
            nudge_text: "Check your Countersign mail and act on it.".to_owned(),
            stall_mins: 20,
            nudge_retries: 2,
            network_hosts: words(&["localhost", "127.0.0.1", "https://github.com"]),
            high_actions: words(&["egress.*", "capability.*", "token.*", "deploy.*"]),
            require_reason: false,
        }
    }
}

impl Document {
    /// What holds for a lane, field by field; a lane that is not in it is off.
    pub fn resolve(&self, lane: &str) -> Effective {
        let none = Lane::default();
        let own = self.lanes.get(lane).unwrap_or(&none);
        let global = &self.supervision;
        let keys = match (global.enabled, own.enabled) {
            (false, _) => Keys::MasterOff,
            (true, Some(true)) => Keys::Both,
            (true, _) => Keys::LaneOff,
        };
        let mapped = |class: Class| match (own.classes.get(&class), global.classes.get(&class)) {
            (Some(&action), _) => Mapped { action, own: true },
            // A class that a stored document lacks holds.
            (None, inherited) => Mapped { action: inherited.copied().unwrap_or(Action::Hold), own: false },
        };
        Effective {
            enabled: keys == Keys::Both,
            keys,
            classes: Class::ALL.iter().map(|&class| (class, mapped(class))).collect(),
            mail_mode: own.mail_mode.unwrap_or(global.mail_mode),
            nudge_text: own.nudge_text.clone().unwrap_or_else(|| global.nudge_text.clone()),
            stall_mins: own.stall_mins.unwrap_or(global.stall_mins),
            nudge_retries: own.nudge_retries.unwrap_or(global.nudge_retries),
            expect_work: own.expect_work.unwrap_or(false),
            network_hosts: global.network_hosts.clone(),
        }
    }
}

impl Effective {
    /// What is done with a class.
    pub fn of(&self, class: Class) -> Mapped {
        self.classes.get(&class).copied().unwrap_or(Mapped { action: Action::Hold, own: false })
    }
}

#[cfg(test)]
mod tests;
