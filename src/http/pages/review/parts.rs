//! The parts of a review that come from a row: facts, questions, receipts, and how it ended.

use super::{Asked, Choice, Closed, Fact, Gesture, Receipt, Says};
use crate::domain::proposal::{Outcome, Status};
use crate::domain::risk::Risk;
use crate::domain::text::{Kind, show};
use crate::http::pages::form::Form;
use crate::http::pages::visit::Visit;
use crate::http::pages::{glance, words};
use crate::store::proposals::{Content, Row};
use crate::store::shown::Dialog;

/// What the server knows.
pub(super) fn facts(visit: &Visit, row: &Row) -> Vec<Fact> {
    let reader = visit.reader();
    let fact = |name, value: &str, code| Fact { name, value: show(value, Kind::Command), code };
    let mut facts = Vec::new();
    let dialog = row.kind == "dialog";
    if let Some(agent) = &row.agent {
        facts.push(fact(if dialog { "Reported by" } else { "Agent" }, agent, true));
    }
    if !dialog {
        facts.push(fact("Action", &row.action, true));
    }
    facts.push(fact("Asked", &reader.exact(row.created_at), false));
    if let Some(end) = row.expires_at {
        facts.push(fact("Open until", &reader.exact(end), false));
    }
    if row.requirement.votes > 1 {
        facts.push(fact("Votes", &format!("{} of {}", votes(row).0, votes(row).1), false));
    }
    facts.push(fact("Digest", &words::short_digest(&hex::encode(&row.digest)), true));
    facts
}

/// Approvals there are, and approvals it takes.
pub(super) fn votes(row: &Row) -> (u32, u32) {
    let votes = row.votes.iter().flat_map(|votes| votes.iter());
    let have = votes.filter(|vote| vote.outcome != Outcome::Rejected.as_str()).count();
    (u32::try_from(have).unwrap_or(u32::MAX), row.requirement.votes)
}

/// What the agent says.
pub(super) fn says(row: &Row, content: &Content, dialog: Option<&Dialog>) -> Says {
    if let Some(dialog) = dialog {
        let said = dialog.report.as_ref();
        let lines = said.map(|said| [said.title.trim(), said.question.trim()]).unwrap_or_default();
        let mut asked: Vec<&str> = lines.into_iter().filter(|line| !line.is_empty()).collect();
        // Some programs have one line for both.
        asked.dedup();
        let around = said.and_then(|said| said.context.as_deref()).filter(|text| !text.trim().is_empty());
        return Says {
            agent: words::dialogs::plain(&show(&dialog.agent_kind, Kind::Command)),
            title: show(if asked.is_empty() { row.title.clone() } else { asked.join(": ") }.as_str(), Kind::Prose),
            reasons: around.map(|text| show(text, Kind::Prose)),
        };
    }
    Says {
        agent: row.agent.clone().unwrap_or_else(|| "The agent".into()),
        title: show(&row.title, Kind::Prose),
        reasons: content.justification.as_deref().map(|reasons| show(reasons, Kind::Prose)),
    }
}

/// The questions, with the answers that were given, or those that were typed and not taken.
pub(super) fn questions(row: &Row, content: &Content, typed: &Form) -> Vec<Asked> {
    let questions = content.questions.as_deref().map_or(&[][..], Vec::as_slice);
    let given = row.answers.as_deref().map_or(&[][..], Vec::as_slice);
    let asked = |(index, question): (usize, &crate::domain::ask::Question)| {
        let answer = given.iter().find(|answer| answer.question == index);
        let chosen = answer.map_or_else(|| typed.all(&format!("c{index}")), |answer| answer.choices.clone());
        let choices = question.options.iter().map(|label| Choice {
            value: label.clone(),
            label: show(label, Kind::Prose),
            chosen: chosen.contains(label),
        });
        Asked {
            index,
            text: show(&question.question, Kind::Prose),
            choices: choices.collect(),
            multi: question.multi,
            free_text: question.free_text,
            answer: answer.and_then(|answer| answer.text.as_deref()).map(|text| show(text, Kind::Prose)),
            typed: typed.get(&format!("t{index}")).to_owned(),
        }
    };
    questions.iter().enumerate().map(asked).collect()
}

/// From asked to picked up.
pub(super) fn receipts(visit: &Visit, row: &Row) -> Vec<Receipt> {
    let end = match Status::from_word(&row.status) {
        Some(Status::Expired) => "expired",
        Some(Status::Withdrawn) => "withdrawn",
        _ => "decided",
    };
    let steps = [
        ("asked", Some(row.created_at)),
        ("notified", row.notified_at),
        ("seen", row.seen_at),
        (end, row.decided_at.or(row.closed_at)),
        ("picked up", row.collected_at),
    ];
    let last = steps.iter().rposition(|(_, at)| at.is_some()).unwrap_or_default();
    let step = |(index, (name, at)): (usize, (&'static str, Option<_>))| Receipt {
        name,
        at: at.map(|at| visit.reader().when(at)),
        now: index == last + 1,
    };
    steps.into_iter().enumerate().map(step).collect()
}

/// What approving takes of this reader, now.
pub(in crate::http::pages) fn gesture(visit: &Visit, row: &Row) -> Gesture {
    let requirement = &row.requirement;
    match Risk::from_word(&row.risk) {
        _ if requirement.reauth && !visit.has_proven_lately() => Gesture::Password,
        _ if requirement.reauth || requirement.reason => Gesture::Confirm,
        Risk::High => Gesture::Confirm,
        Risk::Medium => Gesture::Hold,
        Risk::Low => Gesture::Tap,
    }
}

/// How it ended.
pub(super) fn closed(visit: &Visit, row: &Row, content: &Content, status: Status) -> Closed {
    let note = row.note.as_deref().or(row.close_reason.as_deref()).filter(|note| !note.trim().is_empty());
    let edit = match (&content.body, &row.decided_body) {
        (Some(proposed), Some(approved)) => Some(glance::edit(proposed, approved)),
        _ => None,
    };
    Closed {
        status,
        by: row.decided_by.clone().unwrap_or_default(),
        you: visit.is_me(row.decided_by.as_deref()),
        at: visit.reader().when(row.decided_at.or(row.closed_at).unwrap_or(row.created_at)),
        note: note.map(|note| show(note, Kind::Prose)),
        edit,
        after: after(row, status),
        next: None,
        too_late: false,
        stuck: false,
    }
}

fn after(row: &Row, status: Status) -> String {
    let had = row.collected_at.is_some();
    match status {
        Status::Expired if had => "Not approved, and the agent knows it.".into(),
        Status::Expired => "Not approved.".into(),
        Status::Withdrawn => "The agent moved on.".into(),
        _ if had => "The agent has it.".into(),
        _ => "The agent has not picked it up yet.".into(),
    }
}
