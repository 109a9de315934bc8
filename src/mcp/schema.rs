//! JSON Schema of a tool's arguments, as plain as clients need it: no references, no nulls.

use serde::Deserialize;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

/// The arguments of a tool that takes none.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Nothing {}

/// The schema of some arguments. Everything referred to stands where it is used, and what may be left out is simply not
/// required: some clients read neither `$ref` nor a list of types.
pub(super) fn schema_of<T: ToSchema>() -> Map<String, Value> {
    let mut named = Vec::new();
    T::schemas(&mut named);
    let named: Map<String, Value> = named.into_iter().map(|(name, schema)| (name, json!(schema))).collect();
    match plain(json!(T::schema()), &named) {
        Value::Object(mut schema) => {
            // What the tool is for is said by the table; this is what the type is for.
            schema.remove("description");
            // A client may insist on it, even where there is nothing to give.
            schema.entry("properties").or_insert_with(|| json!({}));
            schema
        }
        _ => Map::new(),
    }
}

fn plain(schema: Value, named: &Map<String, Value>) -> Value {
    match schema {
        Value::Object(mut members) => {
            if let Some(name) = members.get("$ref").and_then(Value::as_str).and_then(|path| path.rsplit('/').next()) {
                let mut target = plain(named.get(name).cloned().unwrap_or_default(), named);
                // What is said where it is used goes before what is said of it in general.
                if let (Some(about), Value::Object(target)) = (members.remove("description"), &mut target) {
                    target.insert("description".into(), about);
                }
                return target;
            }
            if let Some(kind) = members.get_mut("type")
                && let Some([word]) = kind
                    .as_array()
                    .map(|kinds| kinds.iter().filter(|kind| *kind != "null").collect::<Vec<_>>())
                    .as_deref()
            {
                *kind = (*word).clone();
            }
            Value::Object(members.into_iter().map(|(name, value)| (name, plain(value, named))).collect())
        }
        Value::Array(items) => items.into_iter().map(|item| plain(item, named)).collect(),
        other => other,
    }
}
