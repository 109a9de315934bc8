//! No fact, no proof.

use super::*;
use crate::domain::facts::{Facts, PathKind};

/// Lines that are proven, each with another need of facts.
const PROVEN: &[&str] = &[
    "cargo test --manifest-path crates/a/Cargo.toml",
    "cat a.rs b.rs",
    "cd crates && cat a.rs",
    "git diff README.md -- src/a.rs",
    "pytest tests/a.py",
    "python3 -m pytest tests",
    "rg x src",
    "npm run build -w packages/ui",
    "go test ./a/...",
    "eslint 'src/**/*.ts'",
    "sed -n 5p a.rs && ls src",
];

fn proven(subject: &Subject, facts: Facts) -> bool {
    let dialog = Dialog { facts: Some(facts), ..dialog() };
    prove(Class::CommandExec, subject, &dialog, &hosts()).is_ok()
}

#[test]
fn taking_any_fact_away_ends_the_proof() {
    for line in PROVEN {
        let subject = command(line);
        let facts = Compact::default().facts(&subject, &dialog());
        assert!(proven(&subject, facts.clone()), "{line}");
        assert_eq!(codes(Class::CommandExec, &subject, &dialog()), ["facts_missing"]);
        assert!(!facts.paths.is_empty(), "{line}");
        for word in facts.paths.keys() {
            let without = |change: &dyn Fn(&mut Facts)| {
                let mut facts = facts.clone();
                change(&mut facts);
                assert!(!proven(&subject, facts), "{line}: {word}");
            };
            let at = |facts: &mut Facts, change: &dyn Fn(&mut crate::domain::facts::PathFact)| {
                change(facts.paths.get_mut(word).unwrap());
            };
            without(&|facts| drop(facts.paths.remove(word)));
            without(&|facts| at(facts, &|fact| fact.inside = false));
            without(&|facts| at(facts, &|fact| fact.kind = PathKind::Other));
            without(&|facts| at(facts, &|fact| fact.real = "/etc/x".to_owned()));
            without(&|facts| at(facts, &|fact| fact.real = "/home/dev/acme-evil/x".to_owned()));
            without(&|facts| at(facts, &|fact| fact.real = "/home/dev/acme/../x".to_owned()));
            without(&|facts| at(facts, &|fact| fact.real = "src/a.rs".to_owned()));
            without(&|facts| at(facts, &|fact| fact.real = "/home/dev/acme/.env".to_owned()));
            without(&|facts| at(facts, &|fact| fact.real.clear()));
        }
        for change in [
            (|facts| facts.shell.clear()) as fn(&mut Facts),
            |facts| facts.shell = "fish".to_owned(),
            |facts| facts.root_real.clear(),
            |facts| facts.root_real = "/".to_owned(),
            |facts| facts.env_names = vec!["LD_PRELOAD".to_owned()],
        ] {
            let mut facts = facts.clone();
            change(&mut facts);
            assert!(!proven(&subject, facts), "{line}");
        }
    }
}

#[test]
fn words_marked_unresolved_have_no_fact() {
    for line in PROVEN {
        let subject = command(line);
        for word in needed(&subject, &dialog()) {
            let odd = Compact { unresolved: vec![word.clone()], ..Compact::default() };
            assert!(!odd.facts(&subject, &dialog()).paths.contains_key(&word));
            assert!(!proven(&subject, odd.facts(&subject, &dialog())), "{line}: {word}");
        }
    }
    let odd = Compact { unresolved: vec![".".to_owned()], ..Compact::default() };
    let subject = command("cargo test");
    assert!(!proven(&subject, odd.facts(&subject, &dialog())));
}

