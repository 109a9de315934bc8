//! A person's own settings: what they may do, where they are signed in, their password and their zone.

use askama::Template;

use super::frame::Frame;
use super::setup::Problem;
use super::when::When;

/// `/account`
#[derive(Debug, Template)]
#[template(path = "pages/account.html")]
pub struct Account {
    /// The frame.
    pub frame: Frame,
    /// Their name.
    pub name: String,
    /// What they may do, one line a grant.
    pub grants: Vec<GrantRow>,
    /// Where they are signed in, this one first.
    pub sessions: Vec<SessionRow>,
    /// Their zone.
    pub zone: String,
    /// Every zone there is.
    pub zones: Vec<&'static str>,
    /// What was just done.
    pub notice: Option<String>,
    /// What is wrong, and with which field.
    pub problem: Option<Problem>,
}

/// A grant in words.
#[derive(Debug)]
pub struct GrantRow {
    /// The role.
    pub role: &'static str,
    /// Where it holds: `everywhere`, `project shop`, `lane api`.
    pub scope: String,
    /// Its limits, if any: classes, risk.
    pub limits: Option<String>,
    /// When it ends.
    pub until: Option<String>,
}

/// A session.
#[derive(Debug)]
pub struct SessionRow {
    /// Its id.
    pub id: String,
    /// The device as it named itself.
    pub device: String,
    /// Where it came from.
    pub source: String,
    /// Signed in.
    pub since: When,
    /// Used last.
    pub seen: When,
    /// It is the one that asks.
    pub this: bool,
}

impl Account {
    /// What is wrong with a field.
    pub fn wrong(&self, field: &str) -> Option<&str> {
        self.problem.as_ref().filter(|problem| problem.field == field).map(|problem| problem.text.as_str())
    }
}
