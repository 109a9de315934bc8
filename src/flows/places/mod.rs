//! Projects and lanes, which only the machine's admin adds and removes.

mod add_lane;
mod add_project;
mod remove_lane;
mod remove_project;

pub use add_lane::{NewLane, add_lane};
pub use add_project::{NewProject, add_project};
pub use remove_lane::remove_lane;
pub use remove_project::remove_project;

use crate::error::{Code, Error, Problem, Result};

/// A folder on the agents' machine; it need not exist on this one.
fn check_folder(field: &'static str, path: &str) -> Result<()> {
    let fits = path.starts_with('/') && path.len() <= 4096 && !path.chars().any(char::is_control);
    if fits {
        return Ok(());
    }
    Err(Error::invalid(field, "Give an absolute path."))
}

/// Something cannot go while others depend on it.
fn in_use(what: &str, names: &[String]) -> Error {
    Problem::new(Code::InUse, format!("Remove its {what} first: {}.", names.join(", "))).into()
}
