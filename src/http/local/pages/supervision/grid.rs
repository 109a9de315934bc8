//! The nine classes as rows: what each is, what may be done with it, and what is done.

use super::draft::field_of;
use super::words;
use crate::domain::class::Class;
use crate::domain::policy::{Action, Document};
use crate::http::pages::form::Form;

/// A class in the grid.
#[derive(Debug)]
pub struct Row {
    /// Its name.
    pub class: &'static str,
    /// The form's field.
    pub field: String,
    /// What it is, in a line.
    pub meaning: &'static str,
    /// Why it offers no approval, where it offers none.
    pub never: Option<&'static str>,
    /// What may be done with it: value, words, chosen.
    pub choices: Vec<(&'static str, String, bool)>,
    /// A lane's own, which could be reset.
    pub own: bool,
}

/// The nine rows, for all lanes or for one whose own part the form has.
pub fn rows(form: &Form, document: &Document, is_lane: bool) -> Vec<Row> {
    Class::ALL.iter().map(|class| row(*class, form, document, is_lane)).collect()
}

fn row(class: Class, form: &Form, document: &Document, is_lane: bool) -> Row {
    let field = field_of(class);
    let typed = form.get(&field);
    // What is safe comes first.
    let all = [Action::Hold, Action::AutoApprove, Action::AutoDeny];
    let offered = all.iter().filter(|action| class.can_be_scoped() || **action != Action::AutoApprove);
    let mut choices: Vec<_> =
        offered.map(|action| (action.as_str(), words::action(*action).to_owned(), action.as_str() == typed)).collect();
    if is_lane {
        let inherited = document.supervision.classes.get(&class).copied().unwrap_or(Action::Hold);
        choices.insert(0, ("", format!("inherits: {}", words::action(inherited)), typed.is_empty()));
    }
    Row {
        class: class.as_str(),
        meaning: meaning(class),
        never: never(class),
        choices,
        own: is_lane && !typed.is_empty(),
        field,
    }
}

fn meaning(class: Class) -> &'static str {
    match class {
        Class::CredentialAccess => "Touches secrets: tokens, keys, .env files, keychains.",
        Class::PushRemote => "Sends to a remote: pushes, pull requests, releases.",
        Class::Install => "Brings software onto the machine.",
        Class::DeviceAccess => "Camera, microphone, screen, system settings.",
        Class::NetworkAccess => "Reaches another host.",
        Class::Deletion => "Removes files.",
        Class::FileWrite => "Writes files.",
        Class::CommandExec => "Runs a command.",
        Class::Unknown => "None of the others.",
    }
}

/// Why no policy approves it (contract, section 6).
fn never(class: Class) -> Option<&'static str> {
    match class {
        Class::CredentialAccess => Some("Never approved: what is done with a secret cannot be proven."),
        Class::PushRemote => Some("Never approved: it leaves the machine for good."),
        Class::Install => Some("Never approved: what an installer runs cannot be proven."),
        Class::DeviceAccess => Some("Never approved: a device is outside every repository."),
        Class::Unknown => Some("Never answered: it holds whatever is chosen here."),
        Class::NetworkAccess | Class::Deletion | Class::FileWrite | Class::CommandExec => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_classes_offer_no_approval_and_say_why() {
        let rows = rows(&Form::default(), &Document::default(), false);
        assert_eq!(rows.len(), 9);
        for row in rows {
            let offers = row.choices.iter().any(|(value, ..)| *value == "auto_approve");
            assert_eq!(offers, row.never.is_none(), "{}", row.class);
        }
    }
}
