//! Agents by the programs that they are, behind the interpreters and wrappers that start them; and what each does with
//! a command.

use std::path::{Path, PathBuf};

use super::Running;
use crate::domain::screen::AgentKind;

/// Programs by the name they run under.
const PROGRAMS: &[(&str, AgentKind)] = &[
    ("claude", AgentKind::Claude),
    ("codex", AgentKind::Codex),
    ("gemini", AgentKind::Gemini),
    ("opencode", AgentKind::Opencode),
    ("cursor-agent", AgentKind::Cursor),
    ("copilot", AgentKind::Copilot),
    ("aider", AgentKind::Aider),
];

/// Scripts and packages, as they stand in the words of an interpreter or of a package runner.
const SCRIPTS: &[(&str, AgentKind)] = &[
    ("@anthropic-ai/claude-code", AgentKind::Claude),
    ("@openai/codex", AgentKind::Codex),
    ("bin/codex.js", AgentKind::Codex),
    ("@google/gemini-cli", AgentKind::Gemini),
    ("bundle/gemini.js", AgentKind::Gemini),
    ("opencode-ai", AgentKind::Opencode),
    // Its program is also called `agent`, which alone says nothing.
    ("cursor-agent", AgentKind::Cursor),
    ("@github/copilot", AgentKind::Copilot),
    ("aider-chat", AgentKind::Aider),
];

/// Programs that run what their words name.
const INTERPRETERS: &[&str] = &["node", "nodejs", "bun", "deno", "python", "python2", "python3", "agent"];

/// Programs that start another one and wait for it.
const WRAPPERS: &[&str] = &[
    "sh", "bash", "zsh", "dash", "fish", "env", "nice", "ionice", "timeout", "time", "stdbuf", "script", "setsid",
    "sudo", "npx", "npm", "pnpm", "yarn", "bunx", "uv", "uvx", "pipx", "mise", "asdf", "direnv", "nix", "devbox",
    "firejail", "bwrap",
];

/// What a process is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// An agent's own program.
    Agent(AgentKind),
    /// An interpreter or a wrapper that was told to start an agent; the program itself may stand below it.
    Script(AgentKind),
    /// A wrapper that does not say what it starts.
    Wrapper,
    /// Anything else.
    Other,
}

impl Start {
    pub(super) const fn kind(self) -> Option<AgentKind> {
        match self {
            Self::Agent(kind) | Self::Script(kind) => Some(kind),
            Self::Wrapper | Self::Other => None,
        }
    }
}

/// Which agent a program is, if it is one.
pub fn agent_kind(running: &Running) -> Option<AgentKind> {
    start(&running.command, &running.argv).kind()
}

/// Tells a process by its name and its words.
pub(super) fn start(command: &str, argv: &[String]) -> Start {
    let named = argv.first().map(|word| base_name(word.trim_start_matches('-')));
    // A program that calls itself by a title has it as its only word, with more behind a blank.
    let title = named.map(|name| name.split(' ').next().unwrap_or(name));
    if let Some(kind) = title.and_then(program) {
        return Start::Agent(kind);
    }
    if title == Some("countersign") {
        return played(argv).map_or(Start::Other, Start::Agent);
    }
    let wraps = [Some(command), title].into_iter().flatten().any(|name| {
        let plain = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        [name, plain].iter().any(|name| INTERPRETERS.contains(name) || WRAPPERS.contains(name))
    });
    if wraps {
        return scripted(argv.get(1..).unwrap_or_default()).map_or(Start::Wrapper, Start::Script);
    }
    // The system's own name is cut at 15 characters, and is all there is where the words were overwritten.
    program(command).map_or(Start::Other, Start::Agent)
}

/// What an interpreter or wrapper was told to run: the first word that is no flag, or a package that any word names.
fn scripted(words: &[String]) -> Option<AgentKind> {
    let package = words.iter().flat_map(|word| word.split_whitespace()).find_map(|word| {
        let word = format!("/{word}/");
        let named = |part: &str| word.contains(&format!("/{part}/")) || word.contains(&format!("/{part}@"));
        SCRIPTS.iter().find(|(part, _)| named(part)).map(|(_, kind)| *kind)
    });
    let module = || words.windows(2).find(|pair| pair[0] == "-m").map(|pair| pair[1].as_str());
    let plain = || {
        words.iter().find(|word| !word.starts_with('-') && !word.contains('=')).map(|word| {
            let first = word.split_whitespace().next().unwrap_or_default();
            let name = base_name(first);
            [".js", ".mjs", ".cjs", ".py", ".sh"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name)
        })
    };
    package.or_else(|| module().and_then(program)).or_else(|| plain().and_then(program))
}

/// The agent whose screens `countersign demo agent` plays.
fn played(argv: &[String]) -> Option<AgentKind> {
    let mut words = argv.iter().map(String::as_str).skip(1);
    if (words.next(), words.next()) != (Some("demo"), Some("agent")) {
        return None;
    }
    let flag = argv.iter().position(|word| word == "--kind").and_then(|at| argv.get(at + 1)).map(String::as_str);
    let word = flag.or_else(|| argv.iter().find_map(|word| word.strip_prefix("--kind=")));
    word.map_or(Some(AgentKind::Claude), AgentKind::from_word)
}

fn program(name: &str) -> Option<AgentKind> {
    PROGRAMS.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind)
}

