//! The seed's safety guarantees, each by its name, as far as the judgement keeps it.

use serde_json::{Value, json};

use super::lines::{classify, command};

const CLASSES: &[&str] = &[
    "credential_access",
    "push_remote",
    "install",
    "device_access",
    "network_access",
    "deletion",
    "file_write",
    "command_exec",
    "unknown",
];

/// Every class mapped to one action.
fn all(action: &str) -> Value {
    CLASSES.iter().map(|class| ((*class).to_owned(), json!(action))).collect::<serde_json::Map<_, _>>().into()
}

fn with(mut line: Value, path: &[&str], value: Value) -> Value {
    let mut at = &mut line;
    for key in path {
        at = &mut at[*key];
    }
    *at = value;
    line
}

fn verdict(line: &Value) -> (String, String) {
    let answer = classify(std::slice::from_ref(line)).remove(0);
    (answer["verdict"].as_str().unwrap().to_owned(), answer["policy_source"].as_str().unwrap().to_owned())
}

fn is(verdict: &str, source: &str) -> (String, String) {
    (verdict.to_owned(), source.to_owned())
}

#[test]
fn the_shipped_policy_approves_two_classes_and_denies_nothing() {
    for (text, want) in [
        ("cargo test", is("auto_approve", "global_class")),
        ("curl http://localhost/", is("hold", "global_class")),
        ("cat .env", is("hold", "global_class")),
        ("rm a.txt", is("hold", "global_class")),
        ("git push", is("hold", "global_class")),
        ("npm install", is("hold", "global_class")),
        ("osascript -e x", is("hold", "global_class")),
    ] {
        assert_eq!(verdict(&command(text)), want, "{text}");
    }
}

#[test]
fn master_switch_and_lane_switch_are_both_needed() {
    for (policy, want) in [
        (json!({}), is("auto_approve", "global_class")),
        (json!({"enabled": false}), is("hold", "master_off")),
        (json!({"lane_enabled": false}), is("hold", "lane_off")),
        (json!({"enabled": false, "lane_enabled": false}), is("hold", "master_off")),
    ] {
        assert_eq!(verdict(&with(command("cargo test"), &["policy"], policy.clone())), want, "{policy}");
    }
}

#[test]
fn always_escalate_beats_every_policy_and_every_rule() {
    for text in
        ["git push --force", "rm -rf target", "git reset --hard", "git clean -fd", "sudo rm x", "sh -c 'git push -f'"]
    {
        for action in ["auto_approve", "auto_deny", "hold"] {
            let argv: Vec<&str> = text.split(' ').collect();
            let policy = json!({"classes": all(action), "rules": [{"argv": argv, "match": "exact"}]});
            let line = with(command(text), &["policy"], policy);
            assert_eq!(verdict(&line), is("hold", "always_escalate"), "{text} {action}");
        }
    }
}

#[test]
fn decision_class_prompts_are_never_auto_answered() {
    for (field, value) in [
        ("kind", json!("decision")),
        ("kind", json!("plan")),
        ("kind", json!("trust")),
        ("kind", json!("usage_limit")),
        ("kind", json!("login")),
        ("question", json!("Which environment should it run in?")),
        ("question", json!("Would you like to go ahead with this plan?")),
    ] {
        for action in ["auto_approve", "auto_deny"] {
            let line = with(with(command("cargo test"), &["dialog", field], value.clone()), &["policy"], all(action));
            assert_eq!(verdict(&line), is("hold", "decision_class"), "{field} {value} {action}");
        }
    }
}

#[test]
fn a_standing_permission_option_is_never_pressed() {
    for phrase in [
        "always allow",
        "always",
        "for this session",
        "don't ask again",
        "persist",
        "remember this choice",
        "in settings",
        "settings.json",
        "in this conversation",
        "in the future",
        "for the whole project",
    ] {
        let rows = json!([format!("Yes, {phrase}"), format!("No, {phrase}")]);
        for action in ["auto_approve", "auto_deny"] {
            let line =
                with(with(command("cargo test"), &["dialog", "options"], rows.clone()), &["policy"], all(action));
            assert_eq!(verdict(&line), is("hold", "ambiguous_options"), "{phrase} {action}");
        }
    }
}

#[test]
fn ambiguity_resolves_to_hold_and_not_to_a_guess() {
    for rows in [
        json!(["Yes", "Yes", "No"]),
        json!(["Yes, deploy to a", "Yes, deploy to b", "No"]),
        json!([]),
        json!(["Maybe"]),
    ] {
        let line = with(command("cargo test"), &["dialog", "options"], rows.clone());
        assert_eq!(verdict(&line), is("hold", "ambiguous_options"), "{rows}");
    }
    for text in ["cat /etc/passwd", "./x.sh", "cargo test &&"] {
        assert_eq!(verdict(&command(text)), is("hold", "not_repo_scoped"), "{text}");
    }
}

#[test]
fn a_learned_rule_lifts_a_hold_and_nothing_else() {
    let rule = |argv: &[&str]| json!([{"argv": argv, "match": "exact"}]);
    for (text, classes, argv, want) in [
        ("cargo test", json!({"command_exec": "hold"}), &["cargo", "test"][..], is("auto_approve", "learned_rule")),
        ("cargo test", json!({"command_exec": "auto_deny"}), &["cargo", "test"], is("auto_deny", "global_class")),
        ("cat /etc/passwd", json!({"command_exec": "hold"}), &["cat", "/etc/passwd"], is("hold", "not_repo_scoped")),
        ("rm a.txt", json!({}), &["rm", "a.txt"], is("hold", "global_class")),
        ("cargo test; ls", json!({"command_exec": "hold"}), &["cargo", "test"], is("hold", "global_class")),
        ("cargo test -q", json!({"command_exec": "hold"}), &["cargo", "test"], is("hold", "global_class")),
    ] {
        let line = with(command(text), &["policy"], json!({"classes": classes, "rules": rule(argv)}));
        assert_eq!(verdict(&line), want, "{text} {classes}");
    }
}

#[test]
fn supervision_off_leaves_only_the_legacy_rule() {
    let off = |rules: Value| json!({"lane_enabled": false, "rules": rules});
    let rules = json!([{"argv": ["cargo", "test"], "match": "exact"}, {"argv": ["rm", "-rf", "x"], "match": "exact"}]);
    for (text, policy, want) in [
        ("cargo test", off(rules.clone()), is("auto_approve", "legacy_rule")),
        ("cargo test", off(json!([])), is("hold", "lane_off")),
        ("cargo build", off(rules.clone()), is("hold", "lane_off")),
        ("rm -rf x", off(rules.clone()), is("hold", "lane_off")),
        // A lane under active supervision opts out of it.
        ("cargo test", json!({"rules": rules}), is("auto_approve", "global_class")),
    ] {
        assert_eq!(verdict(&with(command(text), &["policy"], policy.clone())), want, "{text} {policy}");
    }
}

#[test]
fn deny_is_not_scope_gated_and_unknown_always_holds() {
    let deny = |line| with(line, &["policy"], all("auto_deny"));
    assert_eq!(verdict(&deny(command("rm /etc/passwd"))), is("auto_deny", "global_class"));
    let mut unknown = command("");
    unknown["dialog"]["title"] = json!("Notice");
    for action in ["auto_deny", "auto_approve", "hold"] {
        assert_eq!(verdict(&with(unknown.clone(), &["policy"], all(action))), is("hold", "global_class"), "{action}");
    }
}
