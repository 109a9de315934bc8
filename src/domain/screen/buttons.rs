//! Options side by side in one row.

use super::line::{Line, Lines};
use super::menu::{Menu, choice};
use super::phrase::{fold, holds_any};
use super::rules::{FOOTERS, RowShape};

const BUTTONS: &[&str] = &[
    "allow once",
    "allow always",
    "always allow",
    "allow",
    "deny",
    "reject",
    "confirm",
    "cancel",
    "yes",
    "no",
    "submit",
];

/// Options side by side in one row, before the keys that move between them.
pub(super) fn find(lines: &Lines) -> Option<Menu> {
    lines.all.iter().enumerate().rev().find_map(|(at, line)| {
        let segments = segments(line);
        let labels: Vec<_> = segments.iter().take_while(|(text, _)| BUTTONS.contains(&fold(text).as_str())).collect();
        let keys = segments[labels.len()..].iter().map(|(text, _)| fold(text)).collect::<Vec<_>>().join(" ");
        let below = lines.all[at + 1..].iter().filter(|line| line.is_text()).take(2);
        let known = |keys: &str| holds_any(keys, FOOTERS);
        if labels.len() < 2
            || !(known(&keys) || keys.is_empty() && below.into_iter().any(|line| known(&fold(&line.text))))
        {
            return None;
        }
        let choices = labels.iter().enumerate();
        let choices = choices.map(|(n, (text, column))| choice(n, (*text).clone(), *column, at)).collect();
        Some(Menu::new(RowShape::Buttons, choices, line.boxes))
    })
}

/// Pieces of a row with two or more blanks between, and the columns they start in.
fn segments(line: &Line) -> Vec<(String, usize)> {
    let mut found: Vec<(String, usize)> = Vec::new();
    let mut blanks = 2;
    for (at, c) in line.text.chars().enumerate() {
        if c == ' ' {
            blanks += 1;
            continue;
        }
        match found.last_mut() {
            Some((text, _)) if blanks < 2 => {
                text.extend(std::iter::repeat_n(' ', blanks));
                text.push(c);
            }
            _ => found.push((c.to_string(), line.start + at)),
        }
        blanks = 0;
    }
    found
}
