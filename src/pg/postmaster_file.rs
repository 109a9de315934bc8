//! `postmaster.pid`, in which a running Postgres says who it is and where its socket lies.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, test_kill_process};

/// What the file says; a dead postmaster may have left it.
#[derive(Debug)]
pub(super) struct PostmasterFile {
    pub(super) pid: i32,
    pub(super) socket_dir: PathBuf,
}

impl PostmasterFile {
    /// Lines: pid, data folder, start time, port, socket folder, …
    pub(super) fn read(cluster: &Path) -> Option<Self> {
        let text = std::fs::read_to_string(cluster.join("postmaster.pid")).ok()?;
        let mut lines = text.lines();
        let pid = lines.next()?.trim().parse().ok()?;
        let socket_dir = PathBuf::from(lines.nth(3)?);
        Some(Self { pid, socket_dir })
    }

    /// Whether that process lives and works in this cluster: the number alone may long be someone else's.
    pub(super) fn is_alive(&self, cluster: &Path) -> bool {
        let Some(pid) = Pid::from_raw(self.pid) else {
            return false;
        };
        if !Path::new("/proc/self/cwd").exists() {
            return test_kill_process(pid).is_ok();
        }
        let works_in = std::fs::read_link(format!("/proc/{}/cwd", self.pid));
        let here = cluster.canonicalize();
        works_in.is_ok_and(|dir| here.is_ok_and(|here| here == dir))
    }
}

/// Stops the postmaster that a dead server left in this cluster. Only for who holds DIR's lock: no living server can own it then.
pub(super) fn stop_orphan(cluster: &Path) {
    let Some(orphan) = PostmasterFile::read(cluster).filter(|orphan| orphan.is_alive(cluster)) else {
        return;
    };
    tracing::info!(pid = orphan.pid, "stopping the Postgres that an earlier server left behind");
    for (signal, patience) in [(Signal::INT, 20), (Signal::QUIT, 10)] {
        // A failure means that it has just gone, which the loop finds out.
        if let Some(pid) = Pid::from_raw(orphan.pid) {
            let _ = kill_process(pid, signal);
        }
        let until = Instant::now() + Duration::from_secs(patience);
        while orphan.is_alive(cluster) && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}
