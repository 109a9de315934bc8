//! cargo and cargo-nextest.

use super::cargo_tools::{CLIPPY, FMT, NEXTEST};
use super::checks::{features, name, test_name, triple};
use super::grammar::{After, Arguments, Choose, Danger, Flags, Node, Table, Type, Words, danger};

/// The table.
pub(super) static CARGO: Table = Table {
    name: "cargo",
    manual: "cargo 1.95.0, cargo-nextest 0.9.143",
    runs: true,
    env: &[
        "RUSTC",
        "RUSTC_WRAPPER",
        "RUSTC_WORKSPACE_WRAPPER",
        "RUSTFLAGS",
        "RUSTDOC",
        "RUSTDOCFLAGS",
        "RUSTUP_TOOLCHAIN",
        "CARGO_BUILD_*",
        "CARGO_ENCODED_*",
        "CARGO_TARGET_*",
        "CARGO_PROFILE_*",
        "CARGO_ALIAS_*",
        "CARGO_UNSTABLE_*",
        "CARGO_HTTP_*",
        "CARGO_SOURCE_*",
        "CARGO_NET_*",
        "CC",
        "CXX",
        "LD",
    ],
    node: Node::Choose(&Choose {
        flags: Flags::NONE,
        choices: &[
            (&["build", "b", "check", "c"], Node::Arguments(&BUILD)),
            (&["test", "t", "bench"], Node::Arguments(&TEST)),
            (&["doc"], Node::Arguments(&BUILD)),
            (&["clippy"], Node::Arguments(&CLIPPY)),
            (&["fmt"], Node::Arguments(&FMT)),
            (&["tree"], Node::Arguments(&TREE)),
            (&["metadata"], Node::Arguments(&METADATA)),
            (&["nextest"], Node::Choose(&NEXTEST)),
        ],
        otherwise: None,
        alone: false,
        dangers: SUBCOMMANDS,
    }),
    samples: &[
        "cargo build",
        "cargo check -p a",
        "cargo test",
        "cargo test a -- b",
        "cargo bench --no-run",
        "cargo doc --no-deps",
        "cargo clippy",
        "cargo clippy -- -D warnings",
        "cargo fmt --all",
        "cargo fmt -- --check",
        "cargo tree",
        "cargo metadata",
        "cargo nextest run",
        "cargo nextest list",
    ],
};

const SUBCOMMANDS: &[Danger] = &[
    danger(&["publish", "yank", "owner"], "sends to or changes a registry"),
    danger(&["login", "logout"], "stores or removes a credential"),
    danger(&["install", "uninstall"], "puts programs into your home folder or removes them"),
    danger(&["add", "remove", "update"], "changes the manifest or the lock file from a registry"),
    danger(&["fix"], "rewrites sources"),
    danger(&["clean"], "deletes build output"),
    danger(&["run", "r"], "starts the program itself, which may do anything"),
    danger(&["help"], "opens a pager"),
    danger(&["vendor", "package", "new", "init", "generate-lockfile"], "writes files"),
    danger(&["-C"], "works in another folder"),
    danger(&["-Z"], "turns on an unstable feature"),
    danger(&["--config"], "overrides cargo's configuration, which can name programs to run"),
    danger(&["+nightly"], "may fetch another toolchain"),
];

pub(super) const DANGERS: &[Danger] = &[
    danger(&["--config"], "overrides cargo's configuration, which can name programs to run"),
    danger(&["-Z"], "turns on an unstable feature"),
    danger(&["-C"], "works in another folder"),
    danger(&["--target-dir"], "makes cargo write its output elsewhere"),
    danger(&["--artifact-dir", "--out-dir"], "makes cargo copy its output elsewhere"),
    danger(&["--lockfile-path"], "makes cargo use and write another lock file"),
    danger(&["--fix", "--allow-dirty", "--allow-staged", "--allow-no-vcs"], "rewrites sources"),
    danger(&["--open"], "starts a browser"),
    danger(&["--timings"], "writes a report"),
    danger(
        &["--config-file", "--tool-config-file", "--user-config-file"],
        "reads configuration that can name programs to run",
    ),
    danger(
        &[
            "--archive-file",
            "--extract-to",
            "--workspace-remap",
            "--cargo-metadata",
            "--binaries-metadata",
            "--target-dir-remap",
        ],
        "reads or unpacks files from elsewhere",
    ),
    danger(&["--debugger", "--tracer"], "runs each test under a program that it names"),
];

