//! The agents' own dialogs without the service: what is on the screen, and what the one key does.

use countersign::domain::dialog::DialogKind;
use countersign::domain::screen::{Found, Status, choose};

use super::agent::{AFTER, Agent};
use super::place::{MEASURE, MEASURED, Place, STAGE};
use super::terminal::Terminal;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make test-agents"]
async fn codex_is_read_right_and_its_keys_do_what_they_say() {
    dialogs_of(Agent::Codex).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make test-agents"]
async fn codex_with_its_daemon_is_read_right_and_its_keys_do_what_they_say() {
    dialogs_of(Agent::CodexWithDaemon).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make test-agents"]
async fn gemini_is_read_right_and_its_keys_do_what_they_say() {
    dialogs_of(Agent::Gemini).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make test-agents"]
async fn opencode_is_read_right_and_its_keys_do_what_they_say() {
    dialogs_of(Agent::Opencode).await;
}

/// A command that is approved, an edit that is approved, a command that is refused.
async fn dialogs_of(agent: Agent) {
    let place = Place::new();
    let script = vec![agent.shell(STAGE), agent.edit(&place.work), agent.shell(MEASURE), agent.shell(MEASURE)];
    let (model, terminal) = place.start(agent, script, None).await;

    let found = dialog(&terminal, |found| found.command.as_deref() == Some(STAGE)).await;
    assert_eq!(terminal.program(), Some(agent.kind()));
    press(&terminal, agent, &found, found.approve_option);
    model.asked_after(1).await;
    assert_eq!(place.staged(), "greeting.txt\n");

    let found = dialog(&terminal, |found| found.command.is_none()).await;
    let body = found.body.as_deref().unwrap_or_default();
    assert!(body.contains(agent.shown_of_edit()), "{found:#?}");
    press(&terminal, agent, &found, found.approve_option);
    model.asked_after(2).await;
    assert_eq!(place.greeting(), AFTER);

    let found = dialog(&terminal, |found| found.command.as_deref() == Some(MEASURE)).await;
    press(&terminal, agent, &found, found.approve_option);
    let asked = model.asked_after(3).await;
    assert!(asked.outputs[2].contains(MEASURED), "{:?}", asked.outputs);

    let found = dialog(&terminal, |found| found.command.as_deref() == Some(MEASURE)).await;
    press(&terminal, agent, &found, found.deny_option);
    terminal.until("idle", |reading| reading.status == Status::Idle && reading.safe_to_type).await;
    assert_eq!(place.measurements(), 1);
}

async fn dialog(terminal: &Terminal, so: impl Fn(&Found) -> bool) -> Found {
    let reading = terminal.until("such a dialog", |reading| reading.dialog.as_ref().is_some_and(&so)).await;
    assert_eq!((reading.status, reading.safe_to_type), (Status::Blocked, false));
    let found = reading.dialog.unwrap();
    assert_eq!((found.kind, found.truncated), (DialogKind::Permission, false), "{found:#?}");
    assert!(found.approve_option.is_some() && found.deny_option.is_some(), "{found:#?}");
    found
}

fn press(terminal: &Terminal, agent: Agent, found: &Found, option: Option<u32>) {
    let choice = choose(agent.kind(), found, option.unwrap()).expect("there is a key for it");
    for key in choice.keys() {
        terminal.press(key.name());
    }
}
