//! Every route, on one page: the public router for TCP and the local one for the Unix socket. They share no policy route.

pub mod api;
pub mod error;
pub mod extract;
pub mod layers;
pub mod local;
pub mod pages;

use axum::Router;
use axum::routing::get;

use crate::app::AppState;

/// What TCP serves: agents, people, pages.
pub fn public_router(app: AppState) -> Router {
    let router = Router::new()
        .route("/healthz", get(api::health::healthz))
        .route("/readyz", get(api::health::readyz))
        .fallback(error::no_such_route)
        .method_not_allowed_fallback(error::no_such_method);
    layers::public(router, &app).with_state(app)
}

/// What the Unix socket serves: all that changes users, grants, tokens, settings, and reads the journal at the machine.
pub fn local_router(app: AppState) -> Router {
    let router = Router::new()
        .route("/readyz", get(api::health::readyz))
        .fallback(error::no_such_route)
        .method_not_allowed_fallback(error::no_such_method);
    layers::local(router, &app).with_state(app)
}
