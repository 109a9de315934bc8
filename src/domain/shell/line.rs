//! What an accepted command line consists of.

use std::ops::Range;

/// An accepted line: at least one command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The commands, in order.
    pub segments: Vec<Segment>,
}

/// How a command is joined to the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// It is the first.
    First,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `;`
    Then,
    /// `|`
    Pipe,
    /// A line end.
    Newline,
}

/// One command of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// What stands before it.
    pub operator: Operator,
    /// Variables set for it alone; only names from a closed list are accepted.
    pub env: Vec<Assignment>,
    /// The command's name and its words; never empty.
    pub words: Vec<Word>,
    /// Where its output goes, in order.
    pub redirects: Vec<Redirect>,
}

/// A variable set for one command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// One word, as the program gets it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The text, quotes taken off.
    pub text: String,
    /// Whether any of it was quoted.
    pub quoted: bool,
    /// Where it stands in the line, in bytes, quotes included.
    pub span: Range<usize>,
}

/// The only places output may be sent to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Redirect {
    /// `2>&1`
    ErrorsToOutput,
    /// `2>/dev/null`
    ErrorsAway,
    /// `>/dev/null`
    OutputAway,
}

impl Redirect {
    /// All that are accepted.
    pub(super) const ALL: &[Self] = &[Self::ErrorsToOutput, Self::ErrorsAway, Self::OutputAway];

    /// As it is written.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ErrorsToOutput => "2>&1",
            Self::ErrorsAway => "2>/dev/null",
            Self::OutputAway => ">/dev/null",
        }
    }
}

impl Operator {
    /// As it is written; nothing before the first.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::First => "",
            Self::And => "&&",
            Self::Or => "||",
            Self::Then => ";",
            Self::Pipe => "|",
            Self::Newline => "\n",
        }
    }
}

impl Segment {
    /// The command's name.
    pub fn name(&self) -> &str {
        self.words.first().map_or("", |word| word.text.as_str())
    }

    /// The words after the name.
    pub fn arguments(&self) -> &[Word] {
        self.words.get(1..).unwrap_or_default()
    }

    /// All words' texts.
    pub fn argv(&self) -> Vec<String> {
        self.words.iter().map(|word| word.text.clone()).collect()
    }

    /// Whether its input is the output of the one before.
    pub fn is_piped(&self) -> bool {
        self.operator == Operator::Pipe
    }
}

impl Line {
    /// The words, where the line is one plain command: no join, no variable, no redirect. What a rule is learned of.
    pub fn single(&self) -> Option<&Segment> {
        match self.segments.as_slice() {
            [only] if only.env.is_empty() && only.redirects.is_empty() => Some(only),
            _ => None,
        }
    }
}
