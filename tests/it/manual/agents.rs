//! The pages on connecting agents: their settings can be read, name the server's own path, and hold no token.

use countersign::http::PUBLIC_PATHS;
use serde_json::Value;

use crate::support::pages_of_docs::{fenced, page};

/// The variable that holds the token.
const VARIABLE: &str = "COUNTERSIGN_TOKEN";

/// How a token begins.
const TOKEN: &str = "csa_";

/// Where the pages say that the server is.
const SERVER: &str = "http://127.0.0.1:7440";

/// The pages, and how many files' settings each has.
const PAGES: &[(&str, usize)] = &[("claude-code", 2), ("codex", 1), ("cursor", 2), ("gemini", 1), ("opencode", 1)];

/// The settings on a page, each read by the language it is in.
fn settings(text: &str) -> Result<Vec<Value>, String> {
    let toml = fenced(text, "toml");
    let toml = toml.iter().map(|block| toml::from_str::<Value>(block).map_err(|error| error.to_string()));
    let json = fenced(text, "json");
    let json = json.iter().map(|block| serde_json::from_str::<Value>(block).map_err(|error| error.to_string()));
    toml.chain(json).collect()
}

/// All texts in settings, with the names of the members that hold them.
fn texts(settings: &Value) -> Vec<(String, String)> {
    match settings {
        Value::Object(members) => members
            .iter()
            .flat_map(|(name, value)| match value {
                Value::String(text) => vec![(name.clone(), text.clone())],
                inner => texts(inner),
            })
            .collect(),
        Value::Array(items) => items.iter().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}

/// What is wrong with such a page, in words.
fn faults(text: &str, files: usize) -> Vec<String> {
    let settings = match settings(text) {
        Ok(settings) => settings,
        Err(error) => return vec![format!("it cannot be read: {error}")],
    };
    let mut found = Vec::new();
    if settings.len() != files {
        found.push(format!("it has {} files' settings", settings.len()));
    }
    let all: Vec<_> = settings.iter().flat_map(texts).collect();
    let addresses: Vec<_> = all.iter().filter(|(_, text)| text.contains("://")).collect();
    let path =
        |text: &str| text.strip_prefix(SERVER).is_some_and(|path| path == "/mcp" && PUBLIC_PATHS.contains(&path));
    if addresses.len() != 1 || !addresses.iter().all(|(_, text)| path(text)) {
        found.push(format!("it names other addresses than the server's: {addresses:?}"));
    }
    if !all.iter().any(|(_, text)| text.contains(VARIABLE)) {
        found.push("the token is not read from the environment".to_owned());
    }
    if all.iter().any(|(_, text)| text.contains(TOKEN)) {
        found.push("it holds a token".to_owned());
    }
    for said in ["**Approval.**", "**Time.**", "**Waking.**", "## What was run"] {
        if !text.contains(said) {
            found.push(format!("it does not say: {said}"));
        }
    }
    found
}

#[test]
fn the_pages_connect_agents_to_this_server() {
    let index = page("docs/agents/README.md").text;
    for &(name, files) in PAGES {
        let text = page(&format!("docs/agents/{name}.md")).text;
        let found = faults(&text, files);
        assert!(found.is_empty(), "{name}: {found:#?}");
        assert!(index.contains(&format!("]({name}.md)")), "the first page does not lead to {name}");
    }
}

#[test]
fn settings_that_would_not_connect_are_found() {
    let codex = page("docs/agents/codex.md").text;
    let cursor = page("docs/agents/cursor.md").text;
    let spoilt = [
        (codex.replace("tool_timeout_sec = 120", "tool_timeout_sec = "), 1, "cannot be read"),
        (cursor.replace("\"countersign\": {", "\"countersign\": "), 2, "cannot be read"),
        (codex.replace("/mcp\"", "/sse\""), 1, "other addresses"),
        (codex.replace("url = ", "urn = 0 #"), 1, "other addresses"),
        (codex.replace("7440", "8080"), 1, "other addresses"),
        (codex.replace(VARIABLE, "TOKEN"), 1, "not read from the environment"),
        (cursor.replace("${env:COUNTERSIGN_TOKEN}", "csa_0123 COUNTERSIGN_TOKEN"), 2, "holds a token"),
        (codex.replace("## What was run", ""), 1, "What was run"),
        (codex.clone(), 2, "it has 1 files' settings"),
        (String::new(), 1, "it has 0 files' settings"),
    ];
    for (text, files, fault) in spoilt {
        let found = faults(&text, files);
        assert!(found.iter().any(|said| said.contains(fault)), "{fault:?} is not among {found:#?}");
    }
}
