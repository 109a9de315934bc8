//! What every handler and flow can reach: the pools, the hub, the clock, and the address people use.

use std::ops::Deref;
use std::sync::Arc;

use sqlx::PgPool;

use crate::clock::{Clock, Ids};
use crate::config::PublicUrl;
use crate::hub::Hub;
use crate::store::Pools;

/// The parts of a running server.
#[derive(Debug)]
pub struct App {
    /// The address people type.
    pub public_url: PublicUrl,
    /// The address listened on; bearer routes accept it as `Host` too.
    pub listen_host: String,
    /// Plain http beyond this machine: every page says so.
    pub insecure: bool,
    /// For everything but decisions.
    pub db: PgPool,
    /// For decisions alone.
    pub decisions: PgPool,
    /// Telling.
    pub hub: Hub,
    /// Time.
    pub clock: Clock,
    /// Ids.
    pub ids: Ids,
}

/// What an [`App`] is made from.
#[derive(Debug)]
pub struct AppParts {
    /// The address people type.
    pub public_url: PublicUrl,
    /// The address listened on.
    pub listen_host: String,
    /// Plain http beyond this machine.
    pub insecure: bool,
    /// The database.
    pub pools: Pools,
    /// Time.
    pub clock: Clock,
}

/// A shared [`App`]; handlers take it as their state.
#[derive(Clone, Debug)]
pub struct AppState(Arc<App>);

impl AppState {
    /// Puts the parts together.
    pub fn new(parts: AppParts) -> Self {
        let AppParts {
            public_url,
            listen_host,
            insecure,
            pools,
            clock,
        } = parts;
        let Pools { db, decisions } = pools;
        Self(Arc::new(App {
            public_url,
            listen_host,
            insecure,
            db,
            decisions,
            hub: Hub::default(),
            clock,
            ids: Ids,
        }))
    }
}

impl Deref for AppState {
    type Target = App;
    fn deref(&self) -> &App {
        &self.0
    }
}
