//! The one temporary folder of a test run, and the child that stops what is left and removes it, however the run ends.
//!
//! libtest has no teardown and never drops statics, so the cleaning is done by a small shell that waits for the
//! end of its standard input: that end comes with a normal exit, a panic, Ctrl-C and a kill -9 alike.

use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

const JANITOR: &str = r#"
trap '' INT TERM HUP
root=$1 left=
while read -r job; do
    case $job in
    gone:*)
        kept=
        for other in $left; do [ "${other##*:}" = "${job##*:}" ] || kept="$kept $other"; done
        left=$kept
        ;;
    *) left="$left $job" ;;
    esac
done
for job in $left; do kill -"${job%%:*}" "${job##*:}" 2>/dev/null; done
for job in $left; do
    n=0
    while kill -0 "${job##*:}" 2>/dev/null && [ $n -lt 100 ]; do sleep 0.05; n=$((n + 1)); done
done
rm -rf -- "$root"
"#;

struct Scratch {
    root: PathBuf,
    janitor: Mutex<Child>,
    next: AtomicUsize,
}

static SCRATCH: OnceLock<Scratch> = OnceLock::new();

fn scratch() -> &'static Scratch {
    SCRATCH.get_or_init(|| {
        let root = std::env::temp_dir().join(format!("countersign-it-{}", std::process::id()));
        std::fs::create_dir(&root).unwrap_or_else(|e| panic!("{} cannot be made: {e}", root.display()));
        // Root's Postgres runs as `postgres`, which must be able to walk through to its own folder.
        std::fs::set_permissions(&root, std::fs::Permissions::from_mode(0o711)).unwrap();
        let janitor = program("sh")
            .args(["-c", JANITOR, "janitor"])
            .arg(&root)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .unwrap();
        Scratch { root, janitor: Mutex::new(janitor), next: AtomicUsize::new(0) }
    })
}

/// A command that a test runs.
#[expect(clippy::disallowed_methods, reason = "tests start browsers, shells and servers; the rule is for the product")]
pub fn program(path: impl AsRef<std::ffi::OsStr>) -> Command {
    Command::new(path)
}

/// A new empty folder, gone when the run ends.
pub fn folder(name: &str) -> PathBuf {
    let scratch = scratch();
    let path = scratch.root.join(format!("{name}-{}", scratch.next.fetch_add(1, Ordering::Relaxed)));
    std::fs::create_dir(&path).unwrap();
    path
}

/// Sends `signal` to the process `pid` when the run ends, and waits for it before the folder is removed.
pub fn stop_at_exit(signal: &str, pid: u32) {
    tell_janitor(signal, pid);
}

/// The process has ended and is forgotten: its number may soon be another's.
pub fn gone(pid: u32) {
    tell_janitor("gone", pid);
}

fn tell_janitor(word: &str, pid: u32) {
    let mut janitor = scratch().janitor.lock().unwrap_or_else(PoisonError::into_inner);
    let stdin = janitor.stdin.as_mut().expect("the janitor was started with a pipe");
    writeln!(stdin, "{word}:{pid}").unwrap();
}

/// A file of this repository, by its path from the top.
pub fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}
