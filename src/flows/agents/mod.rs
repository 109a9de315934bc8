//! Agents and their tokens, which only the machine's admin makes, renews and takes back.

mod add;
mod mount;
mod remove;
mod revoke;
mod rotate;
mod token;

pub use add::{NewAgent, add};
pub use mount::mount;
pub use remove::remove;
pub use revoke::revoke;
pub(in crate::flows) use rotate::OVERLAP_MAX;
pub use rotate::rotate;
pub use token::Issued;
