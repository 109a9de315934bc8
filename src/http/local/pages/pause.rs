//! Holding everything, and letting policies answer again, which is done at the machine alone.

use axum::extract::State;
use axum::response::Response;

use super::Done;
use super::ask::{Ask, Field};
use super::sent::Sent;
use super::visit::{Section, Visit};
use crate::app::AppState;
use crate::error::Result;
use crate::flows::supervision::{self, By};
use crate::http::extract::Query;
use crate::http::pages::Page;
use crate::http::pages::form::Form;

/// `GET /admin/pause`.
pub async fn handle(State(app): State<AppState>, visit: Visit, Query(done): Query<Done>) -> Result<Page<Ask>> {
    let mut ask = asking(&app, visit, &Form::default()).await?;
    ask.desk.notice = match done.done.as_str() {
        "paused" => Some("Paused. No policy answers anything."),
        "lifted" => Some("Lifted. Policies answer again, where both keys are on."),
        _ => None,
    };
    Ok(Page(ask))
}

/// `POST /admin/pause`.
pub async fn pause(State(app): State<AppState>, visit: Visit, sent: Sent) -> Result<Response> {
    let Sent { admin, form } = sent;
    let ask = asking(&app, visit, &form).await?;
    let act = async { supervision::pause(&app, By::Admin(&admin?), form.get("reason")).await };
    ask.settle("/admin/pause?done=paused", act).await
}

/// `POST /admin/pause/lift`.
pub async fn lift(State(app): State<AppState>, visit: Visit, sent: Sent) -> Result<Response> {
    let Sent { admin, form } = sent;
    let ask = asking(&app, visit, &form).await?;
    ask.settle("/admin/pause?done=lifted", async { supervision::resume(&app, &admin?).await }).await
}

async fn asking(app: &AppState, visit: Visit, form: &Form) -> Result<Ask> {
    let desk = visit.desk(app, "Pause", Section::Pause).await?;
    let ask = Ask::new(desk, form);
    Ok(match ask.desk.paused.clone() {
        Some(paused) => Ask {
            heading: "Everything is held".into(),
            why: vec![
                format!("{} paused, {}: {}", paused.by, paused.at.absolute, paused.reason),
                "Every dialog waits for a person. Lifted, policies answer again where both keys are on.".into(),
            ],
            action: "/admin/pause/lift".into(),
            back: "/admin".into(),
            button: "Lift the pause",
            ..ask
        },
        None => Ask {
            heading: "Hold everything".into(),
            why: vec![
                "No policy answers anything, nudges and mail wait. Decisions by people still go out.".into(),
                "An admin can do this from a phone, too; it is lifted here alone.".into(),
            ],
            fields: vec![Field::line(form, "reason", "Why", "Whoever lifts it has to know.")],
            action: "/admin/pause".into(),
            back: "/admin".into(),
            button: "Pause",
            removes: true,
            ..ask
        },
    })
}
