//! pnpm, yarn and bun, and what they share with npm: the scripts that the repository names, and nothing that fetches.

use super::checks::{filter, known_script, known_script_or_spaced, script, web_script};
use super::grammar::{After, Arguments, Choose, Danger, Flags, Node, Table, Type, Words, danger};
use super::node_tools::{ESLINT_ARGUMENTS, TSC_ARGUMENTS, VITEST_NODE};

/// Variables that Node and its package managers obey.
pub(super) const ENV: &[&str] = &[
    "NODE_OPTIONS",
    "NODE_PATH",
    "npm_config_*",
    "NPM_CONFIG_*",
    "pnpm_config_*",
    "PNPM_CONFIG_*",
    "YARN_*",
    "BUN_*",
    "COREPACK_*",
    "TS_NODE_*",
    "NODE_REPL_EXTERNAL_MODULE",
];

/// What test runners and linters take behind a script's name; whatever else is given could make them load code.
pub(super) static SCRIPT_ARGUMENTS: Arguments = Arguments {
    flags: &Flags::apart(
        &[
            "--run",
            "--coverage",
            "--silent",
            "--verbose",
            "--ci",
            "--bail",
            "--runInBand",
            "-i",
            "--quiet",
            "--no-color",
            "--color",
            "--passWithNoTests",
            "--check",
            "--list-different",
            "--noEmit",
            "--no-coverage",
            "--no-watch",
        ],
        &[
            (&["-t", "--testNamePattern", "--grep", "-g"], Type::Opaque),
            (&["--max-warnings", "--maxWorkers", "--retry", "--testTimeout"], Type::Number),
            (&["--project"], Type::Checked(filter)),
        ],
        &[
            (&["--watch", "--watchAll"], Type::OneOf(&["false"])),
            (
                &["--reporter"],
                Type::OneOf(&["verbose", "dot", "default", "basic", "list", "line", "spec", "json", "tap", "min"]),
            ),
        ],
    ),
    words: Words::any(Type::ScriptWord),
    after: After::Never,
    required: &[],
    deep: &[],
    dangers: &[
        danger(
            &[
                "--config",
                "-c",
                "--rulesdir",
                "--require",
                "-r",
                "--import",
                "--loader",
                "--preload",
                "--setupFiles",
                "--globalSetup",
            ],
            "makes the script load code from the file it names",
        ),
        danger(&["--eval", "-e", "--exec"], "runs code given on the line"),
        danger(&["--fix", "--write", "-u", "--update", "--updateSnapshot"], "rewrites files"),
        danger(&["--outputFile", "--output-file", "-o", "--outDir"], "writes a file"),
        danger(&["--ui", "--inspect", "--inspect-brk", "--host", "--api"], "opens a server"),
    ],
};

/// What all four do when asked for more.
pub(super) const COMMANDS: &[Danger] = &[
    danger(
        &["install", "i", "ci", "add", "update", "up", "upgrade"],
        "fetches packages and runs their install scripts",
    ),
    danger(&["exec", "x", "dlx", "npx", "create", "init", "node"], "runs any program, or fetches one"),
    danger(&["publish", "unpublish", "deprecate", "dist-tag", "owner", "access"], "changes a registry"),
    danger(&["login", "logout", "adduser", "token", "whoami"], "uses a credential"),
    danger(
        &[
            "config", "set", "get", "link", "unlink", "patch", "pack", "audit", "cache", "version", "prune", "rebuild",
            "remove",
        ],
        "writes outside the sources or changes settings",
    ),
    danger(&["-C", "--prefix", "--dir", "--cwd"], "works in another folder"),
    danger(&["-e", "--eval", "-p", "--print", "--preload"], "runs code given on the line"),
    danger(&["--config", "--userconfig", "--globalconfig", "--registry"], "takes settings from elsewhere"),
    danger(&["--script-shell", "--node-options", "--shell-emulator"], "changes the program that runs the scripts"),
];

pub(super) const RUN: &[Danger] = &[
    danger(&["-C", "--prefix", "--dir", "--cwd"], "works in another folder"),
    danger(&["--script-shell", "--node-options", "--shell"], "changes the program that runs the scripts"),
    danger(&["--registry", "--userconfig", "--globalconfig", "--config"], "takes settings from elsewhere"),
    danger(&["--ignore-scripts", "--foreground-scripts", "--allow-scripts"], "changes which scripts run"),
    danger(&["--preload", "-r", "--require", "--eval", "-e", "-p"], "runs code that the line names"),
];

