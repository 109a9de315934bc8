//! The one unsafe corner: a child that is told when its parent dies.

use std::process::Command;

use rustix::process::Signal;

/// Whether this system can do it.
pub const CAN: bool = cfg!(target_os = "linux");

/// Has the kernel send a signal to the child once the *thread* that spawns it has ended, however it ended.
///
/// The uid must be set on the command (std changes it before this hook runs): a later change of uid would clear the request.
/// Systems without such a signal must do without.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "std offers no other way to run prctl between fork and exec")]
pub fn signal_with_parent(command: &mut Command, signal: Signal) {
    use std::os::unix::process::CommandExt;

    use rustix::process::{getpid, getppid, set_parent_process_death_signal};

    let parent = getpid();
    let hook = move || {
        set_parent_process_death_signal(Some(signal))?;
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
pub fn signal_with_parent(_command: &mut Command, _signal: Signal) {}
