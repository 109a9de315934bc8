//! Which lane a pane belongs to: by the folder in which its program stands, or as the command line says.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::tmux::is_pane_id;
use crate::domain::name::Name;
use crate::domain::screen::AgentKind;

/// A lane, as the server tells its pane client.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Lane {
    /// Its name.
    pub name: String,
    /// Its worktree, as the admin registered it.
    pub worktree: PathBuf,
    /// Its project's repository, as the admin registered it.
    pub repo: PathBuf,
}

/// A pane that the command line names: `api=%3`, `api=%3:codex`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assigned {
    /// The lane.
    pub lane: String,
    /// The bare `%N`.
    pub pane: String,
    /// The program, where it cannot be told from the process.
    pub agent: Option<AgentKind>,
}

/// The lane with the innermost worktree that a folder is in, by where the disk has both; none where two are the same.
pub fn lane_of<'a>(lanes: &'a [Lane], cwd: &Path) -> Option<&'a Lane> {
    let cwd = fs::canonicalize(cwd).ok()?;
    let depth = |lane: &Lane| {
        let worktree = fs::canonicalize(&lane.worktree).ok()?;
        cwd.starts_with(&worktree).then(|| worktree.components().count())
    };
    let mut best: Option<(usize, &Lane)> = None;
    let mut twice = false;
    for (depth, lane) in lanes.iter().filter_map(|lane| Some((depth(lane)?, lane))) {
        match best {
            Some((deepest, _)) if depth < deepest => {}
            Some((deepest, _)) if depth == deepest => twice = true,
            _ => (best, twice) = (Some((depth, lane)), false),
        }
    }
    best.filter(|_| !twice).map(|(_, lane)| lane)
}

/// Reads `api=%3` or `api=%3:codex`: the lane, the pane, and which agent is in it if one is named.
pub fn assigned(arg: &str) -> Result<Assigned, String> {
    let wanted = "give LANE=PANE or LANE=PANE:AGENT, e.g. api=%3 or api=%3:codex";
    let (lane, rest) = arg.split_once('=').ok_or_else(|| format!("`{arg}` has no `=`; {wanted}"))?;
    let (pane, kind) = rest.split_once(':').map_or((rest, None), |(pane, kind)| (pane, Some(kind)));
    Name::parse(lane).map_err(|bad| format!("`{lane}` is no lane: {bad}"))?;
    // tmux takes other targets too, but only this one stays with the pane when windows are moved.
    if !is_pane_id(pane) {
        return Err(format!(
            "`{pane}` is no pane: {wanted}; `tmux list-panes -a -F '#{{pane_id}} #{{pane_title}}'` lists them"
        ));
    }
    let agent = kind.map(AgentKind::parse).transpose()?;
    Ok(Assigned { lane: lane.to_owned(), pane: pane.to_owned(), agent })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pane_is_assigned_by_its_id() {
        let named = |pane: &str, agent| Assigned { lane: "api".to_owned(), pane: pane.to_owned(), agent };
        assert_eq!(assigned("api=%3").unwrap(), named("%3", None));
        assert_eq!(assigned("api=%12:codex").unwrap(), named("%12", Some(AgentKind::Codex)));
        for wrong in
            ["api", "=%3", "api=3", "api=%", "api=%3x", "api=%3:vim", "api=%3:", "API=%3", "api=main.1", "api=%-1"]
        {
            assert!(assigned(wrong).is_err(), "{wrong}");
        }
        assert!(assigned("api=%3:vim").unwrap_err().contains("claude, codex"));
    }
}
