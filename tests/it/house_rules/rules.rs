//! The rules themselves: each takes one file and returns what breaks it, in words.

use super::source::Source;

/// Modules from the left of the map to its right. A module names itself and what stands in a later row.
pub const LAYERS: &[&[&str]] = &[
    &["cli"],
    &["serve", "pane"],
    &["jobs", "http"],
    &["mcp"],
    &["flows"],
    &["auth"],
    &["app"],
    &["hub"],
    &["store", "pg", "notary", "outbound"],
    &["error", "clock", "config", "metrics", "parent_death"],
    &["domain"],
];

/// Files that may be longer than 300 lines, and why. None may be longer than 400.
const LONG: &[(&str, &str)] = &[];

const LINES: usize = 300;
const MOST_LINES: usize = 400;

/// What a pure module has no business with: I/O, threads, the environment, a clock, chance.
const IMPURE: &[&str] = &[
    "tokio",
    "axum",
    "sqlx",
    "hyper",
    "hyper_util",
    "tower",
    "tower_http",
    "rustix",
    "libc",
    "tracing",
    "rand",
    "std::fs",
    "std::net",
    "std::io",
    "std::env",
    "std::process",
    "std::thread",
    "std::os",
    "std::time::SystemTime",
    "std::time::Instant",
    "SystemTime",
    "Instant",
    "Utc::now",
    "Local::now",
    "chrono::Utc::now",
    "chrono::Local::now",
    "Uuid::now_v7",
    "Uuid::new_v4",
    "uuid::Uuid::now_v7",
    "uuid::Uuid::new_v4",
];

/// What only `store` may name: anything that carries or runs SQL.
const SQL: &[&str] = &[
    "query",
    "query_as",
    "query_scalar",
    "query_file",
    "query_file_as",
    "query_file_scalar",
    "query_with",
    "query_unchecked",
    "raw_sql",
    "migrate",
    "AssertSqlSafe",
    "QueryBuilder",
];

/// What `store` may not name either: SQL that no macro has checked.
const UNCHECKED: &[&str] = &["raw_sql", "AssertSqlSafe", "QueryBuilder", "query_with", "query_unchecked"];

const VAGUE: &[&str] = &["util", "utils", "helper", "helpers", "common", "manager", "service", "misc"];

pub fn impure(source: &Source) -> Vec<String> {
    let mut found: Vec<String> = source
        .paths()
        .into_iter()
        .filter(|path| IMPURE.iter().any(|bad| path == bad || path.starts_with(&format!("{bad}::"))))
        .collect();
    if source.code.contains(".await") || source.code.contains("async fn") {
        found.push("async".into());
    }
    say(source, "is not pure, it names", found)
}

pub fn layers(source: &Source) -> Vec<String> {
    let module = source.module();
    let own = module.first().copied();
    let Some(layer) = own.map_or(Some(0), layer) else {
        return vec![format!("{}: this module has no place in LAYERS", source.path)];
    };
    let upwards = source.paths().into_iter().filter(|path| {
        let Some(named) = crate_level(path, module.len()) else {
            return false;
        };
        Some(named) != own && self::layer(named).is_some_and(|named| own.is_some() && named <= layer)
    });
    say(source, "points the wrong way, it names", upwards)
}

fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|row| row.contains(&module))
}

/// The module right below the crate's root that a path leads to, when it leads there.
fn crate_level(path: &str, depth: usize) -> Option<&str> {
    let mut parts = path.split("::").peekable();
    let mut climbed = 0;
    while parts.next_if(|part| matches!(*part, "super")).is_some() {
        climbed += 1;
    }
    if climbed > 0 {
        return parts.next().filter(|_| climbed >= depth);
    }
    parts.next_if(|part| matches!(*part, "crate" | "countersign"))?;
    parts.next()
}

pub fn sql(source: &Source) -> Vec<String> {
    let inside = source.path.starts_with("src/store/");
    let found = source.paths().into_iter().filter(|path| {
        let last = path.rsplit("::").next().unwrap_or(path);
        if inside {
            // `sqlx::query(` is the unchecked sibling of `sqlx::query!(`.
            return UNCHECKED.contains(&last) || (calls(source, path) && SQL.contains(&last) && path.contains("::"));
        }
        SQL.contains(&last) && (path.starts_with("sqlx::") || calls_macro(source, path) || UNCHECKED.contains(&last))
    });
    say(source, if inside { "names unchecked SQL:" } else { "is outside `store`, yet names SQL:" }, found)
}

fn calls(source: &Source, path: &str) -> bool {
    source.code.contains(&format!("{path}("))
}

fn calls_macro(source: &Source, path: &str) -> bool {
    source.code.contains(&format!("{path}!("))
}

pub fn length(source: &Source) -> Vec<String> {
    let lines = source.text.lines().count();
    let reasoned = LONG.iter().any(|(path, _)| *path == source.path);
    let most = if reasoned { MOST_LINES } else { LINES };
    let too_long = (lines > most).then(|| format!("{}: {lines} lines, at most {most}", source.path));
    too_long.into_iter().collect()
}

pub fn opening(source: &Source) -> Vec<String> {
    let first = source.text.lines().next().unwrap_or_default();
    let sentence = first.strip_prefix("//! ").is_some_and(|rest| rest.len() > 10 && !rest.starts_with('('));
    let missing = (!sentence).then(|| format!("{}: opens without a `//!` sentence", source.path));
    missing.into_iter().collect()
}

pub fn vague_name(source: &Source) -> Vec<String> {
    let stem = source.path.trim_end_matches(".rs");
    let found = stem.split('/').filter(|part| VAGUE.contains(part)).map(str::to_owned);
    say(source, "is named for nothing in particular:", found)
}

pub fn unkept_promise(source: &Source) -> Vec<String> {
    let words = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X")];
    let found = words.into_iter().filter(|word| source.text.contains(word)).map(str::to_owned);
    say(source, "promises instead of doing:", found)
}

/// Templates escape everything and carry no script or style of their own, so that the strict policy holds.
pub fn inline(source: &Source) -> Vec<String> {
    let mut found = Vec::new();
    let squeezed: String = source.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let tight = squeezed.replace(' ', "");
    if tight.contains("|safe") || squeezed.contains("escape \"none\"") || tight.contains("Safe(") {
        found.push("an unescaped value".to_owned());
    }
    for tag in squeezed.split('<').skip(1).map(|tag| tag.split('>').next().unwrap_or(tag)) {
        let name = tag.split([' ', '/']).next().unwrap_or(tag);
        if name == "style" || (name == "script" && !tag.contains(" src=")) {
            found.push(format!("an inline <{name}>"));
        }
        for attribute in tag.split(' ').skip(1).filter_map(|part| part.split_once('=').map(|(left, _)| left)) {
            if attribute == "style" || (attribute.starts_with("on") && attribute.len() > 3) {
                found.push(format!("an inline {attribute}="));
            }
        }
        if tag.contains("javascript:") {
            found.push("a javascript: address".to_owned());
        }
    }
    say(source, "carries", found)
}

fn say(source: &Source, what: &str, found: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut found: Vec<_> = found.into_iter().collect();
    found.sort();
    found.dedup();
    found.into_iter().map(|item| format!("{} {what} {item}", source.path)).collect()
}
