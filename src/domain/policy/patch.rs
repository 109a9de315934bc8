//! A change of the policy, read strictly: what is not known is refused, and `null` brings back what is inherited.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::super::class::Class;
use super::takes::{self, Bad, takes};
use super::{Classes, Document, Global, Lane};

/// Fields by their names, with the values they are to have.
pub type Fields = Map<String, Value>;

/// The policy after a change of what holds for every lane, or of one lane's own part. Fields are named as they were given.
pub fn apply(before: &Document, lane: Option<&str>, fields: &Fields) -> Result<Document, Bad> {
    let mut after = before.clone();
    match lane {
        None => {
            change_global(&mut after.supervision, fields)?;
            takes::global(&after.supervision)?;
        }
        Some(name) => {
            let mut own = after.lanes.remove(name).unwrap_or_default();
            change_lane(&mut own, fields)?;
            takes::lane(&own)?;
            // A lane that sets nothing is not in the policy.
            if own != Lane::default() {
                after.lanes.insert(name.to_owned(), own);
            }
        }
    }
    Ok(after)
}

/// Changes what holds for every lane; `null` brings the shipped value back.
pub fn change_global(global: &mut Global, fields: &Fields) -> Result<(), Bad> {
    let shipped = Global::default();
    for (name, value) in fields {
        match name.as_str() {
            "enabled" => set(&mut global.enabled, shipped.enabled, (name, value))?,
            "mail_mode" => set(&mut global.mail_mode, shipped.mail_mode, (name, value))?,
            "nudge_text" => set(&mut global.nudge_text, shipped.nudge_text.clone(), (name, value))?,
            "stall_mins" => set(&mut global.stall_mins, shipped.stall_mins, (name, value))?,
            "nudge_retries" => set(&mut global.nudge_retries, shipped.nudge_retries, (name, value))?,
            "network_hosts" => set(&mut global.network_hosts, shipped.network_hosts.clone(), (name, value))?,
            "high_actions" => set(&mut global.high_actions, shipped.high_actions.clone(), (name, value))?,
            "require_reason" => set(&mut global.require_reason, shipped.require_reason, (name, value))?,
            "classes" => change_classes(&mut global.classes, &shipped.classes, value)?,
            "expect_work" => return Err(Bad::unknown(name, "no such field for all lanes: give a lane with it")),
            _ => return Err(Bad::unknown(name, GLOBAL)),
        }
    }
    Ok(())
}

const GLOBAL: &str = "enabled, classes, mail_mode, nudge_text, stall_mins, nudge_retries, network_hosts, high_actions and \
     require_reason";
const LANE: &str = "enabled, classes, mail_mode, nudge_text, stall_mins, nudge_retries and expect_work";

/// Changes one lane's own part; `null` makes the lane inherit again.
pub fn change_lane(lane: &mut Lane, fields: &Fields) -> Result<(), Bad> {
    for (name, value) in fields {
        match name.as_str() {
            "enabled" => set(&mut lane.enabled, None, (name, value))?,
            "mail_mode" => set(&mut lane.mail_mode, None, (name, value))?,
            "nudge_text" => set(&mut lane.nudge_text, None, (name, value))?,
            "stall_mins" => set(&mut lane.stall_mins, None, (name, value))?,
            "nudge_retries" => set(&mut lane.nudge_retries, None, (name, value))?,
            "expect_work" => set(&mut lane.expect_work, None, (name, value))?,
            "classes" => change_classes(&mut lane.classes, &Classes::new(), value)?,
            "network_hosts" | "high_actions" | "require_reason" => {
                return Err(Bad::unknown(name, &format!("{LANE}; {name} holds for all lanes")));
            }
            _ => return Err(Bad::unknown(name, LANE)),
        }
    }
    Ok(())
}

fn set<T: DeserializeOwned>(place: &mut T, inherited: T, (name, value): (&String, &Value)) -> Result<(), Bad> {
    *place =
        if value.is_null() { inherited } else { T::deserialize(value).map_err(|_| Bad::value(name, takes(name)))? };
    Ok(())
}

fn change_classes(classes: &mut Classes, inherited: &Classes, value: &Value) -> Result<(), Bad> {
    let changes = match value {
        Value::Null => {
            classes.clone_from(inherited);
            return Ok(());
        }
        Value::Object(changes) => changes,
        _ => return Err(Bad::value("classes", takes("classes"))),
    };
    for (word, value) in changes {
        let field = format!("classes.{word}");
        let all = || Class::ALL.iter().map(|class| class.as_str()).collect::<Vec<_>>().join(", ");
        let class = Class::from_word(word).ok_or_else(|| Bad::unknown(&field, &all()))?;
        match (value, inherited.get(&class)) {
            (Value::Null, Some(&action)) => drop(classes.insert(class, action)),
            (Value::Null, None) => drop(classes.remove(&class)),
            (value, _) => {
                let action = serde_json::from_value(value.clone()).map_err(|_| Bad::value(&field, takes(&field)))?;
                classes.insert(class, action);
            }
        }
    }
    Ok(())
}
