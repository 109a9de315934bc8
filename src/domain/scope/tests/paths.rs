//! Files as edits name them, and the folders that count as inside.

use super::*;

fn edit(name: &str, odd: &Compact) -> Vec<String> {
    let subject = file(name);
    codes(Class::FileWrite, &subject, &looked_up(dialog(), &subject, odd))
}

#[test]
fn files_inside_are_proven() {
    for name in [
        "src/lib.rs",
        "./src/lib.rs",
        "/home/dev/acme/src/lib.rs",
        "docs/größe 日本.md",
        "app/[slug]/page.tsx",
        "src/$id.tsx",
        "Cargo.toml",
    ] {
        assert_eq!(edit(name, &Compact::default()), [""; 0], "{name}");
    }
}

#[test]
fn files_elsewhere_or_odd_are_not() {
    for (name, code) in [
        ("../x", "traversal"),
        ("src/../../x", "traversal"),
        ("/tmp/x", "path_outside"),
        ("/home/dev/acme-evil/x", "path_outside"),
        ("~/x", "home_path"),
        ("src/…/x", "odd_path"),
        ("src/.../x", "odd_path"),
        ("", "odd_path"),
        (" a", "odd_path"),
        ("a\u{200b}b", "odd_path"),
        ("a\u{2025}b", "odd_path"),
        ("a\\b", "odd_path"),
        ("a\nb", "odd_path"),
        ("a\u{ff0f}b", "odd_path"),
        ("file:///x", "odd_path"),
        ("c:/x", "odd_path"),
        ("/dev/null", "path_outside"),
        ("/proc/self/mem", "path_outside"),
        (".", "whole_tree"),
        ("./", "whole_tree"),
        ("/home/dev/acme", "whole_tree"),
        (".env.local", "secret_name"),
        ("a/.GIT/hooks/x", "protected_path"),
        (".github/workflows/ci.yml", "protected_path"),
        (".MCP.json", "protected_path"),
        ("x/agents.md", "protected_path"),
        (".git.", "odd_path_or_protected"),
        ("deploy/server.pem", "secret_name"),
        (".cargo/config.toml", "protected_path"),
        ("node_modules/.bin/tsc", "protected_path"),
        (".venv/bin/python", "protected_path"),
    ] {
        let found = edit(name, &Compact::default());
        let known = found.iter().any(|found| found == code || code == "odd_path_or_protected");
        assert!(known && !found.is_empty(), "{name:?}: {found:?}");
    }
    assert_eq!(edit(&"a/".repeat(600), &Compact::default()), ["odd_path"]);
}

#[test]
fn links_are_followed_before_they_are_judged() {
    let odd =
        |from: &str, to: &str| Compact { symlinks: [(from.to_owned(), to.to_owned())].into(), ..Compact::default() };
    assert_eq!(edit("out/new/a.txt", &odd("out", "/srv/out")), ["link_outside"]);
    assert_eq!(edit("vendor/lib/a.c", &odd("vendor/lib", "../../shared")), ["link_outside"]);
    assert_eq!(edit("vendor/lib/a.c", &odd("vendor/lib", "../lib")), [""; 0]);
    assert_eq!(edit("notes.md", &odd("notes.md", ".github/workflows/ci.yml")), ["protected_path"]);
    assert_eq!(edit("notes.md", &odd("notes.md", ".env")), ["secret_name"]);
    assert_eq!(edit("a/b", &odd("a", "a")), ["path_unknown"]);
    assert_eq!(edit("CASE/a", &Compact { case_insensitive: true, ..odd("case", "/srv") }), ["link_outside"]);
    assert_eq!(edit("CASE/a", &odd("case", "/srv")), [""; 0]);
}

