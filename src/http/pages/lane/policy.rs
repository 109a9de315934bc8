//! What is answered in a lane without a person, to be read and not to be changed from here.

use crate::domain::class::Class;
use crate::domain::policy::{Action, Document, Effective, Keys, MailMode};
use crate::domain::text::{Kind, Shown, show};
use crate::http::pages::words;

/// A lane's policy.
#[derive(Debug)]
pub struct Policy {
    /// Its version.
    pub version: i64,
    /// The master switch.
    pub master: bool,
    /// The lane's switch.
    pub lane: bool,
    /// The nine classes.
    pub rows: Vec<ClassRow>,
    /// How mail is delivered.
    pub mail: &'static str,
    /// The line that wakes an agent.
    pub nudge_text: Shown,
    /// When a quiet agent counts as stalled, and how often it is nudged before a person is called.
    pub stalled: String,
    /// The lane has work even without unread mail.
    pub expect_work: bool,
    /// Hosts that a request may name and still stay inside.
    pub hosts: Vec<Shown>,
}

/// A class in the grid.
#[derive(Debug)]
pub struct ClassRow {
    /// The class in words.
    pub name: &'static str,
    /// Its word.
    pub word: &'static str,
    /// What is done, in words.
    pub does: &'static str,
    /// What is done.
    pub action: &'static str,
    /// The lane says so itself.
    pub own: bool,
}

impl Policy {
    /// Whether both keys are turned.
    pub fn both(&self) -> bool {
        self.master && self.lane
    }
}

/// The policy as it holds for a lane.
pub(super) fn policy(version: i64, document: &Document, lane: &str) -> Policy {
    let effective = document.resolve(lane);
    let row = |&class: &Class| {
        let mapped = effective.of(class);
        let certain = mapped.action != Action::AutoApprove || class.can_be_scoped();
        ClassRow {
            name: words::dialogs::class(class),
            word: class.as_str(),
            does: words::dialogs::action(class, mapped.action),
            // What the bounds refuse is held, whatever a stored document says.
            action: if certain { mapped.action } else { Action::Hold }.as_str(),
            own: mapped.own,
        }
    };
    Policy {
        version,
        master: document.supervision.enabled,
        lane: document.lanes.get(lane).is_some_and(|own| own.enabled == Some(true)),
        rows: Class::ALL.iter().map(row).collect(),
        mail: match effective.mail_mode {
            MailMode::Nudge => "a line says that there is mail",
            MailMode::FullBody => "the mail itself is typed",
        },
        nudge_text: show(&effective.nudge_text, Kind::Prose),
        stalled: stalled(&effective),
        expect_work: effective.expect_work,
        hosts: effective.network_hosts.iter().map(|host| show(host, Kind::Command)).collect(),
    }
}

/// There is always one nudge: the limit counts those before a person is called.
fn stalled(effective: &Effective) -> String {
    let many = |count: u32, noun| words::plural(usize::try_from(count).unwrap_or_default(), noun);
    let (quiet, nudges) = (many(effective.stall_mins, "minute"), many(effective.nudge_retries.max(1), "nudge"));
    format!("after {quiet} without a change; a person is called after {nudges}")
}

/// Whether a lane's dialogs are answered without a person, in words; true when they are.
pub fn supervised(keys: Keys, paused: bool) -> (&'static str, bool) {
    match keys {
        Keys::Both if paused => ("supervision paused", false),
        Keys::Both => ("supervised", true),
        Keys::MasterOff => ("master switch off", false),
        Keys::LaneOff => ("not supervised", false),
    }
}
