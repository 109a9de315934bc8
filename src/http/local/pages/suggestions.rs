//! What people and the service suggest: it waits for the admin at the machine.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use uuid::Uuid;

use super::Done;
use super::ask::Ask;
use super::rules::said;
use super::sent::Sent;
use super::visit::{Desk, Section, Visit};
use crate::app::AppState;
use crate::domain::rule::spelled;
use crate::domain::text::{self, Kind, Shown};
use crate::error::{Error, Result};
use crate::flows::rules::{self, Accept};
use crate::http::extract::{Path, Query};
use crate::http::pages::Page;
use crate::http::pages::form::Form;
use crate::http::pages::when::{Reader, When};
use crate::store::suggestions::SuggestionRow;

/// `/admin/suggestions`
#[derive(Debug, Template)]
#[template(path = "admin/suggestions.html")]
pub struct Suggestions {
    /// The frame.
    pub desk: Desk,
    /// Those that wait.
    pub open: Vec<Suggestion>,
    /// Those that were settled last.
    pub settled: Vec<Suggestion>,
}

/// A suggestion in the list.
#[derive(Debug)]
pub struct Suggestion {
    /// Its id.
    pub id: String,
    /// It is of a rule.
    pub is_rule: bool,
    /// In words.
    pub text: Shown,
    /// The command of a rule.
    pub command: Option<Shown>,
    /// Where: a lane or a project.
    pub place: Option<String>,
    /// Who made it, and when.
    pub by: (String, When),
    /// What became of it: how, by whom, when.
    pub end: Option<(String, String, When)>,
}

impl Suggestion {
    fn of(row: SuggestionRow, reader: Reader) -> Self {
        let place = row.lane.map(|lane| format!("in lane {lane}"));
        let by = if row.author == "system" { "the service".to_owned() } else { said(&row.author) };
        let end = row
            .settled_at
            .map(|at| (row.state, row.settled_by.map(|by| said(&by)).unwrap_or_default(), reader.when(at)));
        Self {
            id: row.id.to_string(),
            is_rule: row.kind == "rule",
            text: text::show(&row.text, Kind::Prose),
            command: row.argv.map(|argv| text::show(&spelled(&argv.0), Kind::Command)),
            place: place.or_else(|| row.project.map(|project| format!("in project {project}"))),
            by: (by, reader.when(row.created_at)),
            end,
        }
    }
}

/// `GET /admin/suggestions`.
pub async fn handle(State(app): State<AppState>, visit: Visit, Query(done): Query<Done>) -> Result<Page<Suggestions>> {
    let notice = match done.done.as_str() {
        "dismissed" => Some("Dismissed."),
        "accepted" => Some("Marked as done, with the version of the policy that holds."),
        _ => None,
    };
    let desk = visit.desk(&app, "Suggestions", Section::Suggestions).await?.with_notice(notice);
    let all = rules::suggestions(&app, visit.peer, false).await?;
    let all = all.into_iter().map(|row| Suggestion::of(row, visit.reader()));
    let (open, settled) = all.partition(|suggestion| suggestion.end.is_none());
    Ok(Page(Suggestions { desk, open, settled }))
}

/// `GET /admin/suggestions/{id}/dismiss`.
pub async fn dismiss_form(State(app): State<AppState>, visit: Visit, Path(id): Path<Uuid>) -> Result<Page<Ask>> {
    Ok(Page(dismissing(&app, visit, id, &Form::default()).await?))
}

/// `POST /admin/suggestions/{id}/dismiss`.
pub async fn dismiss(State(app): State<AppState>, visit: Visit, Path(id): Path<Uuid>, sent: Sent) -> Result<Response> {
    let Sent { admin, form } = sent;
    let ask = dismissing(&app, visit, id, &form).await?;
    ask.settle("/admin/suggestions?done=dismissed", async { rules::dismiss(&app, &admin?, id).await }).await
}

async fn dismissing(app: &AppState, visit: Visit, id: Uuid, form: &Form) -> Result<Ask> {
    let row = waiting(app, visit, id).await?;
    let desk = visit.desk(app, "Dismiss", Section::Suggestions).await?;
    Ok(Ask {
        heading: "Dismiss a suggestion".into(),
        why: vec![told(&row), "Nothing changes. It may be made again.".into()],
        action: format!("/admin/suggestions/{id}/dismiss"),
        back: "/admin/suggestions".into(),
        button: "Dismiss",
        removes: true,
        ..Ask::new(desk, form)
    })
}

/// `GET /admin/suggestions/{id}/accept`: of a policy; of a rule, the rule is confirmed.
pub async fn accept_form(State(app): State<AppState>, visit: Visit, Path(id): Path<Uuid>) -> Result<Page<Ask>> {
    Ok(Page(accepting(&app, visit, id, &Form::default()).await?))
}

/// `POST /admin/suggestions/{id}/accept`.
pub async fn accept(State(app): State<AppState>, visit: Visit, Path(id): Path<Uuid>, sent: Sent) -> Result<Response> {
    let Sent { admin, form } = sent;
    let ask = accepting(&app, visit, id, &form).await?;
    let act = async { rules::accept(&app, &admin?, id, &Accept::default()).await };
    ask.settle("/admin/suggestions?done=accepted", act).await
}

async fn accepting(app: &AppState, visit: Visit, id: Uuid, form: &Form) -> Result<Ask> {
    let row = waiting(app, visit, id).await?;
    if row.kind == "rule" {
        return Err(Error::not_found());
    }
    let desk = visit.desk(app, "Mark as done", Section::Suggestions).await?;
    Ok(Ask {
        heading: "Mark a suggestion as done".into(),
        why: vec![
            told(&row),
            "The words are a person's; nothing follows from them by itself. Change the policy first, if you agree."
                .into(),
        ],
        action: format!("/admin/suggestions/{id}/accept"),
        back: "/admin/suggestions".into(),
        button: "Mark as done",
        ..Ask::new(desk, form)
    })
}

fn told(row: &SuggestionRow) -> String {
    format!("“{}”, by {}.", row.text, said(&row.author))
}

async fn waiting(app: &AppState, visit: Visit, id: Uuid) -> Result<SuggestionRow> {
    let open = rules::suggestions(app, visit.peer, true).await?;
    open.into_iter().find(|row| row.id == id).ok_or_else(Error::not_found)
}
