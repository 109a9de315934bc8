//! A proposal's life, row by row: every case of the design's table against the running service.

mod check;
mod create;
mod decide;
mod expire;
mod idempotency;
mod in_flight_cap;
mod joining;
mod lost_replies;
mod questions;
mod receipts;
mod withdraw;
