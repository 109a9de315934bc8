//! From a typed word to what must be proven about it.

use super::grammar::Type;
use super::{checks, globs};

/// What a path is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// It is read.
    Read,
    /// All of it is read, hidden files too.
    Tree,
    /// All of it is read, except hidden and ignored files.
    Search,
    /// It is written or removed.
    Write,
    /// The shell goes there.
    Enter,
}

/// What a word makes a command touch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// A path on the disk.
    Path {
        /// As written.
        text: String,
        /// What for.
        usage: Use,
    },
    /// A path that is not looked up on the disk by the command itself: of a revision, or handed to a script.
    Named(String),
    /// An address.
    Url(String),
}

/// What a word of a type claims, or the sentence why it is not of that type.
pub(super) fn of(kind: Type, text: &str) -> Result<Option<Claim>, &'static str> {
    let path = |usage| Ok(Some(Claim::Path { text: text.to_owned(), usage }));
    match kind {
        Type::Written => path(Use::Write),
        Type::Folder => path(Use::Enter),
        // `false` or `null` behind a switch would turn it off.
        Type::Source if !checks::source(text) => Err("is not the name of a source file"),
        Type::Pattern => globs::pattern(text),
        Type::TestTarget => test_target(text),
        Type::PathOrName if checks::filter(text) && (text.starts_with('@') || !text.contains('/')) => Ok(None),
        Type::Path | Type::PathOrName | Type::Source => path(Use::Read),
        Type::GoPackage => go_package(text),
        Type::RevisionOrPath if is_revision_like(text) => revision(text),
        Type::Pathspec | Type::RevisionOrPath => pathspec(text),
        Type::Opaque => accept(!is_expansion(text), "was meant to be replaced by a value"),
        Type::Literal => accept(!is_expansion(text) && !text.contains(SIGNS), "has a sign of the shell's own language"),
        Type::Filter => globs::choosing(text),
        Type::LeftOut => accept(globs::leaves_out(text), "is no plain pattern"),
        Type::Searched => path(Use::Search),
        Type::Number => accept(checks::number(text), "is no number"),
        Type::OneOf(words) => accept(words.contains(&text), "is none of the accepted values"),
        Type::Checked(check) => accept(check(text), "is none of the accepted words"),
        Type::Script(check) => accept(check(text), "is no script that may be started unasked by its name"),
        Type::ScriptWord => script_word(text),
        Type::Format => accept(is_format(text), "is a format that may start a program or control the terminal"),
        // curl makes several addresses of one with these.
        Type::Url if text.contains(['[', ']', '{', '}']) => Err("is a pattern of addresses"),
        Type::Url => Ok(Some(Claim::Url(text.to_owned()))),
        Type::Nothing => Err("is one word too many"),
    }
}

/// Signs of the shell's own language. In quotes they are letters; where they make no sense as letters, what runs is not
/// what was meant.
const SIGNS: [char; 12] = ['$', '`', '\\', '&', ';', '|', '<', '>', '{', '}', '!', '"'];

/// A quoted `$x`, `$(…)` or backtick is text; a whole word of it was meant as something else.
fn is_expansion(text: &str) -> bool {
    text.starts_with(['$', '`']) || text.contains("$(") || text.contains("${")
}

pub(super) fn accept(good: bool, why: &'static str) -> Result<Option<Claim>, &'static str> {
    if good { Ok(None) } else { Err(why) }
}

pub(super) fn read(text: &str) -> Claim {
    Claim::Path { text: text.to_owned(), usage: Use::Read }
}

/// `tests/test_a.py::TestX::test_y[1]`.
fn test_target(text: &str) -> Result<Option<Claim>, &'static str> {
    // pytest reads more flags from `@file`.
    if text.starts_with('@') {
        return Err("makes pytest read more flags from a file");
    }
    let path = text.split_once("::").map_or(text, |(path, _)| path);
    // pytest cuts at the first bracket: it would open another path than the one that was looked up.
    if path.contains('[') {
        return Err("has a bracket in its path, where pytest cuts it");
    }
    Ok(Some(read(path)))
}

