//! pytest, and python -m pytest.

use super::checks::word;
use super::grammar::{After, Arguments, Choose, Flags, Node, Table, Type, Words, danger};

const ENV: &[&str] = &["PYTEST_*", "PYTHON*", "COVERAGE_*", "PY_COLORS_FILE"];

/// pytest by its own name.
pub(super) static PYTEST: Table = Table {
    name: "pytest",
    manual: "pytest 9.2.0",
    runs: true,
    env: ENV,
    node: Node::Arguments(&ARGUMENTS),
    samples: &["pytest", "pytest tests", "pytest -q tests/test_a.py"],
};

/// `python -m pytest`.
pub(super) static PYTHON: Table = Table {
    name: "python",
    manual: "Python 3.11.7, pytest 9.2.0",
    runs: true,
    env: ENV,
    node: Node::Choose(&MODULE),
    samples: &["python -m pytest", "python -m pytest tests"],
};

/// `python3 -m pytest`.
pub(super) static PYTHON3: Table = Table {
    name: "python3",
    manual: "Python 3.11.7, pytest 9.2.0",
    runs: true,
    env: ENV,
    node: Node::Choose(&MODULE),
    samples: &["python3 -m pytest", "python3 -m pytest tests"],
};

static MODULE: Choose = Choose {
    flags: Flags::NONE,
    choices: &[(&["-m"], Node::Choose(&ONLY_PYTEST))],
    otherwise: None,
    alone: false,
    dangers: &[
        danger(&["-c"], "runs code given on the line"),
        danger(&["-i"], "opens an interactive interpreter"),
        danger(&["-X", "-W", "-E", "-I", "-O", "-S", "-s", "-B", "-u", "-v"], "changes how the interpreter starts"),
        danger(&["setup.py", "script.py"], "runs a file"),
    ],
};

static ONLY_PYTEST: Choose = Choose {
    flags: Flags::NONE,
    choices: &[(&["pytest"], Node::Arguments(&ARGUMENTS))],
    otherwise: None,
    alone: false,
    dangers: &[
        danger(&["pip", "venv", "ensurepip"], "installs packages"),
        danger(&["http.server"], "opens a server"),
        danger(&["unittest", "pdb", "timeit", "code"], "runs other code than pytest"),
    ],
};

static ARGUMENTS: Arguments = Arguments {
    flags: &Flags::gnu(
        &[
            "-q",
            "--quiet",
            "-v",
            "--verbose",
            "-x",
            "--exitfirst",
            "-s",
            "-l",
            "--showlocals",
            "--lf",
            "--last-failed",
            "--ff",
            "--failed-first",
            "--nf",
            "--new-first",
            "--sw",
            "--stepwise",
            "--stepwise-skip",
            "--co",
            "--collect-only",
            "--no-header",
            "--no-summary",
            "--disable-warnings",
            "--strict-markers",
            "--strict-config",
            "--runxfail",
            "--full-trace",
            "--markers",
            "--fixtures",
            "--setup-show",
        ],
        &[
            (&["-k", "-m"], Type::Opaque),
            (&["--maxfail", "--durations", "--durations-min"], Type::Number),
            (&["--tb"], Type::OneOf(&["auto", "long", "short", "line", "native", "no"])),
            (&["-r"], Type::Checked(word)),
            (&["-n"], Type::Checked(word)),
            (&["--color"], Type::OneOf(&["yes", "no", "auto"])),
            (&["--capture"], Type::OneOf(&["fd", "sys", "no", "tee-sys"])),
            (&["--show-capture"], Type::OneOf(&["no", "stdout", "stderr", "log", "all"])),
        ],
        &[],
    ),
    words: Words::any(Type::TestTarget),
    after: After::Positionals,
    required: &[],
    deep: &[],
    dangers: &[
        danger(&["-p"], "loads any module as a plugin"),
        danger(&["-c", "--config-file", "-o", "--override-ini"], "takes settings from elsewhere, which can load code"),
        danger(&["--rootdir", "--confcutdir"], "takes the project's root from elsewhere"),
        danger(&["--basetemp"], "removes the folder that it names"),
        danger(&["--junitxml", "--junit-xml", "--log-file", "--html", "--report-log"], "writes a file"),
        danger(&["--debug", "--cache-clear", "--inline-snapshot", "--snapshot-update"], "writes or deletes files"),
        danger(&["--pyargs", "--import-mode", "--doctest-modules"], "imports modules by name"),
        danger(&["--pdb", "--trace", "--pdbcls"], "opens a debugger and takes the pane"),
        danger(&["--pastebin"], "sends the output to a website"),
        danger(&["--cov", "--cov-report", "--cov-config"], "writes files"),
        danger(&["-W", "--pythonwarnings"], "imports the module that a filter names"),
    ],
};
