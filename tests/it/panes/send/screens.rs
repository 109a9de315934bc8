//! The screens that the scripted agents paint, and what they turn into.

/// Claude asking for a command, in a pane of this width.
pub fn asks(command: &str, cols: usize) -> String {
    asks_with(command, cols, &["Yes", "No"])
}

/// The same, with rows of its own.
pub fn asks_with(command: &str, cols: usize, rows: &[&str]) -> String {
    let rule = "─".repeat(cols);
    let mut rows: Vec<String> = rows.iter().enumerate().map(|(at, row)| format!("   {}. {row}", at + 1)).collect();
    rows[0] = rows[0].replacen("  ", " ❯", 1);
    let rows = rows.join("\n");
    format!(
        "● Bash({command})\n  ⎿  Running…\n\n{rule}\n Bash command\n\n   {command}\n   Say what it is for\n\n \
         Do you want to proceed?\n{rows}\n\n Esc to cancel · Tab to amend"
    )
}

/// Claude at work.
pub fn works(cols: usize) -> String {
    let rule = "─".repeat(cols);
    format!(
        "● Bash(one of them)\n  ⎿  Running…\n\n✳ Untangling… (3s · esc to interrupt)\n\n{rule}\n❯ \n{rule}\n  ? for shortcuts"
    )
}

/// Claude at rest, with this draft.
pub fn rests(draft: &str, cols: usize) -> String {
    let rule = "─".repeat(cols);
    format!("● Renamed the flag in both places.\n\n✻ Worked for 1m 12s\n\n{rule}\n❯ {draft}\n{rule}\n  ? for shortcuts")
}

/// Claude at its usage limit.
pub const LIMITED: &str = include_str!("../../../fixtures/panes/claude_usage_limit_menu.txt");