fn go_package(text: &str) -> Result<Option<Claim>, &'static str> {
    let is_path = text.starts_with(['.', '/']) || text.rsplit('.').next() == Some("go");
    if is_path {
        let base = text.strip_suffix("...").map_or(text, |base| base.strip_suffix('/').unwrap_or(base));
        return if base.is_empty() || base.ends_with("...") { Err("is no package") } else { Ok(Some(read(base))) };
    }
    if text.split('/').next().is_some_and(|host| host.contains('.') && text.contains('/')) {
        return Err("is the path of a module, which may be somebody else's code");
    }
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '~');
    let inner = text.strip_suffix("/...").unwrap_or(text);
    let good =
        inner.starts_with(|c: char| c.is_ascii_alphanumeric()) && inner.chars().all(plain) && !inner.contains("..");
    accept(good, "is no package")
}

/// Signs by which a path of git may name other files than it spells.
const GIT_SIGNS: [char; 7] = ['*', '?', '[', ']', '\\', '{', '}'];

fn pathspec(text: &str) -> Result<Option<Claim>, &'static str> {
    // `:(…)`, `:/` and `:!` are git's own language; the others are patterns that git expands
    // itself, quoted or not.
    if text.starts_with(':') || text.contains(GIT_SIGNS) {
        return Err("is a pattern, and which files it names is not known here");
    }
    Ok(Some(read(text)))
}

/// Whether git would look for a revision of this name first, and no file is likely to be called so: such a word needs no
/// fact. Even if it were a file's name, git would look at it inside the repository only, and never follow a link.
pub(crate) fn is_revision_like(text: &str) -> bool {
    if text.starts_with(['-', '/', '.']) {
        return false;
    }
    // A path of a revision is looked up in git's own store.
    if text.contains(':') {
        return true;
    }
    let marks = text.contains("..") || text.contains('~') || text.contains('^') || text.contains("@{");
    let plain = !text.contains('/') && !text.contains('.');
    let version = text
        .strip_prefix('v')
        .unwrap_or(text)
        .split('.')
        .all(|part| part.chars().all(|c| c.is_ascii_digit()) && !part.is_empty());
    (marks && text.split('/').all(|part| part != "..")) || plain || version
}

/// `HEAD~1`, `main..dev`, `v1.2:src/lib.rs`.
fn revision(text: &str) -> Result<Option<Claim>, &'static str> {
    let plain = |c: char| {
        c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '/' | '@' | '{' | '}' | '^' | '~' | '-' | '+' | '#')
    };
    let (name, path) = text.split_once(':').map_or((text, None), |(name, path)| (name, Some(path)));
    let traverses = name.split('/').any(|part| part == "..");
    let good = name.starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '@' | '^'))
        && name.chars().all(plain);
    if !good || traverses || name.starts_with('/') {
        return Err("is no plain revision");
    }
    match path {
        Some(path) if path.is_empty() || path.contains(':') || path.contains(GIT_SIGNS) => Err("is no plain revision"),
        Some(path) => Ok(Some(Claim::Named(path.to_owned()))),
        None => Ok(Some(Claim::Named(name.to_owned()))),
    }
}

/// A word for a script: it may name something inside, never something outside.
fn script_word(text: &str) -> Result<Option<Claim>, &'static str> {
    let leaves = text.split(['=', ':', ',', ' ']).any(|part| part.starts_with(['/', '~', '\\']));
    let traverses = text.split(['/', '=', ':', ',', '\\']).any(|part| part == "..");
    if text.contains(SIGNS) {
        return Err("has a sign of the shell's own language");
    }
    if text.is_empty() || leaves || traverses {
        return Err("names something outside the repository");
    }
    // `npm run cdk deploy`: the verb is the argument.
    if checks::is_sending_word(text) {
        return Err("says that the script sends something away, installs it or never ends");
    }
    Ok(Some(Claim::Named(text.to_owned())))
}

/// One of git's own formats, or one of placeholders that only print. `%G` asks the signature program.
fn is_format(text: &str) -> bool {
    const NAMES: &[&str] = &["oneline", "short", "medium", "full", "fuller", "reference", "email", "raw"];
    if NAMES.contains(&text) {
        return true;
    }
    let body = text.strip_prefix("format:").or_else(|| text.strip_prefix("tformat:"));
    let Some(body) = body.or_else(|| text.contains('%').then_some(text)) else { return false };
    let mut rest = body;
    while let Some(at) = rest.find('%') {
        rest = &rest[at + 1..];
        if rest.starts_with('G') || (rest.starts_with('(') && !rest.starts_with("(trailers")) {
            return false;
        }
        // `%x1b` would send a terminal's control code.
        if rest.starts_with('x') && !["x00", "x09", "x0a", "x20"].iter().any(|code| rest.starts_with(code)) {
            return false;
        }
        rest = rest.strip_prefix('%').unwrap_or(rest);
    }
    true
}
