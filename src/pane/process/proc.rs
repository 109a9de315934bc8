//! Linux tells about processes in files: read in one go, and dropped if the process was replaced meanwhile.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::{major, minor};

use super::Running;
use super::programs::{self, Start};
use crate::domain::facts::{UNREAD, variables};

/// Nobody's words or variables are longer; what is, is not read.
const MOST_BYTES: u64 = 4 << 20;
/// The most processes of one group that are looked at.
const MOST_IN_GROUP: usize = 256;
/// How deep wrappers stand in wrappers.
const MOST_WRAPPERS: usize = 8;

/// Whether this system has such files.
pub(super) fn is_here() -> bool {
    Path::new("/proc/self/stat").exists()
}

/// The program in the foreground, by the terminal that the pane's first process has.
pub(super) fn foreground(tty: &str, pane_pid: u32) -> Option<Running> {
    let first = Stat::of(pane_pid)?;
    let terminal = fs::metadata(tty).ok()?.rdev();
    let leader = u32::try_from(first.foreground).ok().filter(|pid| *pid > 0)?;
    if first.terminal != device(terminal) {
        return None;
    }
    let pid = agent_in(leader, first.terminal)?;
    let before = Stat::of(pid)?;
    let running = running(pid)?;
    // Process ids are used again: what was read is of one process only if it is still the same one, and in front.
    let same = Stat::of(pid)? == before && Stat::of(pane_pid)?.foreground == first.foreground;
    (same && before.terminal == first.terminal).then_some(running)
}

/// A device's number as the process files spell it.
fn device(number: u64) -> i64 {
    let (major, minor) = (i64::from(major(number)), i64::from(minor(number)));
    (minor & 0xff) | (major << 8) | ((minor & !0xff) << 12)
}

/// The fields of a process's `stat` that matter here.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Stat {
    parent: u32,
    group: i64,
    terminal: i64,
    foreground: i64,
    started: u64,
}

