//! What differs between two policies, field by field, by the paths that their files have.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Document;

/// One field that differs; `null` is a field that one side does not have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Difference {
    /// Where, as in the file: `supervision.classes.install`, `lanes.api.enabled`.
    pub path: String,
    /// What it was.
    pub from: Value,
    /// What it is.
    pub to: Value,
}

/// All fields that differ, in the order of their paths.
pub fn diff(from: &Document, to: &Document) -> Vec<Difference> {
    let (from, to) = (flat(from), flat(to));
    let mut paths: Vec<&String> = from.keys().chain(to.keys()).collect();
    paths.sort();
    paths.dedup();
    let of = |side: &Map<String, Value>, path: &str| side.get(path).cloned().unwrap_or_default();
    let both = paths.into_iter().map(|path| (path, of(&from, path), of(&to, path)));
    both.filter(|(_, from, to)| from != to)
        .map(|(path, from, to)| Difference { path: path.clone(), from, to })
        .collect()
}

/// The path of a lane's part in the file; a name with a dot in it is quoted there.
pub fn lane_path(name: &str) -> String {
    if name.contains('.') { format!("lanes.\"{name}\"") } else { format!("lanes.{name}") }
}

/// Every field by its path.
fn flat(document: &Document) -> Map<String, Value> {
    let mut fields = Map::new();
    put(&mut fields, "supervision", document_part(&document.supervision));
    for (name, lane) in &document.lanes {
        put(&mut fields, &lane_path(name), document_part(lane));
    }
    fields
}

/// A part as JSON. Nothing in it has a form that JSON could not take.
fn document_part(part: &impl Serialize) -> Value {
    serde_json::to_value(part).unwrap_or_default()
}

fn put(fields: &mut Map<String, Value>, path: &str, value: Value) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                put(fields, &format!("{path}.{name}"), value);
            }
        }
        value => drop(fields.insert(path.to_owned(), value)),
    }
}
