//! Calls that the server makes to others: to where an admin has pointed it, and to no address that is nobody else's business.

pub mod address;
pub mod post;
pub mod trust;

pub use address::Allowed;
pub use post::{Parcel, Undelivered, post};
