//! One path, proven to be inside by its words and by what the disk says about it.

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

use super::ground::{Ground, short};
use super::{names, reason, secrets};
use crate::domain::facts::PathKind;
use crate::domain::tables::Use;
use crate::domain::verdict::Reason;

/// Longer paths are looked at by nobody.
const MAX_BYTES: usize = 1024;

impl Ground<'_> {
    /// Proves a file that an edit names.
    pub(super) fn target(&self, text: &str) -> Result<(), Reason> {
        shape(text)?;
        // `$id.tsx` is a name that routers use; a variable in front is somebody's hope that it is put in.
        let variable =
            text.strip_prefix('$').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase() || c == '{'));
        if variable || text.contains("${") || text.contains('`') {
            return Err(about("odd_path", text, "has a sign of the shell's own language"));
        }
        if is_here(text) {
            return self.here(text, Use::Write);
        }
        self.resolved(text, text, Use::Write)?;
        let real = self.facts.paths.get(text).map(|fact| fact.real.as_str());
        let lexical = self.absolute(text);
        let run_from = |path: &str| self.places.below(path).is_none_or(|parts| names::is_run_from(&parts));
        if run_from(&lexical) || real.is_none_or(run_from) {
            return Err(about("protected_path", text, "is in a folder from which programs are run"));
        }
        Ok(())
    }

    /// Proves a path of a command; `key` is the word with the folders that the same line went to before it.
    pub(super) fn path(&self, text: &str, key: &str, usage: Use) -> Result<(), Reason> {
        shape(text)?;
        // Quoted, these are letters like any other; but then the command that was meant is not the one that would run.
        if text.contains(['$', '{', '}', '&', ';', '\'', '!']) {
            return Err(about("odd_path", text, "has a sign of the shell's own language"));
        }
        if is_here(text) || text == self.cwd {
            return self.here(key, usage);
        }
        self.resolved(text, key, usage)
    }

    /// `.`: the working folder, proven already, or a folder that the line went to, proven then.
    fn here(&self, key: &str, usage: Use) -> Result<(), Reason> {
        match usage {
            Use::Read | Use::Enter => Ok(()),
            Use::Tree | Use::Search => self.judged(".", &self.absolute(key), usage),
            Use::Write => Err(about("whole_tree", ".", "is the folder that it would run in")),
        }
    }

    fn resolved(&self, text: &str, key: &str, usage: Use) -> Result<(), Reason> {
        let lexical = self.absolute(key);
        self.judged(text, &lexical, usage)?;
        let Some(fact) = self.facts.paths.get(key) else {
            return Err(about("path_unknown", text, "was not looked up on the disk, so where it leads is not known"));
        };
        if fact.kind == PathKind::Other {
            return Err(about("odd_file", text, "is neither a plain file nor a folder"));
        }
        if usage == Use::Enter && fact.kind != PathKind::Dir {
            return Err(about(
                "no_folder",
                text,
                "is not known to be a folder, so where the next commands run is not known",
            ));
        }
        if !fact.inside || self.places.below(&fact.real).is_none() {
            return Err(about("link_outside", text, "leads outside the worktree and the repository on the disk"));
        }
        // What is proven of a file's name says nothing about the files below a folder.
        let usage = if usage == Use::Read && fact.kind == PathKind::Dir && self.in_git(&lexical, &fact.real) {
            Use::Tree
        } else {
            usage
        };
        self.judged(text, &fact.real, usage)?;
        self.judged(text, &lexical, usage)
    }

    fn in_git(&self, lexical: &str, real: &str) -> bool {
        let git = |path: &str| self.places.below(path).is_none_or(|parts| names::is_git_folder(&parts));
        git(lexical) || git(real)
    }

    /// Judges a path by its names, as written or as the disk has it.
    fn judged(&self, text: &str, path: &str, usage: Use) -> Result<(), Reason> {
        let Some(parts) = self.places.below(path) else {
            return Err(about("path_outside", text, "is outside the worktree and the repository"));
        };
        if secrets::is_secret(&parts) {
            return Err(about("secret_name", text, "is a file that usually holds secrets"));
        }
        let covers = || self.places.holds_a_root(path) || self.places.holds(path, self.cwd);
        match usage {
            Use::Enter if names::is_git_folder(&parts) => Err(about("protected_path", text, "is git's own folder")),
            Use::Tree | Use::Search if names::is_git_folder(&parts) => {
                Err(about("secret_name", text, "is git's own folder, whose configuration may hold secrets"))
            }
            Use::Tree if parts.is_empty() => Err(about(
                "whole_tree",
                text,
                "is the whole repository, hidden files such as `.env` included; rg leaves those out",
            )),
            Use::Write if names::is_protected(&parts) => {
                Err(about("protected_path", text, "is a file by which programs are started or agents are configured"))
            }
            Use::Write if covers() => Err(about("whole_tree", text, "is the working folder itself, or holds it")),
            Use::Read | Use::Enter | Use::Tree | Use::Search | Use::Write => Ok(()),
        }
    }

    fn absolute(&self, key: &str) -> String {
        if key.starts_with('/') { key.to_owned() } else { format!("{}/{key}", self.cwd) }
    }
}