#[test]
fn wide_folders_prove_nothing() {
    let subject = command("cargo test");
    for root in [
        "/",
        "",
        "acme",
        "/home/dev",
        "/root",
        "/Users/kim",
        "/home",
        "/tmp",
        "/etc",
        "/usr",
        "/HOME/dev",
        "//",
        "/home/dev/",
        "/home/dev/.",
        "/var/home/x",
        "/home/dev/acme/..",
        "/private/tmp",
        "/proc/self/root/w",
        "/dev/shm",
    ] {
        let at = |worktree: &str, repo_root: &str| Dialog {
            cwd: format!("{}/a", root.trim_end_matches('/')),
            worktree: worktree.to_owned(),
            repo_root: repo_root.to_owned(),
            ..Dialog::default()
        };
        for dialog in [at(root, root), at(root, "/w/api"), at("/w/api", root)] {
            let found = codes(Class::CommandExec, &subject, &looked_up(dialog, &subject, &Compact::default()));
            assert!(found.iter().any(|code| code == "root_too_wide" || code == "root_unknown"), "{root}: {found:?}");
        }
    }
    for root in ["/w/api", "/workspace", "/root/project", "/home/dev/acme", "/Users/kim/src/shop", "/srv/app"] {
        let dialog =
            Dialog { cwd: root.to_owned(), worktree: root.to_owned(), repo_root: root.to_owned(), ..Dialog::default() };
        assert_eq!(
            codes(Class::CommandExec, &subject, &looked_up(dialog, &subject, &Compact::default())),
            [""; 0],
            "{root}"
        );
    }
}

#[test]
fn the_working_folder_is_judged_too() {
    let subject = command("cargo test");
    for (cwd, proven) in [
        ("/home/dev/acme/crates", true),
        ("/home/dev/wt/lane/a", true),
        ("/home/dev/wt/lane2", false),
        ("/home/dev", false),
        ("/home/dev/acme/../x", false),
        ("/home/dev/acme/.git", false),
        ("crates", false),
        ("", false),
    ] {
        let dialog = Dialog { cwd: cwd.to_owned(), worktree: "/home/dev/wt/lane".to_owned(), ..dialog() };
        let found = codes(Class::CommandExec, &subject, &looked_up(dialog, &subject, &Compact::default()));
        assert_eq!(found.is_empty(), proven, "{cwd}: {found:?}");
    }
    let odd = Compact { symlinks: [("crates".to_owned(), "/srv".to_owned())].into(), ..Compact::default() };
    let inside = Dialog { cwd: format!("{ROOT}/crates/a"), ..dialog() };
    assert_eq!(codes(Class::CommandExec, &subject, &looked_up(inside, &subject, &odd)), ["cwd_outside"]);
}

#[test]
fn a_root_that_is_a_link_is_known_by_both_names() {
    let odd = Compact { root_real: Some("/data/acme".to_owned()), ..Compact::default() };
    assert_eq!(edit("src/lib.rs", &odd), [""; 0]);
    let subject = file("src/lib.rs");
    let facts = odd.facts(&subject, &dialog());
    assert_eq!(facts.paths["src/lib.rs"].real, "/data/acme/src/lib.rs");
    assert_eq!(
        edit("src/lib.rs", &Compact { root_real: Some("/home/dev".to_owned()), ..Compact::default() }),
        ["root_too_wide"]
    );
}

#[test]
fn a_worktree_below_an_agents_own_folder_is_no_protected_path() {
    let worktree = format!("{ROOT}/.claude/worktrees/lane");
    let dialog = Dialog { cwd: worktree.clone(), worktree, ..dialog() };
    let at = |name: &str| {
        let subject = file(name);
        codes(Class::FileWrite, &subject, &looked_up(dialog.clone(), &subject, &Compact::default()))
    };
    assert_eq!(at("src/lib.rs"), [""; 0]);
    assert_eq!(at(".claude/settings.json"), ["protected_path"]);
    assert_eq!(at(&format!("{ROOT}/.claude/settings.json")), ["protected_path"]);
}

#[test]
fn folders_of_git_are_not_searched() {
    for line in ["rg x .git", "rg x sub/.git", "rg x .git/modules", "grep -r x .git/modules"] {
        assert_eq!(run(line), ["secret_name"], "{line}");
    }
    assert_eq!(run("rg x ."), [""; 0]);
}
