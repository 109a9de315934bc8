//! Every route, on one page: the public router for TCP and the local one for the Unix socket. They share no policy route.

pub mod api;
pub mod error;
pub mod extract;
pub mod layers;
pub mod local;
pub mod pages;
pub mod ws;

use axum::Router;
use axum::routing::{delete, get, post};

use crate::app::AppState;

/// What TCP serves: agents, people, pages.
pub fn public_router(app: AppState) -> Router {
    let router = Router::new()
        .route("/healthz", get(api::health::healthz))
        .route("/readyz", get(api::health::readyz))
        .route("/", get(pages::inbox::handle))
        .route("/p/{id}", get(pages::review::handle))
        .route("/p/{id}/decide", get(pages::review::back).post(pages::review::decide))
        .route("/p/{id}/reauth", get(pages::review::back).post(pages::review::reauth))
        .route("/p/{id}/edit", get(pages::edit::handle).post(pages::edit::submit))
        .route("/history", get(pages::history::handle))
        .route("/lanes", get(pages::lanes::handle))
        .route("/lanes/{name}", get(pages::lane::handle))
        .route("/audit", get(pages::audit::handle))
        .route("/audit/export", get(pages::audit::export))
        .route("/account", get(pages::account::handle))
        .route("/account/zone", post(pages::account::set_zone))
        .route("/account/password", post(pages::account::change_password))
        .route("/account/sessions/{id}/revoke", post(pages::account::revoke))
        .route("/login", get(pages::login::handle).post(pages::login::submit))
        .route("/logout", post(pages::login::sign_out))
        .route("/setup", get(pages::setup::handle).post(pages::setup::submit))
        .route("/static/{version}/{name}", get(pages::assets::file))
        .route("/api/v1/session", post(api::session::sign_in).delete(api::session::sign_out))
        .route("/api/v1/session/reauth", post(api::session::reauth))
        .route("/api/v1/account", get(api::account::show).patch(api::account::change))
        .route("/api/v1/account/password", post(api::account::change_password))
        .route("/api/v1/account/sessions", get(api::account::sessions))
        .route("/api/v1/account/sessions/{id}", delete(api::account::close_session))
        .route("/openapi.json", get(api::openapi::openapi))
        .route("/api/v1/proposals", get(api::proposals::list).post(api::proposals::create))
        .route("/api/v1/proposals/{id}", get(api::proposals::get))
        .route("/api/v1/proposals/{id}/ack", post(api::proposals::ack))
        .route("/api/v1/proposals/{id}/withdraw", post(api::proposals::withdraw))
        .route("/api/v1/proposals/{id}/decision", post(api::reviews::decide))
        .route("/api/v1/reviews", get(api::reviews::list))
        .route("/api/v1/reviews/{id}", get(api::reviews::get))
        .route("/api/v1/events", get(ws::socket))
        .fallback(error::no_such_route)
        .method_not_allowed_fallback(error::no_such_method);
    layers::public(router, &app).with_state(app)
}

/// What the Unix socket serves: all that changes users, grants, tokens, settings, and reads the journal at the machine.
pub fn local_router(app: AppState) -> Router {
    let router = Router::new()
        .route("/readyz", get(api::health::readyz))
        .route("/api/v1/users", get(local::people::list).post(local::people::add))
        .route("/api/v1/users/{name}", get(local::people::show).delete(local::people::remove))
        .route("/api/v1/users/{name}/password", post(local::people::reset_password))
        .route("/api/v1/users/{name}/grants", post(local::people::grant))
        .route("/api/v1/users/{name}/sessions", get(local::people::sessions))
        .route("/api/v1/grants/{id}", delete(local::people::revoke))
        .route("/api/v1/sessions/{id}", delete(local::people::close_session))
        .route("/api/v1/projects", get(local::places::projects).post(local::places::add_project))
        .route("/api/v1/projects/{name}", get(local::places::project).delete(local::places::remove_project))
        .route("/api/v1/lanes", get(local::places::lanes).post(local::places::add_lane))
        .route("/api/v1/lanes/{name}", get(local::places::lane).delete(local::places::remove_lane))
        .route("/api/v1/agents", get(local::agents::list).post(local::agents::add))
        .route("/api/v1/agents/{name}", get(local::agents::show).delete(local::agents::remove))
        .route("/api/v1/agents/{name}/rotate", post(local::agents::rotate))
        .route("/api/v1/agents/{name}/revoke", post(local::agents::revoke))
        .route("/api/v1/audit", get(local::audit::list))
        .route("/api/v1/audit/export", get(local::audit::export))
        .route("/api/v1/audit/verify", get(local::audit::verify))
        .route("/api/v1/doctor", get(local::doctor::show))
        .route("/metrics", get(local::metrics::metrics))
        .route("/api/v1/settings", get(local::settings::show).patch(local::settings::set))
        .fallback(error::no_such_route)
        .method_not_allowed_fallback(error::no_such_method);
    layers::local(router, &app).with_state(app)
}
