//! What a tool answers: text that a model reads, and the same for its client as data.

use std::fmt::Write;

use rmcp::model::{CallToolResult, ContentBlock};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::error::{Code, Error, Problem, Result};
use crate::flows::proposals::shape::Proposal;

/// An answer. An error is one that the model should see as such; a fault of the protocol is none of these.
#[derive(Debug)]
pub struct Answer {
    text: String,
    data: Value,
    is_error: bool,
    /// What the answer leaves open, for clients that wait by themselves.
    open: Option<Box<Proposal>>,
}

impl Answer {
    /// Words, and the same as data, which is an object.
    pub fn new(text: impl Into<String>, data: Value) -> Self {
        Self { text: text.into(), data, is_error: false, open: None }
    }

    /// Data that is its own text.
    pub fn of(data: &impl Serialize) -> Result<Self> {
        let data = data_of(data)?;
        Ok(Self::new(data.to_string(), data))
    }

    /// The same, as an error.
    #[must_use]
    pub fn as_error(self) -> Self {
        Self { is_error: true, ..self }
    }

    /// The same, while a proposal is still to be decided.
    pub(super) fn about(self, open: Proposal) -> Self {
        Self { open: Some(Box::new(open)), ..self }
    }

    /// The proposal that is still to be decided.
    pub(super) fn open(&self) -> Option<&Proposal> {
        self.open.as_deref()
    }
}

/// A refusal that names no field is about this one.
pub(super) fn about(field: &'static str) -> impl Fn(Error) -> Error {
    move |error| match error {
        Error::Problem(problem)
            if problem.field.is_none() && matches!(problem.code, Code::NotFound | Code::Invalid) =>
        {
            problem.field(field).into()
        }
        other => other,
    }
}

/// An answer's data.
pub(super) fn data_of(answer: &impl Serialize) -> Result<Value> {
    serde_json::to_value(answer).map_err(|error| Error::Internal(error.to_string()))
}

impl From<Error> for Answer {
    /// A refusal: the words for people, and what REST's problem says.
    fn from(error: Error) -> Self {
        let Problem { code, detail, field, extra } = error.into();
        let mut text = format!("{}: {detail}", code.title());
        let mut data =
            Map::from_iter([("code".to_owned(), json!(code.as_str())), ("detail".to_owned(), json!(detail))]);
        if let Some(field) = field {
            text.push_str("\nfield: ");
            text.push_str(&field);
            data.insert("field".into(), json!(field));
        }
        for (name, value) in extra {
            // What a member only says again is not told to the model twice. Writing to a string does not fail.
            if value.as_str() != Some(detail.as_ref()) {
                _ = write!(text, "\n{name}: {value}");
            }
            data.insert(name, value);
        }
        Self::new(text, Value::Object(data)).as_error()
    }
}

impl From<Answer> for CallToolResult {
    fn from(answer: Answer) -> Self {
        let mut result = Self::success(vec![ContentBlock::text(answer.text)]);
        result.structured_content = Some(answer.data);
        result.is_error = Some(answer.is_error);
        result
    }
}
