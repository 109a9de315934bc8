//! The one unsafe corner: a child that is told when its parent dies.

use std::process::Command;

/// Has the kernel send SIGINT, Postgres' fast shutdown, to the child once the *thread* that spawns it has ended, however it ended.
///
/// The uid must be set on the command (std changes it before this hook runs): a later change of uid would clear the request.
/// Systems without such a signal rely on the next start, which stops what it finds running.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "std offers no other way to run prctl between fork and exec")]
pub(super) fn fast_stop_with_parent(command: &mut Command) {
    use std::os::unix::process::CommandExt;

    use rustix::process::{Signal, getpid, getppid, set_parent_process_death_signal};

    let parent = getpid();
    let hook = move || {
        set_parent_process_death_signal(Some(Signal::INT))?;
        // The parent may have died before the request stood.
        if getppid() == Some(parent) { Ok(()) } else { Err(std::io::ErrorKind::BrokenPipe.into()) }
    };
    // SAFETY: the hook only makes two system calls and neither allocates nor locks, so it is safe after a fork in a threaded program.
    unsafe {
        command.pre_exec(hook);
    }
}

/// See the Linux version.
#[cfg(not(target_os = "linux"))]
pub(super) fn fast_stop_with_parent(_command: &mut Command) {}
