//! `GET /p/{id}`: one proposal for one reader.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use uuid::Uuid;

use super::dialog::{self, Dialog};
use super::{Bar, Gesture, Review, State as Standing, parts};
use crate::app::{App, AppState};
use crate::domain::proposal::Status;
use crate::domain::risk::Risk;
use crate::error::Result;
use crate::flows::proposals::reviews;
use crate::http::extract::{Path, Query};
use crate::http::pages::form::Form;
use crate::http::pages::frame::Tab;
use crate::http::pages::sentence::Sentence;
use crate::http::pages::suggest::{self, Came, Suggest};
use crate::http::pages::visit::Visit;
use crate::http::pages::{Page, glance, inbox};
use crate::store::proposals::list::Filter;
use crate::store::proposals::{Content, Row};
use crate::store::shown::{self, Dialog as Found};
use crate::store::{places, proposals};

/// An answer that was not taken, to be shown with what was typed.
#[derive(Debug, Default)]
pub(super) struct Tried<'a> {
    /// What was sent.
    pub form: Option<&'a Form>,
    /// Why it was not taken.
    pub problem: Option<String>,
    /// Somebody else was first.
    pub too_late: bool,
    /// What was just done on the page: `suggested`.
    pub done: String,
    /// A suggestion that was not taken.
    pub suggestion: Option<suggest::Refused<'a>>,
}

/// `GET /p/{id}`.
pub async fn handle(
    State(app): State<AppState>,
    visit: Visit,
    Path(id): Path<Uuid>,
    Query(came): Query<Came>,
) -> Result<Response> {
    let tried = Tried { done: came.done, ..Tried::default() };
    Ok(Page(page(&app, &visit, id, tried).await?).into_response())
}

/// The page with a suggestion that was not taken.
pub(in crate::http::pages) async fn refused(
    app: &App,
    visit: &Visit,
    id: Uuid,
    suggestion: suggest::Refused<'_>,
) -> Result<Review> {
    page(app, visit, id, Tried { suggestion: Some(suggestion), ..Tried::default() }).await
}

/// Reads a proposal that the visitor may read.
pub(in crate::http::pages) async fn open(app: &App, visit: &Visit, id: Uuid) -> Result<(Row, Content)> {
    reviews::open(app, &visit.person, id).await
}

/// What is stored of a dialog beside its proposal.
pub(in crate::http::pages) async fn dialog_of(app: &App, row: &Row) -> Result<Option<Found>> {
    if row.kind != "dialog" {
        return Ok(None);
    }
    let mut conn = app.db.acquire().await?;
    Ok(shown::dialogs(&mut conn, &[row.id]).await?.pop())
}

/// Whether the visitor may approve it with an edit.
pub(in crate::http::pages) fn may_edit(visit: &Visit, row: &Row, content: &Content) -> bool {
    row.kind == "change" && content.body.is_some() && reviews::may_decide(&visit.person, row).is_ok()
}

/// The whole page.
pub(super) async fn page(app: &App, visit: &Visit, id: Uuid, mut tried: Tried<'_>) -> Result<Review> {
    let (row, content) = open(app, visit, id).await?;
    let (frame, _) = visit.frame(app, "Review", Tab::None).await?;
    let found = dialog_of(app, &row).await?;
    let read = glance::read(&row, &content, found.as_ref());
    let nothing = Form::default();
    let typed = tried.form.unwrap_or(&nothing);
    let why = why(app, visit, (&row, &content), found.as_ref()).await?;
    let worktree = {
        let mut conn = app.db.acquire().await?;
        places::worktree(&mut conn, row.lane_id).await?
    };
    let mut warnings = read.warnings;
    if let Some(reasons) = &content.justification {
        warnings.merge(&crate::domain::text::show(reasons, crate::domain::text::Kind::Prose).warnings);
    }
    Ok(Review {
        frame,
        id: row.id.to_string(),
        digest: hex::encode(&row.digest),
        lane: row.lane.clone(),
        risk: Risk::from_word(&row.risk),
        sentence: read.sentence,
        why,
        left: row.expires_at.map(|end| visit.reader().left(end)),
        warnings,
        command: read.command,
        worktree: worktree.unwrap_or_default(),
        content: read.content,
        questions: parts::questions(&row, &content, typed),
        facts: parts::facts(visit, &row),
        says: parts::says(&row, &content, found.as_ref()),
        receipts: found
            .as_ref()
            .map_or_else(|| parts::receipts(visit, &row), |found| dialog::receipts(visit, &row, found)),
        long: read.long,
        dialog: found.as_ref().map(|found| Box::new(part(visit, (&row, found), &mut tried))),
        state: standing(app, visit, Case { row: &row, content: &content, found: found.as_ref() }, tried).await?,
    })
}

