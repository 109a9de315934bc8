//! What supervision did in a lane: one line each, with the keys and the screen behind it.

use crate::domain::text::{Kind, Shown, show};
use crate::domain::verdict::{PolicySource, Verdict};
use crate::http::pages::visit::Visit;
use crate::http::pages::when::When;
use crate::http::pages::words::dialogs as words;
use crate::store::shown::{self, ActedRow};

/// One thing that supervision did, or left to a person.
#[derive(Debug)]
pub struct Acted {
    /// The journal row's number.
    pub id: String,
    /// When.
    pub at: When,
    /// What, in a word or two.
    pub what: &'static str,
    /// How it stands: `sent`, `skipped`, `failed`, `held`.
    pub outcome: &'static str,
    /// What it was about.
    pub subject: Option<Shown>,
    /// The class of a dialog, in words.
    pub class: Option<&'static str>,
    /// Why, as a sentence.
    pub why: String,
    /// The pane's key, and the agent in it.
    pub pane: Shown,
    /// The keys that were sent.
    pub keys: Vec<String>,
    /// The policy's version.
    pub version: Option<i64>,
    /// The screen.
    pub excerpt: Option<Shown>,
    /// The dialog's page.
    pub proposal: Option<String>,
}

pub(super) fn activity(visit: &Visit, rows: Vec<ActedRow>) -> Vec<Acted> {
    rows.into_iter().map(|row| acted(visit, row)).collect()
}

fn acted(visit: &Visit, row: ActedRow) -> Acted {
    let gone = row.payload.is_none();
    let told = row.payload.map(|payload| payload.0).unwrap_or_default();
    let text = |text: &String| show(text, Kind::Command);
    Acted {
        id: row.id.to_string(),
        at: visit.reader().when(row.at),
        what: if gone { "Removed by retention" } else { what(&told) },
        outcome: outcome(&told.outcome),
        subject: told.subject.as_ref().filter(|subject| !subject.trim().is_empty()).map(text),
        class: words::class_of(told.dialog_class.as_deref()),
        why: why(&told),
        pane: show(&pane(&told), Kind::Command),
        keys: told.keys.iter().flatten().map(|key| words::plain(&text(key))).collect(),
        version: told.policy_version,
        excerpt: told.pane_excerpt.filter(|screen| !screen.trim().is_empty()).map(|screen| show(&screen, Kind::Prose)),
        proposal: row.proposal_id.map(|id| id.to_string()),
    }
}

fn pane(told: &shown::Acted) -> String {
    match &told.agent_kind {
        Some(kind) => format!("{} · {kind}", told.pane),
        None => told.pane.clone(),
    }
}

fn outcome(word: &str) -> &'static str {
    match word {
        "sent" => "sent",
        "held" => "held",
        "skipped" => "skipped",
        _ => "failed",
    }
}

fn what(told: &shown::Acted) -> &'static str {
    match (told.outcome.as_str(), told.decision.as_str()) {
        ("sent", "full_body") if told.trigger == "message" => "Message typed",
        ("held", _) => "Left to a person",
        ("skipped", _) => "Nothing typed",
        ("sent", "approve") => "Approved",
        ("sent", "deny") => "Refused",
        ("sent", "nudge") => "Nudged",
        ("sent", "full_body") => "Mail typed",
        ("sent", _) => "Typed",
        _ => "Not known to have worked",
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn verdict(decision: &str) -> Verdict {
    match decision {
        "approve" => Verdict::AutoApprove,
        "deny" => Verdict::AutoDeny,
        _ => Verdict::Hold,
    }
}

fn why(told: &shown::Acted) -> String {
    let reason = told.reason.as_deref().unwrap_or_default();
    match told.outcome.as_str() {
        "skipped" if reason == "state_changed" && matches!(told.trigger.as_str(), "mail" | "stall") => {
            return "It was not needed any more.".to_owned();
        }
        "skipped" => return capital(&format!("{}.", words::skip(reason))),
        "failed" => return capital(&format!("{}.", words::failure(reason))),
        _ => {}
    }
    match told.policy_source.as_deref().and_then(PolicySource::from_word) {
        Some(source) => words::source(source, verdict(&told.decision)).to_owned(),
        None => match told.trigger.as_str() {
            "manual_nudge" => "Somebody asked for it.".to_owned(),
            "mail" => "There was mail.".to_owned(),
            "stall" => "Nothing had moved for a while.".to_owned(),
            _ => String::new(),
        },
    }
}
