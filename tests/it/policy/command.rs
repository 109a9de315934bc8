//! The policy from the command line: shown, changed, edited, tried out, taken back, by who has the password alone.

use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::scratch;

#[tokio::test(flavor = "multi_thread")]
async fn fields_are_set_and_shown_with_whose_they_are() {
    let app = TestApp::peopled().await;
    let said =
        app.as_admin("policy set supervision.enabled=true supervision.classes.deletion=auto_deny --reason why").await;
    assert!(
        said.good().contains("version 2:\n") && said.out.contains("supervision.enabled: false -> true"),
        "{}",
        said.out
    );
    assert!(
        said.err.contains("Of 0 dialogs of the last 7 days, 0 would have been answered differently."),
        "{}",
        said.err
    );
    let lane = app.as_admin("policy set --lane api enabled=true classes.network_access=hold stall_mins=5").await;
    assert!(lane.good().contains("lanes.api.stall_mins: (inherited) -> 5"), "{}", lane.out);
    let shown = app.type_in("policy show --lane api", "", &[]).await;
    let line = |name: &str| {
        let found =
            shown.good().lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{name}: {}", shown.out));
        found.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(line("classes.network_access"), ["classes.network_access", "hold", "*", "lane"]);
    assert_eq!(line("classes.deletion"), ["classes.deletion", "auto_deny", "global"]);
    assert_eq!(line("stall_mins"), ["stall_mins", "5", "*", "lane"]);
    assert!(shown.out.contains("master switch on, lane switch on"), "{}", shown.out);
    app.as_admin("policy set --lane api stall_mins=null classes.network_access=null").await.good();
    assert_eq!(app.policy_of("api").await["lane"], json!({ "enabled": true }));
    let same = app.as_admin("policy set --lane api enabled=true").await;
    assert!(same.good().contains("stays at version 4"), "{}", same.out);
    let history = app.type_in("policy history", "", &[]).await;
    assert!(history.good().contains("version 2 by admin:ada") && history.out.contains("(set): why"), "{}", history.out);
    assert!(history.out.contains("  lanes.api.stall_mins: 5 -> (inherited)"), "{}", history.out);
    let back = app.as_admin("policy rollback 1").await;
    assert!(
        back.err.contains("Back from version 4 to 1:") && back.good().contains("version 5"),
        "{}{}",
        back.out,
        back.err
    );
    assert_eq!(app.type_in("policy show --json", "", &[]).await.json()["defaults"]["enabled"], false);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wrong_is_said_before_anybody_types_a_password() {
    let app = TestApp::peopled().await;
    for (line, code, says) in [
        ("policy set enabled=true", 2, "supervision.enabled"),
        ("policy set supervision.stall_mins=0", 1, "stall_mins takes 1 to 1440 minutes"),
        ("policy set supervision.classes.install=auto_approve", 1, "[class_never_scoped]"),
        ("policy set supervision.classes.installs=hold", 1, "[unknown_field]"),
        ("policy set supervision.network_hosts=*.example", 1, "wildcard"),
        ("policy set --lane nowhere enabled=true", 1, "There is no lane nowhere"),
        ("policy set", 2, "KEY=VALUE"),
        ("policy rollback 9", 1, "nothing of that name"),
        ("policy simulate", 2, "<FILE>"),
        ("rules confirm --project shop --prefix -- cargo", 1, "prefix of one word"),
        ("rules confirm --project shop --days soon -- cargo test", 2, "--days"),
    ] {
        let said = app.type_in(line, "", &[]).await;
        assert!(said.code == code && said.err.contains(says), "{line}: {} {}", said.code, said.err);
    }
    let unasked = app.type_in("policy set supervision.enabled=true", "", &[]).await;
    assert!(unasked.code == 2 && unasked.err.contains("--password-stdin"), "{}", unasked.err);
    let wrong = app
        .type_in("policy set supervision.enabled=true --as ada --password-stdin", "a guess of an agent\n", &[])
        .await;
    assert!(wrong.code == 1 && wrong.err.contains("[wrong_credentials]"), "{}", wrong.err);
    let viewer = format!("{}\n", crate::support::cast::PASSWORD);
    let viewer = app.type_in("policy set supervision.enabled=true --as vic --password-stdin", &viewer, &[]).await;
    assert!(viewer.code == 1 && viewer.err.contains("[forbidden]"), "{}", viewer.err);
    assert_eq!(app.policy().await["version"], 1);
    let journal = app.local().get("/api/v1/audit?kind=local.refused").await.body(200);
    let told: Vec<_> = journal["items"].as_array().unwrap().iter().map(|row| row["payload"]["code"].clone()).collect();
    assert_eq!(told, ["forbidden", "wrong_credentials"], "each attempt is written down");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_policy_goes_through_files_and_an_editor() {
    let app = TestApp::peopled().await;
    let folder = scratch::folder("edit");
    let file = folder.join("policy.toml");
    let exported = app.type_in("policy export", "", &[]).await.good().to_owned();
    std::fs::write(&file, exported.replace("stall_mins = 20", "stall_mins = 9")).unwrap();
    let import = format!("policy import {}", file.display());
    let said = app.as_admin(&import).await;
    assert!(
        said.err.contains("supervision.stall_mins: 20 -> 9") && said.good().contains("version 2"),
        "{}{}",
        said.out,
        said.err
    );
    assert!(app.as_admin(&import).await.good().contains("Nothing differs"));
    std::fs::write(&file, "[supervision]\nstall_mins = 9\nnudge_tries = 3\n").unwrap();
    let bad = app.as_admin(&import).await;
    assert!(
        bad.code == 1 && bad.err.contains("line 3: ") && bad.err.contains("supervision.nudge_tries"),
        "{}",
        bad.err
    );
    // An editor that turns one thing into another.
    let editor = folder.join("editor");
    let edits = |script: &str| {
        std::fs::write(&editor, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&editor, std::fs::Permissions::from_mode(0o700)).unwrap();
    };
    let with = [("VISUAL", OsStr::new("")), ("EDITOR", editor.as_os_str()), ("TMPDIR", folder.as_os_str())];
    edits("sed -i 's/stall_mins = 9/stall_mins = 3/' \"$1\"");
    let said = app.as_admin_with("policy edit", &with).await;
    assert!(
        said.err.contains("supervision.stall_mins: 9 -> 3") && said.good().contains("version 3"),
        "{}{}",
        said.out,
        said.err
    );
    edits("true");
    assert!(app.as_admin_with("policy edit", &with).await.good().contains("Nothing was changed"));
    edits("sed -i 's/stall_mins = 3/stall_mins = 0/' \"$1\"");
    let bad = app.as_admin_with("policy edit", &with).await;
    assert!(
        bad.code == 1 && bad.err.contains("supervision.stall_mins") && bad.err.contains("your text is kept"),
        "{}",
        bad.err
    );
    let kept = std::fs::read_dir(&folder)
        .unwrap()
        .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().starts_with("countersign-policy-"));
    assert_eq!(kept.count(), 1, "and only that one");
    assert_eq!(app.policy().await["defaults"]["stall_mins"], 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn rules_suggestions_and_the_pause_from_the_command_line() {
    let app = TestApp::peopled().await;
    assert!(app.type_in("rules list", "", &[]).await.good().contains("No rule: countersign rules confirm"));
    let said = app.as_admin("rules confirm --project shop --prefix --days never --reason daily -- cargo test").await;
    assert!(
        said.good().starts_with("Confirmed rule ") && said.err.contains("covers 0 of the commands"),
        "{}{}",
        said.out,
        said.err
    );
    let listed = app.type_in("rules list", "", &[]).await;
    assert!(listed.good().contains("cargo test") && listed.out.contains("never"), "{}", listed.out);
    let id = listed.out.lines().nth(1).unwrap().split_whitespace().next().unwrap().to_owned();
    assert!(app.as_admin(&format!("rules remove {id}")).await.good().contains("Took back: cargo test in shop."));
    app.who("ben")
        .post("/api/v1/suggestions", &json!({ "kind": "rule", "text": "run the linter" }))
        .await
        .assert_status(201);
    let listed = app.type_in("suggestions list", "", &[]).await;
    assert!(listed.good().contains("run the linter") && listed.out.contains("person:ben"), "{}", listed.out);
    let id = listed.out.lines().nth(1).unwrap().split_whitespace().next().unwrap().to_owned();
    let bare = app.as_admin(&format!("suggestions accept {id}")).await;
    assert!(bare.code == 1 && bare.err.contains("give its words"), "{}", bare.err);
    let said = app.as_admin(&format!("rules confirm --suggestion {id} --project shop -- npm run lint")).await;
    assert!(said.good().starts_with("Confirmed rule "), "{}", said.out);
    app.who("lin")
        .post("/api/v1/suggestions", &json!({ "kind": "policy", "text": "hold writes" }))
        .await
        .assert_status(201);
    let open = app.type_in("suggestions list --json", "", &[]).await.json();
    let id = open["items"][0]["id"].as_str().unwrap().to_owned();
    let noted = app.as_admin(&format!("suggestions accept {id}")).await;
    assert!(noted.good().contains("changed nothing by themselves: hold writes"), "{}", noted.out);
    assert!(app.as_admin("pause on agents act oddly").await.good().contains("agents act oddly"));
    assert!(app.type_in("policy show", "", &[]).await.good().contains("Paused by ada (agents act oddly)"));
    assert!(app.type_in("pause off", "", &[]).await.code == 2, "a password is needed");
    assert!(app.as_admin("pause off").await.good().contains("Not paused"));
    assert_eq!(app.type_in("pause show --json", "", &[]).await.json()["paused"], Value::Null);
}
