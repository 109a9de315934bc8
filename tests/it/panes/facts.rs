//! From a real disk to the verdict: what is plainly inside is approved, and each thing against it flips that to a hold.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use countersign::domain::facts::PathKind;
use countersign::pane::discover::{Lane, lane_of};

use super::facts_world::{World, dialog, edit, pane};

#[tokio::test]
async fn a_plain_repository_is_approved_for_what_agents_do_all_day() {
    let world = World::new();
    for command in [
        "git status",
        "git diff src/a.rs",
        "git add -A && git commit -m 'Say it'",
        "cargo test",
        "cargo test --manifest-path src/a.rs && cat notes.txt",
        "cd src && cat a.rs",
        "pytest tests/a.py",
        "python3 -m pytest",
        "rg -n fn src | head -5",
        "make",
    ] {
        assert_eq!(world.command(command).await, "approve", "{command}");
    }
    assert_eq!(world.verdict(&edit("src/a.rs")).await, "approve");
    // A file that is not there yet is its real folder with a new name.
    assert_eq!(world.verdict(&edit("src/deep/new.rs")).await, "approve");
    let facts = world.read(&edit("src/deep/new.rs")).await;
    assert_eq!(facts.paths["src/deep/new.rs"].kind, PathKind::Missing);
    assert_eq!(PathBuf::from(&facts.paths["src/deep/new.rs"].real), world.repo.join("src/deep/new.rs"));
    assert_eq!(facts.paths["."].kind, PathKind::Dir);
    assert!(facts.git_exec_keys.is_empty() && facts.shadow_modules.is_empty() && facts.env_names.is_empty());
    assert_eq!(facts.digest.len(), 64);
}

type Poison = fn(&mut World);

/// A command, what it comes to once poisoned, and the poison.
const POISONED: &[(&str, &str, Poison)] = &[
    ("cat notes.txt", "link_outside", |world| world.link("notes.txt", "../outside/secret.txt")),
    ("cat notes.txt", "link_outside", |world| world.link("notes.txt", "/etc/hostname")),
    ("cat src/a.rs", "link_outside", |world| world.link("src", "../outside")),
    ("cat src/a.rs", "link_outside", |world| world.link("src", "../outside/nothing/here")),
    ("cd src && cat a.rs", "link_outside", |world| world.link("src", "../outside")),
    ("cat notes.txt", "path_unknown", |world| world.link("notes.txt", "notes.txt")),
    ("cat notes.txt", "path_unknown", |world| world.link("notes.txt", OsStr::from_bytes(b"caf\xe9"))),
    ("cat notes.txt", "path_unknown", |world| world.link("notes.txt", "src/a.rs/below")),
    ("cat notes.txt", "path_unknown", |world| world.link("notes.txt", "nothing/../src/a.rs")),
    ("cat notes.txt", "secret_name", |world| {
        world.write(".env", "KEY=1\n");
        world.link("notes.txt", ".env");
    }),
    ("cat notes.txt", "odd_file", |world| {
        fs::remove_file(world.repo.join("notes.txt")).unwrap();
        std::os::unix::net::UnixListener::bind(world.repo.join("notes.txt")).unwrap();
    }),
    ("pytest", "shadowed_module", |world| world.write("pytest.py", "")),
    ("python3 -m pytest", "shadowed_module", |world| world.write("json/__init__.py", "")),
    ("pytest", "shadowed_module", |world| world.write("random.cpython-312-x86_64-linux-gnu.so", "")),
    ("git status", "environment_set", |world| world.running.env_names.push("GIT_DIR".to_owned())),
    ("cargo test", "environment_set", |world| world.running.env_names.push("RUSTC_WRAPPER".to_owned())),
    ("ls", "environment_set", |world| world.running.env_names.push("LD_PRELOAD".to_owned())),
    ("ls", "environment_unread", |world| world.running.env_names = vec!["*".to_owned()]),
    ("ls", "environment_set", |world| {
        world.write_program("bin/ls");
        let bin = world.repo.join("bin");
        world.running.path.insert(0, bin);
    }),
    ("cat notes.txt", "environment_set", |world| world.running.path.insert(0, PathBuf::from("bin"))),
    ("cargo test", "unknown_shell", |world| world.running.shell = String::new()),
    ("cargo test", "unknown_shell", |world| world.running.shell = "fish".into()),
    ("cargo test", "cwd_outside", |world| world.running.cwd = Some(world.top.join("outside"))),
    ("cargo test", "cwd_outside", |world| world.running.cwd = None),
    ("cargo test", "cwd_outside", |world| world.running.cwd = Some(world.repo.join("gone"))),
    ("cargo test", "cwd_outside", |world| world.running.cwd = Some(world.repo.join(".git"))),
    ("cargo test", "root_unknown", |world| {
        // It would run on another machine, whose disk nobody has looked at.
        world.running.command = "ssh".into();
        world.running.argv = ["ssh", "host"].map(str::to_owned).to_vec();
    }),
    ("cargo test", "root_unknown", |world| {
        fs::rename(&world.repo, world.top.join("moved")).unwrap();
    }),
];