#[test]
fn settings_of_the_machine_hold_what_they_affect() {
    let with = |line: &str, change: &dyn Fn(&mut Facts)| {
        let subject = command(line);
        let mut facts = Compact::default().facts(&subject, &dialog());
        change(&mut facts);
        let dialog = Dialog { facts: Some(facts), ..dialog() };
        codes(Class::CommandExec, &subject, &dialog)
    };
    let keys = |facts: &mut Facts| facts.git_exec_keys = vec!["core.fsmonitor".to_owned(), "diff.x.command".to_owned()];
    assert_eq!(with("git status", &keys), ["git_runs_programs"]);
    assert_eq!(with("ls && git log -1", &keys), ["git_runs_programs"]);
    assert_eq!(with("ls", &keys), [""; 0]);
    assert_eq!(with("git status", &|facts| facts.bare_repo = true), ["bare_repository"]);
    let shadow = |facts: &mut Facts| facts.shadow_modules = vec!["pytest.py".to_owned()];
    for line in ["pytest", "python -m pytest", "python3 -m pytest"] {
        assert_eq!(with(line, &shadow), ["shadowed_module"]);
    }
    assert_eq!(with("cargo test", &shadow), [""; 0]);
    for (line, name) in [
        ("rg x", "RIPGREP_CONFIG_PATH"),
        ("git log", "GIT_PAGER"),
        ("git log", "PAGER"),
        ("npm test", "NODE_OPTIONS"),
        ("yarn test", "npm_config_registry"),
        ("cargo test", "RUSTC_WRAPPER"),
        ("cargo test", "CARGO_TARGET_DIR"),
        ("make", "MAKEFLAGS"),
        ("pytest", "PYTEST_ADDOPTS"),
        ("python -m pytest", "PYTHONPATH"),
        ("go test ./...", "GOFLAGS"),
        ("ls", "LD_PRELOAD"),
        ("cd a && ls", "CDPATH"),
        ("tsc --noEmit", "NODE_OPTIONS"),
        ("ls", "BASH_ENV"),
        ("grep x a", "GREP_OPTIONS"),
    ] {
        assert_eq!(
            with(line, &|facts| facts.env_names = vec!["TERM".to_owned(), name.to_owned()]),
            ["environment_set"],
            "{line} {name}"
        );
        assert_eq!(with("wc -l a", &|facts| facts.env_names = vec!["RIPGREP_CONFIG_PATH".to_owned()]), [""; 0]);
    }
}

#[test]
fn what_could_not_be_read_holds_like_the_worst_that_it_may_be() {
    let with = |line: &str, change: &dyn Fn(&mut Facts)| {
        let subject = command(line);
        let mut facts = Compact::default().facts(&subject, &dialog());
        change(&mut facts);
        codes(Class::CommandExec, &subject, &Dialog { facts: Some(facts), ..dialog() })
    };
    let unread = || vec!["*".to_owned()];
    assert_eq!(with("git log -1", &|facts| facts.git_exec_keys = unread()), ["git_unread"]);
    assert_eq!(with("pytest", &|facts| facts.shadow_modules = unread()), ["shadowed_module"]);
    assert_eq!(with("ls", &|facts| facts.env_names = unread()), ["environment_unread"]);
    assert_eq!(with("ls", &|facts| facts.env_names = vec!["PATH".to_owned()]), ["environment_set"]);
    assert_eq!(with("git add -A", &|facts| facts.git_exec_keys = vec!["core.worktree".to_owned()]), ["git_elsewhere"]);
    let hook = |facts: &mut Facts| facts.git_exec_keys = vec!["hooks/pre-commit".to_owned()];
    assert_eq!(with("git commit -m x", &hook), ["git_runs_programs"]);
    assert_eq!(with("git add -A && git commit -m x", &hook), ["git_runs_programs"]);
    assert_eq!(with("git status", &hook), [""; 0]);
    let index = |facts: &mut Facts| facts.git_exec_keys = vec!["hooks/post-index-change".to_owned()];
    assert_eq!(with("git status", &index), ["git_runs_programs"]);
}

#[test]
fn the_short_form_is_read_strictly() {
    let read = |text: &str| serde_json::from_str::<Compact>(text);
    assert_eq!(read("{}").unwrap(), Compact::default());
    assert!(read(r#"{"bare_repo": true, "symlinks": {"a": "b"}, "root_real": "/x"}"#).unwrap().bare_repo);
    assert!(read(r#"{"bare_repo": "sub/repo"}"#).unwrap().bare_repo);
    assert!(!read(r#"{"bare_repo": false}"#).unwrap().bare_repo && !read(r#"{"bare_repo": null}"#).unwrap().bare_repo);
    assert!(read(r#"{"links": {}}"#).is_err());
}
