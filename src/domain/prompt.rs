//! What sort of prompt a dialog's own words make it, for reports that do not say or say it wrongly.

use super::dialog::DialogKind;

/// Words with which a question asks for a choice and not for leave.
const CHOICE: &[&str] = &["which", "what", "where", "who", "whom", "whose", "when", "why", "how", "should", "shall"];

/// The kind by title and question. What is no other kind is a request for permission.
pub fn kind_of(title: &str, question: &str) -> DialogKind {
    let title = title.to_lowercase();
    let question = question.to_lowercase();
    let has = |parts: &[&str]| parts.iter().any(|part| title.contains(part) || question.contains(part));
    if has(&["usage limit", "rate limit", "session limit", "reached your limit", "out of credits"]) {
        DialogKind::UsageLimit
    } else if has(&["login method", "sign in", "log in with", "select login"]) {
        DialogKind::Login
    } else if has(&["do you trust", "one you trust", "work in this folder without", "trust the files", "trust this"]) {
        DialogKind::Trust
    } else if has(&["this plan", "ready to code", "written up a plan"]) || title == "plan" {
        DialogKind::Plan
    } else if asks_for_choice(&question) || title.starts_with("question ") {
        DialogKind::Decision
    } else {
        DialogKind::Permission
    }
}

fn asks_for_choice(question: &str) -> bool {
    let first = question.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty());
    first.is_some_and(|word| CHOICE.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_give_the_kind() {
        for (title, question, want) in [
            ("Bash command", "Do you want to proceed?", DialogKind::Permission),
            ("", "Do you want to create README.md?", DialogKind::Permission),
            ("", "Allow the acme MCP server to run tool \"which\"?", DialogKind::Permission),
            ("", "Would you like to run the following command?", DialogKind::Permission),
            ("", "Which auth method should we use?", DialogKind::Decision),
            ("", "What should the default timeout be?", DialogKind::Decision),
            ("", "Should we target Postgres or SQLite?", DialogKind::Decision),
            ("Question 1/2 (2 unanswered)", "Pick a branch", DialogKind::Decision),
            ("Plan", "Would you like to go ahead with this plan?", DialogKind::Plan),
            ("", "Do you trust the files in this folder?", DialogKind::Trust),
            ("Usage limit", "What do you want to do?", DialogKind::UsageLimit),
            ("", "Select login method:", DialogKind::Login),
        ] {
            assert_eq!(kind_of(title, question), want, "{title} {question}");
        }
    }
}
