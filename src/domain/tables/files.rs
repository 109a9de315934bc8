//! ls, cat, sed -n, and the small helpers around pipes.

use super::checks::{count_with_sign, line_range};
use super::grammar::{After, Arguments, Flags, Node, Spelling, Table, Type, Words, danger};

/// ls.
pub(super) static LS: Table = Table {
    name: "ls",
    manual: "GNU coreutils 9.1",
    runs: false,
    env: &[],
    node: Node::Arguments(&Arguments {
        flags: &Flags::gnu(
            &[
                "-a",
                "--all",
                "-A",
                "--almost-all",
                "-l",
                "-h",
                "--human-readable",
                "-1",
                "-t",
                "-r",
                "--reverse",
                "-R",
                "--recursive",
                "-S",
                "-d",
                "--directory",
                "-F",
                "-p",
                "-i",
                "-s",
                "-n",
                "-o",
                "-g",
                "-G",
                "-U",
                "-X",
                "-v",
                "-m",
                "-x",
                "-C",
                "--group-directories-first",
            ],
            &[],
            &[
                (&["--color"], Type::OneOf(&["auto", "always", "never"])),
                (&["--classify"], Type::OneOf(&["auto", "always", "never"])),
            ],
        ),
        words: Words::any(Type::Path),
        after: After::Positionals,
        required: &[],
        deep: &[],
        dangers: &[danger(
            &["-L", "-H", "--dereference", "--dereference-command-line", "--dereference-command-line-symlink-to-dir"],
            "follows links out of the repository",
        )],
    }),
    samples: &["ls", "ls -la src"],
};

/// cat.
pub(super) static CAT: Table = Table {
    name: "cat",
    manual: "GNU coreutils 9.1",
    runs: false,
    env: &[],
    node: Node::Arguments(&Arguments {
        flags: &Flags::gnu(
            &[
                "-n",
                "--number",
                "-b",
                "--number-nonblank",
                "-A",
                "--show-all",
                "-s",
                "--squeeze-blank",
                "-E",
                "--show-ends",
                "-T",
                "--show-tabs",
            ],
            &[],
            &[],
        ),
        words: Words::some(Type::Path),
        after: After::Positionals,
        required: &[],
        deep: &[],
        dangers: &[],
    }),
    samples: &["cat a.rs"],
};

/// sed, printing lines by number and nothing else.
pub(super) static SED: Table = Table {
    name: "sed",
    manual: "GNU sed 4.9",
    runs: false,
    env: &[],
    node: Node::Arguments(&Arguments {
        // Each flag alone: `-ni` would edit in place.
        flags: &Flags::apart(&["-n"], &[], &[]),
        words: Words {
            first: Some(Type::Checked(line_range)),
            instead: &[],
            rest: Type::Path,
            least: 1,
            most: usize::MAX,
        },
        after: After::Never,
        required: &[&["-n"]],
        deep: &[],
        dangers: &[
            danger(&["-i", "--in-place"], "rewrites the file"),
            danger(&["-e", "--expression"], "adds a script, which can write files and run commands"),
            danger(&["-f", "--file"], "reads a script from a file"),
            danger(&["-s", "--separate", "-E", "-r", "-z", "--posix", "--debug"], "does more than print lines"),
        ],
    }),
    samples: &["sed -n 1,5p a.rs"],
};

/// cd, to a folder inside.
pub(super) static CD: Table = Table {
    name: "cd",
    manual: "bash 5.2",
    runs: false,
    env: &["CDPATH"],
    node: Node::Arguments(&Arguments {
        flags: Flags::NONE,
        words: Words::one(Type::Folder),
        after: After::Never,
        required: &[],
        deep: &[],
        dangers: &[danger(&["-P", "-L", "-e", "-@"], "changes how links are followed")],
    }),
    samples: &["cd src"],
};

/// head.
pub(super) static HEAD: Table = Table {
    name: "head",
    manual: "GNU coreutils 9.1",
    runs: false,
    env: &[],
    node: Node::Arguments(&Arguments {
        flags: &Flags {
            spelling: Spelling::Gnu,
            plain: &["-q", "--quiet"],
            valued: &[(&["-n", "--lines", "-c", "--bytes"], Type::Checked(count_with_sign))],
            attached: &[],
            numbers: true,
        },
        words: Words::some(Type::Path),
        after: After::Positionals,
        required: &[],
        deep: &[],
        dangers: &[],
    }),
    samples: &["head -5 a.rs"],
};

/// tail.
pub(super) static TAIL: Table = Table {
    name: "tail",
    manual: "GNU coreutils 9.1",
    runs: false,
    env: &[],
    node: Node::Arguments(&Arguments {
        flags: &Flags {
            spelling: Spelling::Gnu,
            plain: &["-q", "--quiet"],
            valued: &[(&["-n", "--lines", "-c", "--bytes"], Type::Checked(count_with_sign))],
            attached: &[],
            numbers: true,
        },
        words: Words::some(Type::Path),
        after: After::Positionals,
        required: &[],
        deep: &[],
        dangers: &[danger(&["-f", "--follow", "-F", "--retry", "--pid", "-s"], "never ends and takes the pane")],
    }),
    samples: &["tail -5 a.rs"],
};

/// wc.
pub(super) static WC: Table = Table {
    name: "wc",
    manual: "GNU coreutils 9.1",
    runs: false,
    env: &[],
    node: Node::Arguments(&Arguments {
        flags: &Flags::gnu(&["-l", "--lines", "-c", "--bytes", "-w", "--words", "-m", "--chars"], &[], &[]),
        words: Words::some(Type::Path),
        after: After::Positionals,
        required: &[],
        deep: &[],
        dangers: &[danger(&["--files0-from"], "reads names from a file")],
    }),
    samples: &["wc -l a.rs"],
};

/// echo, of words as they stand.
pub(super) static ECHO: Table = Table {
    name: "echo",
    manual: "bash 5.2",
    runs: false,
    env: &[],
    node: Node::Arguments(&Arguments {
        flags: &Flags::apart(&["-n"], &[], &[]),
        words: Words::any(Type::Literal),
        after: After::Never,
        required: &[],
        deep: &[],
        dangers: &[danger(&["-e", "-E"], "reads escapes, which can move the cursor or set the terminal's title")],
    }),
    samples: &["echo a"],
};

/// pwd.
pub(super) static PWD: Table =
    Table { name: "pwd", manual: "bash 5.2", runs: false, env: &[], node: SILENT, samples: &["pwd"] };

/// true.
pub(super) static TRUE: Table =
    Table { name: "true", manual: "bash 5.2", runs: false, env: &[], node: SILENT, samples: &["true"] };

const SILENT: Node = Node::Arguments(&Arguments {
    flags: Flags::NONE,
    words: Words::NONE,
    after: After::Never,
    required: &[],
    deep: &[],
    dangers: &[],
});
