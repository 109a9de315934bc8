//! Refusals that the journal keeps.

mod refuse_proxied;

pub use refuse_proxied::refuse_proxied;
