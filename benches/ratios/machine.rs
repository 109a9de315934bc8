//! What the kernel knows about a process: its memory and the processor time it took.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::Res;

/// Ten thousand waiters are ten thousand sockets at this end too. Children inherit it.
pub(crate) fn raise_file_limit() {
    let now = getrlimit(Resource::Nofile);
    let wanted = [Some(65_536), now.maximum];
    // Root may raise the hard limit; everybody else gets what there is.
    for limit in wanted {
        if setrlimit(Resource::Nofile, Rlimit { current: limit, maximum: limit.max(now.maximum) }).is_ok() {
            return;
        }
    }
}

/// Resident memory, in KiB.
pub(crate) fn resident_kib(pid: u32) -> Res<f64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).ok_or("no VmRSS")?;
    Ok(line.trim().trim_end_matches(" kB").parse()?)
}

/// Processor time of all its threads, in seconds, to the nanosecond where the kernel counts them.
pub(crate) fn cpu_seconds(pid: u32) -> Res<f64> {
    let mut nanos = 0.0;
    for task in std::fs::read_dir(format!("/proc/{pid}/task"))? {
        let text = std::fs::read_to_string(task?.path().join("schedstat"))?;
        nanos += text.split(' ').next().unwrap_or_default().parse::<f64>()?;
    }
    Ok(nanos / 1e9)
}
