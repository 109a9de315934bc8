//! The one form of every simple change: what will happen, what is needed for it, and an admin's signature.

use askama::Template;
use axum::response::Response;

use super::sent::{self, ADMIN, PASSWORD};
use super::visit::Desk;
use crate::domain::name::{BadName, Name};
use crate::domain::text::{self, Shown};
use crate::error::{Error, Result};
use crate::http::pages::form::Form;
use crate::http::pages::see_other;
use crate::http::pages::setup::{Problem, sentence};

/// A form.
#[derive(Debug, Template, Default)]
#[template(path = "admin/ask.html")]
pub struct Ask {
    /// The frame.
    pub desk: Desk,
    /// What is done.
    pub heading: String,
    /// What that means, a sentence a paragraph.
    pub why: Vec<String>,
    /// What has to be said for it.
    pub fields: Vec<Field>,
    /// What goes with it unseen.
    pub hidden: Option<(&'static str, String)>,
    /// Where the form goes.
    pub action: String,
    /// It only leads to another look: nothing changes, so nobody signs.
    pub looks: bool,
    /// Where to go instead.
    pub back: String,
    /// The word on the button.
    pub button: &'static str,
    /// Where else to go from here: an address, and what it is called.
    pub more: Option<(&'static str, &'static str)>,
    /// It takes something away.
    pub removes: bool,
    /// The admin's name as typed before.
    pub signer: String,
    /// What is wrong, and with which field.
    pub problem: Option<Problem>,
}

/// One field.
#[derive(Debug)]
pub struct Field {
    /// Its name in the form.
    pub name: &'static str,
    /// What it is called.
    pub label: &'static str,
    /// What it takes.
    pub hint: &'static str,
    /// What is in it.
    pub value: String,
    /// How it is filled in.
    pub kind: Kind,
}

/// How a field is filled in.
#[derive(Debug)]
pub enum Kind {
    /// A line; needed.
    Line,
    /// A line that may be empty.
    Optional,
    /// A new password.
    NewPassword,
    /// A secret of somebody else's; may stay empty, and is never filled in.
    Secret,
    /// Yes or no.
    Switch,
    /// One of these: value, label.
    One(Vec<(String, String)>),
    /// Any of these: value, whether it is chosen.
    Any(Vec<(String, bool)>),
}

impl Field {
    /// A line that has to be filled in.
    pub fn line(form: &Form, name: &'static str, label: &'static str, hint: &'static str) -> Self {
        Self { name, label, hint, value: form.get(name).to_owned(), kind: Kind::Line }
    }

    /// Whether it has to be filled in.
    pub fn is_needed(&self) -> bool {
        matches!(self.kind, Kind::Line)
    }

    /// The same field, filled in otherwise.
    #[must_use]
    pub fn of(self, kind: Kind) -> Self {
        Self { kind, ..self }
    }

    /// The same field, which may stay empty.
    #[must_use]
    pub fn optional(self) -> Self {
        self.of(Kind::Optional)
    }

    /// Any of some words, those that were sent being chosen.
    pub fn any(form: &Form, name: &'static str, label: &'static str, words: &[&str]) -> Self {
        let chosen = form.all(name);
        let kind = Kind::Any(words.iter().map(|&word| (word.to_owned(), chosen.iter().any(|it| it == word))).collect());
        Self { name, label, hint: "", value: String::new(), kind }
    }
}

impl Ask {
    /// A form with what was typed into it before.
    pub fn new(desk: Desk, form: &Form) -> Self {
        let signer = desk.signer(form.get(ADMIN)).to_owned();
        Self { desk, signer, ..Self::default() }
    }

    /// A line that may have somebody's words in it, safe to show.
    pub fn shown(&self, line: &str) -> Shown {
        text::show(line, text::Kind::Prose)
    }

    /// What is wrong with a field; with the form as a whole when the name is empty or no field of it.
    pub fn wrong(&self, field: &str) -> Option<&str> {
        let problem = self.problem.as_ref()?;
        let on_form =
            |name: &str| name == ADMIN || name == PASSWORD || self.fields.iter().any(|known| known.name == name);
        let place = if on_form(&problem.field) { problem.field.as_str() } else { "" };
        (place == field).then_some(problem.text.as_str())
    }

    /// Does it: on to a page that shows what was done, or back to the form with why not.
    pub async fn settle<T>(self, on: &str, act: impl Future<Output = Result<T>>) -> Result<Response> {
        match act.await {
            Ok(_) => Ok(see_other(on)),
            Err(error) => self.refused(error),
        }
    }

    /// The form again, with why it was refused.
    pub fn refused(self, error: Error) -> Result<Response> {
        sent::refused(error, |problem| Self { problem: Some(problem), ..self })
    }
}

/// The name that was typed into a form.
pub fn named(form: &Form) -> Result<Name> {
    form.get("name").trim().parse().map_err(|bad: BadName| Error::invalid("name", sentence(&bad.to_string())))
}
