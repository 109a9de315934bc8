//! People and what they may: set-up, adding and removing, passwords, grants.

mod add;
mod change_password;
mod grant;
mod remove;
mod reset_password;
mod revoke;
mod set_up;
mod setup_code;
mod time_zone;

pub(super) use add::taken;
pub use add::{By, NewUser, add};
pub use change_password::change_password;
pub use grant::{GrantSpec, grant};
pub use remove::remove;
pub use reset_password::reset_password;
pub use revoke::revoke;
pub use set_up::{SetUp, is_set_up, set_up};
pub use setup_code::renew_setup_code;
pub use time_zone::set_time_zone;
