//! git: the six subcommands that look at a repository or record what is in it.

use super::checks::count;
use super::git_log::{DIFF, LOG, SHOW};
use super::grammar::{After, Arguments, Choose, Danger, Flags, Node, Table, Type, Words, danger};

/// The table.
pub(super) static GIT: Table = Table {
    name: "git",
    manual: "git 2.47.3",
    runs: false,
    env: &["GIT_*", "PAGER", "LESS*", "EDITOR", "VISUAL", "SSH_ASKPASS", "XDG_CONFIG_HOME"],
    node: Node::Choose(&Choose {
        flags: Flags::NONE,
        choices: &[
            (&["status"], Node::Arguments(&STATUS)),
            (&["diff"], Node::Arguments(&DIFF)),
            (&["log"], Node::Arguments(&LOG)),
            (&["show"], Node::Arguments(&SHOW)),
            (&["add"], Node::Arguments(&ADD)),
            (&["commit"], Node::Arguments(&COMMIT)),
        ],
        otherwise: None,
        alone: false,
        dangers: BEFORE,
    }),
    samples: &[
        "git status",
        "git status -s src",
        "git diff",
        "git diff --stat main",
        "git diff -- src/a.rs",
        "git log --oneline",
        "git log -3",
        "git log -- src/a.rs",
        "git show HEAD",
        "git show HEAD:a.rs",
        "git add -A",
        "git add src/a.rs",
        "git commit -m x",
    ],
};

const BEFORE: &[Danger] = &[
    danger(&["-c", "--config-env"], "overrides git's configuration, which can name programs to run"),
    danger(&["-C"], "works in another folder"),
    danger(&["-p", "--paginate"], "starts the pager, from which a shell can be reached"),
    danger(
        &["--git-dir", "--work-tree", "--namespace", "--bare"],
        "uses another repository with its own configuration",
    ),
    danger(&["--exec-path"], "takes git's programs from another folder"),
    danger(&["--help", "--html-path", "help"], "opens a pager or a browser"),
    danger(&["push"], "sends to a remote"),
    danger(&["fetch", "pull", "clone", "remote", "ls-remote", "submodule"], "reaches a remote"),
    danger(
        &["checkout", "switch", "restore", "reset", "stash", "clean", "rm", "mv"],
        "changes or discards files of the working tree",
    ),
    danger(
        &["rebase", "merge", "cherry-pick", "revert", "am", "apply", "bisect"],
        "rewrites history or files, and may run commands",
    ),
    danger(
        &["config", "worktree", "init", "hook", "filter-branch", "alias"],
        "changes what git does or where it writes",
    ),
    danger(&["branch", "tag", "notes", "gc", "update-ref"], "changes references"),
    danger(&["difftool", "mergetool", "grep", "archive", "bundle", "format-patch"], "starts programs or writes files"),
];

static STATUS: Arguments = Arguments {
    flags: &Flags::gnu(
        &[
            "-s",
            "--short",
            "-b",
            "--branch",
            "--show-stash",
            "--ahead-behind",
            "--no-ahead-behind",
            "--no-renames",
            "-z",
        ],
        &[],
        &[
            (&["--porcelain"], Type::OneOf(&["v1", "v2", "1", "2"])),
            (&["-u", "--untracked-files"], Type::OneOf(&["no", "normal", "all"])),
            (&["--ignored"], Type::OneOf(&["traditional", "no", "matching"])),
        ],
    ),
    words: Words::any(Type::Pathspec),
    after: After::Positionals,
    required: &[],
    deep: &[],
    dangers: &[danger(&["--pathspec-from-file"], "reads paths from a file"), danger(&["--help"], "opens a pager")],
};

static ADD: Arguments = Arguments {
    flags: &Flags::gnu(
        &["-A", "--all", "-u", "--update", "-v", "--verbose", "-n", "--dry-run", "-N", "--intent-to-add"],
        &[],
        &[],
    ),
    words: Words::any(Type::Pathspec),
    after: After::Positionals,
    required: &[],
    deep: &[],
    dangers: &[
        danger(&["-i", "--interactive", "-p", "--patch"], "asks questions and takes the pane"),
        danger(&["-e", "--edit"], "starts an editor"),
        danger(&["-f", "--force"], "adds what the repository ignores, such as secrets"),
        danger(&["--pathspec-from-file"], "reads paths from a file"),
        danger(&["--chmod"], "makes a file executable"),
        danger(&["--help"], "opens a pager"),
    ],
};

static COMMIT: Arguments = Arguments {
    flags: &Flags::gnu(
        &["-a", "--all", "-q", "--quiet", "--allow-empty", "--dry-run", "--short", "--no-status"],
        &[(&["-m", "--message"], Type::Opaque)],
        &[],
    ),
    words: Words::any(Type::Pathspec),
    after: After::Positionals,
    // Without a message git starts an editor.
    required: &[&["-m", "--message"]],
    deep: &[],
    dangers: &[
        danger(&["-F", "--file", "-t", "--template", "--pathspec-from-file"], "reads a file into the commit"),
        danger(&["-c", "--reedit-message", "-e", "--edit"], "starts an editor"),
        danger(
            &["-C", "--reuse-message", "--fixup", "--squash"],
            "takes the message of another commit, or starts an editor",
        ),
        danger(&["-S", "--gpg-sign"], "starts the signing program"),
        danger(&["--amend"], "rewrites the last commit"),
        danger(&["-n", "--no-verify"], "skips the repository's checks"),
        danger(&["--author", "--date", "--reset-author"], "records another author or time"),
        danger(&["-p", "--patch", "--interactive"], "asks questions and takes the pane"),
        danger(&["--trailer", "--cleanup"], "may run a program that the configuration names"),
        danger(&["--help"], "opens a pager"),
    ],
};

/// Detection thresholds and the like: `50`, `50%`.
pub(super) const COUNT: Type = Type::Checked(count);
