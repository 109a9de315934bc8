//! Opening the page in the desktop's browser, without showing the token to whoever lists processes.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::PathBuf;
use std::process::Stdio;

use crate::auth::token;
use crate::cli::failure::{Failure, Outcome};

/// A file that leads to the page; removed when dropped.
pub(super) struct Signpost(PathBuf);

impl Drop for Signpost {
    fn drop(&mut self) {
        // It may have been cleaned away already.
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Opens the address. Arguments of a process can be read by everybody on the machine, so what is opened is a file of
/// the caller's alone that leads there.
pub(super) fn open(url: &str) -> Outcome<Signpost> {
    let post = Signpost(std::env::temp_dir().join(format!("countersign-{}.html", token::secret_text())));
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&post.0)?;
    write!(file, "<!doctype html><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"0; url={url}\">")?;
    #[expect(clippy::disallowed_methods, reason = "the desktop's opener is asked for by name on the command line")]
    let mut opener = std::process::Command::new("xdg-open");
    let started = opener.arg(&post.0).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    started
        .map_err(|error| Failure::failed(format!("xdg-open cannot be started ({error}); open the address yourself")))?;
    Ok(post)
}
