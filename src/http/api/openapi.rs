//! `/openapi.json`, made from the handlers themselves.

use axum::Json;
use serde::Serialize;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{Modify, OpenApi, ToSchema};

use super::{
    account, attentions, dialogs, mail, nudge, orders, panes, pause, proposals, reviews, session, suggestions,
    supervision,
};
use crate::http::ws;

/// `application/problem+json`. Further members depend on the code.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProblemShape {
    /// `urn:countersign:problem:` and the code.
    #[serde(rename = "type")]
    pub kind: String,
    /// What the code means, always in the same words.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// The stable word.
    pub code: String,
    /// What happened, for a person.
    pub detail: String,
    /// The request field that is to blame.
    pub field: Option<String>,
    /// The id under which the log knows this request.
    pub request_id: String,
}

/// The document. `/mcp` is not in it: what is spoken there describes itself.
#[derive(Debug, OpenApi)]
#[openapi(
    info(title = "Countersign", description = "Agents propose, people decide."),
    paths(
        proposals::create, proposals::get, proposals::list, proposals::ack, proposals::withdraw,
        reviews::list, reviews::get, reviews::decide, attentions::list,
        supervision::show, supervision::audit, supervision::status, nudge::nudge, mail::send, pause::pause, suggestions::suggest,
        ws::socket,
        panes::token, panes::put, dialogs::create, dialogs::get, dialogs::close, orders::list, orders::outcome,
        session::sign_in, session::reauth, session::sign_out,
        account::show, account::change, account::change_password, account::sessions, account::close_session,
    ),
    components(schemas(ProblemShape)),
    modifiers(&Security),
)]
pub struct Document;

struct Security;

impl Modify for Security {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let components = document.components.get_or_insert_default();
        let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some("An agent's token, `csa_…`"));
        components.add_security_scheme("agent", SecurityScheme::Http(bearer.build()));
        let bearer = |text| {
            SecurityScheme::Http(HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some(text)).build())
        };
        components.add_security_scheme("pane_secret", bearer("A pane client's long-lived token, `csp_…`"));
        components.add_security_scheme("pane", bearer("The token of `POST /api/v1/pane/token`"));
        let cookie = ApiKey::Cookie(ApiKeyValue::with_description("__Host-session", "`session` on plain http"));
        components.add_security_scheme("session", SecurityScheme::ApiKey(cookie));
    }
}

/// `GET /openapi.json`.
pub async fn openapi() -> Json<utoipa::openapi::OpenApi> {
    Json(Document::openapi())
}
