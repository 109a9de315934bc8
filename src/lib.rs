//! Countersign: a self-hosted review service for remote approvers of AI coding agents.
//!
//! The map, and the one direction in which names may point:
//! `cli > serve > jobs, http > mcp > flows > auth > app > hub > store > error, clock, config > domain`, with `pg` beside `store`.
//! A request goes handler -> flow -> domain or store, and no deeper:
//!
//! - [`domain`] decides: pure values, no I/O, no clock.
//! - [`store`] is the only SQL, and decides nothing.
//! - [`flows`] holds one verb a file: load, decide (domain), save, tell; every surface calls the same ones.
//! - [`auth`] alone mints the principals that flows take as proof of power.
//! - [`hub`] tells: the journal's tail, the waiters of long polls, the sockets.
//! - [`mcp`] is what agents' clients speak: the tool table.
//! - [`http`] has every route on one page, [`cli`] every command.
//! - [`notary`] signs the journal's checkpoints and keeps them outside the database, beside `store`.
//! - [`outbound`] calls others: where an admin points it, and to no private address that was not named.
//! - [`pane`] looks at the agents' terminals, from beside them; it knows [`domain`] alone.
//! - [`parent_death`] lets no child outlive us that must not.
//! - [`pg`] runs the private Postgres when no other is named.

pub mod app;
pub mod auth;
pub mod cli;
pub mod clock;
pub mod config;
pub mod domain;
pub mod error;
pub mod flows;
pub mod http;
pub mod hub;
pub mod jobs;
pub mod mcp;
pub mod metrics;
pub mod notary;
pub mod outbound;
pub mod pane;
pub mod parent_death;
pub mod pg;
pub mod serve;
pub mod store;
