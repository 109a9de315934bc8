//! The vectors: what the classifier must answer, line by line, wrapped, and by kind.

mod commands;
mod guarantees;
mod kinds;
pub mod lines;
mod properties;
mod repomon;
mod weaknesses;
mod wrapped;
