//! What somebody wants to change of the policy, read from the form that has all of it.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use serde_json::{Map, Value, json};

use crate::app::AppState;
use crate::domain::class::Class;
use crate::domain::policy::Document;
use crate::domain::policy::diff::{Difference, diff};
use crate::domain::policy::patch::{Fields, apply};
use crate::domain::policy::takes::Bad;
use crate::error::{Error, Result};
use crate::http::pages::form::Form;
use crate::http::pages::setup::Problem;
use crate::store::{places, policies};

/// What somebody looks at, as the form in the address has it.
#[derive(Debug)]
pub struct Asked(pub Form);

impl<S: Send + Sync> FromRequestParts<S> for Asked {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self(Form::read(parts.uri.query().unwrap_or_default().as_bytes())))
    }
}

/// Which part of the policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// What holds for every lane.
    Global,
    /// One lane's own part, by the lane's name.
    Lane(String),
}

/// A change that could be made.
#[derive(Debug)]
pub struct Draft {
    /// Of which part.
    pub place: Place,
    /// The version it was made on.
    pub base: i64,
    /// The policy as it was in that version.
    pub before: Document,
    /// The same with the change.
    pub after: Document,
    /// The fields that differ, as the flow takes them.
    pub fields: Fields,
}

const SWITCHES: &[&str] = &["enabled", "require_reason", "expect_work"];
const NUMBERS: &[&str] = &["stall_mins", "nudge_retries"];
const WORDS: &[&str] = &["mail_mode", "nudge_text"];
const LISTS: &[&str] = &["network_hosts", "high_actions"];

impl Place {
    /// A lane that is there.
    pub async fn lane(app: &AppState, name: String) -> Result<Self> {
        let mut conn = app.db.acquire().await?;
        let found = places::lane(&mut conn, &name).await?;
        found.map(|_| Self::Lane(name)).ok_or_else(Error::not_found)
    }

    /// The lane's name, for one lane.
    pub fn lane_name(&self) -> Option<&str> {
        match self {
            Self::Global => None,
            Self::Lane(name) => Some(name),
        }
    }

    /// The address of its page.
    pub fn path(&self) -> String {
        match self {
            Self::Global => "/admin/supervision".to_owned(),
            Self::Lane(name) => format!("/admin/lanes/{name}"),
        }
    }
}

impl Draft {
    /// Reads the form; what a field does not take comes back as what is wrong with it.
    pub async fn read(app: &AppState, place: Place, form: &Form) -> Result<Result<Self, Problem>> {
        let base = form.get("version").parse().map_err(|_| Error::invalid("version", "The form has no version."))?;
        let before = {
            let mut conn = app.db.acquire().await?;
            policies::document(&mut conn, base).await?.ok_or_else(Error::not_found)?
        };
        let fields = wanted(form, place == Place::Global);
        let read = only_changed(&before, place.lane_name(), fields).and_then(|fields| {
            let after = apply(&before, place.lane_name(), &fields)?;
            Ok((fields, after))
        });
        Ok(match read {
            Ok((fields, after)) => Ok(Self { place, base, before, after, fields }),
            Err(Bad { field, detail, .. }) => Err(Problem { field, text: detail }),
        })
    }

    /// What the change changes.
    pub fn differences(&self) -> Vec<Difference> {
        diff(&self.before, &self.after)
    }
}

/// The fields of the form. A box that is not ticked is not sent, so the form names the boxes that it has.
pub(super) fn wanted(form: &Form, global: bool) -> Fields {
    let resets = form.all("reset");
    if !resets.is_empty() {
        return reset(&resets);
    }
    let (mut fields, mut classes) = (Fields::new(), Map::new());
    let boxes = form.all("has");
    // An empty field of a lane inherits; where there is nothing to inherit from, it is no value.
    let empty = if global { json!("") } else { Value::Null };
    for name in SWITCHES.iter().filter(|name| boxes.iter().any(|it| it == *name)) {
        let off = if global { json!(false) } else { Value::Null };
        fields.insert((*name).to_owned(), if form.get(name).is_empty() { off } else { json!(true) });
    }
    for name in NUMBERS.iter().filter(|name| form.has(name)) {
        let number = form.given(name).map(|text| text.trim().parse::<u32>().map_or_else(|_| json!(text), |n| json!(n)));
        fields.insert((*name).to_owned(), number.unwrap_or_else(|| empty.clone()));
    }
    for name in WORDS.iter().filter(|name| form.has(name)) {
        let text = form.given(name).map(|text| json!(text.trim()));
        fields.insert((*name).to_owned(), text.unwrap_or_else(|| empty.clone()));
    }
    for name in LISTS.iter().filter(|name| form.has(name)) {
        let lines: Vec<&str> = form.get(name).lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        fields.insert((*name).to_owned(), json!(lines));
    }
    for class in Class::ALL.iter().filter(|class| form.has(&field_of(**class))) {
        let action = form.given(&field_of(*class)).map_or_else(|| empty.clone(), |word| json!(word));
        classes.insert(class.as_str().to_owned(), action);
    }
    if !classes.is_empty() {
        fields.insert("classes".to_owned(), Value::Object(classes));
    }
    fields
}

