//! What became of a dialog's answer, up to the key that was pressed.

use chrono::{DateTime, Utc};

use super::super::Receipt;
use crate::domain::proposal::Status;
use crate::http::pages::visit::Visit;
use crate::http::pages::words::dialogs as words;
use crate::store::proposals::Row;
use crate::store::shown::Dialog as Found;

/// Who decided, where it was no person.
pub(in crate::http::pages) fn by(row: &Row, found: &Found) -> Option<String> {
    match (row.source.as_deref(), found.policy_version) {
        (Some("policy"), Some(version)) => Some(format!("the policy, version {version}")),
        (Some("policy"), None) => Some("the policy".into()),
        (Some("terminal"), _) => Some("somebody at the terminal".into()),
        _ => None,
    }
}

/// Why it is no longer on the screen, if it is not.
pub(in crate::http::pages) fn ended(found: &Found) -> Option<String> {
    found.ended_at.map(|_| words::end(found.end_reason.as_deref().unwrap_or("vanished")))
}

/// What is true of the answer now.
pub(in crate::http::pages) fn after(row: &Row, found: &Found) -> String {
    let reason = found.order_reason.as_deref().unwrap_or_default();
    match (Status::from_word(&row.status), row.executed.as_deref()) {
        (Some(Status::Expired), _) => return "Not approved; it may still wait at the terminal.".into(),
        (Some(Status::Withdrawn), _) => return ended(found).unwrap_or_else(|| "It is no longer asked.".into()),
        (_, Some("void")) => return format!("Nothing was pressed: {}.", words::skip(or(reason, "state_changed"))),
        (_, Some("failed")) => return format!("Not known to have worked: {}.", words::failure(reason)),
        _ => {}
    }
    match (found.order_state.as_deref(), found.order_outcome.as_deref()) {
        (Some("queued"), _) => "Waits for the pane client.".into(),
        (Some("taken"), _) => "The pane client has it.".into(),
        (Some(_), Some("sent")) => "Pressed in the terminal.".into(),
        (Some(_), Some("skipped")) => format!("Nothing was pressed: {}.", words::skip(reason)),
        (Some(_), _) => format!("Not known to have worked: {}.", words::failure(reason)),
        (None, _) => "No row was pressed: somebody has to answer at the terminal.".into(),
    }
}

/// Whether the answer has not reached the terminal, and will not by itself.
pub(in crate::http::pages) fn stuck(row: &Row, found: &Found) -> bool {
    let live = matches!(found.order_state.as_deref(), Some("queued" | "taken"));
    let executed = row.executed.as_deref().or(found.order_outcome.as_deref());
    !live && matches!(executed, Some("skipped" | "failed" | "void"))
}

fn or<'a>(reason: &'a str, usual: &'a str) -> &'a str {
    if reason.is_empty() { usual } else { reason }
}

/// From asked to executed. What the policy answers nobody is told of, and nobody sees.
pub(in crate::http::pages) fn receipts(visit: &Visit, row: &Row, found: &Found) -> Vec<Receipt> {
    let by_person = row.source.as_deref() != Some("policy");
    let end = match Status::from_word(&row.status) {
        Some(Status::Expired) => "expired",
        Some(Status::Withdrawn) => "withdrawn",
        _ => "decided",
    };
    let over = end != "decided";
    let mut steps: Vec<(&'static str, Option<DateTime<Utc>>)> = vec![("asked", Some(row.created_at))];
    if by_person {
        steps.extend([("notified", row.notified_at), ("seen", row.seen_at)]);
    }
    steps.push((end, row.decided_at.or(row.closed_at)));
    if !over {
        let (name, at) = executed(row, found);
        steps.extend([("picked up", found.taken_at.or(at)), (name, at)]);
    }
    let last = steps.iter().rposition(|(_, at)| at.is_some()).unwrap_or_default();
    let step = |(index, (name, at)): (usize, (&'static str, Option<DateTime<Utc>>))| Receipt {
        name,
        at: at.map(|at| visit.reader().when(at)),
        now: index == last + 1,
    };
    steps.into_iter().enumerate().map(step).collect()
}

fn executed(row: &Row, found: &Found) -> (&'static str, Option<DateTime<Utc>>) {
    let at = row.executed_at.or(found.done_at);
    match row.executed.as_deref().or(found.order_outcome.as_deref()) {
        Some("skipped") => ("skipped", at),
        Some("failed") => ("failed", at),
        Some("void") => ("not pressed", at),
        _ => ("executed", at),
    }
}
