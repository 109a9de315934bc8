//! Verbs, one a file: load, decide (domain), save, tell. REST, pages, the local socket and ticks share them.

pub mod access;
pub mod agents;
pub mod attention;
pub mod audit;
pub mod checkpoint;
pub mod dialogs;
pub mod doctor;
pub mod fleet;
pub mod notices;
pub mod orders;
pub mod pane_clients;
pub mod panes;
pub mod people;
pub mod places;
pub mod policy;
pub mod proposals;
mod record;
pub mod restore;
pub mod retain;
pub mod rules;
pub mod seal;
pub mod sessions;
pub mod settings;
pub mod supervision;
pub mod sweep;
pub mod verify;