#[tokio::test]
async fn each_thing_against_it_flips_an_approval_to_a_hold() {
    for (index, (command, code, poison)) in POISONED.iter().enumerate() {
        let mut world = World::new();
        let (before, clean) = world.judge(&dialog(command)).await;
        assert!(before.reasons.is_empty(), "{index}: {command}: {:?}", before.reasons);
        poison(&mut world);
        assert_eq!(world.command(command).await, *code, "{index}: {command}");
        assert_ne!(world.read(&dialog(command)).await.digest, clean.digest, "{index}: {command}");
    }
}

#[tokio::test]
async fn an_edit_is_held_where_the_file_leads_elsewhere() {
    let world = World::new();
    // Writing through a link into nothing would make the file that it names.
    world.link("src/new.rs", "../../outside/made-by-a-link.rs");
    assert_eq!(world.verdict(&edit("src/new.rs")).await, "link_outside");
    world.link("src/new.rs", "../.git/hooks/post-commit");
    assert_eq!(world.verdict(&edit("src/new.rs")).await, "protected_path");
    world.link("lib", "src");
    assert_eq!(world.verdict(&edit("lib/a.rs")).await, "approve");
    assert_eq!(world.verdict(&edit(&"a/".repeat(600))).await, "odd_path");
    let facts = world.read(&edit(&format!("src/{}.rs", "n".repeat(300)))).await;
    assert_eq!(facts.paths.len(), 1, "a name that the disk refuses is left out: {:?}", facts.paths);
}

#[tokio::test]
async fn the_digest_stays_as_long_as_nothing_changes() {
    let mut world = World::new();
    let asked = dialog("git status && cat notes.txt");
    let first = world.read(&asked).await;
    world.write("src/other.rs", "fn b() {}\n");
    world.write("notes.txt", "other notes\n");
    world.running.env_names.reverse();
    assert_eq!(world.read(&asked).await, first);
    let other = |change: &dyn Fn(&mut countersign::domain::facts::PaneIdentity)| {
        let mut pane = pane();
        change(&mut pane);
        pane
    };
    for pane in [
        other(&|pane| pane.pid = 101),
        other(&|pane| pane.cols = 81),
        other(&|pane| pane.rows = 25),
        other(&|pane| pane.id = "%2".to_owned()),
        other(&|pane| pane.server = "1:2".to_owned()),
        other(&|pane| pane.command = "zsh".to_owned()),
    ] {
        let facts = countersign::pane::facts::read(&asked, &world.place(), &world.running, pane).await;
        assert_ne!(facts.digest, first.digest);
    }
    world.running.pid += 1;
    assert_ne!(world.read(&asked).await.digest, first.digest, "another process is in front");
    world.running.pid -= 1;
    world.running.cwd = Some(world.repo.join("src"));
    assert_ne!(world.read(&asked).await.digest, first.digest, "it stands elsewhere");
}

#[tokio::test]
async fn a_lane_is_found_by_where_its_folder_really_is() {
    let mut world = World::new();
    let linked = world.top.join("by-name");
    std::os::unix::fs::symlink(&world.repo, &linked).unwrap();
    fs::create_dir_all(world.repo.join("trees/b/src")).unwrap();
    let lane = |name: &str, folder: PathBuf| Lane { name: name.into(), worktree: folder, repo: world.repo.clone() };
    let lanes =
        [lane("a", linked.clone()), lane("b", world.repo.join("trees/b")), lane("gone", world.top.join("gone"))];
    let name = |lanes: &[Lane], folder: PathBuf| lane_of(lanes, &folder).map(|lane| lane.name.clone());
    assert_eq!(name(&lanes, world.repo.join("src")).as_deref(), Some("a"));
    assert_eq!(name(&lanes, linked.join("src")).as_deref(), Some("a"));
    assert_eq!(name(&lanes, world.repo.join("trees/b/src")).as_deref(), Some("b"));
    assert_eq!(name(&lanes, world.repo.join("trees")).as_deref(), Some("a"));
    assert_eq!(name(&lanes, world.top.join("outside")), None);
    assert_eq!(name(&lanes, world.top.join("shop-old")), None);
    let twice = [lane("a", linked.clone()), lane("c", world.repo.clone())];
    assert_eq!(name(&twice, world.repo.join("src")), None);

    // Registered by a name that is a link: the server knows the link, the disk the folder behind it.
    world.lane = Lane { name: "api".into(), worktree: linked.clone(), repo: linked };
    assert_eq!(world.command("git status && cat src/a.rs").await, "approve");
}
