//! Pane clients and their tokens.

pub mod change;

use askama::Template;
use axum::extract::State;

use super::Done;
use super::visit::{Desk, Section, Visit};
use crate::app::AppState;
use crate::error::Result;
use crate::http::extract::Query;
use crate::http::pages::Page;
use crate::http::pages::when::When;
use crate::store::{pane_clients, places, tokens};

/// `/admin/pane-clients`
#[derive(Debug, Template)]
#[template(path = "admin/pane_clients.html")]
pub struct PaneClients {
    /// The frame.
    pub desk: Desk,
    /// The pane clients.
    pub clients: Vec<PaneClient>,
    /// Whether there is a lane that one could watch.
    pub has_lanes: bool,
}

/// A pane client in the list.
#[derive(Debug)]
pub struct PaneClient {
    /// Its name.
    pub name: String,
    /// Its lanes.
    pub lanes: Vec<String>,
    /// When its token was used last.
    pub called: Option<When>,
    /// Its good tokens: the last characters, and when each ends.
    pub tokens: Vec<(String, Option<String>)>,
}

/// `GET /admin/pane-clients`.
pub async fn handle(State(app): State<AppState>, visit: Visit, Query(done): Query<Done>) -> Result<Page<PaneClients>> {
    let notice = match done.done.as_str() {
        "revoked" => Some("Its tokens have ended, the short-lived ones too."),
        "removed" => Some("The pane client is removed. What it showed is withdrawn."),
        _ => None,
    };
    let desk = visit.desk(&app, "Pane clients", Section::PaneClients).await?.with_notice(notice);
    let reader = visit.reader();
    let mut conn = app.db.acquire().await?;
    let has_lanes = !places::lanes(&mut conn, None).await?.is_empty();
    let mut clients = Vec::new();
    for row in pane_clients::list(&mut conn, None).await? {
        let good = tokens::of_principal(&mut conn, row.id, visit.now).await?;
        let tokens = good.into_iter().map(|token| (token.hint, token.expires_at.map(|at| reader.exact(at))));
        let called = row.last_used_at.map(|at| reader.when(at));
        clients.push(PaneClient { name: row.name, lanes: row.lanes, called, tokens: tokens.collect() });
    }
    Ok(Page(PaneClients { desk, clients, has_lanes }))
}
