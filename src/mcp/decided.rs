//! How a proposal stands, in words that say what to do next: few, because a model reads them again with every turn.

use std::fmt::Write;

use serde_json::json;

use super::results::Answer;
use crate::domain::proposal::Status;
use crate::flows::proposals::shape::{Decision, Proposal};

/// A proposal as its agent is told. Only a rejection is an error; expired and withdrawn are plainly not approved.
pub(super) fn told(proposal: &Proposal, close_reason: Option<&str>) -> Answer {
    let mut data = json!({ "status": proposal.status, "proposal_id": proposal.id });
    if let Some(decision) = &proposal.decision {
        data["decision"] = json!(decision);
    }
    if let Some(secs) = proposal.retry_after {
        data["retry_after"] = json!(secs);
    }
    let [message, details] = words(proposal, close_reason);
    // Codex shows its model the data alone, so what to do next stands there too; the details are there as fields.
    data["message"] = json!(message);
    let answer = Answer::new(message + &details, data);
    if proposal.status == Status::Rejected.as_str() { answer.as_error() } else { answer }
}

/// What to do, and the details.
fn words(proposal: &Proposal, close_reason: Option<&str>) -> [String; 2] {
    if let Some(decision) = &proposal.decision {
        return [verdict(decision), details(decision)];
    }
    let message = if proposal.status == Status::Pending.as_str() {
        pending(proposal)
    } else if proposal.status == Status::Expired.as_str() {
        "Not approved: it expired before anybody decided. Do not do it. Propose it again if you still need it."
            .to_owned()
    } else {
        let why = close_reason.map_or(String::new(), |reason| format!(" Reason: {reason}"));
        format!("Not approved: it was {} before anybody decided. Do not do it.{why}", proposal.status)
    };
    [message, String::new()]
}

fn pending(proposal: &Proposal) -> String {
    let mut text = format!(
        "Pending: nobody has decided yet, and nothing is approved. proposal_id: {}\nDo not propose this again. Go on with \
        other work, and call check-proposal with this proposal_id in {} seconds or later.",
        proposal.id,
        proposal.retry_after.unwrap_or_default(),
    );
    if proposal.previously_rejected {
        text += "\nThe same was rejected before: a person will look for what is different now.";
    }
    text
}

fn who(decision: &Decision) -> &str {
    decision.decided_by.as_deref().unwrap_or("the policy")
}

fn verdict(decision: &Decision) -> String {
    let who = who(decision);
    let answered = decision.answers.as_ref().is_some_and(|answers| !answers.is_empty());
    match decision.outcome.as_str() {
        "approved" if answered => format!("Answered by {who}."),
        "approved" => format!("Approved by {who}: do exactly what you proposed."),
        "modified" => {
            format!("Approved by {who} with changes: do what the decision's body says, not what you proposed.")
        }
        "rejected" => format!("Rejected by {who}: do not do it, and do not propose the same again."),
        other => format!("Not approved: {other}. Do not do it."),
    }
}

fn details(decision: &Decision) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    match decision.note.as_deref().map(str::trim) {
        Some(note) if !note.is_empty() => _ = write!(text, "\nNote from {}: {note}", who(decision)),
        _ if decision.outcome == "rejected" => text += "\nNo reason was given.",
        _ => {}
    }
    for answer in decision.answers.iter().flatten() {
        let said: Vec<_> = answer.choices.iter().map(String::as_str).chain(answer.text.as_deref()).collect();
        _ = write!(text, "\nAnswer to question {}: {}", answer.question + 1, said.join("; "));
    }
    if let Some(body) = &decision.body {
        _ = write!(text, "\nBody:\n{body}");
    }
    text
}
