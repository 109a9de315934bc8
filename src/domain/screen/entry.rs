//! Questions that end the last row: `(Y)es/(N)o`, `[y/N]`, and places and forms where a text or a secret is asked for.

use super::line::{Line, Lines};
use super::parts::paragraphs;
use super::phrase::{fold, holds_any, opens_with};
use super::rules::{RowShape, Rules};
use super::{AgentKind, Found, Offer, below, choose, wrap};
use crate::domain::dialog::DialogKind;

/// Rows above the question that are handed over as what it is about.
const MOST_CONTEXT: usize = 12;
/// Rows that a wrapped question may take.
const MOST_ROWS: usize = 6;

/// The question at the end of the screen, if there is one.
pub(super) fn find(lines: &Lines, rules: &Rules) -> Option<Found> {
    let last = lines.last_text()?;
    let open = lines.all[last + 1..].iter().all(Line::is_blank);
    if !open {
        return None;
    }
    let inline = rules.shapes.contains(&RowShape::Inline).then(|| inline(lines, rules, last)).flatten();
    let secret = || rules.shapes.contains(&RowShape::Entry).then(|| entry(lines, last, rules)).flatten();
    inline.or_else(secret).or_else(|| field(lines, rules, last))
}

fn inline(lines: &Lines, rules: &Rules, last: usize) -> Option<Found> {
    let above = last.saturating_sub(MOST_ROWS - 1)..=last;
    let rows = above.rev().take_while(|at| lines.all[*at].is_text());
    // The question may have been broken at the edge: the fewest rows that hold all of it count.
    for first in rows {
        if first < last && !wrap::flows(&lines.all[first], &lines.all[first + 1]) {
            return None;
        }
        let text = wrap::sentence(&lines.all[first..=last]);
        if let Some(found) = lettered(&text).or_else(|| bracketed(&text)) {
            return Some(put(lines, rules.agent, first, found));
        }
    }
    None
}

/// A question and its answers.
struct Asked {
    question: String,
    answers: Vec<String>,
    /// The subject is above, in the rows right before.
    subject: bool,
}

/// `Run shell command? (Y)es/(N)o/(D)on't ask again [Yes]:`
fn lettered(text: &str) -> Option<Asked> {
    let at = text.find("(Y)es/(N)o")?;
    let rest = text[at..].strip_suffix(':')?.trim_end();
    let list = match rest.rsplit_once('[') {
        Some((list, default)) if default.ends_with(']') => list.trim_end(),
        _ => rest,
    };
    let answers = list.split('/').map(|answer| answer.trim().to_owned()).collect();
    let question = text[..at].trim().to_owned();
    (!question.is_empty()).then_some(Asked { question, answers, subject: true })
}

/// `Do you want to continue? [Y/n]`
fn bracketed(text: &str) -> Option<Asked> {
    let trimmed = text.trim_end_matches([' ', '?', ':']);
    let close = trimmed.chars().next_back().filter(|c| matches!(c, ')' | ']'))?;
    let open = if close == ')' { '(' } else { '[' };
    // `(yes/no/[fingerprint])` holds brackets of its own.
    let at = trimmed.rfind(open).filter(|at| *at > 0)?;
    let inside = &trimmed[at + 1..trimmed.len() - 1];
    let separator = if inside.contains('/') { '/' } else { ',' };
    let answers: Vec<String> =
        inside.split(separator).map(|answer| answer.trim().trim_matches(['[', ']']).to_lowercase()).collect();
    let offered = |words: [&str; 2]| answers.iter().any(|answer| words.contains(&answer.as_str()));
    if !offered(["y", "yes"]) || !offered(["n", "no"]) || answers.iter().any(|answer| answer.contains(' ')) {
        return None;
    }
    Some(Asked { question: text.to_owned(), answers, subject: false })
}

