//! make: plain targets of the folder's own makefile.

use super::checks::target;
use super::grammar::{After, Arguments, Flags, Node, Table, Type, Words, danger};

/// The table.
pub(super) static MAKE: Table = Table {
    name: "make",
    manual: "GNU Make 4.3",
    runs: true,
    env: &["MAKEFLAGS", "MAKEFILES", "GNUMAKEFLAGS", "MFLAGS", "MAKEOVERRIDES"],
    node: Node::Arguments(&Arguments {
        flags: &Flags::gnu(
            &[
                "-k",
                "--keep-going",
                "-s",
                "--silent",
                "--quiet",
                "-B",
                "--always-make",
                "-n",
                "--dry-run",
                "--just-print",
                "--no-print-directory",
            ],
            &[],
            &[(&["-j", "--jobs"], Type::Number)],
        ),
        words: Words::any(Type::Checked(target)),
        after: After::Positionals,
        required: &[],
        deep: &[],
        dangers: &[
            danger(&["-f", "--file", "--makefile"], "reads another makefile"),
            danger(&["-C", "--directory"], "works in another folder"),
            danger(&["-I", "--include-dir"], "includes makefiles from another folder"),
            danger(&["-E", "--eval"], "runs makefile text given on the line"),
            danger(&["-e", "--environment-overrides"], "lets variables of the environment replace the makefile's"),
            danger(
                &["-W", "--what-if", "--new-file", "--assume-new", "-o", "--old-file", "--assume-old"],
                "changes what is rebuilt",
            ),
            danger(&["SHELL=/tmp/sh", "CC=x"], "sets a variable that the recipes run"),
            danger(&["install", "uninstall"], "writes outside the repository by convention"),
            danger(&["deploy", "publish", "release", "push", "upload"], "sends something away by convention"),
        ],
    }),
    samples: &["make", "make test", "make -j4 build"],
};
