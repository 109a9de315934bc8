//! The rows of the system behind the supervision seed: each is answered as wanted, or is listed here with the reason.

use countersign::domain::choice::rows;
use countersign::domain::dialog::{DialogKind, DialogOption};
use countersign::domain::policy::{Document, Keys, Lane};
use countersign::domain::prompt;
use countersign::domain::reading::read;
use countersign::domain::rule::{Match, Rule, worth_suggesting};
use countersign::domain::shell::lex;
use countersign::domain::veto;
use serde_json::{Map, Value, json};

use super::lines::{classify, command as command_line, id, repomon};
use crate::mail;

/// Kinds of rows that are answered beside what they are about: the pane client's eyes and keys, notices, devices.
const LATER: &[&str] = &[
    "detect",
    "inject",
    "notify_transition",
    "pair",
    "refire",
    // Which keys reach a row is the pane client's table; an order names the row.
    "select_keys",
];

/// Kinds that are shown where they are at work, through the database and the routers: which file, which test.
const SERVED: &[(&str, &str, &str)] = &[
    (
        "approval_streak",
        include_str!("../dialogs/learning.rs"),
        "three_approvals_in_a_row_suggest_a_rule_and_a_refusal_starts_again",
    ),
    ("audit_scope", include_str!("../policy/remote.rs"), "the_audit_is_read_two_ways_and_never_across_lanes"),
    ("policy_set", include_str!("../policy/command.rs"), "fields_are_set_and_shown_with_whose_they_are"),
    ("remote_allow", include_str!("../policy/remote.rs"), "the_policy_is_read_from_afar_and_not_set"),
];

fn is_served(kind: &str) -> bool {
    SERVED.iter().any(|(served, ..)| *served == kind)
}

/// Rows that are answered otherwise, and why.
const DIFFERENT: &[(&str, &str)] = &[
    (
        "classify-044",
        "`git log --output` makes a reading command write a file: a dangerous flag, held wherever it points",
    ),
    ("classify-077", "`git clean` is not proven, not even as a dry run: what it would name is not in its words"),
    (
        "classify-096",
        "the seed's list of install markers has no `npm exec`; it is held as a command, by its subcommand",
    ),
    (
        "classify-101",
        "the seed's list of push markers has no `cargo publish`; it is held as a command, by its subcommand",
    ),
    (
        "escalate-028",
        "`git checkout -- .` is not on the seed's list of vetoes; it is held, because it is not an allowed subcommand",
    ),
    ("evaluate-004", "the row hands in a class; read from its words, `cargo install` installs, which no rule lifts"),
    ("evaluate-008", "the row hands in a class; read from its title, the dialog runs a command that it does not name"),
    (
        "evaluate-010",
        "a second line under the command is held as one that may run too: no list of words tells `Build workspace` from `Rscript x`",
    ),
    ("prompt_class-003", "a question of trust is a kind of its own here, and no permission: trust is remembered"),
    ("route-003", "whether a pane belongs to somebody else is the pane client's to know: it reports none"),
    ("select_option-005", "trusting a folder is remembered, so that row is a standing one"),
];

#[test]
fn every_row_is_answered_as_wanted_or_listed() {
    let mut differing = Vec::new();
    let rows = repomon();
    for row in &rows {
        let kind = row["kind"].as_str().unwrap();
        if is_elsewhere(kind) {
            continue;
        }
        let got = answer(kind, &row["in"]);
        let want = row.get("want").unwrap_or(&row["out"]).as_object().unwrap();
        let differs: Vec<String> = want
            .iter()
            .filter(|(key, _)| !matches!(key.as_str(), "subject"))
            .filter(|(key, want)| got.get(*key) != Some(*want))
            .map(|(key, want)| format!("{key}: {:?}, wanted {want}", got.get(key)))
            .collect();
        if !differs.is_empty() {
            differing.push((id(row), differs.join(", ")));
        }
    }
    let unlisted: Vec<_> = differing.iter().filter(|(id, _)| DIFFERENT.iter().all(|(known, _)| known != id)).collect();
    assert!(unlisted.is_empty(), "{unlisted:#?}");
    for (known, why) in DIFFERENT {
        assert!(differing.iter().any(|(id, _)| id == known), "{known} no longer differs: {why}");
    }
}

/// Kinds that are not answered here.
fn is_elsewhere(kind: &str) -> bool {
    LATER.contains(&kind) || is_served(kind) || mail::vectors::KINDS.contains(&kind)
}

/// One row through the part of the service that it is about.
fn answer(kind: &str, input: &Value) -> Map<String, Value> {
    let got = match kind {
        "classify" | "evaluate" => evaluate(input),
        "escalate" => json!({"always_escalate": veto::find(&read(text(input, "command"))).is_some()}),
        "select_option" => select(input),
        "resolve" => resolve(input),
        "route" => route(input),
        "command_pattern" => pattern(input),
        "learnable" => learnable(input),
        "approval_propose" => propose(input),
        "prompt_class" => prompt_class(text(input, "summary")),
        other => panic!("no one answers rows of the kind {other}"),
    };
    got.as_object().unwrap().clone()
}

fn text<'a>(input: &'a Value, key: &str) -> &'a str {
    input[key].as_str().unwrap_or_default()
}