/// pnpm.
pub(super) static PNPM: Table = Table {
    name: "pnpm",
    manual: "pnpm 12.21.0",
    runs: true,
    env: ENV,
    node: Node::Choose(&Choose {
        flags: &Flags::apart(
            &[
                "-r",
                "--recursive",
                "--silent",
                "-s",
                "--if-present",
                "-w",
                "--workspace-root",
                "--stream",
                "--no-bail",
                "--parallel",
            ],
            &[(&["--filter", "-F"], Type::PathOrName)],
            &[],
        ),
        choices: &[
            (&["run", "run-script"], Node::Skip(Type::Script(script), &SCRIPT)),
            (&["test", "t"], SCRIPT),
            (&["tsc"], Node::Arguments(&TSC_ARGUMENTS)),
            (&["eslint"], Node::Arguments(&ESLINT_ARGUMENTS)),
            (&["vitest"], VITEST_NODE),
        ],
        otherwise: Some((Type::Script(known_script), SCRIPT)),
        alone: false,
        dangers: COMMANDS,
    }),
    samples: &["pnpm test", "pnpm run build", "pnpm lint", "pnpm --filter web test", "pnpm -r run build"],
};

/// yarn.
pub(super) static YARN: Table = Table {
    name: "yarn",
    manual: "yarn 1.22.22",
    runs: true,
    env: ENV,
    node: Node::Choose(&Choose {
        flags: &Flags::apart(&["--silent", "-s"], &[], &[]),
        choices: &[
            (&["run"], Node::Skip(Type::Script(known_script_or_spaced), &SCRIPT)),
            (&["test"], SCRIPT),
            (&["workspace"], Node::Skip(Type::Checked(filter), &Node::Choose(&YARN_INNER))),
            (&["tsc"], Node::Arguments(&TSC_ARGUMENTS)),
            (&["eslint"], Node::Arguments(&ESLINT_ARGUMENTS)),
            (&["vitest"], VITEST_NODE),
        ],
        otherwise: Some((Type::Script(known_script), SCRIPT)),
        // `yarn` alone installs.
        alone: false,
        dangers: COMMANDS,
    }),
    samples: &["yarn test", "yarn run build", "yarn lint", "yarn workspace web test", "yarn tsc --noEmit"],
};

static YARN_INNER: Choose = Choose {
    flags: Flags::NONE,
    choices: &[(&["run"], Node::Skip(Type::Script(known_script_or_spaced), &SCRIPT)), (&["test"], SCRIPT)],
    otherwise: Some((Type::Script(known_script), SCRIPT)),
    alone: false,
    dangers: COMMANDS,
};

/// bun. `bun run NAME` falls back to files and programs, so the names are a closed list.
pub(super) static BUN: Table = Table {
    name: "bun",
    manual: "bun 1.4.5",
    runs: true,
    env: ENV,
    node: Node::Choose(&Choose {
        flags: Flags::NONE,
        choices: &[
            (&["run"], Node::Skip(Type::Script(known_script_or_spaced), &SCRIPT)),
            (&["test"], Node::Arguments(&BUN_TEST)),
        ],
        // `bun build` is the bundler, not a script.
        otherwise: Some((Type::Script(web_script), SCRIPT)),
        alone: false,
        dangers: COMMANDS,
    }),
    samples: &["bun test", "bun test src/a.test.ts", "bun run build", "bun lint"],
};

static BUN_TEST: Arguments = Arguments {
    flags: &Flags::apart(
        &["--only", "--todo", "--coverage"],
        &[(&["-t", "--test-name-pattern"], Type::Opaque), (&["--timeout", "--rerun-each"], Type::Number)],
        &[(&["--bail"], Type::Number)],
    ),
    words: Words::any(Type::Path),
    after: After::Never,
    required: &[],
    deep: &[],
    dangers: &[
        danger(&["--preload", "-r", "--require", "--import"], "loads code from the file it names"),
        danger(&["--config", "-c", "--env-file", "--tsconfig-override"], "takes settings from elsewhere"),
        danger(&["--cwd"], "works in another folder"),
        danger(&["--reporter-outfile", "--coverage-dir", "--update-snapshots", "-u"], "writes files"),
        danger(&["--inspect", "--watch", "--hot"], "keeps running"),
        danger(&["-e", "--eval", "-p", "--print"], "runs code given on the line"),
    ],
};

const SCRIPT: Node = Node::Arguments(&SCRIPT_ONLY);

/// pnpm, yarn and bun hand over all that follows the script's name.
static SCRIPT_ONLY: Arguments = Arguments {
    flags: SCRIPT_ARGUMENTS_FLAGS,
    words: Words::any(Type::ScriptWord),
    after: After::To(&SCRIPT_ARGUMENTS),
    required: &[],
    deep: &[],
    dangers: RUN,
};

const SCRIPT_ARGUMENTS_FLAGS: &Flags = &Flags::apart(
    &[
        "--run",
        "--coverage",
        "--silent",
        "--verbose",
        "--ci",
        "--bail",
        "--runInBand",
        "--quiet",
        "--no-color",
        "--color",
        "--check",
        "--noEmit",
    ],
    &[(&["-t", "--testNamePattern", "--grep"], Type::Opaque), (&["--max-warnings"], Type::Number)],
    &[(&["--watch", "--watchAll"], Type::OneOf(&["false"]))],
);
