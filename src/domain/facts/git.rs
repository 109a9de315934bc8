//! Which of git's settings start a program, or reach for one, under the subcommands that are ever accepted unasked.
//!
//! Left out on purpose, because `status`, `diff`, `log`, `show`, `add` and `commit -m` never come to them and many
//! people set them: `alias.*` (git ignores an alias with the name of a built-in), editors, tools, and what only talks
//! to a remote (`credential.*`, `core.sshCommand`). A partial clone does talk to one, so what makes it one is here.

/// Stands among git's keys where the folder that git works on is not the lane's.
pub const ELSEWHERE: &str = "core.worktree";
/// Before the name of a hook that is there and may be started.
pub const HOOK: &str = "hooks/";

/// The hooks of the accepted subcommands. All but the first belong to `commit` alone.
pub const HOOKS: &[&str] = &[
    INDEX_HOOK,
    "pre-commit",
    "prepare-commit-msg",
    "commit-msg",
    "post-commit",
    "reference-transaction",
    "pre-auto-gc",
    "post-rewrite",
];

/// Started wherever the index is written, which `status` does too.
const INDEX_HOOK: &str = "post-index-change";

/// Which values of a setting matter.
#[derive(Clone, Copy)]
enum When {
    /// All but an empty one.
    Filled,
    /// All that do not say "no".
    On,
    /// A pager that is more than `cat`.
    Pager,
    /// Hooks somewhere; nowhere is how people turn them off.
    Somewhere,
    /// A format that asks about signatures.
    Signature,
}

/// Section, subsection (`*` for any, empty for none) and name (`*` for any), in git's own lower case.
const SETTINGS: &[(&str, &str, &str, When)] = &[
    ("core", "", "fsmonitor", When::On),
    ("core", "", "pager", When::Pager),
    ("pager", "", "*", When::On),
    ("core", "", "hookspath", When::Somewhere),
    ("hook", "*", "command", When::Filled),
    ("diff", "", "external", When::Filled),
    ("diff", "*", "command", When::Filled),
    ("diff", "*", "textconv", When::Filled),
    ("filter", "*", "clean", When::Filled),
    ("filter", "*", "smudge", When::Filled),
    ("filter", "*", "process", When::Filled),
    // `log --remerge-diff` can be a setting, and merges again.
    ("merge", "*", "driver", When::Filled),
    ("gpg", "", "program", When::Filled),
    ("gpg", "*", "program", When::Filled),
    ("gpg", "*", "defaultkeycommand", When::Filled),
    ("commit", "", "gpgsign", When::On),
    ("log", "", "showsignature", When::On),
    ("format", "", "pretty", When::Signature),
    ("pretty", "", "*", When::Signature),
    ("trailer", "*", "command", When::Filled),
    ("trailer", "*", "cmd", When::Filled),
    ("interactive", "", "difffilter", When::Filled),
    ("gc", "", "recentobjectshook", When::Filled),
    ("core", "", "alternaterefscommand", When::Filled),
    ("core", "", "virtualfilesystem", When::Filled),
    ("core", "", "gvfs", When::On),
    ("core", "", "usegvfshelper", When::On),
    // Objects that are missing are fetched in the middle of a `log -p`.
    ("remote", "*", "promisor", When::On),
    ("extensions", "", "partialclone", When::Filled),
];

/// Whether a setting starts a program; `value` is none where the key stands alone, which says "yes".
pub fn starts_program(key: &str, value: Option<&str>) -> bool {
    let Some((section, rest)) = key.split_once('.') else { return false };
    let (subsection, name) = rest.rsplit_once('.').unwrap_or(("", rest));
    SETTINGS.iter().any(|(known, within, named, when)| {
        section == *known
            && within.is_empty() == subsection.is_empty()
            && (*named == "*" || name == *named)
            && when.matters(value)
    })
}

impl When {
    fn matters(self, value: Option<&str>) -> bool {
        let text = value.map(str::trim);
        match self {
            Self::Filled => text.is_none_or(|text| !text.is_empty()),
            Self::On => text.is_none_or(is_on),
            Self::Pager => text.is_none_or(|text| !matches!(text, "" | "cat")),
            Self::Somewhere => text != Some("/dev/null"),
            Self::Signature => text.is_some_and(|text| text.contains("%G")),
        }
    }
}

/// As git reads a switch; what is neither is the name of a program.
fn is_on(text: &str) -> bool {
    !["", "false", "no", "off", "0"].iter().any(|no| text.eq_ignore_ascii_case(no))
}

/// Whether an entry of the keys has a say in a subcommand: hooks of `commit` say nothing about `status`.
pub fn concerns(entry: &str, subcommand: &str) -> bool {
    entry.strip_prefix(HOOK).is_none_or(|hook| subcommand == "commit" || hook == INDEX_HOOK)
}

#[cfg(test)]
mod tests {
    use super::super::UNREAD;
    use super::*;

    #[test]
    fn settings_that_start_programs_are_told_from_those_that_do_not() {
        for (key, value) in [
            ("core.fsmonitor", Some(".git/watch")),
            ("core.fsmonitor", None),
            ("core.pager", Some("less | sh")),
            ("pager.log", Some("sh")),
            ("core.hookspath", Some(".husky")),
            ("core.hookspath", Some("")),
            ("diff.external", Some("x")),
            ("diff.pdf.textconv", Some("x")),
            ("diff.a.b.command", Some("x")),
            ("filter.lfs.process", Some("git-lfs filter-process")),
            ("gpg.ssh.program", Some("x")),
            ("commit.gpgsign", Some("true")),
            ("format.pretty", Some("%h %G?")),
            ("pretty.mine", Some("%GS")),
            ("hook.lint.command", Some("x")),
            ("remote.origin.promisor", Some("true")),
        ] {
            assert!(starts_program(key, value), "{key}={value:?}");
        }
        for (key, value) in [
            ("core.fsmonitor", Some("false")),
            ("core.pager", Some("cat")),
            ("pager.status", Some("false")),
            ("core.hookspath", Some("/dev/null")),
            ("commit.gpgsign", Some("No")),
            ("alias.st", Some("!sh")),
            ("core.editor", Some("vim")),
            ("credential.https://example.org.helper", Some("!x")),
            ("user.name", Some("core.fsmonitor")),
            ("diff.external", Some("")),
            ("diff.pdf.xfuncname", Some("x")),
            ("format.pretty", Some("oneline")),
            ("core", None),
        ] {
            assert!(!starts_program(key, value), "{key}={value:?}");
        }
    }

    #[test]
    fn a_hook_concerns_the_subcommand_that_starts_it() {
        assert!(concerns("hooks/pre-commit", "commit") && !concerns("hooks/pre-commit", "status"));
        assert!(concerns("hooks/post-index-change", "status"));
        assert!(concerns("core.fsmonitor", "log") && concerns(UNREAD, "log"));
    }
}
