//! Words that change the shell itself, and variables that every program or shell obeys.

/// Built-ins after which the shell is no longer the one that a proof assumes.
const CHANGES: &[&str] = &[
    "export",
    "alias",
    "unalias",
    "source",
    ".",
    "typeset",
    "declare",
    "local",
    "readonly",
    "eval",
    "exec",
    "set",
    "unset",
    "setopt",
    "unsetopt",
    "shopt",
    "enable",
    "disable",
    "trap",
    "hash",
    "rehash",
    "umask",
    "ulimit",
    "bind",
    "bindkey",
    "function",
    "autoload",
    "pushd",
    "popd",
    "read",
    "mapfile",
    "readarray",
    "let",
    "integer",
    "float",
    "emulate",
    "zmodload",
    "functions",
    "builtin",
    "complete",
    "compdef",
    "abbr",
    "fc",
    "history",
    "ssh-add",
    "direnv",
    "conda",
    "nvm",
    "pyenv",
    "rbenv",
    "workon",
    "activate",
    "deactivate",
];

/// Variables that change what any program, or the shell, does.
const EVERYWHERE: &[&str] = &[
    "LD_*",
    "DYLD_*",
    "BASH_ENV",
    "ENV",
    "IFS",
    "SHELLOPTS",
    "BASHOPTS",
    "BASH_FUNC_*",
    "ZDOTDIR",
    "PROMPT_COMMAND",
    "GLOBIGNORE",
    "GCONV_PATH",
    // Everybody has it; clients name it only where it leads to a program of the lane's own.
    "PATH",
];

/// Whether a command of this name changes the shell that it runs in.
pub fn changes_shell(name: &str) -> bool {
    CHANGES.contains(&name)
}

/// Whether a variable changes every program.
pub fn matters_to_every_program(variable: &str) -> bool {
    matches(EVERYWHERE, variable)
}

/// Whether a variable is one of a list of names, or of beginnings that end in `*`.
pub(super) fn matches(list: &[&str], variable: &str) -> bool {
    list.iter().any(|one| match one.strip_suffix('*') {
        Some(beginning) => variable.starts_with(beginning),
        None => *one == variable,
    })
}
