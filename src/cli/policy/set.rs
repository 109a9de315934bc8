//! Fields of the policy from the command line, and the change itself.

use serde_json::{Map, Value, json};

use super::{POLICY, say_version, simulate};
use crate::cli::failure::{Failure, Outcome};
use crate::cli::out;
use crate::cli::reach::Reach;
use crate::cli::socket::Call;

/// Fields that take a list, written with commas.
const LISTS: [&str; 2] = ["network_hosts", "high_actions"];
/// Fields that take text, whatever it looks like.
const TEXTS: [&str; 1] = ["nudge_text"];

/// How a change is made.
#[derive(Debug, Default)]
pub(super) struct Manner {
    /// Say first what would have been answered differently lately.
    pub(super) simulate: bool,
    /// Why, for the history.
    pub(super) reason: Option<String>,
}

/// The fields of a change, with its lane.
pub(super) fn draft(lane: Option<&str>, changes: &[String]) -> Outcome<Map<String, Value>> {
    let mut fields = Map::new();
    for change in changes {
        let (key, value) = split(lane, change)?;
        let parsed = value_of(key, value);
        match key.split_once('.') {
            None => drop(fields.insert(key.to_owned(), parsed)),
            Some((table, name)) => {
                let members = fields.entry(table).or_insert_with(|| json!({}));
                let members = members
                    .as_object_mut()
                    .ok_or_else(|| Failure::usage(format!("`{change}` and an earlier change set the same field")))?;
                members.insert(name.to_owned(), parsed);
            }
        }
    }
    if let Some(lane) = lane {
        fields.insert("lane".into(), lane.into());
    }
    Ok(fields)
}

/// Key and value; the keys of what holds everywhere are those of the file.
fn split<'a>(lane: Option<&str>, change: &'a str) -> Outcome<(&'a str, &'a str)> {
    let (key, value) = change.split_once('=').ok_or_else(|| Failure::usage(format!("`{change}` is not KEY=VALUE")))?;
    match (lane, key.strip_prefix("supervision.")) {
        (None, Some(key)) => Ok((key, value)),
        (None, None) => Err(Failure::usage(format!(
            "`{key}` is no key of the policy for all lanes: those begin as in the file, supervision.{key}; for one lane give --lane"
        ))),
        (Some(lane), Some(key)) => Err(Failure::usage(format!(
            "`supervision.{key}` holds for all lanes: leave out --lane {lane}, or write {key}={value} for this lane"
        ))),
        (Some(_), None) => Ok((key, value)),
    }
}

fn value_of(key: &str, value: &str) -> Value {
    if value == "null" {
        Value::Null
    } else if LISTS.contains(&key) {
        value.split(',').map(str::trim).filter(|item| !item.is_empty()).collect()
    } else if TEXTS.contains(&key) {
        value.into()
    } else {
        serde_json::from_str(value).unwrap_or_else(|_| value.into())
    }
}

/// Makes the change on the version in force, after saying what it would have changed.
pub(super) async fn run(reach: &mut Reach, mut draft: Map<String, Value>, manner: Manner) -> Outcome {
    let before = reach.get(POLICY).await?;
    if manner.simulate {
        let seen = simulate::ask(reach, &Value::Object(draft.clone()), simulate::DAYS).await?;
        out::note(simulate::summary(&seen));
    }
    draft.insert("version".into(), before["version"].clone());
    draft.insert("reason".into(), json!(manner.reason));
    let answer = reach.change(Call::patch(POLICY, &draft)?).await?;
    say_version(reach, &before, &answer).await
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lane: Option<&str>, changes: &[&str]) -> Outcome<Value> {
        let changes: Vec<String> = changes.iter().map(|change| (*change).to_owned()).collect();
        draft(lane, &changes).map(Value::Object)
    }

    #[test]
    fn keys_are_those_of_the_file_and_values_what_their_field_takes() {
        let global = read(
            None,
            &["supervision.enabled=true", "supervision.classes.deletion=auto_deny", "supervision.nudge_text=5"],
        );
        assert_eq!(
            global.unwrap(),
            json!({ "enabled": true, "classes": { "deletion": "auto_deny" }, "nudge_text": "5" })
        );
        let lists =
            read(None, &["supervision.network_hosts=localhost, https://a.example", "supervision.high_actions="]);
        assert_eq!(lists.unwrap(), json!({ "network_hosts": ["localhost", "https://a.example"], "high_actions": [] }));
        let lane =
            read(Some("api"), &["enabled=true", "classes.network_access=hold", "classes.install=null", "stall_mins=5"]);
        let classes = json!({ "network_access": "hold", "install": null });
        assert_eq!(lane.unwrap(), json!({ "lane": "api", "enabled": true, "classes": classes, "stall_mins": 5 }));
        for (lane, change, says) in [
            (None, "enabled=true", "supervision.enabled"),
            (None, "supervision.enabled", "KEY=VALUE"),
            (Some("api"), "supervision.enabled=true", "leave out --lane"),
        ] {
            let failure = read(lane, &[change]).unwrap_err();
            assert!(failure.code == 2 && failure.text.contains(says), "{}", failure.text);
        }
        assert_eq!(read(Some("api"), &["classes=null", "classes.install=hold"]).unwrap_err().code, 2);
    }
}
