//! A real repository in a folder of its own, a pane's program in it, and the judge at the other end.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use countersign::domain::dialog::{Dialog, DialogOption, Home};
use countersign::domain::facts::{Facts, PaneIdentity};
use countersign::domain::policy::{Document, Lane as LanePolicy};
use countersign::domain::verdict::{Judgement, Standing, Verdict, judge};
use countersign::pane::discover::Lane;
use countersign::pane::facts::{self, Place};
use countersign::pane::process::Running;

use crate::support::scratch::{self, program};

/// A lane with its repository, and what runs in its pane.
pub struct World {
    /// The folder that holds all of it.
    pub top: PathBuf,
    /// The repository.
    pub repo: PathBuf,
    pub lane: Lane,
    pub running: Running,
}

impl World {
    /// A repository as people have it: some files, one commit, settings that start nothing.
    pub fn new() -> Self {
        let top = fs::canonicalize(scratch::folder("facts")).unwrap();
        let (repo, home) = (top.join("shop"), top.join("home"));
        for folder in [&repo, &home, &repo.join("src"), &repo.join("tests"), &top.join("outside")] {
            fs::create_dir(folder).unwrap();
        }
        fs::write(
            home.join(".gitconfig"),
            "[user]\n name = Dev\n email = dev@example.org\n[init]\n defaultBranch = main\n",
        )
        .unwrap();
        let path = std::env::split_paths(env!("PATH")).filter(|folder| folder.is_absolute()).collect();
        let running = Running {
            pid: 4242,
            command: "claude".to_owned(),
            argv: vec!["claude".to_owned()],
            cwd: Some(repo.clone()),
            shell: "bash".to_owned(),
            env_names: ["HOME", "PATH", "SHELL", "TERM", "LANG"].map(str::to_owned).to_vec(),
            home: Some(home),
            path,
        };
        let lane = Lane { name: "api".to_owned(), worktree: repo.clone(), repo: repo.clone() };
        let world = Self { top, repo, lane, running };
        world.write("src/a.rs", "fn a() {}\n");
        world.write("tests/a.py", "def test_a(): pass\n");
        world.write("notes.txt", "notes\n");
        world.write("../outside/secret.txt", "secret\n");
        world.git(&["init", "-q"]);
        world.git(&["add", "-A"]);
        world.git(&["commit", "-qm", "first"]);
        world
    }

    /// Writes a file, by its path from the repository.
    pub fn write(&self, path: &str, text: &str) {
        let path = self.repo.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Writes a program.
    pub fn write_program(&self, path: &str) {
        self.write(path, "#!/bin/sh\n");
        fs::set_permissions(self.repo.join(path), fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Puts a link in a file's or a folder's place.
    pub fn link(&self, path: &str, target: impl AsRef<Path>) {
        let path = self.repo.join(path);
        if path.is_dir() && !path.is_symlink() {
            fs::rename(&path, path.with_extension("moved")).unwrap();
        } else if path.symlink_metadata().is_ok() {
            fs::remove_file(&path).unwrap();
        }
        symlink(target, path).unwrap();
    }

    /// Runs git in the repository.
    pub fn git(&self, words: &[&str]) {
        self.git_in(&self.repo, words);
    }

    /// Runs git in a folder.
    pub fn git_in(&self, folder: &Path, words: &[&str]) {
        let mut git = program("git");
        git.args(words).current_dir(folder).env_clear();
        git.env("PATH", env!("PATH")).env("HOME", self.running.home.as_ref().unwrap());
        let output = git.output().unwrap();
        assert!(output.status.success(), "git {words:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    pub fn place(&self) -> Place {
        Place::of(&self.lane, self.running.cwd.as_deref().unwrap_or(&self.repo)).unwrap()
    }

    /// Reads the facts for a dialog.
    pub async fn read(&self, dialog: &Dialog) -> Facts {
        facts::read(dialog, &self.place(), &self.running, pane()).await
    }

    /// Reads the facts, and judges the dialog as the server does: under the shipped policy, with both keys on.
    pub async fn judge(&self, dialog: &Dialog) -> (Judgement, Facts) {
        let facts = self.read(dialog).await;
        let text = |path: &Path| path.to_str().unwrap().to_owned();
        let home = Home { worktree: text(&self.lane.worktree), repo: text(&self.lane.repo) };
        let dialog = Dialog { facts: Some(facts.clone()), home: Some(home), ..self.place().stand(dialog) };
        let mut document = Document::default();
        document.supervision.enabled = true;
        document.lanes.insert("api".to_owned(), LanePolicy { enabled: Some(true), ..LanePolicy::default() });
        let policy = document.resolve("api");
        let standing = Standing { policy: &policy, rules: &[], paused: false, runner_taint: false, shell_taint: false };
        (judge(&dialog, &standing), facts)
    }

    /// What it comes to: `approve`, or the first reason to hold.
    pub async fn verdict(&self, dialog: &Dialog) -> String {
        let (judgement, _) = self.judge(dialog).await;
        match judgement.verdict() {
            Verdict::AutoApprove => "approve".to_owned(),
            _ => judgement.reasons[0].code.clone(),
        }
    }

    /// What a command comes to.
    pub async fn command(&self, command: &str) -> String {
        self.verdict(&dialog(command)).await
    }
}

/// A permission dialog for a command.
pub fn dialog(command: &str) -> Dialog {
    shown("Bash command", "Do you want to proceed?", Some(command), "")
}

/// A permission dialog for an edit.
pub fn edit(file: &str) -> Dialog {
    shown("Edit file", &format!("Do you want to make this edit to {file}?"), None, &format!("{file}\n- a\n+ b"))
}

fn shown(title: &str, question: &str, command: Option<&str>, body: &str) -> Dialog {
    let rows = ["Yes", "Yes, and don't ask again for x", "No, and tell Claude what to do differently (esc)"];
    Dialog {
        agent_kind: "claude".to_owned(),
        title: title.to_owned(),
        question: question.to_owned(),
        command: command.map(str::to_owned),
        body: body.to_owned(),
        options: (1..).zip(rows).map(|(n, text)| DialogOption { n, text: text.to_owned(), selected: n == 1 }).collect(),
        ..Dialog::default()
    }
}

pub fn pane() -> PaneIdentity {
    PaneIdentity {
        server: "1:1".to_owned(),
        id: "%1".to_owned(),
        pid: 100,
        command: "claude".to_owned(),
        cols: 80,
        rows: 24,
    }
}
