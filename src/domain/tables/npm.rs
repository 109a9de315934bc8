//! npm: the scripts of the manifest.

use super::checks::{filter, script};
use super::grammar::{After, Arguments, Choose, Flags, Node, Table, Type, Words, danger};
use super::packages::{COMMANDS, ENV, RUN, SCRIPT_ARGUMENTS};

/// npm.
pub(super) static NPM: Table = Table {
    name: "npm",
    manual: "npm 11.19.1",
    runs: true,
    env: ENV,
    node: Node::Choose(&Choose {
        flags: &NPM_FLAGS,
        choices: &[
            (&["test", "t", "tst"], Node::Arguments(&NPM_TEST)),
            (&["run", "run-script"], Node::Arguments(&NPM_RUN)),
            (&["ls", "list", "la", "ll"], Node::Arguments(&NPM_LS)),
        ],
        otherwise: None,
        alone: false,
        dangers: COMMANDS,
    }),
    samples: &["npm test", "npm test -- a.js", "npm run build", "npm run test -- a", "npm ls"],
};

static NPM_FLAGS: Flags = Flags::apart(
    &[
        "--workspaces",
        "--ws",
        "--if-present",
        "--silent",
        "-s",
        "--include-workspace-root",
        "--no-color",
        "-q",
        "--quiet",
    ],
    &[(&["--workspace", "-w"], Type::PathOrName)],
    &[],
);

static NPM_TEST: Arguments = Arguments {
    flags: &NPM_FLAGS,
    words: Words::any(Type::ScriptWord),
    after: After::To(&SCRIPT_ARGUMENTS),
    required: &[],
    deep: &[],
    dangers: RUN,
};

static NPM_RUN: Arguments = Arguments {
    flags: &NPM_FLAGS,
    words: Words {
        first: Some(Type::Script(script)),
        instead: &[],
        rest: Type::ScriptWord,
        least: 0,
        most: usize::MAX,
    },
    after: After::To(&SCRIPT_ARGUMENTS),
    required: &[],
    deep: &[],
    dangers: RUN,
};

static NPM_LS: Arguments = Arguments {
    flags: &Flags::apart(
        &["--all", "-a", "--json", "--long", "-l", "--parseable", "--workspaces"],
        &[(&["--depth"], Type::Number), (&["--workspace", "-w"], Type::PathOrName)],
        &[],
    ),
    words: Words::any(Type::Checked(filter)),
    after: After::Never,
    required: &[],
    deep: &[],
    dangers: &[danger(&["-g", "--global", "--prefix", "-C"], "looks at another folder")],
};
