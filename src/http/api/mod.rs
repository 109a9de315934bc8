//! JSON for agents, people and scripts: one file per resource, no logic beyond reading a request and shaping an answer.

pub mod account;
pub mod attentions;
pub mod dialogs;
pub mod health;
pub mod mail;
pub mod nudge;
pub mod openapi;
pub mod orders;
pub mod panes;
pub mod pause;
pub mod proposals;
pub mod reviews;
pub mod session;
pub mod setup;
pub mod suggestions;
pub mod supervision;
