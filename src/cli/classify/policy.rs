//! The policy of a line: what it sets, over the shipped one with both switches on.

use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::input::BadLine;
use crate::domain::class::Class;
use crate::domain::policy::{Action, Classes, Document, Effective, Lane};
use crate::domain::rule::{Match, Rule};
use crate::domain::verdict::Standing;

/// The lane's name inside the document that is made here; nobody sees it.
const LANE: &str = "lane";

static SHIPPED: LazyLock<Effective> = LazyLock::new(|| both_on().resolve(LANE));

/// The shipped policy with both switches on.
fn both_on() -> Document {
    let mut document = Document::default();
    document.supervision.enabled = true;
    document.lanes.insert(LANE.to_owned(), Lane { enabled: Some(true), ..Lane::default() });
    document
}

/// What a line without a policy is judged by.
pub(super) fn shipped() -> Standing<'static> {
    Standing { policy: &SHIPPED, rules: &[], paused: false, runner_taint: false, shell_taint: false }
}

/// A policy as a line gives it: its fields, or nothing but classes.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub(super) struct Given(Map<String, Value>);

/// A policy ready to judge by.
pub(super) struct Resolved {
    effective: Effective,
    rules: Vec<Rule>,
}

impl Resolved {
    pub(super) fn standing(&self) -> Standing<'_> {
        Standing { policy: &self.effective, rules: &self.rules, ..shipped() }
    }
}

impl Given {
    /// Lays it over the shipped policy. A field that is not known is an error: who set it means something by it.
    pub(super) fn resolve(&self) -> Result<Resolved, BadLine> {
        let mut document = both_on();
        let mut lane = Lane { enabled: Some(true), ..Lane::default() };
        let mut rules = Vec::new();
        let bare = self.0.keys().all(|key| Class::from_word(key).is_some());
        if bare {
            document.supervision.classes.extend(classes("policy", &self.0)?);
        }
        for (key, value) in self.0.iter().filter(|_| !bare) {
            let path = format!("policy.{key}");
            match key.as_str() {
                "enabled" => document.supervision.enabled = read(&path, value)?,
                "lane_enabled" => lane.enabled = read(&path, value)?,
                "classes" => document.supervision.classes.extend(classes(&path, &read(&path, value)?)?),
                "lane" => lane.classes = lane_classes(&path, value)?,
                "network_hosts" => document.supervision.network_hosts = read(&path, value)?,
                "rules" => rules = read_rules(&path, value)?,
                _ => {
                    return Err(bad(
                        path,
                        "is no field of a policy: it takes enabled, lane_enabled, classes, lane, network_hosts, rules, or only classes",
                    ));
                }
            }
        }
        document.lanes.insert(LANE.to_owned(), lane);
        Ok(Resolved { effective: document.resolve(LANE), rules })
    }
}

fn bad(field: impl Into<String>, detail: impl Into<String>) -> BadLine {
    BadLine { field: field.into(), detail: detail.into() }
}

fn read<'a, T: Deserialize<'a>>(path: &str, value: &'a Value) -> Result<T, BadLine> {
    T::deserialize(value).map_err(|error| bad(path, error.to_string()))
}

fn classes(path: &str, map: &Map<String, Value>) -> Result<Classes, BadLine> {
    map.iter()
        .map(|(name, value)| {
            let path = format!("{path}.{name}");
            let class = Class::from_word(name).ok_or_else(|| bad(path.as_str(), "is no class"))?;
            let action = value.as_str().and_then(Action::from_word);
            action.map(|action| (class, action)).ok_or_else(|| bad(path, "takes auto_approve, auto_deny or hold"))
        })
        .collect()
}

fn lane_classes(path: &str, value: &Value) -> Result<Classes, BadLine> {
    let map: Map<String, Value> = read(path, value)?;
    match (map.len(), map.get("classes")) {
        (0, _) => Ok(Classes::new()),
        (1, Some(own)) => {
            let path = format!("{path}.classes");
            classes(&path, &read(&path, own)?)
        }
        _ => Err(bad(path, "takes classes")),
    }
}

fn read_rules(path: &str, value: &Value) -> Result<Vec<Rule>, BadLine> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Given {
        argv: Vec<String>,
        #[serde(rename = "match")]
        matching: Match,
    }
    let given: Vec<Given> = read(path, value)?;
    Ok(given.into_iter().map(|rule| Rule { id: None, argv: rule.argv, matching: rule.matching }).collect())
}
