//! What the tests stand on: a temporary folder, a cluster, the service and its clients, a browser.

pub mod app;
pub mod axe;
pub mod browser;
pub mod client;
pub mod cluster;
pub mod scratch;
pub mod socket;
