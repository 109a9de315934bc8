//! Variables that change nothing that is ever accepted unasked, by their name or by their value: most terminals have
//! some, and they would hold every `git status`.

/// Never come to with `status`, `diff`, `log`, `show`, `add` and `commit -m`: editors, what asks for passwords, what
/// talks to a remote, what a prompt shows.
const IDLE: &[&str] = &[
    "EDITOR",
    "VISUAL",
    "GIT_EDITOR",
    "GIT_SEQUENCE_EDITOR",
    "GIT_MERGE_AUTOEDIT",
    "SSH_ASKPASS",
    "GIT_ASKPASS",
    "GIT_TERMINAL_PROMPT",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "GIT_SSH_VARIANT",
    "GIT_OPTIONAL_LOCKS",
    "LESSCHARSET",
];

/// Pagers that show text and need a person to do more.
const PAGERS: &[&str] = &["", "cat", "less", "more"];

/// Whether a variable with this value changes nothing; `home` is the home folder beside it.
pub fn is_harmless(name: &str, value: &str, home: &str) -> bool {
    match name {
        "PAGER" | "GIT_PAGER" => is_plain_pager(value),
        "LESS" => is_plain_less(value),
        // Only with `-` does it read what is piped, and git pipes.
        "LESSOPEN" | "LESSCLOSE" => {
            let front = value.trim_start_matches(['|', ' ']);
            !front.starts_with('-')
        }
        "LESSHISTFILE" => matches!(value, "-" | "/dev/null"),
        "XDG_CONFIG_HOME" => {
            !home.is_empty() && value.trim_end_matches('/') == format!("{}/.config", home.trim_end_matches('/'))
        }
        _ => IDLE.contains(&name) || name.starts_with("GIT_PS1_") || name.starts_with("LESS_TERMCAP_"),
    }
}

fn is_plain_pager(value: &str) -> bool {
    let mut words = value.split(' ').filter(|word| !word.is_empty());
    let program = words.next().unwrap_or_default();
    let name = program.strip_prefix("/usr/bin/").or_else(|| program.strip_prefix("/bin/")).unwrap_or(program);
    PAGERS.contains(&name) && words.all(is_plain_less)
}

/// The switches of `less` that only say how text is shown: no key file, no log file, no first command.
fn is_plain_less(value: &str) -> bool {
    value.chars().all(|c| c.is_ascii_digit() || "-. RrFXSKMmIiQqEeNnGgJcCsuUwWx".contains(c)) && !value.contains("--")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_most_terminals_have_is_told_from_what_starts_programs() {
        for (name, value) in [
            ("EDITOR", "vim"),
            ("PAGER", "less"),
            ("PAGER", "/usr/bin/less -R"),
            ("GIT_PAGER", "cat"),
            ("LESS", "-R"),
            ("LESS", "FRX"),
            ("LESSOPEN", "| /usr/bin/lesspipe %s"),
            ("LESSOPEN", "||/usr/bin/lesspipe.sh %s"),
            ("LESSCLOSE", "/usr/bin/lesspipe %s %s"),
            ("LESS_TERMCAP_md", "\u{1b}[1m"),
            ("GIT_PS1_SHOWDIRTYSTATE", "1"),
            ("GIT_ASKPASS", "/opt/code/askpass.sh"),
            ("XDG_CONFIG_HOME", "/home/dev/.config/"),
        ] {
            assert!(is_harmless(name, value, "/home/dev"), "{name}={value}");
        }
        for (name, value) in [
            ("PAGER", "sh"),
            ("PAGER", "./less"),
            ("PAGER", "less +!sh"),
            ("PAGER", "less | sh"),
            ("PAGER", "less;sh"),
            ("GIT_PAGER", "delta"),
            ("LESS", "--lesskey-src=x"),
            ("LESS", "-olog"),
            ("LESS", "+!sh"),
            ("LESSOPEN", "|- /usr/bin/x %s"),
            ("LESSOPEN", "-x"),
            ("LESSKEY", "x"),
            ("LESSHISTFILE", "/srv/shop/x"),
            ("XDG_CONFIG_HOME", "/srv/shop"),
            ("GIT_DIR", ""),
            ("GIT_EXTERNAL_DIFF", "x"),
            ("GIT_CONFIG_COUNT", "1"),
            ("LD_PRELOAD", ""),
        ] {
            assert!(!is_harmless(name, value, "/home/dev"), "{name}={value}");
        }
        assert!(!is_harmless("XDG_CONFIG_HOME", "/.config", ""));
    }
}
