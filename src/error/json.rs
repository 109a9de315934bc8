//! Reading JSON that somebody sent: unknown fields and wrong types name themselves.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::{Code, Error, Problem, Result};

/// Reads JSON; the error says which field and why.
pub fn read_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T> {
    // serde would also fill a struct from a list, by the order of its fields, which nobody promised.
    if bytes.iter().find(|byte| !byte.is_ascii_whitespace()).is_some_and(|&first| first != b'{') {
        return Err(Problem::new(Code::Malformed, "The body is a JSON object.").into());
    }
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let path = error.path().to_string();
        bad_json(&path, error.inner())
    })?;
    reader.end().map_err(|_| Problem::new(Code::Malformed, "There is more behind the JSON value."))?;
    Ok(value)
}

/// Reads what was parsed already; the error says which field and why.
pub fn read_object<T: DeserializeOwned>(object: Map<String, Value>) -> Result<T> {
    serde_path_to_error::deserialize(Value::Object(object)).map_err(|error| {
        let path = error.path().to_string();
        bad_json(&path, error.inner())
    })
}

fn bad_json(path: &str, error: &serde_json::Error) -> Error {
    use serde_json::error::Category;
    let said = error.to_string();
    // serde's own words end in " at line 1 column 2", which says nothing to somebody who did not type the JSON.
    let said = said.split(" at line ").next().unwrap_or_default().to_owned();
    if error.classify() != Category::Data {
        return Problem::new(Code::Malformed, format!("The body is not JSON: {said}.")).into();
    }
    match quoted(&said, "unknown field `") {
        Some(name) => {
            let parent = path.strip_suffix(name).unwrap_or(path).trim_end_matches('.');
            let field = if parent.is_empty() { name.to_owned() } else { format!("{parent}.{name}") };
            Problem::new(Code::UnknownField, format!("There is no field `{field}`.")).field(field).into()
        }
        None => {
            let field = match (path, quoted(&said, "missing field `")) {
                ("." | "", Some(name)) => name.to_owned(),
                (path, Some(name)) => format!("{path}.{name}"),
                (path, None) => path.to_owned(),
            };
            Error::invalid(field, in_plain_words(&said))
        }
    }
}

/// What serde says of a wrong value, without the names that types have in a program.
pub fn in_plain_words(said: &str) -> String {
    match said.rsplit_once("expected ") {
        Some((before, "u8" | "u16" | "u32" | "u64" | "usize")) => format!("{before}expected a whole number, 0 or more"),
        Some((before, "i8" | "i16" | "i32" | "i64" | "isize")) => format!("{before}expected a whole number"),
        _ => said.to_owned(),
    }
}

/// The field that serde names behind these words of its own.
pub fn quoted<'a>(said: &'a str, words: &str) -> Option<&'a str> {
    said.strip_prefix(words)?.split('`').next()
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[derive(Debug, Deserialize)]
    struct Wish {
        #[serde(rename = "wait")]
        _wait: u32,
    }

    #[test]
    fn a_wrong_value_is_told_without_the_names_of_types() {
        for wrong in [json!("30"), json!(-1), json!(1.5)] {
            let read = read_object::<Wish>(Map::from_iter([("wait".to_owned(), wrong)]));
            let Problem { detail, field, .. } = read.unwrap_err().into();
            assert_eq!(field.as_deref(), Some("wait"));
            assert!(detail.contains("expected a whole number") && !detail.contains("u32"), "{detail}");
        }
    }
}