/// A path that the command does not look up on the disk itself: judged by its names alone.
pub(super) fn named(text: &str) -> Result<(), Reason> {
    let parts: Vec<&str> = text.split(['/', '=', ':', ',']).filter(|part| !part.is_empty()).collect();
    if text.starts_with(['/', '~']) || parts.contains(&"..") {
        return Err(about("path_outside", text, "is outside the worktree and the repository"));
    }
    if secrets::is_secret(&parts) {
        return Err(about("secret_name", text, "is a file that usually holds secrets"));
    }
    Ok(())
}

/// Whether a word is the folder that one is in.
pub(super) fn is_here(text: &str) -> bool {
    matches!(text, "." | "./")
}

/// Whether a path can be read in one way only: no step up, no home folder, no pattern, no look-alike sign.
fn shape(text: &str) -> Result<(), Reason> {
    if text.is_empty() || text.len() > MAX_BYTES || text.trim() != text {
        return Err(about("odd_path", text, "is empty, too long, or begins or ends in a blank"));
    }
    if text.starts_with('~') {
        return Err(about("home_path", text, "begins with `~`, a home folder"));
    }
    let parts = || text.split('/');
    // `...` and `…` are how dialogs shorten a path.
    let dots = |part: &str| part.len() > 1 && part.chars().all(|c| c == '.' || c == ' ');
    // Also inside a name: the seed takes no `..` at all.
    if parts().any(|part| part == ".." || (part.contains("..") && !dots(part))) {
        return Err(about("traversal", text, "has `..` in it"));
    }
    if parts().any(dots) || !text.chars().all(is_path_char) {
        return Err(about("odd_path", text, "has a character or a part that may not be what it seems"));
    }
    let drive = text.as_bytes().get(1) == Some(&b':') && text.starts_with(|c: char| c.is_ascii_alphabetic());
    if drive || text.contains("://") {
        return Err(about("odd_path", text, "is not a plain path"));
    }
    Ok(())
}

/// Letters, digits and marks of any script; of the signs only ASCII's, and no pattern, quote or backslash.
fn is_path_char(c: char) -> bool {
    if c.is_ascii() {
        return matches!(c, ' '..='~') && !matches!(c, '\\' | '*' | '?' | '"' | '<' | '>' | '|' | '`');
    }
    let marks = c.general_category_group() == GeneralCategoryGroup::Mark;
    crate::domain::shell::is_seen(c) && (c.is_alphanumeric() || marks)
}

fn about(code: &str, text: &str, what: &str) -> Reason {
    reason(code, format!("`{}` {what}.", short(text)))
}
