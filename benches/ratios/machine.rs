//! What the kernel knows about a process: its memory and the processor time it took.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::Res;

/// Ticks a second in `/proc`: a constant of the kernel's interface on every machine this runs on.
const TICKS: f64 = 100.0;

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

/// Processor time of a process.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Spent {
    /// Its own, in seconds, with that of threads that have ended.
    pub(crate) own: f64,
    /// That of the children that have ended and were waited for.
    pub(crate) children: f64,
}

/// Processor time of a process and of what it has started and seen end, to the hundredth of a second.
pub(crate) fn spent(pid: u32) -> Res<Spent> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"))?;
    // The program's name stands in brackets and may hold anything; the state behind it is the third field.
    let (_, rest) = stat.rsplit_once(") ").ok_or("no stat")?;
    let fields: Vec<&str> = rest.split(' ').collect();
    let seconds = |at: usize| -> Res<f64> { Ok(fields.get(at - 3).ok_or("a short stat")?.parse::<f64>()? / TICKS) };
    Ok(Spent { own: seconds(14)? + seconds(15)?, children: seconds(16)? + seconds(17)? })
}

/// The children of a process that run now.
pub(crate) fn children(pid: u32) -> Res<Vec<u32>> {
    let mut found = Vec::new();
    for task in std::fs::read_dir(format!("/proc/{pid}/task"))? {
        let text = std::fs::read_to_string(task?.path().join("children"))?;
        found.extend(text.split_ascii_whitespace().map(str::parse::<u32>).collect::<Result<Vec<_>, _>>()?);
    }
    Ok(found)
}
