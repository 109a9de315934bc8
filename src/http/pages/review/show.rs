//! `GET /p/{id}`: one proposal for one reader.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use uuid::Uuid;

use super::{Bar, Gesture, Review, State as Standing, parts};
use crate::app::{App, AppState};
use crate::domain::proposal::Status;
use crate::domain::risk::Risk;
use crate::error::Result;
use crate::flows::proposals::reviews;
use crate::http::extract::Path;
use crate::http::pages::form::Form;
use crate::http::pages::frame::Tab;
use crate::http::pages::visit::Visit;
use crate::http::pages::{Page, glance, inbox};
use crate::store::proposals::list::Filter;
use crate::store::proposals::{Content, Row};
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
}

/// `GET /p/{id}`.
pub async fn handle(State(app): State<AppState>, visit: Visit, Path(id): Path<Uuid>) -> Result<Response> {
    Ok(Page(page(&app, &visit, id, Tried::default()).await?).into_response())
}

/// Reads a proposal that the visitor may read.
pub(in crate::http::pages) async fn open(app: &App, visit: &Visit, id: Uuid) -> Result<(Row, Content)> {
    reviews::open(app, &visit.person, id).await
}

/// Whether the visitor may approve it with an edit.
pub(in crate::http::pages) fn may_edit(visit: &Visit, row: &Row, content: &Content) -> bool {
    row.kind == "change" && content.body.is_some() && reviews::may_decide(&visit.person, row).is_ok()
}

/// The whole page.
pub(super) async fn page(app: &App, visit: &Visit, id: Uuid, tried: Tried<'_>) -> Result<Review> {
    let (row, content) = open(app, visit, id).await?;
    let (frame, _) = visit.frame(app, "Review", Tab::None).await?;
    let read = glance::read(&row, &content);
    let nothing = Form::default();
    let typed = tried.form.unwrap_or(&nothing);
    let why = why(app, visit, &row, &content).await?;
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
        says: parts::says(&row, &content),
        receipts: parts::receipts(visit, &row),
        long: read.long,
        state: standing(app, visit, (&row, &content), tried).await?,
    })
}

/// Why a person is asked, and what else is remarkable.
async fn why(app: &App, visit: &Visit, row: &Row, content: &Content) -> Result<Vec<String>> {
    let review = reviews::review(app, &visit.person, row, Content::default());
    let pending = row.status == Status::Pending.as_str();
    let mut why: Vec<String> = review.reasons.into_iter().filter(|_| pending).map(|reason| reason.text).collect();
    if row.previously_rejected {
        let mut conn = app.db.acquire().await?;
        let last = proposals::last_rejection(&mut conn, row).await?;
        let when = last.map(|at| format!(" {}", visit.reader().when(at).relative)).unwrap_or_default();
        why.push(format!("The same was asked before and rejected{when}."));
    }
    if content.redacted_at.is_some() {
        why.push(
            "Its content was removed after the time that this server keeps it. The record of the decision stays."
                .into(),
        );
    }
    Ok(why)
}

async fn standing(app: &App, visit: &Visit, (row, content): (&Row, &Content), tried: Tried<'_>) -> Result<Standing> {
    let status = Status::from_word(&row.status).filter(|status| status.is_final());
    if let Some(status) = status {
        let mut closed = parts::closed(visit, row, content, status);
        closed.too_late = tried.too_late;
        closed.next = next(app, visit).await?;
        return Ok(Standing::Closed(Box::new(closed)));
    }
    if let Err(why) = reviews::may_decide(&visit.person, row) {
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
