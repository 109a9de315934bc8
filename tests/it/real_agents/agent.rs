//! The agents: how each is set up to work with the model of the tests, and what its tools are called.

use std::fs;
use std::path::{Path, PathBuf};

use countersign::domain::screen::AgentKind;
use serde_json::{Value, json};

use crate::support::llm::{Call, Input};
use crate::support::scratch;

/// A coding agent, as npm installs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agent {
    /// Codex, in the process that draws it.
    Codex,
    /// Codex as it comes: the work is done by a daemon that outlives it.
    CodexWithDaemon,
    Gemini,
    Opencode,
}

/// The file that the agents edit.
pub const EDITED: &str = "greeting.txt";
/// What is in it at first.
pub const BEFORE: &str = "hello\n";
/// What is in it after the edit.
pub const AFTER: &str = "hello there\n";

impl Agent {
    /// The kind whose rules read its screen.
    pub fn kind(self) -> AgentKind {
        match self {
            Self::Codex | Self::CodexWithDaemon => AgentKind::Codex,
            Self::Gemini => AgentKind::Gemini,
            Self::Opencode => AgentKind::Opencode,
        }
    }

    /// The folder with its commands. A test of an agent that is not there fails and says how to get it.
    pub fn commands(self) -> PathBuf {
        let name = self.kind().as_str();
        let folder = scratch::repository(&format!("tests/agents/{name}/node_modules/.bin"));
        assert!(folder.join(name).exists(), "{name} is not installed; run: scripts/agents.sh {name}");
        folder
    }

    /// What is typed to start it on a task.
    pub fn command_line(self, task: &str) -> String {
        match self {
            Self::Codex | Self::CodexWithDaemon => format!("codex '{task}'"),
            Self::Gemini => format!("gemini --prompt-interactive '{task}'"),
            Self::Opencode => format!("opencode --prompt '{task}'"),
        }
    }

    /// Writes its settings into its home.
    pub fn settle(self, home: &Path, work: &Path, model: &str) {
        let file = home.join(self.settings_file());
        match self {
            Self::Codex => write(&file, &codex(work, model, "[features]\ndaemon_auto_start = false\n")),
            Self::CodexWithDaemon => write(&file, &codex(work, model, "")),
            Self::Gemini => write(&file, &gemini().to_string()),
            Self::Opencode => write(&file, &opencode(model).to_string()),
        }
    }

    /// Where in its home its settings are.
    pub fn settings_file(self) -> &'static str {
        match self {
            Self::Codex | Self::CodexWithDaemon => ".codex/config.toml",
            Self::Gemini => ".gemini/settings.json",
            Self::Opencode => ".config/opencode/opencode.json",
        }
    }

    /// Variables that it needs.
    pub fn variables(self, model: &str) -> Vec<String> {
        match self {
            Self::Codex | Self::CodexWithDaemon => vec!["MODEL_KEY=none".to_owned()],
            Self::Gemini => vec!["GEMINI_API_KEY=none".to_owned(), format!("GOOGLE_GEMINI_BASE_URL={model}")],
            Self::Opencode => {
                vec!["OPENCODE_DISABLE_AUTOUPDATE=1".to_owned(), "OPENCODE_DISABLE_MODELS_FETCH=1".to_owned()]
            }
        }
    }

    /// A command in a shell, for which it asks first.
    pub fn shell(self, command: &str) -> Call {
        let (tool, arguments) = match self {
            Self::Codex | Self::CodexWithDaemon => {
                let why = "It does not work in the sandbox.";
                (
                    "exec_command",
                    json!({ "cmd": command, "sandbox_permissions": "require_escalated", "justification": why }),
                )
            }
            Self::Gemini => ("run_shell_command", json!({ "command": command })),
            Self::Opencode => ("bash", json!({ "command": command, "description": "Look at it" })),
        };
        Call::new(tool, Input::Arguments(arguments))
    }

    /// A tool of the server that it is connected to, by the name that its model reads.
    pub fn mcp(self, tool: &str, input: Input) -> Call {
        let tool = match (self, tool) {
            (Self::Codex | Self::CodexWithDaemon, "propose") => "propose",
            (Self::Codex | Self::CodexWithDaemon, "check-proposal") => "check_proposal",
            (Self::Gemini, "propose") => "mcp_countersign_propose",
            (Self::Gemini, "check-proposal") => "mcp_countersign_check-proposal",
            (Self::Opencode, "propose") => "countersign_propose",
            (Self::Opencode, "check-proposal") => "countersign_check-proposal",
            (_, other) => panic!("no test calls {other}"),
        };
        let namespace = (self.kind() == AgentKind::Codex).then_some("mcp__countersign");
        Call { namespace, ..Call::new(tool, input) }
    }

    /// What its dialog says of the edit. Codex draws the content above its dialog, as part of the talk.
    pub fn shown_of_edit(self) -> &'static str {
        match self {
            Self::Codex | Self::CodexWithDaemon => EDITED,
            Self::Gemini | Self::Opencode => AFTER.trim_end(),
        }
    }

    /// Whether a person is asked about its edit, which a policy approves only where it is proven which files it is of.
    pub fn edits_are_held(self) -> bool {
        match self {
            Self::Codex | Self::CodexWithDaemon => false,
            Self::Gemini | Self::Opencode => true,
        }
    }

    /// The edit of the one file that there is to edit.
    pub fn edit(self, work: &Path) -> Call {
        let path = work.join(EDITED);
        let (before, after) = (BEFORE.trim_end(), AFTER.trim_end());
        match self {
            Self::Codex | Self::CodexWithDaemon => {
                let patch =
                    format!("*** Begin Patch\n*** Update File: {EDITED}\n@@\n-{before}\n+{after}\n*** End Patch\n");
                Call::new("apply_patch", Input::Text(patch))
            }
            Self::Gemini => {
                let arguments = json!({ "file_path": path, "content": AFTER });
                Call::new("write_file", Input::Arguments(arguments))
            }
            Self::Opencode => {
                let arguments = json!({ "filePath": path, "oldString": before, "newString": after });
                Call::new("edit", Input::Arguments(arguments))
            }
        }
    }
}

fn codex(work: &Path, model: &str, more: &str) -> String {
    format!(
        r#"model_provider = "script"
approval_policy = "on-request"
sandbox_mode = "read-only"
check_for_update_on_startup = false

{more}
[model_providers.script]
name = "script"
base_url = "{model}/v1"
wire_api = "responses"
env_key = "MODEL_KEY"
request_max_retries = 0
stream_max_retries = 0

[projects."{}"]
trust_level = "trusted"
"#,
        work.display()
    )
}

fn gemini() -> Value {
    json!({
        "security": { "auth": { "selectedType": "gemini-api-key" }, "folderTrust": { "enabled": false } },
        "general": { "enableAutoUpdate": false },
        "telemetry": { "enabled": false },
        // With a model of its own choice it would ask first which one should do it.
        "model": { "name": "gemini-2.5-flash" },
    })
}

fn opencode(model: &str) -> Value {
    let options = json!({ "baseURL": format!("{model}/v1"), "apiKey": "none" });
    let models = json!({ "script": { "name": "script" } });
    let provider =
        json!({ "npm": "@ai-sdk/openai-compatible", "name": "script", "options": options, "models": models });
    json!({
        "provider": { "script": provider },
        "model": "script/script",
        "permission": { "bash": "ask", "edit": "ask", "webfetch": "ask" },
        "autoupdate": false,
    })
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}
