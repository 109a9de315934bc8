//! git's settings as the client finds them: whatever starts a program holds, what starts none does not.

use std::fs;

use countersign::pane::discover::Lane;

use super::facts_world::World;

type Poison = fn(&mut World);

fn home(world: &World, text: &str) {
    let file = world.running.home.as_ref().unwrap().join(".gitconfig");
    let before = fs::read_to_string(&file).unwrap();
    fs::write(file, before + text).unwrap();
}

/// A command, what it comes to once poisoned, and the poison.
const POISONED: &[(&str, &str, Poison)] = &[
    ("git status", "git_runs_programs", |world| world.git(&["config", "core.fsmonitor", ".git/watch"])),
    ("git log -1", "git_runs_programs", |world| home(world, "[core]\n fsmonitor\n")),
    ("git diff", "git_runs_programs", |world| {
        world.write("../outside/more.ini", "[diff]\n external = sh -c x\n");
        world.git(&["config", "include.path", "../../outside/more.ini"]);
    }),
    ("git diff", "git_runs_programs", |world| {
        world.write("../outside/more.ini", "[diff \"pdf\"]\n textconv = x\n");
        let inside = world.repo.display();
        home(world, &format!("[includeIf \"gitdir:{inside}/\"]\n path = {}/outside/more.ini\n", world.top.display()));
    }),
    ("git status", "git_runs_programs", |world| {
        world.git(&["config", "extensions.worktreeConfig", "true"]);
        world.git(&["config", "--worktree", "diff.x.textconv", "sh"]);
    }),
    ("git log -1", "git_runs_programs", |world| world.git(&["config", "core.pager", "sh"])),
    ("git commit -m x", "git_runs_programs", |world| world.git(&["config", "core.hooksPath", ".husky"])),
    ("git commit -m x", "git_runs_programs", |world| world.write_program(".git/hooks/pre-commit")),
    ("git status", "git_runs_programs", |world| world.write_program(".git/hooks/post-index-change")),
    ("git status", "bare_repository", |world| {
        world.git(&["init", "-q", "--bare", "inner"]);
        world.running.cwd = Some(world.repo.join("inner"));
    }),
    ("git status", "bare_repository", |world| {
        // It says that it is not bare, and is git's own folder all the same.
        world.git(&["init", "-q", "--bare", "inner"]);
        world.git(&["config", "--file", "inner/config", "core.bare", "false"]);
        world.running.cwd = Some(world.repo.join("inner"));
    }),
    ("git status", "git_runs_programs", |world| {
        world.git(&["init", "-q", "nested"]);
        world.git(&["-C", "nested", "config", "core.fsmonitor", "x"]);
        world.running.cwd = Some(world.repo.join("nested"));
    }),
    ("git status", "git_runs_programs", |world| {
        world.git(&["init", "-q", "nested"]);
        world.git(&["-C", "nested", "commit", "-q", "--allow-empty", "-m", "x"]);
        world.git(&["add", "nested"]);
        world.git(&["-C", "nested", "config", "core.fsmonitor", "x"]);
    }),
    ("git status", "git_elsewhere", |world| world.git(&["config", "core.worktree", "../../outside"])),
    ("git status", "git_elsewhere", |world| {
        // The lane is a folder of a larger repository that is none of its own.
        let part = world.repo.join("src");
        world.lane = Lane { worktree: part.clone(), repo: part.clone(), ..world.lane.clone() };
        world.running.cwd = Some(part);
    }),
    ("git status", "git_unread", |world| world.write(".git/config", "[core\n")),
    ("git status", "git_unread", |world| fs::rename(world.repo.join(".git"), world.top.join("git")).unwrap()),
    ("git status", "git_unread", |world| world.running.home = None),
    ("git status", "git_unread", |world| world.running.path = vec!["/nowhere".into()]),
];

