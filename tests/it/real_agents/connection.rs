//! What connects an agent to the server: the settings on its page of the manual, with the test's own address and token.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::agent::Agent;
use crate::support::pages_of_docs::{fenced, page};

/// Where the pages say that the server is.
const SERVER: &str = "http://127.0.0.1:7440";

/// A server, and a token for it.
pub struct Connection {
    pub url: String,
    pub token: String,
}

impl Connection {
    /// Adds the page's settings to those that the agent has in its home.
    pub fn settle(&self, agent: Agent, home: &Path) {
        let file = home.join(agent.settings_file());
        let text = page(&format!("docs/agents/{}.md", agent.kind().as_str())).text;
        let language = if file.extension().is_some_and(|ending| ending == "toml") { "toml" } else { "json" };
        let settings = fenced(&text, language).concat();
        assert!(settings.contains(SERVER), "the page on {agent:?} names no server");
        let settings = settings.replace(SERVER, &self.url);
        let own = fs::read_to_string(&file).unwrap();
        let all = if language == "toml" { format!("{own}\n{settings}") } else { merged(&own, &settings) };
        fs::write(file, all).unwrap();
    }

    /// The variable that the settings name.
    pub fn variable(&self) -> String {
        format!("COUNTERSIGN_TOKEN={}", self.token)
    }
}

fn merged(own: &str, more: &str) -> String {
    let mut own: Value = serde_json::from_str(own).unwrap();
    merge(&mut own, serde_json::from_str(more).unwrap());
    own.to_string()
}

fn merge(into: &mut Value, more: Value) {
    match (into, more) {
        (Value::Object(into), Value::Object(more)) => {
            for (name, value) in more {
                merge(into.entry(name).or_insert(Value::Null), value);
            }
        }
        (into, more) => *into = more,
    }
}

#[test]
fn settings_are_added_to_those_that_are_there() {
    assert_eq!(merged(r#"{"a":{"b":1},"c":2}"#, r#"{"a":{"d":3}}"#), r#"{"a":{"b":1,"d":3},"c":2}"#);
}