pub(super) const COLOR: Type = Type::OneOf(&["auto", "always", "never"]);
pub(super) const MESSAGES: Type = Type::OneOf(&[
    "human",
    "short",
    "json",
    "json-diagnostic-short",
    "json-diagnostic-rendered-ansi",
    "json-render-diagnostics",
    "libtest-json",
    "libtest-json-plus",
]);

pub(super) const PLAIN: &[&str] = &[
    "--workspace",
    "--all",
    "--lib",
    "--bins",
    "--tests",
    "--examples",
    "--benches",
    "--all-targets",
    "--doc",
    "--all-features",
    "--no-default-features",
    "-r",
    "--release",
    "-q",
    "--quiet",
    "-v",
    "--verbose",
    "--no-run",
    "--no-fail-fast",
    "--keep-going",
    "--locked",
    "--offline",
    "--frozen",
    "--no-deps",
    "--document-private-items",
];
pub(super) const VALUED: &[(&[&str], Type)] = &[
    (&["-p", "--package", "--exclude", "--bin", "--test", "--example", "--bench", "--profile"], Type::Checked(name)),
    (&["-F", "--features"], Type::Checked(features)),
    (&["--target"], Type::Checked(triple)),
    (&["-j", "--jobs"], Type::Number),
    (&["--message-format"], MESSAGES),
    (&["--color"], COLOR),
    (&["--manifest-path"], Type::Path),
];

static BUILD: Arguments = Arguments {
    flags: &Flags::gnu(PLAIN, VALUED, &[]),
    words: Words::NONE,
    after: After::Never,
    required: &[],
    deep: &[],
    dangers: DANGERS,
};

static TEST: Arguments = Arguments {
    flags: &Flags::gnu(PLAIN, VALUED, &[]),
    words: Words::up_to(1, Type::Checked(test_name)),
    after: After::To(&HARNESS),
    required: &[],
    deep: &[],
    dangers: DANGERS,
};

/// The built-in test harness; a harness of one's own gets no other words either.
static HARNESS: Arguments = Arguments {
    flags: &Flags::gnu(
        &[
            "--nocapture",
            "--no-capture",
            "--exact",
            "--ignored",
            "--include-ignored",
            "--list",
            "--show-output",
            "-q",
            "--quiet",
            "--test",
            "--bench",
        ],
        &[
            (&["--test-threads"], Type::Number),
            (&["--skip"], Type::Checked(test_name)),
            (&["--color"], COLOR),
            (&["--format"], Type::OneOf(&["pretty", "terse"])),
        ],
        &[],
    ),
    words: Words::any(Type::Checked(test_name)),
    after: After::Never,
    required: &[],
    deep: &[],
    dangers: &[danger(&["--logfile"], "writes a file"), danger(&["-Z"], "turns on an unstable feature")],
};

static TREE: Arguments = Arguments {
    flags: &Flags::gnu(
        &[
            "--workspace",
            "-d",
            "--duplicates",
            "--no-dedupe",
            "-q",
            "--quiet",
            "-v",
            "--verbose",
            "--locked",
            "--offline",
            "--frozen",
            "--all-features",
            "--no-default-features",
        ],
        &[
            (&["-p", "--package", "--exclude", "-i", "--invert", "--prune"], Type::Checked(name)),
            (&["-e", "--edges"], Type::Checked(features)),
            (&["--depth"], Type::Checked(name)),
            (&["--prefix"], Type::OneOf(&["depth", "indent", "none"])),
            (&["--charset"], Type::OneOf(&["utf8", "ascii"])),
            (&["-f", "--format"], Type::Opaque),
            (&["-F", "--features"], Type::Checked(features)),
            (&["--target"], Type::Checked(triple)),
            (&["--color"], COLOR),
            (&["--manifest-path"], Type::Path),
        ],
        &[],
    ),
    words: Words::NONE,
    after: After::Never,
    required: &[],
    deep: &[],
    dangers: DANGERS,
};

static METADATA: Arguments = Arguments {
    flags: &Flags::gnu(
        &[
            "--no-deps",
            "--all-features",
            "--no-default-features",
            "-q",
            "--quiet",
            "-v",
            "--verbose",
            "--locked",
            "--offline",
            "--frozen",
        ],
        &[
            (&["--format-version"], Type::Number),
            (&["--filter-platform"], Type::Checked(triple)),
            (&["-F", "--features"], Type::Checked(features)),
            (&["--color"], COLOR),
            (&["--manifest-path"], Type::Path),
        ],
        &[],
    ),
    words: Words::NONE,
    after: After::Never,
    required: &[],
    deep: &[],
    dangers: DANGERS,
};
