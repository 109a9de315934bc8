//! The first admin, with the one-time code that the server printed.

use askama::Template;

use super::frame::Frame;

/// `/setup`
#[derive(Debug, Template)]
#[template(path = "pages/setup.html")]
pub struct Setup {
    /// The frame.
    pub frame: Frame,
    /// The code as typed before; the script takes it from the address.
    pub code: String,
    /// The name as typed before.
    pub name: String,
    /// What is wrong, and with which field.
    pub problem: Option<Problem>,
}

/// What is wrong with a form.
#[derive(Debug, Clone)]
pub struct Problem {
    /// The field's name; empty when it is none.
    pub field: String,
    /// In words.
    pub text: String,
}

impl Setup {
    /// What is wrong with a field, or with no field when the name is empty.
    pub fn wrong(&self, field: &str) -> Option<&str> {
        self.problem.as_ref().filter(|problem| problem.field == field).map(|problem| problem.text.as_str())
    }
}