fn part(visit: &Visit, (row, found): (&Row, &Found), tried: &mut Tried<'_>) -> Dialog {
    let typed = tried.form.and_then(|form| form.get("option").parse().ok());
    let chosen = found.option.as_ref().map(|option| option.n).or(typed);
    let mut part = dialog::build(row, found, chosen);
    if suggest::may(visit, (row.project_id, row.lane_id)) {
        let form = Suggest {
            action: format!("/p/{}/suggest", row.id),
            rule: found.judgement.argv.is_some(),
            ..Suggest::default()
        };
        part.suggest = Some(form.after(&tried.done, tried.suggestion.take()));
    }
    part
}

/// Why a person is asked, and what else is remarkable.
async fn why(
    app: &App,
    visit: &Visit,
    (row, content): (&Row, &Content),
    found: Option<&Found>,
) -> Result<Vec<Sentence>> {
    let mut why: Vec<Sentence> = match found {
        Some(found) => dialog::why(row, found),
        None if row.is_pending() => {
            let review = reviews::review(app, &visit.person, row, Content::default());
            review.reasons.into_iter().map(|reason| reason.text.into()).collect()
        }
        None => Vec::new(),
    };
    if row.previously_rejected {
        let mut conn = app.db.acquire().await?;
        let last = proposals::last_rejection(&mut conn, row).await?;
        let when = last.map(|at| format!(" {}", visit.reader().when(at).relative)).unwrap_or_default();
        why.push(format!("The same was asked before and rejected{when}.").into());
    }
    if content.redacted_at.is_some() {
        why.push(
            "Its content was removed after the time that this server keeps it. The record of the decision stays."
                .into(),
        );
    }
    Ok(why)
}

/// What is known of the proposal.
#[derive(Clone, Copy)]
struct Case<'a> {
    row: &'a Row,
    content: &'a Content,
    found: Option<&'a Found>,
}

async fn standing(app: &App, visit: &Visit, case: Case<'_>, tried: Tried<'_>) -> Result<Standing> {
    let Case { row, content, found } = case;
    let status = Status::from_word(&row.status).filter(|status| status.is_final());
    if let Some(status) = status {
        let mut closed = parts::closed(visit, row, content, status);
        if let Some(found) = found {
            closed.after = dialog::after(row, found);
            closed.stuck = dialog::stuck(row, found);
            closed.by = dialog::by(row, found).unwrap_or(closed.by);
            closed.note = closed.note.filter(|_| status != Status::Withdrawn);
        }
        closed.too_late = tried.too_late;
        closed.next = next(app, visit).await?;
        return Ok(Standing::Closed(Box::new(closed)));
    }
    if let Err(why) = reviews::may_decide(&visit.person, row) {
        return Ok(Standing::Readonly(why));
    }
    if let Some(why) = found.and_then(dialog::ended) {
        return Ok(Standing::Readonly(why));
    }
    let gesture = parts::gesture(visit, row);
    let sheet = match (&tried.problem, tried.form.map(|form| form.get("outcome"))) {
        (None, _) => "",
        (Some(_), Some("rejected")) => "reject",
        (Some(_), _) => "approve",
    };
    Ok(Standing::Open(Bar {
        gesture,
        reason: row.requirement.reason || matches!(gesture, Gesture::Confirm),
        edit: may_edit(visit, row, content),
        votes: parts::votes(row),
        problem: tried.problem,
        note: tried.form.map(|form| form.get("note").to_owned()).unwrap_or_default(),
        sheet,
        press: found.map(dialog::press).unwrap_or_default(),
    }))
}

/// The next one that waits for this reader.
async fn next(app: &App, visit: &Visit) -> Result<Option<String>> {
    let filter =
        Filter { statuses: vec![Status::Pending.as_str().to_owned()], limit: 100, ..reviews::visible(&visit.person) };
    let rows = reviews::list(app, &filter).await?;
    let mine = rows.iter().filter(|row| reviews::may_decide(&visit.person, row).is_ok());
    Ok(mine.min_by_key(|row| inbox::urgency(row)).map(|row| row.id.to_string()))
}
