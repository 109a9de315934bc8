//! A permission dialog as a pane client reports it.

use serde::{Deserialize, Serialize};

use super::facts::Facts;

/// What sort of prompt is on the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DialogKind {
    /// May this be done? The only kind that a policy may answer.
    #[default]
    Permission,
    /// A choice between several ways; a person's.
    Decision,
    /// A plan to agree to.
    Plan,
    /// Whether a folder is trusted.
    Trust,
    /// The provider's usage limit.
    UsageLimit,
    /// How to sign in.
    Login,
}

impl DialogKind {
    const ALL: &[Self] = &[Self::Permission, Self::Decision, Self::Plan, Self::Trust, Self::UsageLimit, Self::Login];

    /// The word on the wire and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Permission => "permission",
            Self::Decision => "decision",
            Self::Plan => "plan",
            Self::Trust => "trust",
            Self::UsageLimit => "usage_limit",
            Self::Login => "login",
        }
    }

    /// Reads the word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.as_str() == word)
    }
}

/// Where the text of a dialog comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DialogSource {
    /// Read off a terminal's screen.
    Pane,
    /// Handed over by the agent's own hook.
    Hook,
}

impl DialogSource {
    /// The word on the wire and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pane => "pane",
            Self::Hook => "hook",
        }
    }
}

/// One row that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DialogOption {
    /// Its number, as the client counts them.
    pub n: u32,
    /// Its text as shown.
    pub text: String,
    /// Whether the cursor is on it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub selected: bool,
}

/// What is judged: the dialog's own words and where it stands. The same for a report, a stored dialog and a line of
/// `countersign classify`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dialog {
    /// The agent kind (`claude`, `codex`, …), for its words of consent.
    pub agent_kind: String,
    /// What sort of prompt.
    pub kind: DialogKind,
    /// Its title, e.g. `Bash command`.
    pub title: String,
    /// Its question, e.g. `Do you want to proceed?`.
    pub question: String,
    /// The text between: a diff, a description; for older clients the command.
    pub body: String,
    /// The command, where the client could tell it apart.
    pub command: Option<String>,
    /// What stands on the screen around it: an agent's own words. It can only turn an approval into a hold.
    pub context: String,
    /// The rows to choose from.
    pub options: Vec<DialogOption>,
    /// The client could not read all of it.
    pub truncated: bool,
    /// Where the command would run.
    pub cwd: String,
    /// The repository's root.
    pub repo_root: String,
    /// The lane's worktree.
    pub worktree: String,
    /// What the client looked up on the disk; `None` proves nothing.
    pub facts: Option<Facts>,
    /// The folders that the admin registered for the lane; none where there is no lane, as in `classify`.
    pub home: Option<Home>,
}

/// Where a lane is, as its admin said: what a client calls worktree and root has to be that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Home {
    /// The lane's worktree.
    pub worktree: String,
    /// The project's repository.
    pub repo: String,
}
