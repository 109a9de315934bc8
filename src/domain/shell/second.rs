//! The second opinion: an independent bash parser must see the same commands, joins, words and redirects.

use rable::{ListOperator, Node, NodeKind, PipeSep};

use super::{Line, Operator, Redirect, Segment};

/// Whether the other parser reads the line as ours did. Called only on lines within our limits that ours accepted, so
/// its depth and time are bounded.
pub(super) fn agrees(text: &str, line: &Line) -> bool {
    let Ok(nodes) = rable::parse(text, false) else { return false };
    let mut seen = Vec::with_capacity(line.segments.len());
    for node in &nodes {
        let operator = if seen.is_empty() { Operator::First } else { Operator::Newline };
        if walk(node, operator, &mut seen).is_none() {
            return false;
        }
    }
    seen.len() == line.segments.len()
        && seen
            .iter()
            .zip(&line.segments)
            .all(|((operator, node), segment)| *operator == segment.operator && same(node, segment).unwrap_or(false))
}

/// The simple commands below a node in order, each with what joins it to the one before; `None` for anything else.
fn walk<'a>(node: &'a Node, operator: Operator, seen: &mut Vec<(Operator, &'a Node)>) -> Option<()> {
    match &node.kind {
        NodeKind::Command { .. } => seen.push((operator, node)),
        NodeKind::Pipeline { commands, separators } => {
            if separators.iter().any(|separator| *separator != PipeSep::Pipe) {
                return None;
            }
            for (index, command) in commands.iter().enumerate() {
                let join = if index == 0 { operator } else { Operator::Pipe };
                walk(command, join, seen)?;
            }
        }
        NodeKind::List { items } => {
            let mut join = operator;
            for item in items {
                walk(&item.command, join, seen)?;
                join = match item.operator {
                    Some(ListOperator::And) => Operator::And,
                    Some(ListOperator::Or) => Operator::Or,
                    Some(ListOperator::Semi) | None => Operator::Then,
                    Some(ListOperator::Background) => return None,
                };
            }
        }
        _ => return None,
    }
    Some(())
}

/// Whether a simple command has exactly a segment's variables, words and redirects.
fn same(node: &Node, segment: &Segment) -> Option<bool> {
    let NodeKind::Command { assignments, words, redirects } = &node.kind else { return None };
    let texts = words.iter().map(text).collect::<Option<Vec<_>>>()?;
    let sets = assignments.iter().map(text).collect::<Option<Vec<_>>>()?;
    let sends = redirects.iter().map(redirect).collect::<Option<Vec<_>>>()?;
    Some(
        texts.iter().eq(segment.words.iter().map(|word| &word.text))
            && sets.iter().eq(&segment.env.iter().map(|set| format!("{}={}", set.name, set.value)).collect::<Vec<_>>())
            && sends == segment.redirects,
    )
}

/// A word with its quotes taken off; `None` when the other parser sees an expansion in it.
fn text(node: &Node) -> Option<String> {
    let NodeKind::Word { value, parts, .. } = &node.kind else { return None };
    if parts.iter().any(|part| !matches!(part.kind, NodeKind::WordLiteral { .. })) {
        return None;
    }
    let mut plain = String::with_capacity(value.len());
    let mut quote = None;
    for c in value.chars() {
        match (quote, c) {
            (None, '\'' | '"') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            _ => plain.push(c),
        }
    }
    quote.is_none().then_some(plain)
}

fn redirect(node: &Node) -> Option<Redirect> {
    let NodeKind::Redirect { op, target, fd, varfd: None } = &node.kind else { return None };
    let target = text(target)?;
    match (op.as_str(), *fd, target.as_str()) {
        (">&", 2, "1" | "&1") | (">", 2, "&1") => Some(Redirect::ErrorsToOutput),
        (">", 2, "/dev/null") => Some(Redirect::ErrorsAway),
        (">", 1 | -1, "/dev/null") => Some(Redirect::OutputAway),
        _ => None,
    }
}
