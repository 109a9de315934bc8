//! `countersign doctor`: is everything as it should be, and if not, what to do.

mod panes;
mod terminal;

use std::os::unix::fs::MetadataExt;
use std::path::Path;

use clap::Args;
use serde_json::{Value, json};

use crate::cli::failure::{Failure, Outcome};
use crate::cli::reach::Reach;
use crate::cli::socket::Call;
use crate::cli::table::text;
use crate::domain::health::{Check, Level};

/// The verb.
#[derive(Debug, Args)]
#[command(after_help = "Without --server it looks at the server on this machine; with it, at everything that
`countersign pane` needs here: tmux, the token and each step of the way to the server.")]
pub struct DoctorArgs {
    #[command(flatten)]
    reach: Reach,
    #[command(flatten)]
    panes: panes::PaneArgs,
}

/// Below this much free space writes will soon fail.
const SPACE_FAIL: u64 = 64 << 20;
/// Below this much somebody should make room.
const SPACE_WARN: u64 = 1 << 30;

/// Runs it: the folder first, then what the server says of itself. Exit code 1 if a promise does not hold.
pub async fn run(args: DoctorArgs) -> Outcome {
    let reach = args.reach;
    if let Some(panes) = args.panes.given() {
        return tell(&reach, &serde_json::to_value(panes.look().await)?);
    }
    let dir = reach.dir();
    let mut checks = serde_json::to_value(folder(&dir))?;
    let told = reach.socket().ask(Call::get("/api/v1/doctor")).await;
    let server = match told {
        Ok(answer) => answer["items"].clone(),
        Err(failure) => {
            let hint = "everything else is looked at when it runs";
            serde_json::to_value([Check::bad("server", Level::Fail, failure.text, hint)])?
        }
    };
    if let (Some(all), Value::Array(more)) = (checks.as_array_mut(), server) {
        all.extend(more);
    }
    tell(&reach, &checks)
}

/// Prints what was found; a failed check fails the command.
fn tell(reach: &Reach, checks: &Value) -> Outcome {
    let failed = checks.as_array().is_some_and(|all| all.iter().any(|check| check["level"] == json!("fail")));
    reach.say(&json!({"items": checks}), |answer| {
        let lines = answer["items"].as_array().into_iter().flatten();
        lines.map(line).collect::<Vec<_>>().join("\n")
    });
    if failed { Err(Failure::failed("something needs to be done, see above")) } else { Ok(()) }
}

fn line(check: &Value) -> String {
    let hint = check["hint"].as_str().map(|hint| format!("\n      {hint}")).unwrap_or_default();
    format!("{:<5} {}: {}{hint}", text(&check["level"]), text(&check["name"]), text(&check["found"]))
}

fn folder(dir: &Path) -> Vec<Check> {
    let mut checks = vec![mode(dir, "", 0o711), mode(dir, "run", 0o700), mode(dir, "keys", 0o700)];
    let keys = std::fs::read_dir(dir.join("keys")).into_iter().flatten().flatten();
    let open = keys.filter(|key| key.metadata().is_ok_and(|meta| meta.mode() & 0o077 != 0));
    let open: Vec<String> = open.map(|key| key.path().display().to_string()).collect();
    if !open.is_empty() {
        let hint = format!("chmod 600 {}; if others may have read them, make new ones", open.join(" "));
        checks.push(Check::bad("keys", Level::Fail, format!("others may read {}", open.join(", ")), hint));
    }
    checks.push(space(dir));
    checks
}

fn mode(dir: &Path, name: &str, expected: u32) -> Check {
    let path = if name.is_empty() { dir.to_path_buf() } else { dir.join(name) };
    let shown = path.display();
    match path.metadata() {
        Err(error) => Check::bad("folder", Level::Fail, format!("{shown}: {error}"), "is --data-dir the server's?"),
        Ok(meta) if meta.mode() & 0o777 & !expected != 0 => {
            let found = format!("{shown} has mode {:o}, more open than {expected:o}", meta.mode() & 0o777);
            Check::bad("folder", Level::Fail, found, format!("chmod {expected:o} {shown}"))
        }
        Ok(meta) => Check::ok("folder", format!("{shown} has mode {:o}", meta.mode() & 0o777)),
    }
}

fn space(dir: &Path) -> Check {
    let Ok(disk) = rustix::fs::statvfs(dir) else {
        return Check::bad("disk", Level::Warn, "its free space cannot be read", "look at df");
    };
    let free = disk.f_bavail.saturating_mul(disk.f_frsize);
    let percent = disk.f_bavail.saturating_mul(100) / disk.f_blocks.max(1);
    let found = format!("{} MB free ({percent} %)", free >> 20);
    let hint = "make room: without it nothing can be decided, and nothing is lost either";
    match free {
        ..SPACE_FAIL => Check::bad("disk", Level::Fail, found, hint),
        SPACE_FAIL..SPACE_WARN => Check::bad("disk", Level::Warn, found, hint),
        _ => Check::ok("disk", found),
    }
}
