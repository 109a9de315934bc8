//! Markers in a command's place: the programs and subcommands that push, install, delete or reach out.

use super::Class;
use crate::domain::reading::{Simple, Word, starts};

/// The class of one simple command, credentials apart.
pub(super) fn of_simple(command: &Simple) -> Class {
    let words = &command.words;
    let by_program = starts(words).into_iter().map(|at| of_call(&words[at].program(), &words[at + 1..])).min();
    let named = words.iter().chain(&command.assigned).chain(&command.targets);
    let by_address = named.into_iter().any(|word| has_address(&word.text)).then_some(Class::NetworkAccess);
    by_program.into_iter().chain(by_address).min().unwrap_or(Class::CommandExec)
}

fn of_call(program: &str, args: &[Word]) -> Class {
    match program {
        "git" => of_git(args),
        "gh" if matches!(verb(args), "pr" | "release") => Class::PushRemote,
        "osascript" | "screencapture" | "system_profiler" => Class::DeviceAccess,
        "defaults" if verb(args) == "write" => Class::DeviceAccess,
        "curl" | "wget" | "nc" | "ncat" | "netcat" | "ssh" => Class::NetworkAccess,
        "rm" | "grm" | "unlink" => Class::Deletion,
        "sed" | "gsed" if edits_in_place(args) => Class::FileWrite,
        _ if installs(program, args) => Class::Install,
        _ => Class::CommandExec,
    }
}

/// Package managers and the words with which each brings software in.
fn installs(program: &str, args: &[Word]) -> bool {
    let verbs: &[&str] = match program {
        "npm" => &["install", "i", "add", "ci", "in", "ins", "inst", "isntall"],
        "pnpm" | "bun" => &["install", "i", "add"],
        "yarn" => &["install", "add"],
        "apt" | "apt-get" | "aptitude" | "cargo" | "gem" | "pipx" | "snap" | "port" | "conda" | "mamba" | "dnf"
        | "yum" | "zypper" => &["install"],
        "brew" => &["install", "reinstall"],
        "apk" | "poetry" => &["add"],
        // `uv pip install` is found by the words after `pip`.
        "uv" => return (verb(args) == "pip" && verb_after(args, "pip") == "install") || verb(args) == "add",
        _ if is_pip(program) => &["install"],
        _ if program.starts_with("python") => return is_module(args, "pip") && verb_after(args, "pip") == "install",
        _ => return false,
    };
    verbs.contains(&verb(args))
}

fn is_pip(program: &str) -> bool {
    let version = program.strip_prefix("pip");
    version.is_some_and(|version| version.bytes().all(|b| b.is_ascii_digit() || b == b'.'))
}

fn is_module(args: &[Word], module: &str) -> bool {
    args.windows(2).any(|two| two[0].text == "-m" && two[1].text == module)
}

fn of_git(args: &[Word]) -> Class {
    let at = git_verb(args);
    let rest = args.get(at + 1..).unwrap_or_default();
    match args.get(at).map_or("", |word| word.text.as_str()) {
        "push" | "remote" => Class::PushRemote,
        "fetch" | "pull" if rest.iter().any(|word| has_address(&word.text) || is_remote_path(&word.text)) => {
            Class::PushRemote
        }
        "clean" | "rm" => Class::Deletion,
        _ => Class::CommandExec,
    }
}

/// Where git's subcommand stands, behind its own options.
fn git_verb(args: &[Word]) -> usize {
    let mut at = 0;
    while let Some(word) = args.get(at).filter(|word| word.text.starts_with('-')) {
        let takes_next = matches!(
            word.text.as_str(),
            "-C" | "-c"
                | "--git-dir"
                | "--work-tree"
                | "--namespace"
                | "--config-env"
                | "--exec-path"
                | "--super-prefix"
        );
        at += 1 + usize::from(takes_next);
    }
    at
}

/// The first word that is no flag.
fn verb(args: &[Word]) -> &str {
    args.iter().map(|word| word.text.as_str()).find(|text| !text.starts_with(['-', '+'])).unwrap_or("")
}

/// The first word that is no flag behind another.
fn verb_after<'a>(args: &'a [Word], before: &str) -> &'a str {
    args.iter().position(|word| word.text == before).map_or("", |at| verb(&args[at + 1..]))
}

/// `http://` or `https://` with something behind it, in any case: a bare scheme names no host.
pub(super) fn has_address(text: &str) -> bool {
    // Backslashes are read as slashes by some programs.
    let is_slash = |b: u8| matches!(b, b'/' | b'\\');
    text.match_indices(':').any(|(at, _)| {
        let scheme = text[..at].trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let scheme = &text[scheme.len()..at];
        let after = &text.as_bytes()[at + 1..];
        (scheme.to_ascii_lowercase().ends_with("http") || scheme.to_ascii_lowercase().ends_with("https"))
            && after.len() > 2
            && is_slash(after[0])
            && is_slash(after[1])
    })
}

/// `user@host:path` and other schemes that git fetches from.
fn is_remote_path(text: &str) -> bool {
    text.contains("://") || (text.contains('@') && text.contains(':')) || text.starts_with("file:")
}

/// A substitution that replaces the file it reads: an edit, by a command.
fn edits_in_place(args: &[Word]) -> bool {
    let in_place = args.iter().any(|word| {
        let bundle = word.text.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
        bundle.is_some_and(|letters| letters.contains('i')) || word.text.starts_with("--in-place")
    });
    let substitutes = |word: &Word| {
        let script = word.text.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, ',' | '$'));
        script.strip_prefix('s').and_then(|rest| rest.chars().next()).is_some_and(|c| !c.is_alphanumeric())
    };
    in_place && args.iter().any(substitutes)
}
