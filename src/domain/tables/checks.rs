//! What single words may look like: always the characters that are accepted, never those that are not.

/// Words in a script's or a target's name by which it says that it sends something away, installs it, changes what others
/// use, or never ends.
const SENDS: &[&str] = &[
    "upload",
    "install",
    "preinstall",
    "postinstall",
    "uninstall",
    "prepare",
    "prepack",
    "postpack",
    "login",
    "ship",
    "promote",
    "rollout",
    "provision",
    "apply",
    "drop",
    "nuke",
    "rollback",
    "migrate",
    "prod",
    "production",
    "ssh",
    "rsync",
    "tag",
    "bump",
    "reset",
    "watch",
    "dev",
    "serve",
    "start",
    "shell",
];

/// The same, also when they are only a part of a word: `redeploy`, `dockerpush`.
const SENDS_WITHIN: &[&str] = &["deploy", "publish", "release", "destroy", "push"];

/// Words that a script's name begins with when it builds or checks.
const CHECKS: &[&str] = &[
    "lint",
    "build",
    "typecheck",
    "test",
    "tests",
    "check",
    "format",
    "fmt",
    "types",
    "type",
    "unit",
    "e2e",
    "coverage",
];

/// A name: of a package, a target, a profile.
pub(super) fn name(text: &str) -> bool {
    begins_plain(text) && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '@'))
}

/// The part of a test's name by which it is chosen.
pub(super) fn test_name(text: &str) -> bool {
    begins_plain(text)
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | ':' | '.' | '-' | '/' | ' ' | ','))
}

/// A short word of letters and digits.
pub(super) fn word(text: &str) -> bool {
    !text.is_empty()
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '/'))
        && !text.contains("..")
        && !text.starts_with('/')
}

/// `a,b/c` or `a b`, of features or kinds of dependency.
pub(super) fn features(text: &str) -> bool {
    begins_plain(text)
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ',' | '/' | '?' | '+' | ' ' | '.'))
}

/// `x86_64-unknown-linux-gnu`; a path to a target's description is none.
pub(super) fn triple(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    (2..=5).contains(&parts.len())
        && parts.iter().all(|part| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
}

/// A lint's name: `warnings`, `clippy::pedantic`.
pub(super) fn lint(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '-' | ':'))
}

/// Whole numbers and fractions: `4`, `0.5`.
pub(super) fn number(text: &str) -> bool {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    digits(whole) && digits(fraction)
}

/// `50`, `50%`.
pub(super) fn count(text: &str) -> bool {
    digits(text.strip_suffix('%').unwrap_or(text))
}

/// `5`, `+5`.
pub(super) fn count_with_sign(text: &str) -> bool {
    digits(text.strip_prefix('+').unwrap_or(text))
}

/// `30s`, `1m30s`, `10x`, `100`.
pub(super) fn duration(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '.')
        && text.len() <= 16
}

/// Build tags, processor counts: `a,b`, `1,2,4`.
pub(super) fn go_features(text: &str) -> bool {
    begins_plain(text) && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | ',' | '.' | ' '))
}

/// A package by name, with its scope: `web`, `@acme/web`. No path, no range.
pub(super) fn filter(text: &str) -> bool {
    let bare = text.strip_prefix('@').unwrap_or(text);
    begins_plain(bare)
        && !bare.contains("..")
        && bare.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/'))
}

/// `.ts,.tsx`.
pub(super) fn extensions(text: &str) -> bool {
    !text.is_empty()
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | ','))
        && !text.contains("..")
}

/// The name of a file of TypeScript or JavaScript.
pub(super) fn source(text: &str) -> bool {
    let ending = text.rsplit_once('.').map_or("", |(_, ending)| ending);
    !text.starts_with('@') && matches!(ending, "ts" | "tsx" | "mts" | "cts" | "js" | "jsx" | "mjs" | "cjs")
}

/// `1,40p` or `42p`: what sed may do.
pub(super) fn line_range(text: &str) -> bool {
    let Some(range) = text.strip_suffix('p') else { return false };
    let (from, to) = range.split_once(',').unwrap_or((range, "1"));
    digits(from) && digits(to)
}

/// A target of a makefile, unless its name says that it sends or installs.
pub(super) fn target(text: &str) -> bool {
    // A number is what `-j 8` means.
    let plain = text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '-'));
    (plain && !sends(text)) || digits(text)
}

/// A script of a package, unless its name says that it sends, installs or never ends.
pub(super) fn script(text: &str) -> bool {
    begins_plain(text)
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ':'))
        && !text.contains("..")
        && !sends(text)
        // npm and yarn bring this one along: it prints the environment, secrets included.
        && !text.eq_ignore_ascii_case("env")
}

/// A script that is known by its name to build or check.
pub(super) fn known_script(text: &str) -> bool {
    script(text) && !text.contains('.') && pieces(text).next().is_some_and(|piece| CHECKS.contains(&piece.as_str()))
}

/// The same, or one with a colon, which no program on the disk is called by.
pub(super) fn known_script_or_spaced(text: &str) -> bool {
    known_script(text) || (script(text) && text.contains(':'))
}

/// The same for bun, whose own `build` is a bundler.
pub(super) fn web_script(text: &str) -> bool {
    known_script(text) && text != "build"
}

/// Whether a name says that it sends something away, installs it or never ends.
fn sends(text: &str) -> bool {
    let folded = text.to_ascii_lowercase();
    // Words that are written as one with small letters are found as well as those with humps.
    SENDS_WITHIN.iter().any(|word| folded.contains(word))
        || pieces(text).any(|piece| is_sending(&piece))
        || humps(text).iter().any(|piece| is_sending(piece))
}

fn is_sending(piece: &str) -> bool {
    let stem = piece.trim_end_matches(|c: char| c.is_ascii_digit());
    // `make tags` is no plural of what tags a release.
    let single = stem.strip_suffix('s').filter(|single| single.len() > 3);
    SENDS.contains(&stem) || single.is_some_and(|single| SENDS.contains(&single))
}

/// Whether an argument of a script is such a word by itself; paths are not.
pub(super) fn is_sending_word(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '=' | ',')) && sends(text)
}

/// The words of a name by its signs and by its capital letters: `dbReset`, `runSSH`.
fn humps(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for c in text.chars() {
        if !c.is_ascii_alphanumeric() || (c.is_ascii_uppercase() && !before.is_ascii_uppercase()) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_ascii_alphanumeric()) {
            word.push(c.to_ascii_lowercase());
        }
        before = c;
    }
    words
}

fn pieces(text: &str) -> impl Iterator<Item = String> {
    text.split(['-', '_', ':', '.', '/', '=', ',']).map(str::to_ascii_lowercase)
}

fn begins_plain(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
}

fn digits(text: &str) -> bool {
    !text.is_empty() && text.len() <= 9 && text.chars().all(|c| c.is_ascii_digit())
}
