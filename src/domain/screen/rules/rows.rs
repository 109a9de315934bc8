//! What wordings say of a row; the words that consent and refuse are those of the whole product.

/// Rows that leave a prompt about trust without giving any.
pub(in super::super) const LEAVES: &[&str] =
    &["quit", "exit", "don't trust", "do not trust", "require approval of edits and commands"];

/// How such rows may begin too.
pub(in super::super) const LEAVING: &[&str] = &["no,", "no ", "continue without", "back to"];

/// Yes to a plan with every edit still asked for.
pub(in super::super) const PLAN_ONCE: &[&str] = &[
    "yes, and manually approve edits",
    "yes, manually approve edits",
    "yes, manually accept edits",
    "yes, and manually accept edits",
];

/// Wordings of rows that outlive the request: they are remembered, cover more than it, or change the mode.
pub(in super::super) const STANDING: &[&str] = &[
    "always",
    "ask again",
    "ask me again",
    "ask anymore",
    "never",
    "this session",
    "the session",
    "running session",
    "future sessions",
    "this conversation",
    "in the future",
    "all future",
    "from now on",
    "remember",
    "until",
    "all edits",
    "all actions",
    "all commands",
    "all tools",
    "all server tools",
    "all requests",
    "for all",
    "yes to all",
    "skip all",
    "approve all",
    "allow all",
    "these files",
    "this file",
    "this folder",
    "this directory",
    "this project",
    "this workspace",
    "this host",
    "every",
    "everything",
    "auto-accept",
    "auto accept",
    "auto-approve",
    "auto-run",
    "auto mode",
    "automatically",
    "bypass permissions",
    "allowlist",
    "allow list",
    "allowed list",
    "whitelist",
    "without asking",
    "in settings",
    "commands that start with",
    "commands in",
    "access to",
    "reading from",
    "shift+tab",
    "trust folder",
    "trust parent folder",
    "trust all",
    "i accept",
    "permanently",
    "forever",
];

/// In a choice the rows are the agent's own words; only what a program adds to them is more than an answer.
pub(in super::super) const STANDING_CHOICE: &[&str] =
    &["ask again", "ask me again", "never show again", "for this session"];

/// Yes, said to something that is remembered.
pub(in super::super) const YES_OPENINGS: &[&str] =
    &["yes", "trust", "allow", "accept", "use ", "proceed", "continue and"];
