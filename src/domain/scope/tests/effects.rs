//! What is left behind, what is looked up, what is listed.

use super::*;
use crate::domain::dialog::Dialog;
use crate::domain::subject::extract;

fn after(text: &str) -> (bool, bool, bool) {
    let subject = command(text);
    let effects = effects(&subject, &looked_up(dialog(), &subject, &Compact::default()));
    (effects.writes_runner_file, effects.runs, effects.changes_shell)
}

#[test]
fn runners_and_their_files_are_noticed() {
    for line in [
        "cargo test",
        "make",
        "npm test",
        "ls && pytest",
        "vitest run",
        "eslint src",
        "env cargo test",
        "timeout 60 make",
        "npx vitest",
        "cargo publish",
        "(cd a && npm test)",
    ] {
        assert!(after(line).1, "{line}");
    }
    for line in ["git status", "cat Makefile", "rg cargo src", "ls", "git commit -m 'cargo test'"] {
        assert!(!after(line).1, "{line}");
    }
    for line in [
        "tee conftest.py",
        "cp a build.rs",
        "echo x > Makefile",
        "sed -i s/a/b/ package.json",
        "cat <<E >> .cargo/config.toml\nE",
    ] {
        assert!(after(line).0, "{line}");
    }
    for line in ["cat Makefile", "git diff Cargo.toml", "cargo test --manifest-path a/Cargo.toml"] {
        assert!(!after(line).0, "{line}");
    }
    let written = |name: &str| effects(&file(name), &dialog()).writes_runner_file;
    assert!(written("tests/conftest.py") && written("/home/dev/acme/build.rs") && !written("src/lib.rs"));
    let odd = Compact { symlinks: [("notes.md".to_owned(), "conftest.py".to_owned())].into(), ..Compact::default() };
    let subject = file("notes.md");
    assert!(effects(&subject, &looked_up(dialog(), &subject, &odd)).writes_runner_file);
}

#[test]
fn changes_of_the_shell_are_noticed() {
    for line in [
        "export A=1",
        "alias cat=x",
        "source a.sh",
        ". ./env.sh",
        "cd /tmp",
        "cd ..",
        "cd",
        "cd -",
        "A=$(id)",
        "FOO=1",
        "ls; export A=1",
        "ls && \\export A=1",
        "pushd /tmp",
        "eval x",
        "set -e",
        "declare -x A=1",
        "(ls); unset PATH",
        "A=1 B=2",
        "cd $HOME && ls",
        "FOO=1 source x",
    ] {
        assert!(after(line).2, "{line}");
    }
    for line in [
        "cargo test",
        "cd . && ls",
        "cd /home/dev/acme && ls",
        "git commit -m 'export x'",
        "cat $HOME/x",
        "FOO=1 ls",
        "echo x > a",
        "rg 'alias x' src",
    ] {
        assert!(!after(line).2, "{line}");
    }
}

#[test]
fn where_one_shell_reads_all_commands_it_stands_elsewhere_afterwards() {
    let moves = |agent: &str, text: &str| {
        let subject = command(text);
        let dialog = Dialog { agent_kind: agent.to_owned(), ..dialog() };
        effects(&subject, &looked_up(dialog, &subject, &Compact::default())).changes_shell
    };
    for line in ["cd crates && ls", "cd /home/dev/acme/crates && ls", "ls && cd crates", "cd . && cd crates && cd ."] {
        for agent in ["claude", "generic", "cursor", ""] {
            assert!(moves(agent, line), "{agent}: {line}");
        }
        for agent in ["codex", "gemini", "opencode"] {
            assert!(!moves(agent, line), "{agent}: {line}");
            assert!(moves(agent, &line.replace("crates", "..")), "{agent}: {line}");
        }
    }
}

#[test]
fn paths_are_asked_for_as_the_proof_will_look_them_up() {
    let asked = |text: &str| needed(&command(text), &dialog());
    assert_eq!(asked("cat a b a | grep x"), ["a", "b"]);
    assert_eq!(
        asked("cat a && cd crates && cat a /etc/x . && cd core && cat 'b c'"),
        ["a", "crates", "crates/a", "/etc/x", "crates/core", "crates/core/b c"]
    );
    assert_eq!(asked("cd crates/ && pytest tests/a.py::x"), ["crates/", "crates/tests/a.py"]);
    assert_eq!(asked("cd /home/dev/acme/a && cat b"), ["/home/dev/acme/a", "/home/dev/acme/a/b"]);
    assert_eq!(asked("rm -rf dist"), ["dist"]);
    assert_eq!(asked("git log main..HEAD -- src/a.rs"), ["src/a.rs"]);
    assert_eq!(asked("go test ./a/... ./..."), ["./a"]);
    assert_eq!(asked("cat $x"), [""; 0]);
    assert_eq!(asked("node x.js"), [""; 0]);
    assert_eq!(needed(&file("src/a.rs"), &dialog()), ["src/a.rs"]);
}

#[test]
fn hosts_and_paths_are_listed_for_the_page() {
    let subject = Subject {
        urls: vec!["https://github.com/a".to_owned(), "https://a@b/".to_owned()],
        ..command("cat a.rs && curl 'http://localhost:3000/x'")
    };
    let found = seen(&subject, &looked_up(dialog(), &subject, &Compact::default()));
    assert_eq!(found.hosts, ["github.com", "https://a@b/", "localhost"]);
    let paths: Vec<_> = found.paths.iter().map(|path| (path.word.as_str(), path.real.as_deref())).collect();
    assert_eq!(paths, [("a.rs", Some("/home/dev/acme/a.rs"))]);
    assert_eq!(seen(&command("ls $x"), &dialog()), Seen::default());
}

#[test]
fn every_file_of_a_patch_may_be_one_that_builds_execute() {
    let good = "--- a/src/a.rs\n+++ b/src/a.rs\n@@ -1 +1 @@\n-a\n+b\n";
    for more in [
        "--- /dev/null\t2020\n+++ b/build.rs\t2020\n@@ -0,0 +1 @@\n+x",
        "diff --git a/x b/build.rs\nrename from x\nrename to build.rs",
        "*** Rename to: build.rs",
        "Edited build.rs (+1 -0)",
        "Binary files a/build.rs and b/build.rs differ",
    ] {
        let patch = Dialog {
            title: "Apply patch".into(),
            question: "Apply patch?".into(),
            body: format!("{good}{more}"),
            ..dialog()
        };
        assert!(effects(&extract(&patch), &patch).writes_runner_file, "{more}");
    }
    let plain = Dialog { title: "Apply patch".into(), question: "Apply patch?".into(), body: good.into(), ..dialog() };
    assert!(!effects(&extract(&plain), &plain).writes_runner_file);
}
