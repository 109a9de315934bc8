//! The proof by example, by vector, and by taking facts away.

mod effects;
mod facts;
mod names;
mod paths;
mod total;
mod urls;
mod vectors;

use super::*;
use crate::domain::facts::Compact;

const ROOT: &str = "/home/dev/acme";

/// A dialog in a plain repository.
fn dialog() -> Dialog {
    Dialog { cwd: ROOT.to_owned(), repo_root: ROOT.to_owned(), worktree: ROOT.to_owned(), ..Dialog::default() }
}

fn command(text: &str) -> Subject {
    Subject { command: Some(text.to_owned()), ..Subject::default() }
}

fn file(name: &str) -> Subject {
    Subject { files: vec![name.to_owned()], ..Subject::default() }
}

fn url(text: &str) -> Subject {
    Subject { urls: vec![text.to_owned()], ..Subject::default() }
}

/// The dialog with facts about its subject, from what is odd about the disk.
fn looked_up(mut dialog: Dialog, subject: &Subject, odd: &Compact) -> Dialog {
    dialog.facts = Some(odd.facts(subject, &dialog));
    dialog
}

fn hosts() -> Vec<String> {
    ["localhost", "127.0.0.1", "https://github.com"].map(str::to_owned).to_vec()
}

/// The codes of the reasons; empty when it is proven.
fn codes(class: Class, subject: &Subject, dialog: &Dialog) -> Vec<String> {
    match prove(class, subject, dialog, &hosts()) {
        Ok(proof) => {
            assert_eq!(proof.class(), class);
            Vec::new()
        }
        Err(reasons) => reasons.into_iter().map(|reason| reason.code).collect(),
    }
}

/// The codes for a command in a plain repository.
fn run(text: &str) -> Vec<String> {
    let subject = command(text);
    codes(Class::CommandExec, &subject, &looked_up(dialog(), &subject, &Compact::default()))
}

#[test]
fn no_class_but_four_is_ever_proven() {
    let subject = command("cargo test");
    let dialog = looked_up(dialog(), &subject, &Compact::default());
    for class in Class::ALL.iter().filter(|class| !class.can_be_scoped()) {
        assert_eq!(codes(*class, &subject, &dialog), ["never_scoped"]);
    }
    assert_eq!(codes(Class::CommandExec, &subject, &dialog), [""; 0]);
}

#[test]
fn what_is_missing_or_in_doubt_is_no_proof() {
    let odd = Compact::default();
    let empty = Subject::default();
    for (class, code) in [
        (Class::CommandExec, "no_command"),
        (Class::FileWrite, "no_target"),
        (Class::Deletion, "no_target"),
        (Class::NetworkAccess, "no_address"),
    ] {
        assert_eq!(codes(class, &empty, &looked_up(dialog(), &empty, &odd)), [code]);
    }
    let subject = command("cargo test");
    let cut = Dialog { truncated: true, ..looked_up(dialog(), &subject, &odd) };
    assert_eq!(codes(Class::CommandExec, &subject, &cut), ["truncated"]);
    let doubted = Subject { doubt: Some(crate::domain::subject::Doubt::WhichLine), ..command("cargo test") };
    assert_eq!(codes(Class::CommandExec, &doubted, &looked_up(dialog(), &doubted, &odd)), ["subject_lines"]);
}

#[test]
fn a_line_is_proven_command_by_command() {
    let good = [
        "cd crates/core && cargo test",
        "cd crates && cd core && cat src/lib.rs | head -5",
        "cd . && ls",
        "cd /home/dev/acme && ls",
        "cd crates && cargo test; true",
        "git status; git log -3",
        "cat a.rs | grep -n x",
        "cargo test > /dev/null 2>&1",
        "CI=1 npm test",
        "git show HEAD:./a.rs",
        "ls .",
        "git add .",
        "rg x .",
        "cat src//a.rs",
    ];
    let good = good.into_iter().filter(|line| !line.contains("> /dev"));
    for line in good {
        assert_eq!(run(line), [""; 0], "{line}");
    }
    let bad = [
        ("cargo test && node x.js", "unknown_program"),
        ("git status\ngit log", "several_lines"),
        ("cd /etc && ls", "path_outside"),
        ("cd crates && git status", "other_folder"),
        ("cd crates && python -m pytest", "other_folder"),
        ("cd .. && ls", "traversal"),
        ("cd a.rs && ls", "no_folder"),
        ("cd crates; cat a.rs", "folder_unsure"),
        ("cd crates || cat a.rs", "folder_unsure"),
        ("make || cd crates && cat a.rs", "folder_unsure"),
        ("cd crates | cat a.rs", "piped_cd"),
        ("ls | cd crates && cat a.rs", "piped_cd"),
        ("cd .git && git status", "protected_path"),
        ("cat ../x", "traversal"),
        ("cat a/../b", "traversal"),
        ("cat /etc/passwd", "path_outside"),
        ("cat /home/dev/acme-evil/a", "path_outside"),
        ("cat .env", "secret_name"),
        ("git show HEAD:.env", "secret_name"),
        ("git show HEAD:../x", "path_outside"),
        ("git diff id_rsa", "secret_name"),
        ("npm test -- .env", "secret_name"),
        ("grep -r x .", "whole_tree"),
        ("grep -rn x /home/dev/acme", "whole_tree"),
        ("cat 'a‥b'", "odd_path"),
        ("cat 'a/.../b'", "odd_path"),
        ("cat '~/x'", "home_path"),
        ("cat 'C:/x'", "odd_path"),
        ("cat 'a*'", "odd_path"),
        ("rm a.rs", "unknown_program"),
        ("curl https://github.com/", "unknown_program"),
    ];
    for (line, code) in bad {
        assert!(run(line).iter().any(|found| found == code), "{line}: {:?}", run(line));
    }
}

#[test]
fn removing_needs_named_paths_inside() {
    let remove = |text: &str| {
        let subject = command(text);
        codes(Class::Deletion, &subject, &looked_up(dialog(), &subject, &Compact::default()))
    };
    for line in
        ["rm a.rs", "rm -r -f dist", "rm --recursive --force dist", "rm -rf dist && ls", "cd crates && rm -r old"]
    {
        assert_eq!(remove(line), [""; 0], "{line}");
    }
    for (line, code) in [
        ("rm -rf /", "path_outside"),
        ("rm -rf .", "whole_tree"),
        ("rm -rf /home/dev/acme", "whole_tree"),
        ("rm -rf ../x", "traversal"),
        ("rm -rf .git", "protected_path"),
        ("rm .github/workflows/ci.yml", "protected_path"),
        ("rm .env", "secret_name"),
        ("cargo test && rm -rf target", "runs_and_removes"),
        ("rm", "missing_word"),
        ("rm -rf --no-preserve-root dist", "dangerous_flag"),
        ("cd crates && rm -rf .", "whole_tree"),
        ("rm a; cd b", "path_unknown"),
        ("git clean -fd", "dangerous_subcommand"),
    ] {
        let found = remove(line);
        assert!(
            found.iter().any(|found| found == code) || (code == "path_unknown" && found.is_empty()),
            "{line}: {found:?}"
        );
    }
    let subject = file("a.rs");
    assert_eq!(codes(Class::Deletion, &subject, &looked_up(dialog(), &subject, &Compact::default())), [""; 0]);
    let subject = Subject { files: vec![".git/x".to_owned()], ..command("rm a.rs") };
    assert_eq!(
        codes(Class::Deletion, &subject, &looked_up(dialog(), &subject, &Compact::default())),
        ["protected_path"]
    );
}
