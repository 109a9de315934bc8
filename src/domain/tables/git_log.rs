//! git diff, log and show.

use super::git::COUNT;
use super::grammar::{After, Arguments, Danger, Flags, Spelling, Type, Words, danger};

const DANGERS: &[Danger] = &[
    danger(&["--output"], "makes git write a file"),
    danger(&["--ext-diff", "--textconv"], "runs the programs that the configuration names for differences"),
    danger(&["--no-index"], "compares files outside the repository"),
    danger(&["-O"], "reads the order from a file"),
    danger(&["--show-signature"], "starts the signature program"),
    danger(&["--help"], "opens a pager"),
    danger(&["--ignore-revs-file", "--stdin"], "reads from a file or the terminal"),
];

const COLOR: Type = Type::OneOf(&["always", "never", "auto"]);
const WORDS: Type = Type::OneOf(&["color", "plain", "porcelain", "none"]);
const FILTER: Type = Type::Checked(diff_filter);

/// Flags of a difference without a value.
macro_rules! diff_flags {
    ($($more:literal),* $(,)?) => {
        &[
            "--numstat", "--shortstat", "--name-only", "--name-status", "-p", "-u", "--patch", "-w", "-b", "--ignore-all-space",
            "--ignore-space-change", "--ignore-space-at-eol", "--ignore-blank-lines", "--minimal", "--patience", "--histogram",
            "--pickaxe-regex", "--pickaxe-all", "-R", "--no-color", "--quiet", "-q", "--summary", "--compact-summary",
            "--patch-with-stat", "--no-ext-diff", "--no-textconv", "--no-renames", "--raw", "-W", "--function-context", "--full-index",
            "-a", "--text", "--check", "-s", "--no-patch", "--no-prefix", "--relative", $($more),*
        ]
    };
}

/// Flags of a difference with a value.
macro_rules! diff_values {
    ($($more:expr),* $(,)?) => {
        &[
            (&["-U", "--unified"], Type::Number),
            (&["--diff-filter"], FILTER),
            (&["-S", "-G"], Type::Opaque),
            (&["--diff-algorithm"], Type::OneOf(&["patience", "minimal", "histogram", "myers", "default"])),
            $($more),*
        ]
    };
}

/// Flags of a difference whose value may be missing.
macro_rules! diff_optional {
    ($($more:expr),* $(,)?) => {
        &[
            (&["--stat"], Type::Checked(stat)),
            (&["--word-diff"], WORDS),
            (&["--color"], COLOR),
            (&["-M", "--find-renames", "--find-copies", "--abbrev"], COUNT),
            (&["--dirstat"], Type::Checked(stat)),
            $($more),*
        ]
    };
}

/// Flags that choose and print commits.
macro_rules! log_flags {
    () => {
        diff_flags!(
            "--oneline",
            "--graph",
            "--follow",
            "--no-merges",
            "--merges",
            "--first-parent",
            "--all",
            "--reverse",
            "--abbrev-commit",
            "--no-abbrev-commit",
            "--no-decorate",
            "--left-right",
            "--cherry-pick",
            "--cherry-mark",
            "--topo-order",
            "--date-order",
            "--author-date-order",
            "-i",
            "--regexp-ignore-case",
            "-E",
            "--extended-regexp",
            "-F",
            "--fixed-strings",
            "-P",
            "--perl-regexp",
            "--all-match",
            "--invert-grep",
            "--full-history",
            "--show-pulls",
            "--simplify-by-decoration",
            "--source",
            "--relative-date",
            "--parents",
            "--children",
            "--boundary",
            "-m",
            "-c",
            "--cc",
            "--no-notes"
        )
    };
}

const FORMATS: (&[&str], Type) = (&["--format"], Type::Format);
const PRETTY: (&[&str], Type) = (&["--pretty"], Type::Format);
const DECORATE: (&[&str], Type) = (&["--decorate"], Type::OneOf(&["short", "full", "auto", "no"]));
const DATE: (&[&str], Type) = (&["--date"], Type::Checked(date_style));

/// `git diff`.
pub(super) static DIFF: Arguments = Arguments {
    flags: &Flags {
        spelling: Spelling::Gnu,
        plain: diff_flags!("--cached", "--staged", "--merge-base", "--exit-code"),
        valued: diff_values!(),
        attached: diff_optional!(),
        numbers: false,
    },
    words: Words::any(Type::RevisionOrPath),
    after: After::Only(Type::Pathspec),
    required: &[],
    deep: &[],
    dangers: DANGERS,
};

/// `git log`.
pub(super) static LOG: Arguments = Arguments {
    flags: &Flags {
        spelling: Spelling::Gnu,
        plain: log_flags!(),
        valued: diff_values!(
            (&["-n", "--max-count", "--skip"], Type::Number),
            (&["--since", "--after", "--until", "--before", "--author", "--committer", "--grep"], Type::Opaque),
            DATE
        ),
        attached: diff_optional!(
            FORMATS,
            PRETTY,
            DECORATE,
            (&["--branches", "--tags", "--remotes", "--glob", "--exclude"], Type::Opaque)
        ),
        numbers: true,
    },
    words: Words::any(Type::RevisionOrPath),
    after: After::Only(Type::Pathspec),
    required: &[],
    deep: &[],
    dangers: DANGERS,
};

/// `git show`.
pub(super) static SHOW: Arguments = Arguments {
    flags: &Flags {
        spelling: Spelling::Gnu,
        plain: log_flags!(),
        valued: diff_values!((&["-n", "--max-count"], Type::Number), DATE),
        attached: diff_optional!(FORMATS, PRETTY, DECORATE),
        numbers: true,
    },
    words: Words::any(Type::RevisionOrPath),
    after: After::Only(Type::Pathspec),
    required: &[],
    deep: &[],
    dangers: DANGERS,
};

/// Letters of `--diff-filter`.
fn diff_filter(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphabetic() || c == '*')
}

/// `80,40,5`, `files,10`.
fn stat(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == ',' || c == '.')
}

/// `short`, `iso-strict`, `format:%Y-%m-%d`.
fn date_style(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || " -:%.,/_".contains(c))
}