/// A row as a line of `classify`; a class that is handed in cannot be, its subject can.
fn evaluate(input: &Value) -> Value {
    let mut line = json!({
        "dialog": {"title": input["title"], "question": input["question"], "body": input["body"], "context": input["context"],
                   "options": input.get("options").cloned().unwrap_or(json!(["Yes", "No"]))},
        "cwd": input["worktree"], "repo_root": input["repo_root"], "worktree": input["worktree"], "policy": {},
    });
    if let Some(hosts) = input.get("network_hosts") {
        line["policy"]["network_hosts"] = hosts.clone();
    }
    if let Some(classes) = input.get("policy") {
        line["policy"]["classes"] = classes.clone();
    }
    let given = &input["classification"];
    if given["subject"].is_string() {
        let field = if given["class"] == "command_exec" { "command" } else { "body" };
        line["dialog"][field] = given["subject"].clone();
    }
    if input["learned_rule"] == true {
        let command = given["subject"].as_str().or(input["body"][0].as_str()).unwrap();
        let argv: Vec<&str> = command.split(' ').collect();
        line["policy"]["rules"] = json!([{"argv": argv, "match": "exact"}]);
    }
    let answer = classify(&[line]).remove(0);
    let choice =
        if answer["verdict"] == "hold" { Value::Null } else { json!(answer["option"]["n"].as_u64().unwrap() - 1) };
    let source = match answer["policy_source"].as_str() {
        Some("learned_rule") => json!("approval_rule"),
        source => json!(source),
    };
    json!({"class": answer["class"], "repo_scoped": answer["repo_scoped"], "action": answer["verdict"], "source": source,
           "choice": choice})
}

fn select(input: &Value) -> Value {
    let texts = input["options"].as_array().unwrap();
    let options: Vec<DialogOption> = (0..)
        .zip(texts)
        .map(|(n, text)| DialogOption { n, text: text.as_str().unwrap().to_owned(), selected: false })
        .collect();
    let rows = rows("claude", &options);
    json!({"approve": rows.approve.map(|row| row.n), "deny": rows.deny.map(|row| row.n)})
}

/// Both keys, resolved.
fn keys(master: &Value, lane: Option<bool>) -> Keys {
    let mut document = Document::default();
    document.supervision.enabled = master == true;
    if lane.is_some() {
        document.lanes.insert("a".into(), Lane { enabled: lane, ..Lane::default() });
    }
    document.resolve("a").keys
}

fn resolve(input: &Value) -> Value {
    json!({"enabled": keys(&input["defaults"]["enabled"], input["lane"]["enabled"].as_bool()) == Keys::Both})
}

/// A dialog whose policy would decide so, under these keys: an answer, a hold for a person, or nothing at all.
fn route(input: &Value) -> Value {
    let choice = input["decision"]["choice"].as_u64();
    let options = match choice {
        Some(0) => json!(["Yes", "No"]),
        Some(_) => json!(["No", "Yes"]),
        None => json!(["Yes", "Yes"]),
    };
    let answer = classify(&[json!({
        "dialog": {"title": "Bash command", "question": "Do you want to proceed?", "command": "cargo test", "options": options},
        "cwd": "/w/api", "repo_root": "/w/api", "worktree": "/w/api",
        "policy": {"enabled": input["master"], "lane_enabled": input["lane_enabled"]},
    })])
    .remove(0);
    let off = keys(&input["master"], input["lane_enabled"].as_bool()) != Keys::Both;
    match answer["verdict"].as_str() {
        Some("hold") if off => json!({"action": "nothing"}),
        Some("hold") => json!({"action": "hold"}),
        _ => json!({"action": "answer", "choice": answer["option"]["n"].as_u64().unwrap() - 1}),
    }
}

/// A pattern is a prefix rule here: it has to cover the command that it was made of.
fn pattern(input: &Value) -> Value {
    let argv = lex(text(input, "command")).unwrap().single().unwrap().argv();
    let words = argv.iter().take(2).cloned().collect::<Vec<_>>();
    let rule = Rule { id: None, argv: words.clone(), matching: Match::Prefix };
    json!({"pattern": rule.covers(&argv).then(|| words.join(" "))})
}

/// The command of which a rule may be learned.
fn learnable(input: &Value) -> Value {
    let lines: Vec<&str> = input["body"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
    let dialog = countersign::domain::dialog::Dialog {
        title: text(input, "title").to_owned(),
        question: "Do you want to proceed?".to_owned(),
        body: lines.join("\n"),
        ..Default::default()
    };
    json!({"command": countersign::domain::subject::extract(&dialog).command})
}

/// A rule is suggested of a command that one could lift, after enough approvals; what a rule covers is not asked about.
fn propose(input: &Value) -> Value {
    let command = text(input, "command");
    let held = classify(&[command_line(command)]).remove(0);
    let may_lift = held["class"] == "command_exec" && held["repo_scoped"] == true && held["veto"] == false;
    let enough = worth_suggesting(i32::try_from(input["streak"].as_i64().unwrap()).unwrap());
    json!({"propose": enough && may_lift && input["rule_exists"] != true})
}

fn prompt_class(summary: &str) -> Value {
    let (title, question) = summary.split_once(" — ").unwrap_or(("", summary));
    let word = match prompt::kind_of(title, question) {
        DialogKind::Permission => "permission",
        DialogKind::Decision => "decision",
        other => other.as_str(),
    };
    json!({"prompt_class": word})
}

#[test]
fn every_kind_is_answered_or_placed() {
    for row in repomon() {
        let kind = row["kind"].as_str().unwrap();
        let placed = is_elsewhere(kind);
        let answered = matches!(
            kind,
            "classify"
                | "evaluate"
                | "escalate"
                | "select_option"
                | "resolve"
                | "route"
                | "command_pattern"
                | "learnable"
                | "prompt_class"
                | "approval_propose"
        );
        assert!(placed != answered, "{kind}");
    }
}

#[test]
fn what_is_shown_elsewhere_is_there() {
    for (kind, file, test) in SERVED {
        assert!(file.contains(&format!("async fn {test}()")), "{kind}: {test} is gone");
    }
}
