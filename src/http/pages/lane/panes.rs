//! A pane in words: what its agent does, since when, and who says so.

use super::Pane;
use crate::domain::text::{Kind, show};
use crate::http::pages::visit::Visit;
use crate::store::panes::PaneRow;

/// A pane as its client last reported it.
pub(in crate::http::pages) fn pane(visit: &Visit, pane: &PaneRow) -> Pane {
    Pane {
        key: show(&pane.key, Kind::Command),
        agent_kind: show(&pane.agent_kind, Kind::Command),
        status: status(pane),
        loud: pane.fresh && (pane.status == "blocked" || pane.usage_limit || pane.awaiting_input),
        since: visit.reader().when(pane.status_since),
        reported: visit.reader().when(pane.reported_at),
        client: show(&client(pane), Kind::Command),
    }
}

fn status(pane: &PaneRow) -> &'static str {
    match pane.status.as_str() {
        "blocked" => "waits for an answer",
        "working" => "at work",
        "idle" if pane.usage_limit => "stopped by a usage limit",
        "idle" if pane.awaiting_input => "asked something in words",
        "idle" => "idle",
        _ if pane.fresh => "cannot be told",
        _ => "not heard of",
    }
}

fn client(pane: &PaneRow) -> String {
    let version = pane.client_version.as_ref().map(|version| format!(" {version}")).unwrap_or_default();
    let host = pane.client_host.as_ref().map(|host| format!(" on {host}")).unwrap_or_default();
    format!("{}{version}{host}", pane.client_name)
}