#[tokio::test]
async fn whatever_makes_git_start_a_program_holds() {
    for (index, (command, code, poison)) in POISONED.iter().enumerate() {
        let mut world = World::new();
        assert_eq!(world.command(command).await, "approve", "{index}");
        poison(&mut world);
        assert_eq!(world.command(command).await, *code, "{index}: {command}");
        // What git is told to start says nothing about the others.
        assert_eq!(world.command("cargo test").await, "approve", "{index}");
    }
}

#[tokio::test]
async fn settings_that_start_nothing_hold_nothing() {
    let world = World::new();
    home(
        &world,
        "[alias]\n st = !sh\n[core]\n editor = vim\n fsmonitor = x\n pager = cat\n[credential]\n helper = !x\n",
    );
    // The repository's own word is the last one.
    world.git(&["config", "core.fsmonitor", "false"]);
    world.git(&["config", "core.hooksPath", "/dev/null"]);
    world.write(".git/hooks/pre-push.sample", "");
    world.write(".git/hooks/pre-commit", "not executable\n");
    world.write_program(".git/hooks/pre-push");
    for command in ["git status", "git diff", "git log -1", "git show HEAD", "git add -A", "git commit -m x"] {
        assert_eq!(world.command(command).await, "approve", "{command}");
    }
    world.write_program(".git/hooks/commit-msg");
    assert_eq!(world.command("git commit -m x").await, "git_runs_programs");
    assert_eq!(world.command("git status").await, "approve", "a hook of commits is none of status");
}

#[tokio::test]
async fn a_linked_worktree_has_the_settings_of_its_repository() {
    let mut world = World::new();
    let tree = world.top.join("shop-api");
    world.git(&["worktree", "add", "-q", tree.to_str().unwrap()]);
    world.lane = Lane { worktree: tree.clone(), ..world.lane.clone() };
    world.running.cwd = Some(tree.clone());
    assert_eq!(world.place().repo_root, world.repo.to_str().unwrap());
    assert_eq!(world.command("git status && cat src/a.rs").await, "approve");
    world.write_program(".git/hooks/pre-commit");
    assert_eq!(world.command("git commit -m x").await, "git_runs_programs");
    world.git(&["config", "diff.external", "x"]);
    assert_eq!(world.command("git diff").await, "git_runs_programs");
}

#[tokio::test]
async fn a_git_that_does_not_answer_is_waited_for_no_longer_than_a_second() {
    let mut world = World::new();
    world.write_program("../bin/git");
    world.write("../bin/git", "#!/bin/sh\nexec sleep 600\n");
    world.running.path.insert(0, world.top.join("bin"));
    let began = std::time::Instant::now();
    assert_eq!(world.command("git status").await, "git_unread");
    assert!(began.elapsed().as_secs() < 10, "{:?}", began.elapsed());
    assert_eq!(world.command("cargo test").await, "approve");
}

#[tokio::test]
async fn a_filter_holds_where_a_file_is_given_to_it() {
    let world = World::new();
    home(
        &world,
        "[filter \"lfs\"]\n clean = git-lfs clean -- %f\n process = git-lfs filter-process\n required = true\n",
    );
    assert_eq!(world.command("git status").await, "approve");
    world.write("picture.bin", "x");
    world.write(".gitattributes", "*.bin filter=lfs\n");
    assert_eq!(world.command("git status").await, "git_runs_programs", "a file that would be added is given to it");
    world.write(".gitattributes", "*.png filter=lfs\n");
    assert_eq!(world.command("git status").await, "approve");
    world.git(&["config", "filter.a b.clean", "x"]);
    assert_eq!(
        world.command("git status").await,
        "git_runs_programs",
        "a name that cannot be asked for counts as used"
    );
}

#[tokio::test]
async fn a_repository_that_git_refuses_is_unread() {
    let world = World::new();
    // Only root can give a folder away.
    if !rustix::process::geteuid().is_root() {
        return;
    }
    std::os::unix::fs::chown(&world.repo, Some(12345), None).unwrap();
    std::os::unix::fs::chown(world.repo.join(".git"), Some(12345), None).unwrap();
    assert_eq!(world.command("git status").await, "git_unread");
}
