//! The supervision policy at the machine: for every lane, and for one of them.

pub mod draft;
pub mod edit;
pub mod filled;
pub mod grid;
pub mod history;
pub mod review;
pub mod simulated;
pub mod words;

use axum::extract::State;
use axum::response::Response;

use self::draft::{Asked, Draft, Place};
use self::edit::Edit;
use super::sent::Sent;
use super::visit::Visit;
use crate::app::AppState;
use crate::error::Result;
use crate::http::extract::Path;
use crate::http::pages::Page;
use crate::store::policies;

/// `GET /admin/supervision`.
pub async fn handle(State(app): State<AppState>, visit: Visit, asked: Asked) -> Result<Page<Edit>> {
    begin(&app, visit, Place::Global, asked).await
}

/// `GET /admin/lanes/{name}`.
pub async fn lane(
    State(app): State<AppState>,
    visit: Visit,
    Path(name): Path<String>,
    asked: Asked,
) -> Result<Page<Edit>> {
    let place = Place::lane(&app, name).await?;
    begin(&app, visit, place, asked).await
}

/// The policy as it is, or the form that somebody comes back to from its review.
async fn begin(app: &AppState, visit: Visit, place: Place, Asked(asked): Asked) -> Result<Page<Edit>> {
    let (version, document) = {
        let mut conn = app.db.acquire().await?;
        policies::head(&mut conn).await?
    };
    let form = if asked.has("version") { asked.clone() } else { filled::form_of(&document, &place, version) };
    let mut page = Edit::new(app, visit, place, &form).await?;
    page.desk.notice = (asked.get("done") == "saved").then_some("Saved. It holds from now on.");
    Ok(Page(page))
}

/// `GET /admin/supervision/review`.
pub async fn review(State(app): State<AppState>, visit: Visit, asked: Asked) -> Result<Response> {
    look(&app, visit, Place::Global, asked).await
}

/// `GET /admin/lanes/{name}/review`.
pub async fn review_lane(
    State(app): State<AppState>,
    visit: Visit,
    Path(name): Path<String>,
    asked: Asked,
) -> Result<Response> {
    let place = Place::lane(&app, name).await?;
    look(&app, visit, place, asked).await
}

async fn look(app: &AppState, visit: Visit, place: Place, Asked(form): Asked) -> Result<Response> {
    match Draft::read(app, place.clone(), &form).await? {
        Err(problem) => edit::refused(app, visit, (place, &form), problem).await,
        Ok(draft) if draft.fields.is_empty() => edit::unchanged(app, visit, place, &form).await,
        Ok(draft) => review::show(app, visit, &draft, &form).await,
    }
}

/// `POST /admin/supervision/save`.
pub async fn save(State(app): State<AppState>, visit: Visit, sent: Sent) -> Result<Response> {
    review::save(&app, visit, Place::Global, sent).await
}

/// `POST /admin/lanes/{name}/save`.
pub async fn save_lane(
    State(app): State<AppState>,
    visit: Visit,
    Path(name): Path<String>,
    sent: Sent,
) -> Result<Response> {
    let place = Place::lane(&app, name).await?;
    review::save(&app, visit, place, sent).await
}
