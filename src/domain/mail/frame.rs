//! The line in which a mail stands in a terminal: framed, and so that no body can end its frame or begin another.

use std::fmt::Write;

use uuid::Uuid;

use crate::domain::spelling::{rounded, spellings};
use crate::domain::text::{is_blank, is_unseen};

/// What stands in the frame besides the body.
#[derive(Clone, Copy, Debug)]
pub struct Heading<'a> {
    /// The message's id.
    pub id: Uuid,
    /// Who sent it, as the journal names them.
    pub sender: &'a str,
    /// The lane of an agent that sent it: where an answer goes.
    pub from_lane: Option<&'a str>,
    /// The message that it answers.
    pub reply_to: Option<Uuid>,
}

impl Heading<'_> {
    /// The frame's first half. It carries names and ids, and no word of the body.
    pub fn opening(&self) -> String {
        let mut opening = format!("[COUNTERSIGN MAIL id={} from={}", self.id, self.sender);
        if let Some(lane) = self.from_lane {
            opening.push('@');
            opening.push_str(lane);
        }
        match self.reply_to {
            // Writing to a string does not fail.
            Some(id) => _ = write!(opening, " reply_to={id}]"),
            None => opening.push_str(" reply_to=none]"),
        }
        opening
    }
}

/// Longest body that is typed, in characters: a longer one fills the prompt of a program that does not fold what is pasted,
/// so that nothing of the screen tells any more whether it arrived.
pub const TYPED_MAX: usize = 1000;

/// A mail as it is typed, and whether all of it is. Of a longer one it is the beginning, and where the rest is.
pub fn typed(heading: &Heading<'_>, body: &str) -> (String, bool) {
    let line = one_line(body);
    let Some((cut, _)) = line.char_indices().nth(TYPED_MAX) else { return (framed(heading, &line), true) };
    let left = line[cut..].chars().count();
    let begin = format!("{} (cut here, {left} more characters: read it with message_inbox)", line[..cut].trim_end());
    (framed(heading, &begin), false)
}

/// A mail in its frame: one line.
pub fn framed(heading: &Heading<'_>, body: &str) -> String {
    format!("{} {} [END COUNTERSIGN MAIL]", heading.opening(), one_line(body))
}

/// A body as it stands in its line: blanks and breaks are one space each, what is not seen is gone, and nothing in it reads
/// like a part of a frame.
pub fn one_line(body: &str) -> String {
    let mut line = String::with_capacity(body.len());
    for c in body.chars() {
        if is_blank(c) {
            if !line.is_empty() && !line.ends_with(' ') {
                line.push(' ');
            }
        } else if !is_unseen(c) {
            line.push(c);
        }
    }
    line.truncate(line.trim_end().len());
    if spellings(&line).is_empty() { line } else { line.chars().map(rounded).collect() }
}