fn put(lines: &Lines, agent: AgentKind, first: usize, asked: Asked) -> Found {
    let question = fold(&asked.question);
    // A host key that is accepted is kept.
    let host =
        asked.answers.iter().any(|answer| answer == "fingerprint") || holds_any(&question, &["continue connecting"]);
    let kind = if host { DialogKind::Trust } else { DialogKind::Permission };
    let prompt = choose::Prompt { agent, kind, kept: true };
    let mut options = Vec::with_capacity(asked.answers.len());
    for (at, text) in asked.answers.into_iter().enumerate() {
        let kept = host && opens_with(&text, &["y"]) || matches!(text.as_str(), "a" | "all" | "always" | "d" | "q");
        let standing = kept || prompt.stands(&text);
        let n = u32::try_from(at + 1).unwrap_or(u32::MAX);
        options.push(Offer { n, text, standing, selected: false });
    }
    let context = if asked.subject { subject(lines, first) } else { before(lines, first) };
    let runs = asked.subject && question.contains("shell command");
    // What is asked about may have left a full screen at its top.
    let cut = asked.subject && (context.is_empty() || lines.full && context.len() == first);
    let body = wrap::document(context.iter().copied());
    let mut found = Found {
        kind,
        title: None,
        question: asked.question,
        command: runs.then(|| wrap::text(context.iter().copied()).text).filter(|text| !text.is_empty()),
        body: Some(body.join("\n")).filter(|text| !runs && !text.is_empty()),
        context: None,
        options,
        approve_option: None,
        deny_option: None,
        truncated: cut,
        joined: context.len() > 1,
        shape: RowShape::Inline,
    };
    found.pick(prompt, !cut);
    found
}

/// The rows right above the question.
fn subject(lines: &Lines, first: usize) -> Vec<&Line> {
    let from = first.saturating_sub(MOST_CONTEXT);
    let from = (from..first).rev().take_while(|at| !lines.all[*at].is_blank()).last().unwrap_or(first);
    lines.all[from..first].iter().collect()
}

fn before(lines: &Lines, first: usize) -> Vec<&Line> {
    lines.all[first.saturating_sub(MOST_CONTEXT)..first].iter().collect()
}

/// Rows of a form that asks for a text.
const TALLEST_FORM: usize = 16;

/// A form that asks for a text, by its head and the keys at its foot.
fn field(lines: &Lines, rules: &Rules, last: usize) -> Option<Found> {
    let from = last.saturating_sub(TALLEST_FORM);
    let foot = paragraphs(&lines.all[from..=last]).pop()?;
    let foot = &lines.all[from..=last][foot];
    if !below::are_keys(foot) {
        return None;
    }
    let keys = fold(&wrap::sentence(foot));
    let at = rules.fields.iter().filter(|(_, key)| holds_any(&keys, &[key])).find_map(|(head, _)| {
        (from..last).rev().find(|at| lines.all[*at].is_text() && fold(&lines.all[*at].text).starts_with(head))
    })?;
    let asked = paragraphs(&lines.all[at + 1..last]).into_iter().next();
    let asked = asked.map(|range| wrap::sentence(&lines.all[at + 1..last][range]));
    let title = lines.all[at].text.trim_start_matches(['△', ' ']).to_owned();
    Some(asks_for_text(DialogKind::Decision, Some(title), asked.unwrap_or_default()))
}

/// There is nothing that could be chosen for a person.
fn asks_for_text(kind: DialogKind, title: Option<String>, question: String) -> Found {
    Found {
        kind,
        title,
        question,
        command: None,
        body: None,
        context: None,
        options: Vec::new(),
        approve_option: None,
        deny_option: None,
        truncated: false,
        joined: false,
        shape: RowShape::Entry,
    }
}

/// How prompts for a secret or a code begin or end.
const SECRETS: &[&str] = &[
    "password",
    "passphrase",
    "passcode",
    "one-time code",
    "verification code",
    "username for",
    "enter pin",
    "paste code here",
];

/// A text or a secret is asked for at the end of the last row.
fn entry(lines: &Lines, last: usize, rules: &Rules) -> Option<Found> {
    let line = &lines.all[last];
    let text = fold(&line.text);
    let waits = text.ends_with(':')
        || text.ends_with('>')
        || text.ends_with(": *")
        || text.trim_end_matches('*').ends_with(": ");
    let secret = waits && holds_any(&text, SECRETS) && text.len() < 200;
    let value = rules.layout == super::rules::Layout::Loose && text == "enter a value:";
    if !secret && !value {
        return None;
    }
    let asked = paragraphs(&lines.all[..last]).into_iter().rev().take(2).find_map(|range| {
        let said = wrap::sentence(&lines.all[range]);
        said.ends_with('?').then_some(said)
    });
    let kind = if secret { DialogKind::Login } else { DialogKind::Permission };
    Some(asks_for_text(kind, None, asked.filter(|_| value).unwrap_or_else(|| line.text.clone())))
}
