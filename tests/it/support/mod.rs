//! What the tests stand on: a temporary folder, a cluster, the service and its clients, a browser.

pub mod agent_pane;
pub mod app;
pub mod axe;
pub mod browser;
pub mod cast;
pub mod client;
pub mod cluster;
pub mod command;
pub mod cut;
pub mod llm;
pub mod mcp;
pub mod pages_of_docs;
pub mod panes;
pub mod proposals;
pub mod scratch;
pub mod server;
pub mod socket;
pub mod statements;
