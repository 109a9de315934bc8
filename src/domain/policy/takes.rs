//! What each field of the policy takes, in one place: the check and the words that say so.

use super::super::ask::has_visible;
use super::super::text::is_unseen;
use super::{Action, Classes, Document, Global, Lane, hosts};

/// Longest nudge, in characters.
pub const NUDGE_MAX: usize = 500;
/// What starts an agent's own command instead of a message to it.
const COMMANDS: [char; 4] = ['/', '!', '#', '$'];
/// What a framed mail opens and closes with, which nothing else that is typed may imitate.
const FRAMES: [&str; 2] = ["[countersign", "[end countersign"];
/// Most entries of a list.
const HOSTS_MAX: usize = 200;
const ACTIONS_MAX: usize = 100;

/// A field that cannot be used, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bad {
    /// The field's path within what was given, e.g. `classes.install`.
    pub field: String,
    /// What sort of fault.
    pub fault: Fault,
    /// A sentence.
    pub detail: String,
}

/// What sort of fault a field has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// There is no such field.
    Unknown,
    /// It does not take this value.
    Value,
    /// Requests of this class can never be proven to stay inside, so no policy approves them.
    NeverScoped,
}

impl Bad {
    /// A field that does not exist.
    pub fn unknown(field: impl Into<String>, there_are: &str) -> Self {
        let field = field.into();
        let detail = format!("There is no field `{field}`; there are {there_are}.");
        Self { field, fault: Fault::Unknown, detail }
    }

    /// A value that a field does not take.
    pub fn value(field: impl Into<String>, takes: &str) -> Self {
        let field = field.into();
        let detail = format!("{field} {takes}.");
        Self { field, fault: Fault::Value, detail }
    }

    /// The same fault, seen from further out.
    #[must_use]
    pub fn within(self, parent: &str) -> Self {
        let field = format!("{parent}.{}", self.field);
        let detail = self.detail.replacen(&self.field, &field, 1);
        Self { field, detail, ..self }
    }
}

/// What a field takes, in words that follow its name.
pub fn takes(field: &str) -> &'static str {
    match field {
        "enabled" | "expect_work" | "require_reason" => "takes true or false",
        "classes" => "takes the classes that are to change, each with auto_approve, auto_deny or hold",
        "mail_mode" => "takes nudge or full_body",
        "nudge_text" => {
            "takes 1 to 500 characters in one line that can be seen, and does not start with / ! # or $, which agents take \
             for commands, nor imitate a mail"
        }
        "stall_mins" => "takes 1 to 1440 minutes",
        "nudge_retries" => "takes 0 to 10 nudges",
        "network_hosts" => "takes a list of at most 200 hosts, each once",
        "high_actions" => {
            "takes a list of at most 100 actions of 1 to 64 characters, each exact or a prefix that ends in .*"
        }
        _ => "takes auto_approve, auto_deny or hold",
    }
}

/// Whether a line may be typed to an agent as a nudge.
pub fn is_nudge(text: &str) -> bool {
    let seen = |c: char| !c.is_control() && !is_unseen(c);
    (1..=NUDGE_MAX).contains(&text.chars().count())
        && has_visible(text)
        && text.chars().all(seen)
        && !text.trim_start().starts_with(COMMANDS)
        && !FRAMES.iter().any(|frame| text.to_lowercase().contains(frame))
}

/// Checks all of a policy. Fields are named by their path in the file.
pub fn check(document: &Document) -> Result<(), Bad> {
    global(&document.supervision).map_err(|bad| bad.within("supervision"))?;
    for (name, own) in &document.lanes {
        lane(own).map_err(|bad| bad.within(&super::diff::lane_path(name)))?;
    }
    Ok(())
}

/// Checks what holds for every lane.
pub fn global(global: &Global) -> Result<(), Bad> {
    let Global { enabled: _, classes: mapped, mail_mode: _, nudge_text, require_reason: _, .. } = global;
    classes(mapped)?;
    let fits = [
        ("nudge_text", is_nudge(nudge_text)),
        ("stall_mins", (1..=1440).contains(&global.stall_mins)),
        ("nudge_retries", global.nudge_retries <= 10),
        ("high_actions", are_actions(&global.high_actions)),
        ("network_hosts", global.network_hosts.len() <= HOSTS_MAX),
    ];
    only_fitting(&fits)?;
    hosts::check(&global.network_hosts)
}

/// Checks one lane's own part.
pub fn lane(lane: &Lane) -> Result<(), Bad> {
    classes(&lane.classes)?;
    only_fitting(&[
        ("nudge_text", lane.nudge_text.as_deref().is_none_or(is_nudge)),
        ("stall_mins", lane.stall_mins.is_none_or(|mins| (1..=1440).contains(&mins))),
        ("nudge_retries", lane.nudge_retries.is_none_or(|times| times <= 10)),
    ])
}

fn only_fitting(fits: &[(&'static str, bool)]) -> Result<(), Bad> {
    match fits.iter().find(|(_, fits)| !fits) {
        Some((field, _)) => Err(Bad::value(*field, takes(field))),
        None => Ok(()),
    }
}

/// Approving without a proof is no policy's to give (contract, section 6).
fn classes(classes: &Classes) -> Result<(), Bad> {
    let approved = |&(_, action): &(_, &Action)| *action == Action::AutoApprove;
    match classes.iter().filter(approved).find(|(class, _)| !class.can_be_scoped()) {
        Some((class, _)) => Err(Bad {
            field: format!("classes.{}", class.as_str()),
            fault: Fault::NeverScoped,
            detail: format!(
                "classes.{} takes auto_deny or hold: what such a dialog asks for can never be proven to stay inside the \
                 repository.",
                class.as_str()
            ),
        }),
        None => Ok(()),
    }
}

fn are_actions(actions: &[String]) -> bool {
    let fits = |action: &String| {
        !action.is_empty()
            && action.chars().count() <= 64
            && !action.starts_with(".*")
            && !action.chars().any(is_unseen)
    };
    actions.len() <= ACTIONS_MAX && actions.iter().all(fits)
}
