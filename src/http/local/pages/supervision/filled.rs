//! The form of the policy, filled in with what holds.

use super::draft::{Place, field_of};
use crate::domain::policy::{Document, Global, Lane};
use crate::http::pages::form::Form;

/// A form filled in with the policy as it is.
pub fn form_of(document: &Document, place: &Place, version: i64) -> Form {
    let mut fields = match place {
        Place::Global => of_global(&document.supervision),
        Place::Lane(name) => document.lanes.get(name).map(of_lane).unwrap_or_default(),
    };
    fields.push(("version".to_owned(), version.to_string()));
    let pairs: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    Form::of(&pairs)
}

/// The form with what it does not have filled in from the policy: a field that was never sent is as it was, and no
/// list begins with a choice that nobody made.
pub fn filled(sent: &Form, document: &Document, place: &Place, version: i64) -> Form {
    let boxes = sent.all("has");
    let known = form_of(document, place, version);
    let mut fields = sent.carried();
    for (name, value) in known.carried() {
        let is_sent = sent.has(&name) || boxes.contains(&name);
        if !is_sent {
            fields.push((name, value));
        }
    }
    let pairs: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    Form::of(&pairs)
}

fn switch(on: bool) -> String {
    if on { "on".to_owned() } else { String::new() }
}

fn of_global(global: &Global) -> Vec<(String, String)> {
    let mut fields: Vec<(String, String)> = [
        ("enabled", switch(global.enabled)),
        ("require_reason", switch(global.require_reason)),
        ("mail_mode", global.mail_mode.as_str().to_owned()),
        ("nudge_text", global.nudge_text.clone()),
        ("stall_mins", global.stall_mins.to_string()),
        ("nudge_retries", global.nudge_retries.to_string()),
        ("network_hosts", global.network_hosts.join("\n")),
        ("high_actions", global.high_actions.join("\n")),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .to_vec();
    fields.extend(global.classes.iter().map(|(class, action)| (field_of(*class), action.as_str().to_owned())));
    fields
}

fn of_lane(lane: &Lane) -> Vec<(String, String)> {
    let number = |number: Option<u32>| number.map(|number| number.to_string()).unwrap_or_default();
    let mut fields: Vec<(String, String)> = [
        ("enabled", switch(lane.enabled == Some(true))),
        ("expect_work", switch(lane.expect_work == Some(true))),
        ("mail_mode", lane.mail_mode.map(|mode| mode.as_str().to_owned()).unwrap_or_default()),
        ("nudge_text", lane.nudge_text.clone().unwrap_or_default()),
        ("stall_mins", number(lane.stall_mins)),
        ("nudge_retries", number(lane.nudge_retries)),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .to_vec();
    fields.extend(lane.classes.iter().map(|(class, action)| (field_of(*class), action.as_str().to_owned())));
    fields
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::draft::{only_changed, wanted};
    use super::*;
    use crate::domain::policy::patch::{Fields, apply};

    #[test]
    fn what_was_not_sent_is_as_it_was() {
        let sent = Form::read(b"version=1&stall_mins=soon&has=require_reason");
        let form = filled(&sent, &Document::default(), &Place::Global, 1);
        assert_eq!(
            (form.get("stall_mins"), form.get("classes.deletion"), form.get("nudge_retries")),
            ("soon", "hold", "2")
        );
        let enabled = Fields::from_iter([("enabled".to_owned(), json!(true))]);
        let on = apply(&Document::default(), Some("api"), &enabled).unwrap();
        let lane = Place::Lane("api".into());
        // Its switch was not on the form while the master switch was off.
        assert_eq!(filled(&Form::read(b"stall_mins=3"), &on, &lane, 1).get("enabled"), "on");
        assert_eq!(filled(&Form::read(b"has=enabled"), &on, &lane, 1).get("enabled"), "");
    }

    #[test]
    fn a_form_says_what_the_policy_says() {
        let document = Document::default();
        let form = form_of(&document, &Place::Global, 1);
        assert_eq!(only_changed(&document, None, wanted(&form, true)).unwrap(), Fields::new());
        assert_eq!(form.get("classes.command_exec"), "auto_approve");
    }
}
