//! Signing in and out, giving the password again, and ending sessions elsewhere.

mod close;
mod open;
mod reauth;
mod sign_in;
mod sign_out;

pub(super) use close::end_all;
pub use close::{close, close_own};
pub use open::Opened;
pub(super) use open::open;
pub use reauth::reauth;
pub use sign_in::sign_in;
pub use sign_out::sign_out;
