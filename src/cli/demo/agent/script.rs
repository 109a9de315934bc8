//! What the simulated agent does, step by step: JSON lines, checked before the first is played.

use serde::Deserialize;

use super::super::super::failure::{Failure, Outcome};
use crate::domain::screen::AgentKind;

/// One step.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Step {
    /// Something the agent says.
    Say(String),
    /// Rows as a program prints them, without the agent's mark.
    Print(String),
    /// At work for so many milliseconds.
    WorkMs(u64),
    /// A permission dialog.
    Ask(Box<Ask>),
    /// A choice that the agent leaves to a person.
    Choice(Choice),
    /// A plan that waits for a yes.
    Plan(Plan),
    /// The menu of a usage limit.
    Limit(Limit),
    /// Waits for a line that somebody types.
    Idle(bool),
    /// The same, with a faint suggestion in the composer.
    Suggest(String),
    /// The same, with a survey above the composer.
    Survey(bool),
    /// Ends.
    Exit(bool),
}

/// A permission dialog.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Ask {
    /// What sort of thing is asked for, as the agent titles it.
    pub title: String,
    /// The command to run.
    pub command: Option<String>,
    /// What the command is for.
    pub description: Option<String>,
    /// The file to change.
    pub file: Option<String>,
    /// The change, rows with their numbers.
    pub diff: Option<String>,
    /// What is said instead of a command or a change.
    pub body: Option<String>,
    /// What is asked.
    pub question: Option<String>,
    /// The rows to choose from.
    pub options: Option<Vec<String>>,
    /// The row that is marked at first, from 1.
    #[serde(default = "first")]
    pub selected: usize,
    /// The line of keys below; empty for none.
    pub footer: Option<String>,
    /// What the tool prints after a yes.
    pub prints: Option<String>,
    /// So many keys are swallowed before one counts.
    #[serde(default)]
    pub ignores: u32,
    /// How long the dialog stays after it was answered.
    #[serde(default)]
    pub lingers_ms: u64,
}

fn first() -> usize {
    1
}

/// A choice.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Choice {
    /// Its name in the strip above.
    pub tab: String,
    /// What is asked.
    pub question: String,
    /// What can be chosen.
    pub options: Vec<Label>,
}

/// An option of a choice, with what it means.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Label {
    /// The option.
    pub text: String,
    /// What it means.
    pub about: Option<String>,
}

/// A plan.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Plan {
    /// Its text.
    pub body: String,
}

/// A usage limit.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Limit {
    /// When it ends, as the agent says it.
    pub resets: String,
}

/// Reads a whole script for an agent of this kind.
pub(super) fn read(text: &str, kind: AgentKind) -> Outcome<Vec<Step>> {
    let mut steps = Vec::new();
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let step = one(line).and_then(|step| checked(step, kind));
        steps.push(step.map_err(|why| Failure::usage(format!("the script's line {}: {why}", at + 1)))?);
    }
    if steps.is_empty() {
        return Err(Failure::usage("the script has no step; a first one could be {\"say\":\"Hello.\"}"));
    }
    Ok(steps)
}

fn one(line: &str) -> Result<Step, String> {
    let mut reader = serde_json::Deserializer::from_str(line);
    let step = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let field = error.path().to_string();
        let why = error.into_inner();
        if field == "." { why.to_string() } else { format!("{field}: {why}") }
    })?;
    reader.end().map_err(|_| "one step a line; something follows it".to_owned())?;
    Ok(step)
}

fn checked(step: Step, kind: AgentKind) -> Result<Step, String> {
    let claude = |name: &str| match kind {
        AgentKind::Claude => Ok(()),
        _ => Err(format!("{name}: only the kind claude draws it here")),
    };
    match &step {
        Step::Idle(false) => Err("idle: only true makes sense; leave the step out instead".to_owned()),
        Step::Exit(false) => Err("exit: only true makes sense; leave the step out instead".to_owned()),
        Step::Survey(false) => Err("survey: only true makes sense; use idle instead".to_owned()),
        Step::Survey(true) => claude("survey"),
        Step::Plan(_) => claude("plan"),
        Step::Limit(_) => claude("limit"),
        Step::Choice(choice) if choice.options.is_empty() => Err("choice.options: give at least one".to_owned()),
        Step::Choice(_) => claude("choice"),
        Step::Ask(ask) => rows(ask),
        Step::Say(_) | Step::Print(_) | Step::WorkMs(_) | Step::Suggest(_) | Step::Idle(true) | Step::Exit(true) => {
            Ok(())
        }
    }?;
    Ok(step)
}

fn rows(ask: &Ask) -> Result<(), String> {
    let given = ask.options.as_ref().map_or(2, Vec::len);
    match given {
        2..=9 if (1..=given).contains(&ask.selected) => Ok(()),
        2..=9 => Err(format!("ask.selected: use 1 to {given}")),
        _ => Err("ask.options: give two to nine rows".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        read(text, AgentKind::Claude).unwrap_err().text
    }

    #[test]
    fn a_fault_is_named_with_its_line_and_field() {
        let text = "{\"say\":\"a\"}\n\n{\"ask\":{\"title\":\"Bash command\",\"options\":[1]}}";
        assert!(refused(text).starts_with("the script's line 3: ask.options[0]: "), "{}", refused(text));
        assert!(refused("{\"sing\":\"a\"}").contains("line 1"), "{}", refused("{\"sing\":\"a\"}"));
        assert!(refused("{\"ask\":{\"title\":\"a\",\"colour\":1}}").contains("colour"));
        assert_eq!(refused("{\"idle\":false}").split(':').nth(1), Some(" idle"));
        assert!(refused("{\"ask\":{\"title\":\"a\",\"selected\":3}}").contains("ask.selected: use 1 to 2"));
        assert!(refused("{\"say\":\"a\"} {\"say\":\"b\"}").contains("one step a line"));
        assert!(refused("\n").contains("no step"));
        let codex = read("{\"limit\":{\"resets\":\"3am\"}}", AgentKind::Codex).unwrap_err().text;
        assert!(codex.contains("limit: only the kind claude"), "{codex}");
    }

    #[test]
    fn every_step_is_read() {
        let text = r#"{"say":"a"}
{"print":"b"}
{"work_ms":5}
{"ask":{"title":"Bash command","command":"ls","description":"List","options":["Yes","No"]}}
{"choice":{"tab":"A","question":"Which?","options":[{"text":"x","about":"y"}]}}
{"plan":{"body":"1. a"}}
{"limit":{"resets":"3am"}}
{"idle":true}
{"suggest":"Try it"}
{"survey":true}
{"exit":true}"#;
        assert_eq!(read(text, AgentKind::Claude).unwrap().len(), 11);
    }
}
