//! cargo clippy, fmt and nextest.

use super::cargo::{COLOR, DANGERS, MESSAGES, PLAIN, VALUED};
use super::checks::{features, lint, name, test_name, triple};
use super::grammar::{After, Arguments, Choose, Flags, Node, Type, Words, danger};

pub(super) static CLIPPY: Arguments = Arguments {
    flags: &Flags::gnu(PLAIN, VALUED, &[]),
    words: Words::NONE,
    after: After::To(&LINTS),
    required: &[],
    deep: &[],
    dangers: DANGERS,
};

static LINTS: Arguments = Arguments {
    flags: &Flags::gnu(
        &[],
        &[(&["-D", "-W", "-A", "-F", "--deny", "--warn", "--allow", "--forbid"], Type::Checked(lint))],
        &[],
    ),
    words: Words::NONE,
    after: After::Never,
    required: &[],
    deep: &[],
    dangers: &[
        danger(&["-C", "--codegen"], "sets the compiler's linker and other programs"),
        danger(&["-o", "--out-dir", "--emit"], "makes the compiler write files"),
        danger(&["-Z"], "turns on an unstable feature"),
        danger(&["-L", "--extern", "--sysroot"], "loads code from elsewhere"),
    ],
};

pub(super) static FMT: Arguments = Arguments {
    flags: &Flags::gnu(
        &["--all", "--check", "-q", "--quiet", "-v", "--verbose"],
        &[
            (&["-p", "--package"], Type::Checked(name)),
            (&["--manifest-path"], Type::Path),
            (&["--message-format"], MESSAGES),
        ],
        &[],
    ),
    words: Words::NONE,
    after: After::To(&RUSTFMT),
    required: &[],
    deep: &[],
    dangers: &[danger(&["--config"], "overrides cargo's configuration, which can name programs to run")],
};

static RUSTFMT: Arguments = Arguments {
    flags: &Flags::gnu(
        &["--check", "-l", "--files-with-diff", "-q", "-v"],
        &[(&["--edition"], Type::OneOf(&["2015", "2018", "2021", "2024"])), (&["--color"], COLOR)],
        &[],
    ),
    words: Words::NONE,
    after: After::Never,
    required: &[],
    deep: &[],
    dangers: &[
        danger(&["--config-path", "--config"], "reads settings from elsewhere"),
        danger(&["--emit", "--backup", "--print-config"], "writes files"),
    ],
};

pub(super) static NEXTEST: Choose = Choose {
    flags: Flags::NONE,
    choices: &[(&["run", "r", "list"], Node::Arguments(&NEXTEST_RUN))],
    otherwise: None,
    alone: false,
    dangers: &[
        danger(&["archive"], "writes a file"),
        danger(&["self"], "replaces the program"),
        danger(&["--config-file", "--config"], "reads configuration that can name programs to run"),
    ],
};

static NEXTEST_RUN: Arguments = Arguments {
    flags: &Flags::gnu(
        &[
            "--workspace",
            "--all",
            "--lib",
            "--bins",
            "--tests",
            "--examples",
            "--benches",
            "--all-targets",
            "--all-features",
            "--no-default-features",
            "-r",
            "--release",
            "-v",
            "--verbose",
            "--no-run",
            "--no-fail-fast",
            "--fail-fast",
            "--nff",
            "--ff",
            "--no-capture",
            "--nocapture",
            "--locked",
            "--offline",
            "--frozen",
            "--hide-progress-bar",
        ],
        &[
            (
                &[
                    "-p",
                    "--package",
                    "--exclude",
                    "--bin",
                    "--test",
                    "--example",
                    "--bench",
                    "-P",
                    "--profile",
                    "--cargo-profile",
                ],
                Type::Checked(name),
            ),
            (&["-E", "--filterset"], Type::Opaque),
            (&["-F", "--features"], Type::Checked(features)),
            (&["--target"], Type::Checked(triple)),
            (&["-j", "--test-threads", "--retries", "--build-jobs"], Type::Number),
            (
                &["--status-level", "--final-status-level", "--success-output", "--failure-output", "--run-ignored"],
                Type::Checked(name),
            ),
            (&["--color"], COLOR),
            (&["--manifest-path"], Type::Path),
        ],
        &[],
    ),
    words: Words::any(Type::Checked(test_name)),
    after: After::Never,
    required: &[],
    deep: &[],
    dangers: DANGERS,
};
