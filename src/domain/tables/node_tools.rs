//! tsc, vitest and eslint.

use super::checks::{extensions, filter, word};
use super::grammar::{After, Arguments, Choose, Danger, Flags, Node, Spelling, Table, Type, Words, danger};

const ENV: &[&str] = &["NODE_OPTIONS", "NODE_PATH", "ESLINT_*", "VITEST_*", "VITE_*", "TSC_*"];

/// The TypeScript compiler, which may only check.
pub(super) static TSC: Table = Table {
    name: "tsc",
    manual: "TypeScript 7.0.2",
    runs: false,
    env: ENV,
    node: Node::Arguments(&TSC_ARGUMENTS),
    samples: &["tsc --noEmit", "tsc --noEmit -p web"],
};

/// Also behind `yarn tsc` and `pnpm tsc`.
pub(super) static TSC_ARGUMENTS: Arguments = Arguments {
    flags: &Flags {
        spelling: Spelling::Tsc,
        plain: &[
            "--noEmit",
            "--skipLibCheck",
            "--listFiles",
            "--diagnostics",
            "--extendedDiagnostics",
            "--traceResolution",
            "--explainFiles",
            "--showConfig",
        ],
        valued: &[(&["-p", "--project"], Type::Path)],
        attached: &[(
            &["--pretty", "--strict", "--noUnusedLocals", "--noUnusedParameters"],
            Type::OneOf(&["true", "false"]),
        )],
        numbers: false,
    },
    words: Words::any(Type::Source),
    after: After::Never,
    // Without it the compiler writes its output next to the sources.
    required: &[&["--noEmit"]],
    deep: &[],
    dangers: &[
        danger(
            &["--outDir", "--outFile", "--declarationDir", "--declaration", "-d", "--emitDeclarationOnly"],
            "makes the compiler write files",
        ),
        danger(&["--build", "-b"], "writes the output of every project"),
        danger(&["--watch", "-w"], "never ends and takes the pane"),
        danger(&["--init"], "writes a file"),
        danger(&["--plugins"], "loads code"),
        danger(
            &["--tsBuildInfoFile", "--incremental", "--composite", "--generateTrace", "--generateCpuProfile"],
            "writes files",
        ),
        danger(&["--rootDir", "--baseUrl", "--typeRoots", "--locale"], "reads from elsewhere"),
        danger(&["@args.txt"], "reads more flags from a file"),
        danger(&["--NOEMIT", "--noemit"], "is not the exact spelling"),
    ],
};

/// vitest, one run.
pub(super) static VITEST: Table = Table {
    name: "vitest",
    manual: "vitest 4.1.12",
    runs: true,
    env: ENV,
    node: VITEST_NODE,
    samples: &["vitest run", "vitest run src/a.test.ts"],
};

/// Also behind `yarn vitest` and `pnpm vitest`. Without `run` in the first place vitest watches and takes the pane.
pub(super) const VITEST_NODE: Node = Node::Choose(&Choose {
    flags: Flags::NONE,
    choices: &[(&["run"], Node::Arguments(&VITEST_RUN))],
    otherwise: None,
    alone: false,
    dangers: VITEST_DANGERS,
});

static VITEST_RUN: Arguments = Arguments {
    flags: &Flags::apart(
        &[
            "--coverage",
            "--silent",
            "--no-color",
            "--passWithNoTests",
            "--run",
            "--allowOnly",
            "--hideSkippedTests",
            "--typecheck",
        ],
        &[
            (&["-t", "--testNamePattern"], Type::Opaque),
            (
                &["--reporter"],
                Type::OneOf(&[
                    "default",
                    "basic",
                    "verbose",
                    "dot",
                    "json",
                    "tap",
                    "tap-flat",
                    "junit",
                    "tree",
                    "hanging-process",
                    "github-actions",
                    "agent",
                    "minimal",
                ]),
            ),
            (&["--bail", "--retry", "--testTimeout", "--maxWorkers"], Type::Number),
            (&["--project"], Type::Checked(filter)),
            (&["--shard"], Type::Checked(word)),
        ],
        &[],
    ),
    words: Words::any(Type::Path),
    after: After::Never,
    required: &[],
    deep: &[],
    dangers: VITEST_DANGERS,
};

const VITEST_DANGERS: &[Danger] = &[
    danger(
        &["--config", "-c", "--globalSetup", "--setupFiles", "--environment", "--runner", "--snapshotEnvironment"],
        "makes vitest load code from the file it names",
    ),
    danger(&["--root", "-r", "--dir"], "works in another folder"),
    danger(
        &["--outputFile", "--outputFile.json", "--coverage.reportsDirectory", "--cache.dir", "--attachmentsDir"],
        "writes a file",
    ),
    danger(
        &["--ui", "--api", "--api.host", "--api.port", "--open", "--inspect", "--inspectBrk", "--inspect-brk"],
        "opens a server",
    ),
    danger(&["--browser", "--browser.name", "--browser.provider"], "starts a browser"),
    danger(&["--watch", "-w", "--standalone"], "never ends and takes the pane"),
    danger(&["-u", "--update"], "rewrites snapshots"),
    danger(&["--pool", "--poolOptions", "--execArgv"], "changes the program that runs the tests"),
    danger(&["--coverage.provider", "--coverage.customProviderModule", "--diff", "--alias"], "loads code"),
    danger(&["--mergeReports", "--merge-reports"], "reads reports from elsewhere"),
];

/// eslint, which may only report.
pub(super) static ESLINT: Table = Table {
    name: "eslint",
    manual: "eslint 10.15.0",
    runs: true,
    env: ENV,
    node: Node::Arguments(&ESLINT_ARGUMENTS),
    samples: &["eslint src", "eslint --quiet src"],
};

/// Also behind `yarn eslint` and `pnpm eslint`.
pub(super) static ESLINT_ARGUMENTS: Arguments = Arguments {
    flags: &Flags::apart(
        &[
            "--quiet",
            "--no-color",
            "--color",
            "--cache",
            "--no-error-on-unmatched-pattern",
            "--report-unused-disable-directives",
            "--no-warn-ignored",
            "--stats",
        ],
        &[
            (&["--ext"], Type::Checked(extensions)),
            (&["--max-warnings"], Type::Number),
            (&["-f", "--format"], Type::OneOf(&["stylish", "json", "html"])),
        ],
        &[],
    ),
    words: Words::any(Type::Pattern),
    after: After::Positionals,
    required: &[],
    deep: &[],
    dangers: &[
        danger(
            &["-c", "--config", "--no-config-lookup", "--no-eslintrc"],
            "takes its configuration, which is code, from elsewhere",
        ),
        danger(
            &["--rulesdir", "--plugin", "--parser", "--parser-options", "--resolve-plugins-relative-to", "--ext-file"],
            "loads code from the place it names",
        ),
        danger(
            &["-o", "--output-file", "--cache-location", "--cache-file", "--suppressions-location"],
            "writes a file",
        ),
        danger(&["--fix", "--fix-dry-run", "--fix-type", "--suppress-all", "--prune-suppressions"], "rewrites sources"),
        danger(&["--init", "--mcp", "--inspect-config"], "starts another program"),
        danger(&["--stdin", "--stdin-filename"], "reads from the terminal"),
        danger(&["--ignore-path", "--no-ignore", "--env-info", "--flag", "--global"], "changes what is checked"),
    ],
};
