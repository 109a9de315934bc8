//! The verbs of a proposal's life.

pub mod ack;
pub mod batch;
pub mod check;
pub mod cross;
pub mod decide;
pub mod deliver;
pub mod dialog;
pub mod expire;
pub mod propose;
pub mod receipts;
mod refused;
pub mod reviews;
pub mod shape;
pub mod withdraw;
