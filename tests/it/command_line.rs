//! The command line as somebody types it: against a running service, and against none.

use serde_json::Value;

use crate::support::app::TestApp;
use crate::support::command::{Said, run};

const PASSWORD: &str = "nine quiet otters at dusk";

/// A line typed at the machine.
async fn at(app: &TestApp, line: &str, input: &str) -> Said {
    app.type_in(line, input, &[]).await
}

/// As the admin, with the password on standard input.
async fn as_ada(app: &TestApp, line: &str) -> Said {
    at(app, &format!("{line} --as ada --password-stdin"), &format!("{PASSWORD}\n")).await
}

async fn with_ada() -> TestApp {
    let app = TestApp::start().await;
    let said = at(&app, "user add ada --role admin --new-password-stdin", &format!("{PASSWORD}\n")).await;
    assert_eq!((said.code, said.out.as_str()), (0, "Added ada, admin of global.\n"), "{}", said.err);
    app
}

#[tokio::test(flavor = "multi_thread")]
async fn from_nothing_to_an_agent_that_can_propose() {
    let app = with_ada().await;
    assert!(at(&app, "project list", "").await.out.contains("No project yet: countersign project add"));
    assert_eq!(as_ada(&app, "project add shop --repo /srv/shop").await.code, 0);
    assert!(as_ada(&app, "lane add api --project shop --worktree /srv/api").await.out.contains("agent add"));
    let made = as_ada(&app, "agent add coder --lane api --json").await.json();
    let agent = app.anonymous().with_token(made["token"].as_str().unwrap());
    agent.get("/api/v1/proposals").await.assert_status(200);

    let rotated = as_ada(&app, "agent rotate coder --json").await.json();
    agent.get("/api/v1/proposals").await.assert_problem(401, "unauthenticated");
    let agent = app.anonymous().with_token(rotated["token"].as_str().unwrap());
    agent.get("/api/v1/proposals").await.assert_status(200);
    let shown = at(&app, "agent show coder", "").await.out;
    assert!(shown.starts_with("coder: lane api, added ") && !shown.contains("csa_"), "{shown}");
    assert!(as_ada(&app, "lane remove api").await.err.contains("Remove its agents first: coder."));
    for line in ["agent revoke coder", "agent remove coder", "lane remove api", "project remove shop"] {
        let said = as_ada(&app, line).await;
        assert_eq!(said.code, 0, "{line}: {}", said.err);
    }
    let listed = at(&app, "audit list --kind agent --json", "").await.json();
    assert_eq!(listed["items"][0]["kind"], "agent.removed");
    assert_eq!(at(&app, "audit list", "").await.out.lines().next().unwrap().split_whitespace().next(), Some("ID"));
    let csv = at(&app, "audit export --format csv", "").await.out;
    assert!(csv.lines().count() > 10 && csv.starts_with("id,at,kind"), "{csv}");
    let verified = at(&app, "audit verify", "").await;
    assert_eq!((verified.code, verified.out.lines().last()), (0, Some("whole")), "{}", verified.err);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pane_client_is_added_renewed_and_removed() {
    let app = with_ada().await;
    for line in ["project add shop --repo /srv/shop", "lane add api --project shop --worktree /srv/api"] {
        assert_eq!(as_ada(&app, line).await.code, 0);
    }
    assert!(at(&app, "pane-client list", "").await.out.contains("No pane client yet: countersign pane-client add"));
    assert!(as_ada(&app, "pane-client add desk --lanes api,nowhere").await.err.contains("There is no lane nowhere."));
    let made = as_ada(&app, "pane-client add desk --lanes api --json").await.json();
    let secret = app.anonymous().with_token(made["token"].as_str().unwrap());
    let client = app.exchanged(&secret).await;
    client.get("/api/v1/orders").await.assert_status(200);
    let shown = at(&app, "pane-client show desk", "").await.out;
    assert!(shown.starts_with("desk: lanes api, added ") && !shown.contains("csp_"), "{shown}");
    let rotated = as_ada(&app, "pane-client rotate desk --json").await.json();
    client.get("/api/v1/orders").await.assert_problem(401, "unauthenticated");
    app.exchanged(&app.anonymous().with_token(rotated["token"].as_str().unwrap())).await;
    assert!(as_ada(&app, "pane-client revoke desk").await.out.contains("1 tokens of desk ended."));
    assert!(as_ada(&app, "pane-client remove desk").await.out.contains("cannot be used again"));
    assert_eq!(at(&app, "pane-client show desk", "").await.code, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn people_come_get_more_and_go() {
    let app = with_ada().await;
    let both = format!("{PASSWORD}\nseven loud geese at dawn\n");
    let add = "user add ben --role viewer --as ada --password-stdin --new-password-stdin";
    let said = at(&app, add, &both).await;
    assert_eq!(said.code, 0, "{}", said.err);
    let ben = app.anonymous().sign_in("ben", "seven loud geese at dawn").await;
    assert!(at(&app, "user sessions list ben", "").await.out.contains("SIGNED IN"));
    assert_eq!(as_ada(&app, "user grant ben --role approver --classes change,question --expires 3").await.code, 0);
    let shown = at(&app, "user show ben --json", "").await.json();
    assert_eq!(shown["grants"].as_array().unwrap().len(), 2);
    assert_eq!(as_ada(&app, "user revoke ben").await.code, 2, "which of the two?");
    assert_eq!(as_ada(&app, "user revoke ben approver").await.code, 0);
    let password = "user password ben --as ada --password-stdin --new-password-stdin";
    assert_eq!(at(&app, password, &format!("{PASSWORD}\neight calm herons by noon\n")).await.code, 0);
    ben.get("/api/v1/account").await.assert_problem(401, "unauthenticated");
    assert_eq!(as_ada(&app, "user remove ben").await.code, 0);
    let list = at(&app, "user list", "").await.out;
    assert!(list.contains("ada   admin global"), "{list}");
    assert!(list.lines().any(|line| line.starts_with("ben") && line.contains("removed")), "{list}");
    let last = as_ada(&app, "user remove ada").await;
    assert!(last.code == 1 && last.err.contains("[last_admin]"), "{}", last.err);
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_are_shown_set_and_reset() {
    let app = with_ada().await;
    assert!(at(&app, "settings show", "").await.out.contains("retention_days=90\n"));
    let said = as_ada(&app, "settings set retention_days=30 agent_cap=5").await;
    assert!(said.out.contains("agent_cap=5") && said.out.contains("retention_days=30"), "{}", said.out);
    let moved = as_ada(&app, "settings set high_actions=deploy.*").await;
    assert!(moved.code == 1 && moved.err.contains("policy set supervision.high_actions="), "{}", moved.err);
    assert!(as_ada(&app, "settings set retention_days=null").await.out.contains("retention_days=90"));
    let wrong = as_ada(&app, "settings set retention_days=0").await;
    assert!(wrong.code == 1 && wrong.err.contains("takes 1 to 3650 days"), "{}", wrong.err);
}

#[tokio::test(flavor = "multi_thread")]
async fn errors_say_what_to_do() {
    let app = with_ada().await;
    let missing = at(&app, "agent show nobody", "").await;
    assert!(missing.code == 1 && missing.err.contains("nothing of that name"), "{}", missing.err);
    let wrong = at(&app, "project add shop --repo /a --as ada --password-stdin", "not the password at all\n").await;
    assert!(wrong.code == 1 && wrong.err.contains("Name or password is wrong"), "{}", wrong.err);
    let unasked = at(&app, "project add shop --repo /a", "").await;
    assert!(unasked.code == 2 && unasked.err.contains("--password-stdin"), "{}", unasked.err);
    let add = "user add ben --role viewer --as ada --password-stdin --new-password-stdin";
    let weak = at(&app, add, &format!("{PASSWORD}\nshort\n")).await;
    assert!(weak.err.contains("at least 12 characters"), "{}", weak.err);
    let folder = app.folder.clone();
    app.stop().await;
    let stopped = run(["user", "list", "--data-dir", folder.to_str().unwrap()], "");
    assert!(stopped.code == 1 && stopped.err.contains("start it: countersign serve --data-dir"), "{}", stopped.err);
    let nowhere = run(["user", "list", "--data-dir", "/nonexistent/countersign"], "");
    assert!(nowhere.code == 1 && nowhere.err.contains("there is no data folder"), "{}", nowhere.err);
}

#[test]
fn a_wide_open_server_and_wrong_words_are_refused() {
    let open = run(["serve", "--listen", "0.0.0.0:0", "--data-dir", "/nonexistent/never-made"], "");
    assert!(open.code == 2 && open.err.contains("--insecure-http"), "{}", open.err);
    let proxy = run(["serve", "--tls-cert", "a", "--lan"], "");
    assert_eq!(proxy.code, 2, "{}", proxy.err);
    assert_eq!(run(["user", "add", "ada"], "").code, 2);
    assert_eq!(run([""; 0], "").code, 2, "no command is no success");
    let help = run(["--help"], "");
    assert!(help.code == 0 && help.out.contains("countersign agent add coder --lane api"));
    for noun in [
        "policy",
        "rules",
        "suggestions",
        "pause",
        "user",
        "project",
        "lane",
        "agent",
        "settings",
        "audit",
        "doctor",
        "watch",
        "pg",
        "serve",
    ] {
        assert_eq!(run([noun, "--help"], "").code, 0, "{noun}");
    }
    let document: Value = serde_json::from_str(&run(["openapi"], "").out).unwrap();
    assert!(document["paths"]["/api/v1/proposals"].is_object());
}

#[test]
fn a_screen_is_read_without_a_server() {
    let screen = include_str!("../fixtures/panes/claude_bash_three_options.txt");
    let reading = run(["detect", "--agent", "claude", "--cols", "120", "--rows", "40"], screen).json();
    assert_eq!(reading["status"], "blocked");
    assert_eq!(reading["safe_to_type"], false);
    let keys: Vec<&String> = reading["dialog"].as_object().unwrap().keys().collect();
    for key in ["kind", "title", "question", "command", "body", "options", "approve_option", "deny_option", "truncated"]
    {
        assert!(keys.iter().any(|found| *found == key), "{key}");
    }
    assert_eq!(keys.len(), 9);
    assert_eq!(reading["dialog"]["command"], "scripts/check-migrations.sh --since 14d");
    assert_eq!(reading["dialog"]["options"][1]["standing"], true);

    let refused = run(["detect", "--agent", "emacs"], "");
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("claude, codex, gemini"), "{}", refused.err);
}
