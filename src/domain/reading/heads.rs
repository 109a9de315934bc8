//! Where in a simple command a program's name stands: first, or behind wrappers that start another program.

use super::Word;

/// Programs that start the program named in their arguments.
const WRAPPERS: &[&str] = &[
    "sudo",
    "doas",
    "pkexec",
    "env",
    "command",
    "builtin",
    "exec",
    "nohup",
    "nice",
    "ionice",
    "chrt",
    "time",
    "timeout",
    "gtimeout",
    "stdbuf",
    "setsid",
    "xargs",
    "gxargs",
    "parallel",
    "strace",
    "ltrace",
    "caffeinate",
    "unbuffer",
    "busybox",
    "toybox",
    "chroot",
    "flock",
    "setarch",
    "taskset",
    "chronic",
    "noglob",
    "nocorrect",
];

/// More places than this are not looked for: such a line is far beyond what is ever approved.
const MAX_STARTS: usize = 64;

/// Words of the shell that stand before a command.
const KEYWORDS: &[&str] =
    &["if", "then", "else", "elif", "do", "while", "until", "!", "{", "time", "coproc", "-", "in", "function", "$"];

/// Words after which `find` and its kin start a program.
const EXEC: &[&str] = &["-exec", "-execdir", "-ok", "-okdir", "--exec", "--exec-batch", "-x", "-X"];

/// Shells, which read text as commands.
const SHELLS: &[&str] = &["sh", "bash", "zsh", "dash", "ksh", "ash", "fish", "mksh", "rbash", "csh", "tcsh", "su"];

/// Whether a program reads text as commands.
pub fn is_shell(program: &str) -> bool {
    SHELLS.contains(&program)
}

pub(super) fn is_raising(program: &str) -> bool {
    matches!(program, "sudo" | "doas" | "pkexec")
}

/// The places at which a program's name may stand, in order. A wrapper's flags may or may not take the next word, so that
/// both readings are given.
pub fn starts(words: &[Word]) -> Vec<usize> {
    let mut seen = vec![false; words.len()];
    let first = words.iter().take_while(|word| !word.quoted && KEYWORDS.contains(&word.text.as_str())).count();
    mark(&mut seen, first);
    let mut out = Vec::with_capacity(1);
    for at in 0..words.len() {
        if !seen[at] || out.len() >= MAX_STARTS {
            continue;
        }
        out.push(at);
        let program = words[at].program();
        if WRAPPERS.contains(&&*program) {
            behind(words, at + 1, &mut seen);
        } else if matches!(&*program, "find" | "gfind" | "fd" | "fdfind") {
            for (at, word) in words.iter().enumerate().skip(at + 1) {
                if EXEC.contains(&word.text.as_str()) {
                    mark(&mut seen, at + 1);
                }
            }
        }
    }
    out
}

fn mark(seen: &mut [bool], at: usize) {
    if let Some(slot) = seen.get_mut(at) {
        *slot = true;
    }
}

/// Marks the first word behind a wrapper's flags, assignments and numbers, and the one after it if a flag may have
/// taken the first.
fn behind(words: &[Word], from: usize, seen: &mut [bool]) {
    let mut after_flag = false;
    for (at, word) in words.iter().enumerate().skip(from) {
        let text = word.text.as_str();
        let flag = text.starts_with('-') && text.len() > 1;
        let number = text.starts_with(|c: char| c.is_ascii_digit());
        if flag || number || text.contains('=') {
            after_flag = flag && !text.contains('=') && text != "--";
            continue;
        }
        mark(seen, at);
        if after_flag {
            // The argument of a flag may be a path or a user; the word after it is then the program, or another flag.
            let skipped = words[at + 1..].iter().take_while(|word| word.text.starts_with('-')).count();
            mark(seen, at + 1 + skipped);
        }
        return;
    }
}
