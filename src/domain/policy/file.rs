//! The policy as a file: `[supervision]`, `[supervision.classes]`, `[lanes.L]`, in TOML, out and in again.

use serde_json::Value;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::super::name::Name;
use super::patch::{Fields, change_global, change_lane};
use super::takes::{Bad, Fault, check};
use super::{Document, Global, Lane};

/// What is wrong with a file: where, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {detail}")]
pub struct BadFile {
    /// The line, from 1.
    pub line: usize,
    /// The key's path; empty where the text is no TOML at all.
    pub field: String,
    /// What sort of fault.
    pub fault: Fault,
    /// A sentence.
    pub detail: String,
}

/// The file of a policy.
pub fn write(document: &Document) -> Result<String, toml::ser::Error> {
    toml::to_string_pretty(document)
}

/// The policy of a file. What it does not name has its shipped value.
pub fn read(text: &str) -> Result<Document, BadFile> {
    let table = DeTable::parse(text).map_err(|error| no_toml(text, &error))?;
    let faulty = |bad: Bad| {
        let line = line_at(text, start_of(table.get_ref(), &bad.field).unwrap_or(0));
        BadFile { line, field: bad.field, fault: bad.fault, detail: bad.detail }
    };
    // The same text once more, as values: it parsed, so this cannot fail but by its depth.
    let value: Value = toml::from_str(text).map_err(|error| no_toml(text, &error))?;
    let document = document(&value).map_err(faulty)?;
    check(&document).map_err(faulty)?;
    Ok(document)
}

fn document(value: &Value) -> Result<Document, Bad> {
    let mut document = Document::default();
    for (name, part) in value.as_object().into_iter().flatten() {
        match name.as_str() {
            "supervision" => document.supervision = global(part)?,
            "lanes" => {
                for (lane, part) in table(part, "lanes")? {
                    let own = own(part, lane)?;
                    // A lane that sets nothing is not in the policy.
                    if own != Lane::default() {
                        document.lanes.insert(lane.clone(), own);
                    }
                }
            }
            _ => return Err(Bad::unknown(name, "[supervision], [supervision.classes] and [lanes.NAME]")),
        }
    }
    Ok(document)
}

fn global(part: &Value) -> Result<Global, Bad> {
    let mut global = Global::default();
    change_global(&mut global, table(part, "supervision")?).map_err(|bad| bad.within("supervision"))?;
    Ok(global)
}

fn own(part: &Value, name: &str) -> Result<Lane, Bad> {
    let path = super::diff::lane_path(name);
    Name::parse(name).map_err(|error| Bad::value(&path, &format!("is no lane: {error}")))?;
    let mut lane = Lane::default();
    change_lane(&mut lane, table(part, &path)?).map_err(|bad| bad.within(&path))?;
    Ok(lane)
}

fn table<'a>(part: &'a Value, path: &str) -> Result<&'a Fields, Bad> {
    part.as_object().ok_or_else(|| Bad::value(path, "is a table"))
}

fn no_toml(text: &str, error: &toml::de::Error) -> BadFile {
    let at = error.span().map_or(0, |span| span.start);
    let said = error.message().trim_end_matches('.');
    BadFile {
        line: line_at(text, at),
        field: String::new(),
        fault: Fault::Value,
        detail: format!("This is no TOML: {said}."),
    }
}

fn line_at(text: &str, at: usize) -> usize {
    1 + text.bytes().take(at).filter(|&byte| byte == b'\n').count()
}

/// Where the key of a path stands, or the innermost of its parents that there is.
fn start_of(table: &DeTable<'_>, path: &str) -> Option<usize> {
    let mut place = None;
    let mut within = Some(table);
    // A part in quotes has dots of its own; `[n]` is an entry of a list, which stands where the list stands.
    let parts = path.split('"').enumerate().flat_map(|(n, text)| match n % 2 {
        0 => text.split('.').filter(|part| !part.is_empty()).collect::<Vec<_>>(),
        _ => vec![text],
    });
    for part in parts {
        let name = part.split('[').next().unwrap_or(part);
        let Some((key, value)) = within.and_then(|table| table.iter().find(|(key, _)| *key.get_ref() == name)) else {
            break;
        };
        place = Some(key.span().start);
        within = table_of(value);
    }
    place
}

fn table_of<'a, 'i>(value: &'a Spanned<DeValue<'i>>) -> Option<&'a DeTable<'i>> {
    match value.get_ref() {
        DeValue::Table(table) => Some(table),
        _ => None,
    }
}
