//! What the tests stand on: a temporary folder, a browser, and later a cluster, the app and its clients.

pub mod axe;
pub mod browser;
pub mod scratch;
