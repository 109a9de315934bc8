//! Pane clients and their tokens, which only the machine's admin makes, renews and takes back.

mod add;
mod remove;
mod revoke;
mod rotate;
mod token;

pub use add::{NewPaneClient, add};
pub use remove::remove;
pub use revoke::revoke;
pub use rotate::rotate;
pub use token::Issued;
