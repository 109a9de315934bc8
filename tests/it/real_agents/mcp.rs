//! Agents that propose over MCP: what a person decides is what their model reads next, at once or after a while.

use chrono::TimeDelta;
use serde_json::{Value, json};
use uuid::Uuid;

use super::agent::Agent;
use super::stage::Stage;
use crate::support::llm::{Call, Input};
use crate::support::proposals::change;

/// Why the second is rejected.
const NOTE: &str = "Not on a Friday: ask Lin first.";
/// What the third becomes.
const BETTER: &str = "retries = 4\n";
/// What wakes the agent; the model looks the third up only then.
const WAKE: &str = "The third one is decided, look it up.";

/// The longest that a call is held, in seconds; every agent's client must bear it.
const LONGEST: u32 = 45;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn codex_proposes_and_reads_what_was_decided() {
    story(Agent::Codex, 0).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make test-agents"]
async fn codex_waits_as_long_as_it_is_held() {
    story(Agent::Codex, LONGEST).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make test-agents"]
async fn gemini_proposes_and_reads_what_was_decided() {
    story(Agent::Gemini, LONGEST).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make test-agents"]
async fn opencode_proposes_and_reads_what_was_decided() {
    story(Agent::Opencode, LONGEST).await;
}

fn script(agent: Agent, wait: u32) -> Vec<Call> {
    let propose = |ask: Value| agent.mcp("propose", Input::Arguments(ask));
    let mut later = change("Third");
    later["wait"] = json!(wait);
    let mut look = agent.mcp("check-proposal", Input::Learned(|outputs| json!({ "proposal_id": id_in(&outputs[2]) })));
    look.once_told = Some(WAKE);
    vec![propose(change("First")), propose(change("Second")), propose(later), look]
}

/// The id that an answer names, as a model would find it.
fn id_in(answer: &str) -> Option<&str> {
    answer
        .split(|c: char| !c.is_ascii_hexdigit() && c != '-')
        .find(|word| word.len() == 36 && word.parse::<Uuid>().is_ok())
}

/// `wait` is how long the agent's third call waits for a decision that does not come.
async fn story(agent: Agent, wait: u32) {
    let stage = Stage::connected(agent, |_| script(agent, wait)).await;

    // Somebody is there: the call itself answers with the decision.
    let first = stage.held().await;
    assert_eq!((&first["kind"], &first["title"]), (&json!("change"), &json!("First")));
    stage.decide(&first, "approved").await;
    let answer = stage.answer(1).await;
    assert!(answer.contains("approved by ben") || answer.contains(r#""status":"approved""#), "{answer}");

    // No, and why: the model has the reason in its next request.
    let second = stage.held_after(&first).await;
    stage.rule(&second, &json!({ "outcome": "rejected", "note": NOTE })).await;
    let answer = stage.answer(2).await;
    assert!(answer.contains("rejected") && answer.contains(&NOTE.to_lowercase()), "{answer}");

    // Nobody is there: the model has the id and knows what to do, and its turn ends.
    let third = stage.held_after(&second).await;
    let answer = stage.answer(3).await;
    assert_eq!(id_in(&answer), third["id"].as_str(), "{answer}");
    assert!(answer.contains("pending") && answer.contains("do not propose this again"), "{answer}");
    assert!(answer.contains("check-proposal"), "{answer}");
    stage.at_rest().await;
    stage.pass(TimeDelta::minutes(2));
    assert_eq!(stage.review(&third).await["status"], "pending");
    stage.rule(&third, &json!({ "outcome": "modified", "body": BETTER })).await;
    assert!(stage.review(&third).await["receipts"]["collected_at"].is_null());

    // It is woken in its pane, and looks it up: what it has now is what the person made of it.
    stage.nudge(WAKE).await;
    let answer = stage.answer(4).await;
    assert!(answer.contains("modified") || answer.contains("with changes"), "{answer}");
    assert!(answer.contains(BETTER.trim_end()), "{answer}");
    stage.archived(&third).await;

    // All that anybody was asked were these three; no dialog of the agent's own came between.
    assert_eq!(stage.asked().await, ["First", "Third", "Second"]);
}