fn base_name(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

/// Where an agent would run a command, if not where its process stands; none where its words leave that open.
pub(super) fn work_folder(kind: Option<AgentKind>, argv: &[String], cwd: PathBuf) -> Option<PathBuf> {
    match kind {
        // Codex stays where it was started and runs commands in the folder of this flag.
        Some(AgentKind::Codex) => match told_folder(argv) {
            Some(folder) => (!folder.is_empty()).then(|| cwd.join(folder)),
            None => Some(cwd),
        },
        // aider runs commands at the top of the repository.
        Some(AgentKind::Aider) => {
            let top = cwd.ancestors().find(|folder| folder.join(".git").symlink_metadata().is_ok());
            Some(top.map_or_else(|| cwd.clone(), Path::to_path_buf))
        }
        Some(_) | None => Some(cwd),
    }
}

/// The folder behind `-C` or `--cd`; empty where the flag stands without one.
fn told_folder(argv: &[String]) -> Option<&str> {
    let mut words = argv.iter().map(String::as_str).take_while(|word| *word != "--");
    let mut told = None;
    while let Some(word) = words.next() {
        if matches!(word, "-C" | "--cd") {
            told = Some(words.next().unwrap_or_default());
        } else if let Some(folder) = word.strip_prefix("--cd=") {
            told = Some(folder);
        } else if let Some(folder) = word.strip_prefix("-C") {
            told = Some(folder.strip_prefix('=').unwrap_or(folder));
        }
    }
    told
}

/// The shell that an agent hands a command to, by name. Gemini says `bash -c` whatever the variable says; the others
/// take the person's own where they can.
pub(super) fn shell(kind: Option<AgentKind>, variable: Option<&Path>) -> String {
    if kind == Some(AgentKind::Gemini) {
        return "bash".to_owned();
    }
    variable.and_then(Path::file_name).and_then(|name| name.to_str()).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(command: &str, argv: &str) -> Option<AgentKind> {
        start(command, &argv.split_whitespace().map(str::to_owned).collect::<Vec<_>>()).kind()
    }

    #[test]
    fn agents_are_known_behind_what_starts_them() {
        for (command, argv, kind) in [
            ("claude", "claude", "claude"),
            ("node", "node /usr/lib/node_modules/@anthropic-ai/claude-code/cli.js --resume", "claude"),
            ("node", "claude", "claude"),
            ("codex", "/opt/x/codex-x86_64/codex --cd /srv/a", "codex"),
            ("node", "node /home/dev/.nvm/versions/node/v22.1.0/bin/codex", "codex"),
            ("node", "node /srv/node_modules/@openai/codex/bin/codex.js", "codex"),
            ("npm exec @opena", "npm exec @openai/codex", "codex"),
            ("node", "node --no-warnings /usr/lib/node_modules/@google/gemini-cli/dist/index.js", "gemini"),
            ("node", "/usr/bin/node --max-old-space-size=4096 /srv/gemini/bundle/gemini.js", "gemini"),
            ("opencode", "opencode", "opencode"),
            ("bun", "bun /srv/opencode-ai/bin/opencode", "opencode"),
            (
                "node",
                "/home/dev/.local/share/cursor-agent/versions/1/node --x /h/cursor-agent/versions/1/index.js",
                "cursor",
            ),
            (
                "agent",
                "/home/dev/.local/bin/agent --use-system-ca /h/.local/share/cursor-agent/versions/1/index.js",
                "cursor",
            ),
            ("copilot", "copilot --banner", "copilot"),
            ("node", "node /usr/lib/node_modules/@github/copilot/index.js", "copilot"),
            ("aider", "/home/dev/.venv/bin/python3.12 /home/dev/.venv/bin/aider --model x", "aider"),
            ("python3", "python3 -m aider", "aider"),
            ("sh", "sh -c codex", "codex"),
            ("bash", "bash /home/dev/bin/claude.sh", "claude"),
            ("npm", "npx -y @google/gemini-cli@latest", "gemini"),
            ("countersign", "/opt/bin/countersign demo agent --script a.jsonl", "claude"),
            ("countersign", "countersign demo agent --script a.jsonl --kind codex", "codex"),
        ] {
            assert_eq!(told(command, argv).map(AgentKind::as_str), Some(kind), "{command}: {argv}");
        }
        for (command, argv) in [
            ("bash", "-bash"),
            ("vim", "vim claude.md"),
            ("node", "node server.js"),
            ("agent", "/usr/bin/agent"),
            ("less", "less codex"),
            ("python3", "python3 manage.py codex"),
            ("ssh", "ssh host claude"),
            ("docker", "docker exec -it box claude"),
            ("countersign", "countersign serve"),
        ] {
            assert_eq!(told(command, argv), None, "{command}: {argv}");
        }
    }

    #[test]
    fn codex_runs_where_its_flag_says() {
        let cwd = || PathBuf::from("/srv/a");
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let of = |text: &str| work_folder(Some(AgentKind::Codex), &words(text), cwd());
        assert_eq!(of("codex"), Some(cwd()));
        for line in ["codex -C /srv/b", "codex --cd /srv/b", "codex --cd=/srv/b x", "codex -C/srv/b", "codex --cd ../b"]
        {
            assert_ne!(of(line), Some(cwd()), "{line}");
        }
        assert_eq!(of("codex --cd b"), Some(PathBuf::from("/srv/a/b")));
        assert_eq!(of("codex --cd"), None);
        assert_eq!(work_folder(Some(AgentKind::Claude), &words("claude -C x"), cwd()), Some(cwd()));
    }

    #[test]
    fn the_shell_is_the_name_of_the_persons_own() {
        let shell = |kind, path: Option<&str>| shell(kind, path.map(Path::new));
        assert_eq!(shell(Some(AgentKind::Claude), Some("/usr/bin/zsh")), "zsh");
        assert_eq!(shell(Some(AgentKind::Codex), None), "");
        assert_eq!(shell(Some(AgentKind::Gemini), Some("/usr/bin/fish")), "bash");
    }
}
