//! Learned rules: which there are, what they cover, and how one is confirmed.

pub mod confirm;

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use uuid::Uuid;

use super::Done;
use super::ask::Ask;
use super::sent::Sent;
use super::visit::{Desk, Section, Visit};
use crate::app::AppState;
use crate::domain::rule::Attention;
use crate::domain::text::{self, Kind, Shown};
use crate::error::{Error, Result};
use crate::flows::rules::{self, Covered, ListedRule};
use crate::http::extract::{Path, Query};
use crate::http::pages::form::Form;
use crate::http::pages::when::{Reader, When};
use crate::http::pages::{Page, words};

/// `/admin/rules`
#[derive(Debug, Template)]
#[template(path = "admin/rules.html")]
pub struct Rules {
    /// The frame.
    pub desk: Desk,
    /// The rules, newest first within a project.
    pub rules: Vec<Rule>,
    /// Whether there is a project that a rule could be for.
    pub has_projects: bool,
}

/// A rule in the list.
#[derive(Debug)]
pub struct Rule {
    /// Its id.
    pub id: String,
    /// Its project.
    pub project: String,
    /// What it answers.
    pub command: Shown,
    /// Any words may follow.
    pub open: bool,
    /// Who confirmed it, and when.
    pub owner: (String, When),
    /// Why.
    pub reason: Option<String>,
    /// When it ends.
    pub ends: Option<String>,
    /// How often it answered.
    pub hits: String,
    /// When it last did.
    pub used: Option<When>,
    /// Why somebody should look at it.
    pub attention: Option<&'static str>,
    /// What it covers of what was asked lately.
    pub covers: Coverage,
}

/// What a rule covers of what was asked lately.
#[derive(Debug, Default)]
pub struct Coverage {
    /// How many different commands, in words.
    pub commands: String,
    /// The most frequent, and how often each was asked.
    pub most: Vec<(Shown, i64)>,
}

impl Coverage {
    fn of(covered: &Covered) -> Self {
        let most = covered.most.iter().map(|seen| (text::show(&seen.command, Kind::Command), seen.times));
        Self { commands: words::plural(covered.commands, "command"), most: most.collect() }
    }
}

impl Rule {
    fn of(rule: ListedRule, reader: Reader) -> Self {
        Self {
            id: rule.id.to_string(),
            project: rule.project,
            command: text::show(&rule.command, Kind::Command),
            open: rule.matching == "prefix",
            owner: (said(&rule.owner), reader.when(rule.created_at)),
            reason: rule.reason,
            ends: rule.expires_at.map(|at| reader.exact(at)),
            hits: words::plural(usize::try_from(rule.hits).unwrap_or_default(), "time"),
            used: rule.last_used_at.map(|at| reader.when(at)),
            attention: rule.attention.map(|attention| match attention {
                Attention::Ended => "has ended",
                Attention::Ending => "ends soon",
                Attention::Unused => "not used for long",
            }),
            covers: Coverage::of(&rule.covers),
        }
    }
}

/// `admin:ada` is said as `ada`.
pub(super) fn said(actor: &str) -> String {
    actor.rsplit(':').next().unwrap_or(actor).to_owned()
}

/// `GET /admin/rules`.
pub async fn handle(State(app): State<AppState>, visit: Visit, Query(done): Query<Done>) -> Result<Page<Rules>> {
    let notice = match done.done.as_str() {
        "confirmed" => Some("The rule is confirmed."),
        "removed" => Some("The rule is removed."),
        _ => None,
    };
    let desk = visit.desk(&app, "Rules", Section::Rules).await?.with_notice(notice);
    let rules = rules::list(&app, visit.peer, None).await?;
    let has_projects = {
        let mut conn = app.db.acquire().await?;
        !crate::store::places::projects(&mut conn, None).await?.is_empty()
    };
    let rules = rules.into_iter().map(|rule| Rule::of(rule, visit.reader())).collect();
    Ok(Page(Rules { desk, rules, has_projects }))
}

/// `GET /admin/rules/{id}/remove`.
pub async fn remove_form(State(app): State<AppState>, visit: Visit, Path(id): Path<Uuid>) -> Result<Page<Ask>> {
    Ok(Page(removing(&app, visit, id, &Form::default()).await?))
}

/// `POST /admin/rules/{id}/remove`.
pub async fn remove(State(app): State<AppState>, visit: Visit, Path(id): Path<Uuid>, sent: Sent) -> Result<Response> {
    let Sent { admin, form } = sent;
    let ask = removing(&app, visit, id, &form).await?;
    ask.settle("/admin/rules?done=removed", async { rules::remove(&app, &admin?, id).await }).await
}

async fn removing(app: &AppState, visit: Visit, id: Uuid, form: &Form) -> Result<Ask> {
    let all = rules::list(app, visit.peer, None).await?;
    let rule = all.into_iter().find(|rule| rule.id == id).ok_or_else(Error::not_found)?;
    let desk = visit.desk(app, "Remove a rule", Section::Rules).await?;
    Ok(Ask {
        heading: "Remove a rule".into(),
        why: vec![
            format!("{}, in project {}.", rule.command, rule.project),
            "From now on it asks a person again.".into(),
        ],
        action: format!("/admin/rules/{id}/remove"),
        back: "/admin/rules".into(),
        button: "Remove",
        removes: true,
        ..Ask::new(desk, form)
    })
}