impl Stat {
    fn of(pid: u32) -> Option<Self> {
        Self::parse(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
    }

    /// The name may hold blanks and brackets, so the fields are counted from its last bracket.
    fn parse(text: &str) -> Option<Self> {
        let (_, rest) = text.rsplit_once(')')?;
        let fields: Vec<&str> = rest.split_whitespace().collect();
        // A dead process that nobody has collected has no words, folder or variables.
        if matches!(*fields.first()?, "Z" | "X") {
            return None;
        }
        Some(Self {
            parent: fields.get(1)?.parse().ok()?,
            group: fields.get(2)?.parse().ok()?,
            terminal: fields.get(4)?.parse().ok()?,
            foreground: fields.get(5)?.parse().ok()?,
            started: fields.get(19)?.parse().ok()?,
        })
    }
}

/// The process that matters in the group of a leader: the leader itself, or the agent that it wraps.
fn agent_in(leader: u32, terminal: i64) -> Option<u32> {
    let start = |pid: u32| Some(programs::start(&comm(pid)?, &argv(pid)?));
    if matches!(start(leader), Some(Start::Agent(_) | Start::Other)) {
        return Some(leader);
    }
    let group = group_of(leader, terminal);
    let children = |pid: u32| group.iter().filter(move |(_, stat)| stat.parent == pid).map(|(pid, _)| *pid);
    // A leader that has ended leaves a group whose processes stand beside each other.
    let mut layer: Vec<u32> = if group.contains_key(&leader) { vec![leader] } else { group.keys().copied().collect() };
    for _ in 0..MOST_WRAPPERS {
        match layer.iter().find_map(|pid| Some((*pid, start(*pid)?)).filter(|(_, start)| start.kind().is_some())) {
            Some((mut pid, Start::Script(kind))) => {
                // The program itself, where scripts only start it, knows better where it stands.
                for _ in 0..MOST_WRAPPERS {
                    let same = |pid: &u32| start(*pid).and_then(Start::kind) == Some(kind);
                    let Some(inner) = children(pid).find(same) else { break };
                    pid = inner;
                    if start(pid) == Some(Start::Agent(kind)) {
                        break;
                    }
                }
                return Some(pid);
            }
            Some((pid, _)) => return Some(pid),
            None => layer = layer.iter().flat_map(|pid| children(*pid)).collect(),
        }
    }
    Stat::of(leader).map(|_| leader)
}

/// The processes of a group on a terminal.
fn group_of(leader: u32, terminal: i64) -> BTreeMap<u32, Stat> {
    let Ok(entries) = fs::read_dir("/proc") else { return BTreeMap::new() };
    let pids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
    pids.filter_map(|pid| Some((pid, Stat::of(pid)?)))
        .filter(|(_, stat)| stat.group == i64::from(leader) && stat.terminal == terminal)
        .take(MOST_IN_GROUP)
        .collect()
}

fn running(pid: u32) -> Option<Running> {
    let (command, argv) = (comm(pid)?, argv(pid)?);
    let environment = environment(pid);
    let value = |name: &str| {
        let found = environment.iter().flatten().find(|(known, _)| known == name);
        found.map(|(_, value)| value.clone()).filter(|value| !value.is_empty())
    };
    // In a container the same path is another folder.
    let cwd = sees_our_disk(pid).then(|| fs::read_link(format!("/proc/{pid}/cwd")).ok()).flatten();
    let kind = programs::start(&command, &argv).kind();
    Some(Running {
        pid,
        cwd: cwd.and_then(|cwd| programs::work_folder(kind, &argv, cwd)),
        shell: programs::shell(kind, value("SHELL").as_deref().map(Path::new)),
        env_names: environment.as_deref().map_or_else(|| vec![UNREAD.to_owned()], names),
        home: value("HOME").map(PathBuf::from),
        path: value("PATH").map(|path| std::env::split_paths(&path).collect()).unwrap_or_default(),
        command,
        argv,
    })
}

/// Whether a process has the same root and the same mounts as we do.
fn sees_our_disk(pid: u32) -> bool {
    let same = |what: &str| {
        let (its, ours) = (fs::read_link(format!("/proc/{pid}/{what}")), fs::read_link(format!("/proc/self/{what}")));
        its.ok().zip(ours.ok()).is_some_and(|(its, ours)| its == ours)
    };
    same("root") && same("ns/mnt")
}

/// The names of the variables that may change something. A value that no text can hold may be anything.
fn names(environment: &[(OsString, OsString)]) -> Vec<String> {
    let home = environment.iter().find(|(name, _)| name == "HOME").and_then(|(_, home)| home.to_str());
    let matters = |(name, value): &&(OsString, OsString)| match (name.to_str(), value.to_str()) {
        (Some(name), Some(value)) => !variables::is_harmless(name, value, home.unwrap_or_default()),
        _ => true,
    };
    environment.iter().filter(matters).map(|(name, _)| name.to_string_lossy().into_owned()).collect()
}

fn comm(pid: u32) -> Option<String> {
    let text = fs::read(format!("/proc/{pid}/comm")).ok()?;
    Some(String::from_utf8_lossy(&text).trim_end_matches('\n').to_owned())
}

/// The words of a process. A program that gave itself another title leaves blanks behind it.
fn argv(pid: u32) -> Option<Vec<String>> {
    let bytes = bounded(&format!("/proc/{pid}/cmdline"))?;
    let words = bytes.split(|byte| *byte == 0).filter(|word| !word.is_empty());
    Some(words.map(|word| String::from_utf8_lossy(word).into_owned()).collect())
}

/// The variables with which a process was started; none where they are somebody else's, or were overwritten by a title.
fn environment(pid: u32) -> Option<Vec<(OsString, OsString)>> {
    let bytes = bounded(&format!("/proc/{pid}/environ"))?;
    let entries: Vec<&[u8]> = bytes.split(|byte| *byte == 0).filter(|entry| !entry.is_empty()).collect();
    if entries.is_empty() {
        return None;
    }
    let split = |entry: &&[u8]| {
        let at = entry.iter().position(|byte| *byte == b'=').filter(|at| *at > 0)?;
        let value = OsString::from_vec(entry[at + 1..].to_vec());
        Some((std::ffi::OsStr::from_bytes(&entry[..at]).to_owned(), value))
    };
    entries.iter().map(split).collect()
}

fn bounded(path: &str) -> Option<Vec<u8>> {
    use std::io::Read;
    let mut bytes = Vec::new();
    fs::File::open(path).ok()?.take(MOST_BYTES + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 <= MOST_BYTES).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_brackets_does_not_shift_the_fields() {
        let line = "41 (a) R 9 (b) S 40 41 40 34817 41 4194304 1 0 0 0 0 0 0 0 20 0 1 0 777 1 2";
        let stat = Stat::parse(line).unwrap();
        assert_eq!(stat, Stat { parent: 40, group: 41, terminal: 34817, foreground: 41, started: 777 });
        assert_eq!(Stat::parse("41 (a) Z 40 41 40 34817 41 0 0 0 0 0 0 0 0 0 20 0 1 0 777"), None);
        assert_eq!(Stat::parse("41 (a) S 40"), None);
    }

    #[test]
    fn this_very_process_is_read() {
        let own = running(std::process::id()).unwrap();
        assert_eq!(own.cwd, std::env::current_dir().ok());
        assert!(own.env_names.iter().any(|name| name == "PATH") && !own.path.is_empty());
        assert!(own.env_names.iter().all(|name| !name.contains('=')));
    }
}
