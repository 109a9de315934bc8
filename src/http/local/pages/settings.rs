//! The local settings, and a notice that is sent to try them.

use axum::extract::State;
use axum::response::Response;
use serde_json::{Map, Value, json};

use super::Done;
use super::ask::{Ask, Field, Kind};
use super::sent::Sent;
use super::visit::{Section, Visit};
use crate::app::AppState;
use crate::domain::settings::{NotifyFormat, Settings};
use crate::error::{Error, Result};
use crate::flows::notices;
use crate::flows::settings::{self, SettingsPatch, Shown};
use crate::http::extract::Query;
use crate::http::pages::Page;
use crate::http::pages::form::Form;

/// The settings that are numbers.
const NUMBERS: &[&str] = &["retention_days", "agent_cap", "grace_secs", "redelivery_secs"];

/// `GET /admin/settings`.
pub async fn handle(State(app): State<AppState>, visit: Visit, Query(done): Query<Done>) -> Result<Page<Ask>> {
    let now = settings::show(&app).await?.settings;
    let form = Form::of(&[
        ("retention_days", &now.retention_days.to_string()),
        ("agent_cap", &now.agent_cap.to_string()),
        ("grace_secs", &now.grace_secs.to_string()),
        ("redelivery_secs", &now.redelivery_secs.to_string()),
        ("notify_url", now.notify_url.as_deref().unwrap_or_default()),
        ("notify_format", now.notify_format.as_str()),
        ("notify_allow", &now.notify_allow.join(", ")),
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
        settings::set(&app, &admin, SettingsPatch(patch(&form)?)).await
    };
    ask.settle("/admin/settings?done=saved", act).await
}

/// `GET /admin/settings/test-notice`.
pub async fn test_form(State(app): State<AppState>, visit: Visit, Query(done): Query<Done>) -> Result<Page<Ask>> {
    let ask = testing(&app, visit, &Form::default()).await?;
    let notice = (done.done == "taken").then_some("It was taken. Look whether it arrives.");
    Ok(Page(Ask { desk: ask.desk.with_notice(notice), ..ask }))
}

/// `POST /admin/settings/test-notice`.
pub async fn test(State(app): State<AppState>, visit: Visit, sent: Sent) -> Result<Response> {
    let Sent { admin, form } = sent;
    let ask = testing(&app, visit, &form).await?;
    let act = async {
        let tried = notices::trial(&app, &admin?).await?;
        // What did not arrive is said where it was tried.
        if tried.delivered { Ok(()) } else { Err(Error::invalid("", tried.said)) }
    };
    ask.settle("/admin/settings/test-notice?done=taken", act).await
}

fn patch(form: &Form) -> Result<Map<String, Value>> {
    let words = |text: &str| text.split([',', ' ', '\n']).filter(|word| !word.is_empty()).map(str::to_owned).collect();
    let allow: Vec<String> = words(form.get("notify_allow"));
    let mut patch: Map<String, Value> = NUMBERS.iter().map(|&name| number(form, name)).collect::<Result<_>>()?;
    patch.insert("notify_url".to_owned(), json!(form.given("notify_url").map(str::trim)));
    patch.insert("notify_format".to_owned(), json!(form.given("notify_format")));
    patch.insert("notify_allow".to_owned(), json!(allow));
    if let Some(token) = form.given("notify_token") {
        patch.insert("notify_token".to_owned(), token.trim().into());
    } else if form.has("forget_token") {
        patch.insert("notify_token".to_owned(), Value::Null);
    }
    Ok(patch)
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
    let now = settings::show(app).await?;
    let shipped = Settings::default();
    Ok(Ask {
        heading: "Settings".into(),
        why: vec![format!(
            "An empty field goes back to what was shipped: {} days, {} proposals, {} and {} seconds, no notices.",
            shipped.retention_days, shipped.agent_cap, shipped.grace_secs, shipped.redelivery_secs
        )],
        fields: fields(form, &now),
        action: "/admin/settings".into(),
        back: "/admin".into(),
        button: "Save",
        more: now.settings.notify_url.is_some().then_some(("/admin/settings/test-notice", "Send a test notice")),
        ..Ask::new(desk, form)
    })
}

fn fields(form: &Form, now: &Shown) -> Vec<Field> {
    let kept =
        "Afterwards the words of closed proposals are redacted; that they were, and who decided, stays. 1 to 3650.";
    let cap = "A new agent's own limit. 1 to 1000.";
    let grace = "So long an agent's propose waits over MCP when it does not say. 0 to 45.";
    let redelivery = "So long a decision is given again that was collected over MCP, as its reply may have been lost. \
        0 to 86400; with 0 it is given once.";
    let url =
        "When a person is needed, one POST goes there: what sort, which lane, how many, a link. No agent's words.";
    let allow = "Hosts of your own, which may be private and without https: ntfy.lan, 192.168.1.0/24.";
    let token = if now.notify_token.is_some() {
        "One is set, and is never shown. Leave this empty to keep it."
    } else {
        "Sent as Authorization: Bearer. It is never shown again."
    };
    let format = |format: NotifyFormat, label: &str| (format.as_str().to_owned(), label.to_owned());
    let formats = vec![format(NotifyFormat::Ntfy, "ntfy"), format(NotifyFormat::Webhook, "JSON webhook")];
    let mut fields = vec![
        Field::line(form, "retention_days", "Days that content is kept", kept).optional(),
        Field::line(form, "agent_cap", "Proposals in flight", cap).optional(),
        Field::line(form, "grace_secs", "Seconds of grace", grace).optional(),
        Field::line(form, "redelivery_secs", "Seconds of redelivery", redelivery).optional(),
        Field::line(form, "notify_url", "Where notices go", url).optional(),
        Field::line(form, "notify_format", "Their shape", "").of(Kind::One(formats)),
        Field::line(form, "notify_token", "Token of the receiver", token).of(Kind::Secret),
        Field::line(form, "notify_allow", "Where they may go beside the internet", allow).optional(),
    ];
    if now.notify_token.is_some() {
        fields.insert(7, Field::line(form, "forget_token", "Forget the token", "").of(Kind::Switch));
    }
    fields
}

async fn testing(app: &AppState, visit: Visit, form: &Form) -> Result<Ask> {
    let desk = visit.desk(app, "Test notice", Section::Settings).await?;
    Ok(Ask {
        heading: "Send a test notice".into(),
        why: vec![
            "It goes where notices go, and says that it is a test. Look at the phone that should show it.".into(),
        ],
        action: "/admin/settings/test-notice".into(),
        back: "/admin/settings".into(),
        button: "Send it",
        ..Ask::new(desk, form)
    })
}
