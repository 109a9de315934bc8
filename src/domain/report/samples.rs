//! A dialog for the tests of this crate's inside.

use uuid::Uuid;

use super::Report;
use crate::domain::dialog::{DialogKind, DialogOption, DialogSource};

/// A permission dialog for a command, with a yes, a standing yes and a no.
pub(crate) fn report(command: &str) -> Report {
    let row = |n, text: &str| DialogOption { n, text: text.into(), selected: n == 1 };
    Report {
        instance: Uuid::from_u128(7),
        pane: "main.1".into(),
        lane: "api".into(),
        agent_kind: "claude".into(),
        session_id: None,
        source: DialogSource::Pane,
        kind: DialogKind::Permission,
        title: "Bash command".into(),
        question: "Do you want to proceed?".into(),
        body: None,
        command: Some(command.into()),
        context: None,
        options: vec![row(1, "Yes"), row(2, "Yes, and don't ask again"), row(3, "No")],
        truncated: false,
        cwd: "/srv/shop-api".into(),
        repo_root: "/srv/shop-api".into(),
        worktree: "/srv/shop-api".into(),
        facts: None,
        pane_excerpt: None,
    }
}
