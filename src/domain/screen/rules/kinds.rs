//! What wordings say which sort of prompt is open. Only what the program itself writes is compared: title, question,
//! rows and keys, never the body, which an agent can fill.

/// Titles and questions of choices, and keys that only a choice has.
pub(in super::super) const DECISION_FRAME: &[&str] = &[
    "answer questions",
    "needs information",
    "ready to submit your answers",
    "review your answers",
    "tab/arrow keys to navigate",
    "enter to submit answer",
    "enter submit",
    "esc dismiss",
];

/// Rows that programs add to every choice.
pub(in super::super) const DECISION_ROWS: &[&str] =
    &["type something", "chat about this", "none of the above", "enter a custom value", "type your own answer"];

/// Titles and questions of other choices that are a person's.
pub(in super::super) const DECISION_WORDS: &[&str] = &[
    "this session is",
    "resume from summary",
    "choose the text style",
    "choose a theme",
    "potential loop",
    "loop was detected",
];

pub(in super::super) const LOGIN_WORDS: &[&str] = &[
    "select login method",
    "paste code here",
    "paste your",
    "how would you like to authenticate",
    "sign in with",
    "log in to",
    "log into",
    "what account do you want",
    "api key",
];

pub(in super::super) const LIMIT_WORDS: &[&str] = &[
    "usage limit reached",
    "approaching rate limits",
    "approaching usage limit",
    "you've hit your",
    "you have hit your",
    "you've reached your",
    "out of credits",
];

pub(in super::super) const LIMIT_ROWS: &[&str] =
    &["limit to reset", "upgrade your plan", "usage credits", "keep current model", "extra usage"];

pub(in super::super) const TRUST_WORDS: &[&str] = &[
    "do you trust",
    "one you trust",
    "folder trust",
    "workspace trust",
    "trust this",
    "trust the",
    "without asking for approval",
    "hooks need review",
    "new mcp server",
    "new mcp servers",
    "bypass permissions mode",
    "is this a project you created",
];

pub(in super::super) const TRUST_ROWS: &[&str] = &[
    "i trust this",
    "trust this",
    "trust folder",
    "trust parent folder",
    "don't trust",
    "trust all and continue",
    "yes, i accept",
    "use this mcp server",
    "without asking for approval",
];

pub(in super::super) const PLAN_WORDS: &[&str] = &[
    "ready to code",
    "exit plan mode",
    "enter plan mode",
    "written up a plan",
    "implement this plan",
    "ready to start implementation",
    "plan is ready",
];

pub(in super::super) const PLAN_ROWS: &[&str] = &[
    "auto-accept edits",
    "automatically accept edits",
    "manually approve edits",
    "manually accept edits",
    "keep planning",
];

/// Questions of a permission, wherever they come from.
pub(in super::super) const PERMISSION_OPENINGS: &[&str] = &[
    "do you want",
    "would you like to",
    "allow ",
    "apply this change",
    "apply changes",
    "run this command",
    "write to this file",
    "delete this file",
    "edit this file",
    "permission required",
    "always allow",
    "are you sure",
    "bash command",
    "edit file",
    "create file",
    "write file",
    "read file",
    "fetch",
    "tool use",
    "use skill",
];

/// Words in the question of a permission that no opening covers.
pub(in super::super) const PERMISSION_WORDS: &[&str] =
    &["wants to", "needs your approval", "requires approval", "requesting permission", "do you want to proceed"];

/// How a question of one's own choosing begins.
pub(in super::super) const CHOICE_OPENINGS: &[&str] =
    &["which ", "what ", "where ", "how ", "who ", "when ", "why ", "should ", "pick ", "choose ", "select "];
