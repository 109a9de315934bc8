//! The local settings.

use axum::extract::State;
use axum::response::Response;
use serde_json::{Value, json};

use super::Done;
use super::ask::{Ask, Field};
use super::sent::Sent;
use super::visit::{Section, Visit};
use crate::app::AppState;
use crate::domain::settings::Settings;
use crate::error::{Error, Result};
use crate::flows;
use crate::flows::settings::SettingsPatch;
use crate::http::extract::Query;
use crate::http::pages::Page;
use crate::http::pages::form::Form;
use crate::store::instance;

/// Every setting.
const NAMES: &[&str] = &["retention_days", "agent_cap", "grace_secs", "redelivery_secs"];

/// `GET /admin/settings`.
pub async fn handle(State(app): State<AppState>, visit: Visit, Query(done): Query<Done>) -> Result<Page<Ask>> {
    let now = {
        let mut conn = app.db.acquire().await?;
        instance::settings(&mut conn).await?
    };
    let form = Form::of(&[
        ("retention_days", &now.retention_days.to_string()),
        ("agent_cap", &now.agent_cap.to_string()),
        ("grace_secs", &now.grace_secs.to_string()),
        ("redelivery_secs", &now.redelivery_secs.to_string()),
    ]);
    let ask = asking(&app, visit, &form).await?;
    let notice = (done.done == "saved").then_some("Saved.");
    Ok(Page(Ask { desk: ask.desk.with_notice(notice), ..ask }))
}

/// `POST /admin/settings`.
pub async fn save(State(app): State<AppState>, visit: Visit, sent: Sent) -> Result<Response> {
    let Sent { admin, form } = sent;
    let ask = asking(&app, visit, &form).await?;
    let act = async {
        let admin = admin?;
        let patch = NAMES.iter().map(|&name| number(&form, name)).collect::<Result<_>>()?;
        flows::settings::set(&app, &admin, SettingsPatch(patch)).await
    };
    ask.settle("/admin/settings?done=saved", act).await
}

/// A number as typed; what is left empty goes back to the shipped value.
fn number(form: &Form, name: &'static str) -> Result<(String, Value)> {
    let value = match form.given(name) {
        None => Value::Null,
        Some(text) => json!(text.trim().parse::<u32>().map_err(|_| Error::invalid(name, "Give a whole number."))?),
    };
    Ok((name.to_owned(), value))
}

async fn asking(app: &AppState, visit: Visit, form: &Form) -> Result<Ask> {
    let desk = visit.desk(app, "Settings", Section::Settings).await?;
    let shipped = Settings::default();
    let kept =
        "Afterwards the words of closed proposals are redacted; that they were, and who decided, stays. 1 to 3650.";
    let cap = "A new agent's own limit. 1 to 1000.";
    let grace = "So long an agent's propose waits over MCP when it does not say. 0 to 45.";
    let redelivery = "So long a decision is given again that was collected over MCP, as its reply may have been lost. \
        0 to 86400; with 0 it is given once.";
    Ok(Ask {
        heading: "Settings".into(),
        why: vec![format!(
            "An empty field goes back to what was shipped: {} days, {} proposals, {} and {} seconds.",
            shipped.retention_days, shipped.agent_cap, shipped.grace_secs, shipped.redelivery_secs
        )],
        fields: vec![
            Field::line(form, "retention_days", "Days that content is kept", kept).optional(),
            Field::line(form, "agent_cap", "Proposals in flight", cap).optional(),
            Field::line(form, "grace_secs", "Seconds of grace", grace).optional(),
            Field::line(form, "redelivery_secs", "Seconds of redelivery", redelivery).optional(),
        ],
        action: "/admin/settings".into(),
        back: "/admin".into(),
        button: "Save",
        ..Ask::new(desk, form)
    })
}
