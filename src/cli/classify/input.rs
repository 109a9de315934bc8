//! One line of input: its shape, read leniently where the contract is lenient, and named where it is wrong.

use std::borrow::Cow;
use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use super::policy::Given;
use crate::domain::dialog::{Dialog, DialogKind, DialogOption};
use crate::domain::facts::Compact;
use crate::domain::prompt;
use crate::domain::subject::extract;
use crate::domain::verdict::{Judgement, judge};

/// A line; fields that it does not know are ignored.
#[derive(Debug, Deserialize)]
pub(super) struct Line<'a> {
    #[serde(borrow, default)]
    pub(super) id: Option<&'a RawValue>,
    dialog: Shown,
    cwd: String,
    repo_root: String,
    worktree: String,
    #[serde(default)]
    fs: Option<Compact>,
    #[serde(default)]
    policy: Option<Given>,
}

/// A dialog as a line has it.
#[derive(Debug, Deserialize)]
struct Shown {
    #[serde(default)]
    agent_kind: Option<String>,
    #[serde(default)]
    kind: Option<DialogKind>,
    #[serde(default)]
    title: Text,
    #[serde(default)]
    question: Text,
    #[serde(default)]
    body: Text,
    #[serde(default)]
    command: Option<String>,
    #[serde(default)]
    context: Text,
    #[serde(default)]
    options: Vec<Row>,
    #[serde(default)]
    truncated: bool,
}

/// What is wrong with a line.
#[derive(Debug, Serialize)]
pub(super) struct BadLine {
    /// Where, as a path; empty for the whole line.
    pub(super) field: String,
    /// What is wrong, and what would be right.
    pub(super) detail: String,
}

impl From<serde_json::Error> for BadLine {
    fn from(error: serde_json::Error) -> Self {
        Self { field: String::new(), detail: error.to_string() }
    }
}

/// Reads a line. The fast way first; only a line that fails is read again, to find the field.
pub(super) fn parse(line: &[u8]) -> Result<Line<'_>, BadLine> {
    serde_json::from_slice(line).or_else(|_| {
        let mut reader = serde_json::Deserializer::from_slice(line);
        serde_path_to_error::deserialize(&mut reader).map_err(|error| {
            let field = error.path().to_string();
            let field = field.trim_end_matches(".?").to_owned();
            let field = if field == "." { missing(error.inner()).unwrap_or_default() } else { field };
            BadLine { field, detail: error.into_inner().to_string() }
        })
    })
}

/// The field that is missing, which has no path of its own.
fn missing(error: &serde_json::Error) -> Option<String> {
    let text = error.to_string();
    let (_, rest) = text.split_once("missing field `")?;
    rest.split_once('`').map(|(name, _)| name.to_owned())
}

/// The id of a line that may be wrong everywhere else.
pub(super) fn id_of(line: &[u8]) -> Option<Box<RawValue>> {
    #[derive(Deserialize)]
    struct Id {
        id: Option<Box<RawValue>>,
    }
    serde_json::from_slice::<Id>(line).ok()?.id
}

impl Line<'_> {
    /// The dialog with the facts that `fs` stands for.
    pub(super) fn dialog(&self) -> Dialog {
        let shown = &self.dialog;
        let (title, question) = (shown.title.0.clone(), shown.question.0.clone());
        let mut dialog = Dialog {
            agent_kind: shown.agent_kind.clone().unwrap_or_default(),
            kind: shown.kind.unwrap_or_else(|| prompt::kind_of(&title, &question)),
            title,
            question,
            body: shown.body.0.clone(),
            command: shown.command.clone(),
            context: shown.context.0.clone(),
            options: (1..).zip(&shown.options).map(|(n, row)| row.numbered(n)).collect(),
            truncated: shown.truncated,
            cwd: self.cwd.clone(),
            repo_root: self.repo_root.clone(),
            worktree: self.worktree.clone(),
            facts: None,
            home: None,
        };
        let none = Compact::default();
        let facts = self.fs.as_ref().unwrap_or(&none).facts(&extract(&dialog), &dialog);
        dialog.facts = Some(facts);
        dialog
    }

    /// Judges it under its policy.
    pub(super) fn judge(&self) -> Result<Judgement, BadLine> {
        self.judge_dialog(&self.dialog())
    }

    /// Judges a dialog under this line's policy.
    pub(super) fn judge_dialog(&self, dialog: &Dialog) -> Result<Judgement, BadLine> {
        match &self.policy {
            None => Ok(judge(dialog, &super::policy::shipped())),
            Some(given) => given.resolve().map(|policy| judge(dialog, &policy.standing())),
        }
    }
}

/// A text, or its lines.
#[derive(Debug, Default)]
struct Text(String);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Lines;
        impl<'de> Visitor<'de> for Lines {
            type Value = Text;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text or a list of lines")
            }
            fn visit_str<E>(self, text: &str) -> Result<Text, E> {
                Ok(Text(text.to_owned()))
            }
            fn visit_string<E>(self, text: String) -> Result<Text, E> {
                Ok(Text(text))
            }
            fn visit_unit<E>(self) -> Result<Text, E> {
                Ok(Text::default())
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut lines: A) -> Result<Text, A::Error> {
                let mut text = String::new();
                let mut first = true;
                while let Some(line) = lines.next_element::<Cow<'de, str>>()? {
                    if !first {
                        text.push('\n');
                    }
                    first = false;
                    text.push_str(&line);
                }
                Ok(Text(text))
            }
        }
        from.deserialize_any(Lines)
    }
}

/// A row: its text, or its text with a number.
#[derive(Debug)]
struct Row {
    n: Option<u32>,
    text: String,
    selected: bool,
}

impl Row {
    fn numbered(&self, position: u32) -> DialogOption {
        DialogOption { n: self.n.unwrap_or(position), text: self.text.clone(), selected: self.selected }
    }
}

impl<'de> Deserialize<'de> for Row {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Full {
            n: u32,
            text: String,
            #[serde(default)]
            selected: bool,
        }
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = Row;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text or {n, text}")
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Row, E> {
                Ok(Row { n: None, text: text.to_owned(), selected: false })
            }
            fn visit_string<E>(self, text: String) -> Result<Row, E> {
                Ok(Row { n: None, text, selected: false })
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Row, A::Error> {
                let Full { n, text, selected } =
                    Full::deserialize(MapAccessDeserializer::new(map)).map_err(A::Error::custom)?;
                Ok(Row { n: Some(n), text, selected })
            }
        }
        from.deserialize_any(Either)
    }
}
