//! Which sort of prompt is open, by the words that the program itself writes.

use super::AgentKind;
use super::choose::{known, negative, positive};
use super::phrase::{fold, holds_any, opens_with};
use super::rules::kinds::{
    CHOICE_OPENINGS, DECISION_FRAME, DECISION_ROWS, DECISION_WORDS, LIMIT_ROWS, LIMIT_WORDS, LOGIN_WORDS,
    PERMISSION_OPENINGS, PERMISSION_WORDS, PLAN_ROWS, PLAN_WORDS, TRUST_ROWS, TRUST_WORDS,
};
use crate::domain::dialog::DialogKind;

/// What is known of a menu before its sort is.
#[derive(Clone, Debug)]
pub(super) struct Clues<'a> {
    pub agent: AgentKind,
    pub title: &'a str,
    pub question: &'a str,
    /// The question is one by its wording.
    pub asked: bool,
    /// Each option's text, with its description behind a dash.
    pub labels: Vec<String>,
    /// The keys below the options.
    pub footer: &'a str,
    /// Tabs stand above the question.
    pub tabs: bool,
    /// One row is marked as chosen.
    pub marked: bool,
}

/// The sort of prompt, or nothing when the menu is none that we know.
pub(super) fn of(clues: &Clues) -> Option<DialogKind> {
    let (title, question, footer) = (fold(clues.title), fold(clues.question), fold(clues.footer));
    // A description is often the agent's own words: only what stands before it is the program's.
    let rows: Vec<String> = clues.labels.iter().map(|text| fold(text.split(" — ").next().unwrap_or(text))).collect();
    let said = |phrases: &[&str]| holds_any(&title, phrases) || holds_any(&question, phrases);
    let offered = |phrases: &[&str]| rows.iter().any(|row| holds_any(row, phrases));
    let counted = title.starts_with("question ") && title.contains('/');
    if clues.tabs || counted || said(DECISION_FRAME) || holds_any(&footer, DECISION_FRAME) || offered(DECISION_ROWS) {
        return Some(DialogKind::Decision);
    }
    if said(LIMIT_WORDS) || offered(LIMIT_ROWS) {
        return Some(DialogKind::UsageLimit);
    }
    if said(PLAN_WORDS) || offered(PLAN_ROWS) {
        // The last row is a refusal or a place for another wish; without it the plan is still being painted.
        let whole = clues.labels.iter().any(|label| negative(clues.agent, label))
            || rows.iter().any(|row| row.starts_with("type "));
        return whole.then_some(DialogKind::Plan);
    }
    if said(TRUST_WORDS) || offered(TRUST_ROWS) {
        return Some(DialogKind::Trust);
    }
    if said(LOGIN_WORDS) {
        return Some(DialogKind::Login);
    }
    if said(DECISION_WORDS) {
        return Some(DialogKind::Decision);
    }
    by_rows(clues, &[&title, &question], &footer)
}

fn by_rows(clues: &Clues, head: &[&str], footer: &str) -> Option<DialogKind> {
    let yes = clues.labels.iter().any(|label| positive(clues.agent, label));
    let no = clues.labels.iter().any(|label| negative(clues.agent, label));
    let permission = head.iter().any(|text| asks_permission(text));
    if yes && no && (permission || clues.asked || clues.labels.iter().all(|label| known(clues.agent, label))) {
        return Some(DialogKind::Permission);
    }
    // A yes without a no is a dialog that is still being painted.
    if yes && permission {
        return None;
    }
    let question = head.last().copied().unwrap_or_default();
    let asks = question.ends_with('?') || question.contains("? ") || opens_with(question, CHOICE_OPENINGS);
    (clues.asked && asks && (clues.marked || !footer.is_empty())).then_some(DialogKind::Decision)
}

/// Whether a title or question asks for leave to do something, rather than for a choice.
pub(super) fn asks_permission(text: &str) -> bool {
    opens_with(text, PERMISSION_OPENINGS) || holds_any(text, PERMISSION_WORDS) || holds_any(text, TRUST_WORDS)
}

#[cfg(test)]
mod tests {
    use super::*;

    const VECTORS: &str = include_str!("../../../tests/fixtures/panes.jsonl");

    #[test]
    fn leave_is_told_from_choice() {
        let mut seen = 0;
        for line in VECTORS.lines() {
            let vector: serde_json::Value = serde_json::from_str(line).unwrap();
            if vector["kind"] == "prompt_class" {
                let summary = fold(vector["in"]["summary"].as_str().unwrap());
                let permission = vector["out"]["prompt_class"] == "permission";
                assert_eq!(asks_permission(&summary), permission, "{summary}");
                seen += 1;
            }
        }
        assert!(seen >= 6);
    }

    #[test]
    fn the_agents_own_words_never_make_a_permission_of_a_choice() {
        let clues = Clues {
            agent: AgentKind::Claude,
            title: "",
            question: "Do you want to proceed?",
            asked: true,
            labels: ["Yes", "No", "Type something.", "Chat about this"].map(str::to_owned).to_vec(),
            footer: "",
            tabs: false,
            marked: true,
        };
        assert_eq!(of(&clues), Some(DialogKind::Decision));
        let tabs = Clues { labels: ["Yes", "No"].map(str::to_owned).to_vec(), tabs: true, ..clues };
        assert_eq!(of(&tabs), Some(DialogKind::Decision));
    }
}
