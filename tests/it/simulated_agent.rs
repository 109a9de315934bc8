//! The simulated agent in real tmux: it is read as the agent that it imitates, and says which keys it got.

use countersign::domain::screen::{AgentKind, Status};

use crate::support::agent_pane::AgentPane;
use crate::support::server::signal;

const STORY: &str = r#"{"say":"I run the tests first."}
{"ask":{"title":"Bash command","command":"cargo test --lib","description":"Run the unit tests","options":["Yes","Yes, and don't ask again for: cargo test:*","No"]}}
{"idle":true}
{"exit":true}
"#;

#[test]
fn a_dialog_is_read_answered_with_one_key_and_over() {
    let pane = AgentPane::open(STORY, (100, 30));
    let found = pane.wait_until("the dialog", |reading| reading.dialog.is_some()).dialog.unwrap();
    assert_eq!(
        (found.command.as_deref(), found.approve_option, found.deny_option),
        (Some("cargo test --lib"), Some(1), Some(3))
    );
    assert_eq!(pane.tmux(["display-message", "-p", "-t", &pane.pane, "#{pane_current_command}"]).trim(), "claude");
    pane.press(&["1"]);
    pane.wait_for("the next step", |notes| notes.iter().any(|note| note["shown"] == "idle"));
    assert_eq!(pane.keys(), ["1"]);
    assert_eq!(pane.chosen()[0]["text"], "Yes");
    let reading = pane.wait_until("rest", |reading| reading.status == Status::Idle);
    assert!(reading.safe_to_type && reading.dialog.is_none());
}

#[test]
fn a_bracketed_paste_stands_in_the_composer_until_enter() {
    let pane = AgentPane::open("{\"idle\":true}\n{\"work_ms\":600000}", (48, 20));
    let text = "Check your mail and act on it, then say what you found.";
    pane.tmux(["set-buffer", text]);
    pane.tmux(["paste-buffer", "-p", "-d", "-t", &pane.pane]);
    pane.wait_until("the draft", |reading| reading.status == Status::Idle && !reading.safe_to_type);
    pane.press(&["Enter"]);
    let notes = pane.wait_for("the line", |notes| notes.iter().any(|note| note["shown"] == "working"));
    assert!(notes.iter().any(|note| note["paste"] == text) && notes.iter().any(|note| note["typed"] == text));
    pane.wait_until("work", |reading| reading.status == Status::Working);
}

#[test]
fn a_resize_is_painted_anew_and_a_signal_moves_on() {
    let script = STORY.replace("{\"exit\":true}\n", "{\"work_ms\":600000}");
    let pane = AgentPane::open(&script, (120, 40));
    pane.tmux(["resize-window", "-t", &pane.pane, "-x", "48", "-y", "30"]);
    let read = |reading: &countersign::domain::screen::Reading| {
        reading.dialog.as_ref().is_some_and(|found| found.approve_option == Some(1) && found.options.len() == 3)
    };
    pane.wait_until("the dialog at the new width", |reading| read(reading));
    assert!(pane.seen().lines().all(|row| row.chars().count() <= 48));
    let pid: u32 = pane.tmux(["display-message", "-p", "-t", &pane.pane, "#{pane_pid}"]).trim().parse().unwrap();
    signal(pid, rustix::process::Signal::USR1);
    pane.wait_for("the next step", |notes| notes.iter().any(|note| note["shown"] == "idle"));
    assert!(pane.keys().is_empty() && pane.chosen().is_empty());
    pane.wait_until("rest", |reading| reading.status == Status::Idle);
}

#[test]
fn codex_takes_its_letters() {
    let script = r#"{"ask":{"title":"Command","command":"rm -f a.txt","description":"It is left over."}}
{"idle":true}"#;
    let pane = AgentPane::open_as(AgentKind::Codex, script, (60, 24));
    let found = pane.wait_until("the dialog", |reading| reading.dialog.is_some()).dialog.unwrap();
    assert_eq!(
        (found.command.as_deref(), found.approve_option, found.deny_option),
        (Some("rm -f a.txt"), Some(1), Some(2))
    );
    pane.press(&["n"]);
    pane.wait_for("the next step", |notes| notes.iter().any(|note| note["shown"] == "idle"));
    assert_eq!((pane.keys(), &pane.chosen()[0]["n"]), (vec!["n".to_owned()], &2.into()));
    assert_eq!(pane.wait_until("rest", |reading| reading.status == Status::Idle).status, Status::Idle);
}

#[test]
fn the_terminal_is_given_back() {
    let script = "{\"idle\":true}\n{\"exit\":true}";
    let pane = AgentPane::open(script, (80, 24));
    // A shell starts the agent, and has the terminal again when it ends.
    let program = pane.folder.join("claude");
    let steps = pane.folder.join("script.jsonl");
    let line = format!(
        "{} demo agent --script {}; stty -a | grep -o '[-]*icanon'; exec sleep 600",
        program.display(),
        steps.display()
    );
    let id = pane.tmux(["new-window", "-d", "-P", "-F", "#{pane_id}", "sh", "-c", &line]);
    let seen = || pane.tmux(["capture-pane", "-p", "-t", id.trim()]);
    let until = |what: &str, text: &str| {
        let began = std::time::Instant::now();
        while !seen().contains(text) {
            assert!(began.elapsed().as_secs() < 30, "no sign of {what}:\n{}", seen());
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
    };
    until("the composer", "? for shortcuts");
    pane.tmux(["send-keys", "-t", id.trim(), "go", "Enter"]);
    until("the shell", "icanon");
    assert!(!seen().contains("-icanon"), "{}", seen());
}