/// Fields that are to inherit again.
fn reset(names: &[String]) -> Fields {
    let (mut fields, mut classes) = (Fields::new(), Map::new());
    for name in names {
        match name.strip_prefix("classes.") {
            Some(class) => drop(classes.insert(class.to_owned(), Value::Null)),
            None => drop(fields.insert(name.clone(), Value::Null)),
        }
    }
    if !classes.is_empty() {
        fields.insert("classes".to_owned(), Value::Object(classes));
    }
    fields
}

/// The form's name of a class's field.
pub fn field_of(class: Class) -> String {
    format!("classes.{}", class.as_str())
}

/// Leaves out what is as it was, so that a change never undoes what somebody else changed meanwhile.
pub(super) fn only_changed(before: &Document, lane: Option<&str>, fields: Fields) -> Result<Fields, Bad> {
    let differs = |name: &str, value: Value| {
        let alone: Fields = [(name.to_owned(), value)].into_iter().collect();
        apply(before, lane, &alone).map(|after| after != *before)
    };
    let mut changed = Fields::new();
    for (name, value) in fields {
        match value {
            Value::Object(members) => {
                let mut kept = Map::new();
                for (member, value) in members {
                    if differs(&name, json!({ member.clone(): value.clone() }))? {
                        kept.insert(member, value);
                    }
                }
                if !kept.is_empty() {
                    changed.insert(name, Value::Object(kept));
                }
            }
            value if differs(&name, value.clone())? => drop(changed.insert(name, value)),
            _ => {}
        }
    }
    Ok(changed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(query: &str, lane: Option<&str>, before: &Document) -> Result<Fields, Bad> {
        only_changed(before, lane, wanted(&Form::read(query.as_bytes()), lane.is_none()))
    }

    #[test]
    fn only_what_differs_is_sent() {
        let shipped = Document::default();
        assert_eq!(
            read("has=enabled&stall_mins=20&classes.install=hold&mail_mode=nudge", None, &shipped).unwrap(),
            Fields::new()
        );
        let changed =
            read("has=enabled&enabled=on&stall_mins=5&classes.install=auto_deny&classes.unknown=hold", None, &shipped);
        assert_eq!(
            Value::Object(changed.unwrap()),
            json!({ "enabled": true, "stall_mins": 5, "classes": { "install": "auto_deny" } })
        );
        // A box that the form does not have says nothing.
        assert_eq!(read("enabled=on", None, &shipped).unwrap(), Fields::new());
        assert_eq!(read("stall_mins=soon", None, &shipped).unwrap_err().field, "stall_mins");
        assert_eq!(read("nudge_text=", None, &shipped).unwrap_err().field, "nudge_text");
        assert_eq!(read("classes.install=auto_approve", None, &shipped).unwrap_err().field, "classes.install");
    }

    #[test]
    fn a_lane_inherits_what_is_empty() {
        let own = apply(
            &Document::default(),
            Some("api"),
            &read("has=enabled&enabled=on&classes.deletion=auto_deny&stall_mins=5", Some("api"), &Document::default())
                .unwrap(),
        )
        .unwrap();
        assert_eq!(
            read("has=enabled&enabled=on&classes.deletion=auto_deny&stall_mins=5", Some("api"), &own).unwrap(),
            Fields::new()
        );
        let back = read("has=enabled&classes.deletion=&stall_mins=", Some("api"), &own).unwrap();
        assert_eq!(
            Value::Object(back),
            json!({ "enabled": null, "classes": { "deletion": null }, "stall_mins": null })
        );
        let one = read("reset=classes.deletion", Some("api"), &own).unwrap();
        assert_eq!(Value::Object(one), json!({ "classes": { "deletion": null } }));
    }
}
