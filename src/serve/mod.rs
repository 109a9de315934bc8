//! (being written)

pub mod lan;
pub mod tls;
