//! Every route, on one page: the public router for TCP and the local one for the Unix socket. They share no policy route.

pub mod api;
pub mod error;
pub mod extract;
pub mod layers;
pub mod local;
pub mod mcp;
pub mod pages;
pub mod ws;

use axum::Router;
use axum::routing::{MethodRouter, delete, get, post, put};

use crate::app::AppState;

/// Makes a router of routes, and a list of their paths, so that a test can walk what is really there.
macro_rules! routes {
    ($(#[$doc:meta])+ $paths:ident, $router:ident: $($path:literal => $handlers:expr,)+) => {
        $(#[$doc])+
        pub const $paths: &[&str] = &[$($path),+];

        fn $router() -> Router<AppState> {
            Router::new()$(.route($path, $handlers))+
        }
    };
}

routes! {
    /// What TCP serves: agents, pane clients, people, pages.
    PUBLIC_PATHS, public_routes:
    "/healthz" => get(api::health::healthz),
    "/readyz" => get(api::health::readyz),
    "/" => get(pages::inbox::handle),
    "/p/{id}" => get(pages::review::handle),
    "/p/{id}/decide" => get(pages::review::back).post(pages::review::decide),
    "/p/{id}/reauth" => get(pages::review::back).post(pages::review::reauth),
    "/p/{id}/edit" => get(pages::edit::handle).post(pages::edit::submit),
    "/p/{id}/suggest" => get(pages::review::back).post(pages::suggest::at_dialog),
    "/history" => get(pages::history::handle),
    "/lanes" => get(pages::lanes::handle),
    "/lanes/{name}" => get(pages::lane::handle),
    "/lanes/{name}/needs/{id}" => post(pages::needs::close),
    "/lanes/{name}/nudge" => get(pages::lane::back).post(pages::nudge::submit),
    "/lanes/{name}/mail" => get(pages::lane::back).post(pages::mail::submit),
    "/lanes/{name}/suggest" => get(pages::lane::back).post(pages::suggest::at_lane),
    "/audit" => get(pages::audit::handle),
    "/audit/export" => get(pages::audit::export),
    "/account" => get(pages::account::handle),
    "/account/zone" => post(pages::account::set_zone),
    "/account/password" => post(pages::account::change_password),
    "/account/sessions/{id}/revoke" => post(pages::account::revoke),
    "/login" => get(pages::login::handle).post(pages::login::submit),
    "/logout" => post(pages::login::sign_out),
    "/pause" => get(pages::pause::back).post(pages::pause::submit),
    "/setup" => get(pages::setup::handle).post(pages::setup::submit),
    "/static/{version}/{name}" => get(pages::assets::file),
    "/api/v1/session" => post(api::session::sign_in).delete(api::session::sign_out),
    "/api/v1/session/reauth" => post(api::session::reauth),
    "/api/v1/account" => get(api::account::show).patch(api::account::change),
    "/api/v1/account/password" => post(api::account::change_password),
    "/api/v1/account/sessions" => get(api::account::sessions),
    "/api/v1/account/sessions/{id}" => delete(api::account::close_session),
    "/mcp" => post(mcp::handle),
    "/openapi.json" => get(api::openapi::openapi),
    "/api/v1/proposals" => get(api::proposals::list).post(api::proposals::create),
    "/api/v1/proposals/{id}" => get(api::proposals::get),
    "/api/v1/proposals/{id}/ack" => post(api::proposals::ack),
    "/api/v1/proposals/{id}/withdraw" => post(api::proposals::withdraw),
    "/api/v1/proposals/{id}/decision" => post(api::reviews::decide),
    "/api/v1/reviews" => get(api::reviews::list),
    "/api/v1/reviews/{id}" => get(api::reviews::get),
    "/api/v1/attentions" => get(api::attentions::list),
    "/api/v1/supervision" => local_too(get(api::supervision::show)),
    "/api/v1/supervision/audit" => get(api::supervision::audit),
    "/api/v1/supervision/status" => get(api::supervision::status),
    "/api/v1/supervision/nudge" => post(api::nudge::nudge),
    "/api/v1/lanes/{lane}/mail" => local_too(post(api::mail::send)),
    "/api/v1/suggestions" => local_too(post(api::suggestions::suggest)),
    "/api/v1/pause" => local_too(post(api::pause::pause)),
    "/api/v1/events" => get(ws::socket),
    "/api/v1/pane/token" => post(api::panes::token),
    "/api/v1/panes/{key}" => put(api::panes::put),
    "/api/v1/dialogs" => post(api::dialogs::create),
    "/api/v1/dialogs/{id}" => get(api::dialogs::get),
    "/api/v1/dialogs/{id}/close" => post(api::dialogs::close),
    "/api/v1/orders" => get(api::orders::list),
    "/api/v1/orders/{id}/outcome" => post(api::orders::outcome),
}

routes! {
    /// What the Unix socket serves: all that changes users, grants, tokens, settings, and reads the journal at the machine.
    LOCAL_PATHS, local_routes:
    "/readyz" => get(api::health::readyz),
    "/api/v1/users" => get(local::people::list).post(local::people::add),
    "/api/v1/users/{name}" => get(local::people::show).delete(local::people::remove),
    "/api/v1/users/{name}/password" => post(local::people::reset_password),
    "/api/v1/users/{name}/grants" => post(local::people::grant),
    "/api/v1/users/{name}/sessions" => get(local::people::sessions),
    "/api/v1/grants/{id}" => delete(local::people::revoke),
    "/api/v1/sessions/{id}" => delete(local::people::close_session),
    "/api/v1/projects" => get(local::places::projects).post(local::places::add_project),
    "/api/v1/projects/{name}" => get(local::places::project).delete(local::places::remove_project),
    "/api/v1/lanes" => get(local::places::lanes).post(local::places::add_lane),
    "/api/v1/lanes/{name}" => get(local::places::lane).delete(local::places::remove_lane),
    "/api/v1/lanes/{lane}/mail" => post(local::mail::send),
    "/api/v1/agents" => get(local::agents::list).post(local::agents::add),
    "/api/v1/agents/{name}" => get(local::agents::show).delete(local::agents::remove),
    "/api/v1/agents/{name}/rotate" => post(local::agents::rotate),
    "/api/v1/agents/{name}/revoke" => post(local::agents::revoke),
    "/api/v1/pane-clients" => get(local::pane_clients::list).post(local::pane_clients::add),
    "/api/v1/pane-clients/{name}" => get(local::pane_clients::show).delete(local::pane_clients::remove),
    "/api/v1/pane-clients/{name}/rotate" => post(local::pane_clients::rotate),
    "/api/v1/pane-clients/{name}/revoke" => post(local::pane_clients::revoke),
    "/api/v1/audit" => get(local::audit::list),
    "/api/v1/audit/export" => get(local::audit::export),
    "/api/v1/audit/verify" => get(local::audit::verify),
    "/api/v1/doctor" => get(local::doctor::show),
    "/metrics" => get(local::metrics::metrics),
    "/api/v1/settings" => get(local::settings::show).patch(local::settings::set),
    "/api/v1/settings/test-notice" => post(local::settings::test_notice),
    "/api/v1/supervision" => get(api::supervision::show).patch(local::policy::set),
    "/api/v1/supervision/versions" => get(local::policy::history),
    "/api/v1/supervision/simulate" => post(local::policy::simulate),
    "/api/v1/supervision/rollback" => post(local::policy::rollback),
    "/api/v1/supervision/export" => get(local::policy::export),
    "/api/v1/supervision/import" => post(local::policy::import),
    "/api/v1/rules" => get(local::rules::list).post(local::rules::confirm),
    "/api/v1/rules/covers" => post(local::rules::covers),
    "/api/v1/rules/{id}" => delete(local::rules::remove),
    "/api/v1/suggestions" => get(local::rules::suggestions),
    "/api/v1/suggestions/{id}/accept" => post(local::rules::accept),
    "/api/v1/suggestions/{id}/dismiss" => post(local::rules::dismiss),
    "/api/v1/pause" => get(local::pause::show).post(local::pause::on).delete(local::pause::off),
}

/// Paths that the socket has too: what is done there by other methods is not there for TCP, and not even known of.
fn local_too(handlers: MethodRouter<AppState>) -> MethodRouter<AppState> {
    handlers.fallback(error::no_such_route)
}

use local::pages as desk;

routes! {
    /// What the Unix socket serves to the browser behind `countersign admin`: pages and forms of the same flows.
    DESK_PATHS, desk_routes:
    "/admin" => get(desk::home::handle),
    "/admin/static/{version}/{name}" => get(pages::assets::file),
    "/admin/supervision" => get(desk::supervision::handle),
    "/admin/supervision/review" => get(desk::supervision::review),
    "/admin/supervision/save" => post(desk::supervision::save),
    "/admin/supervision/history" => get(desk::supervision::history::handle),
    "/admin/supervision/history/{version}" =>
        get(desk::supervision::history::look).post(desk::supervision::history::back),
    "/admin/rules" => get(desk::rules::handle),
    "/admin/rules/add" => get(desk::rules::confirm::add_form),
    "/admin/rules/review" => get(desk::rules::confirm::review),
    "/admin/rules/save" => post(desk::rules::confirm::save),
    "/admin/rules/{id}/remove" => get(desk::rules::remove_form).post(desk::rules::remove),
    "/admin/suggestions" => get(desk::suggestions::handle),
    "/admin/suggestions/{id}/accept" => get(desk::suggestions::accept_form).post(desk::suggestions::accept),
    "/admin/suggestions/{id}/dismiss" => get(desk::suggestions::dismiss_form).post(desk::suggestions::dismiss),
    "/admin/pause" => get(desk::pause::handle).post(desk::pause::pause),
    "/admin/pause/lift" => post(desk::pause::lift),
    "/admin/people" => get(desk::people::handle),
    "/admin/people/add" => get(desk::people::change::add_form).post(desk::people::change::add),
    "/admin/people/{name}" => get(desk::people::show),
    "/admin/people/{name}/grant" => get(desk::people::grant::grant_form).post(desk::people::grant::grant),
    "/admin/people/{name}/password" => get(desk::people::change::password_form).post(desk::people::change::password),
    "/admin/people/{name}/remove" => get(desk::people::change::remove_form).post(desk::people::change::remove),
    "/admin/grants/{id}/revoke" => get(desk::people::grant::revoke_form).post(desk::people::grant::revoke),
    "/admin/sessions/{id}/end" => get(desk::people::change::end_form).post(desk::people::change::end),
    "/admin/lanes" => get(desk::lanes::handle),
    "/admin/lanes/add" => get(desk::places::add_lane_form).post(desk::places::add_lane),
    "/admin/lanes/{name}" => get(desk::supervision::lane),
    "/admin/lanes/{name}/review" => get(desk::supervision::review_lane),
    "/admin/lanes/{name}/save" => post(desk::supervision::save_lane),
    "/admin/lanes/{name}/remove" => get(desk::places::remove_lane_form).post(desk::places::remove_lane),
    "/admin/projects/add" => get(desk::places::add_project_form).post(desk::places::add_project),
    "/admin/projects/{name}/remove" => get(desk::places::remove_project_form).post(desk::places::remove_project),
    "/admin/agents" => get(desk::agents::handle),
    "/admin/agents/add" => get(desk::agents::change::add_form).post(desk::agents::change::add),
    "/admin/agents/{name}/rotate" => get(desk::agents::change::rotate_form).post(desk::agents::change::rotate),
    "/admin/agents/{name}/revoke" => get(desk::agents::change::revoke_form).post(desk::agents::change::revoke),
    "/admin/agents/{name}/remove" => get(desk::agents::change::remove_form).post(desk::agents::change::remove),
    "/admin/pane-clients" => get(desk::pane_clients::handle),
    "/admin/pane-clients/add" => get(desk::pane_clients::change::add_form).post(desk::pane_clients::change::add),
    "/admin/pane-clients/{name}/rotate" =>
        get(desk::pane_clients::change::rotate_form).post(desk::pane_clients::change::rotate),
    "/admin/pane-clients/{name}/revoke" =>
        get(desk::pane_clients::change::revoke_form).post(desk::pane_clients::change::revoke),
    "/admin/pane-clients/{name}/remove" =>
        get(desk::pane_clients::change::remove_form).post(desk::pane_clients::change::remove),
    "/admin/settings" => get(desk::settings::handle).post(desk::settings::save),
    "/admin/settings/test-notice" => get(desk::settings::test_form).post(desk::settings::test),
}

/// The router for TCP.
pub fn public_router(app: AppState) -> Router {
    let router = public_routes().fallback(error::no_such_route).method_not_allowed_fallback(error::no_such_method);
    layers::public(router, &app).with_state(app)
}

/// The router for the Unix socket.
pub fn local_router(app: AppState) -> Router {
    let router = local_routes()
        .merge(desk_routes())
        .fallback(error::no_such_route)
        .method_not_allowed_fallback(error::no_such_method);
    layers::local(router, &app).with_state(app)
}
