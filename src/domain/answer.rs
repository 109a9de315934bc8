//! Answers to an agent's questions: every question one, and each within what the question allows.

use serde::{Deserialize, Serialize};

use super::ask::{BadField, Question, bad, no_nul};
use super::proposal::NOTE_MAX;

/// The answer to one question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// Its index in the proposal's questions, from 0.
    pub question: usize,
    /// The labels chosen.
    #[serde(default)]
    pub choices: Vec<String>,
    /// The person's own words, where allowed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// Checks that every question has exactly one fitting answer.
pub(super) fn check_answers(questions: &[Question], answers: &[Answer]) -> Result<(), BadField> {
    for (index, question) in questions.iter().enumerate() {
        let mut given = answers.iter().enumerate().filter(|(_, answer)| answer.question == index);
        let Some((at, answer)) = given.next() else {
            return Err(bad("answers", format!("question {index} has no answer")));
        };
        if given.next().is_some() {
            return Err(bad("answers", format!("question {index} is answered twice")));
        }
        check_answer(&format!("answers[{at}]"), question, answer)?;
    }
    match answers.iter().position(|answer| answer.question >= questions.len()) {
        Some(at) => Err(bad(format!("answers[{at}].question"), "is not the index of a question")),
        None => Ok(()),
    }
}

fn check_answer(path: &str, question: &Question, answer: &Answer) -> Result<(), BadField> {
    let choices = format!("{path}.choices");
    for (index, choice) in answer.choices.iter().enumerate() {
        if !question.options.contains(choice) {
            return Err(bad(choices, format!("`{choice}` is not one of the options")));
        }
        if answer.choices[..index].contains(choice) {
            return Err(bad(choices, format!("`{choice}` is chosen twice")));
        }
    }
    if answer.choices.len() > 1 && !question.multi {
        return Err(bad(choices, "takes one option"));
    }
    let text = answer.text.as_deref().filter(|text| !text.trim().is_empty());
    if let Some(text) = text {
        if !question.free_text {
            return Err(bad(format!("{path}.text"), "is not allowed for this question"));
        }
        no_nul(&format!("{path}.text"), text)?;
        if text.chars().count() > NOTE_MAX {
            return Err(bad(format!("{path}.text"), "takes at most 4000 characters"));
        }
    }
    if answer.choices.is_empty() && text.is_none() {
        return Err(bad(path, "has neither a choice nor a text"));
    }
    Ok(())
}
