//! What was found in a text that a reader could not see, counted and put into words.

/// A way in which a text is not what it seems.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Warning {
    /// Turns the reading order of what follows.
    Bidi,
    /// Takes no room on a screen.
    Invisible,
    /// Painted in the colour of its background, or concealed by a terminal code.
    Hidden,
    /// Letters of several alphabets in a word, or of another one than it seems.
    Lookalike,
    /// Moves back over what is already there.
    Overwrite,
    /// A control character.
    Control,
    /// A terminal code.
    Escape,
    /// Looks like a blank and is none.
    Blank,
    /// Room that pushes text out of sight.
    Padding,
    /// A line so long that its end is easily missed.
    LongLine,
}

impl Warning {
    /// What it means for a reader, as the end of a sentence about a character.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Bidi => "changes the order in which the text after it is read",
            Self::Invisible => "cannot be seen on a screen, but is part of the text",
            Self::Hidden => "was painted so that nobody would see it; it is shown here",
            Self::Lookalike => "is not the word it looks like: other letters are mixed in",
            Self::Overwrite => "makes a terminal write over what stands before it",
            Self::Control => "is a control character",
            Self::Escape => "is a code that a terminal obeys and does not show",
            Self::Blank => "looks like a space and is none",
            Self::Padding => "pushes what comes after it out of sight",
            Self::LongLine => "is longer than anybody reads; look at its end",
        }
    }
}

/// One kind of find, with how often it occurs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// In which way the text is not what it seems.
    pub warning: Warning,
    /// What was found, as it is shown: `U+202E`, a word, `140 spaces`.
    pub label: String,
    /// The character's name where it has a well-known one, else empty.
    pub name: &'static str,
    /// How often.
    pub count: usize,
}

/// All finds in a text, worst first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Warnings {
    found: Vec<Found>,
}

/// More different finds than this a band cannot tell apart; the rest is counted together.
const MAX_FINDS: usize = 24;
const OTHERS: &str = "others";

impl Warnings {
    /// No find at all.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// The finds, worst first.
    pub fn iter(&self) -> impl Iterator<Item = &Found> {
        self.found.iter()
    }

    /// How many places are concerned.
    pub fn count(&self) -> usize {
        self.found.iter().map(|found| found.count).sum()
    }

    /// Whether something of this kind was found.
    pub fn has(&self, warning: Warning) -> bool {
        self.found.iter().any(|found| found.warning == warning)
    }

    /// Adds the finds of another text.
    pub fn merge(&mut self, other: &Self) {
        for found in &other.found {
            self.add(found.clone());
        }
    }

    pub(in crate::domain) fn note(&mut self, warning: Warning, label: &str, name: &'static str) {
        self.add(Found { warning, label: label.to_owned(), name, count: 1 });
    }

    fn add(&mut self, new: Found) {
        let same = |found: &&mut Found| found.warning == new.warning && found.label == new.label;
        if let Some(found) = self.found.iter_mut().find(same) {
            found.count += new.count;
            return;
        }
        if self.found.len() >= MAX_FINDS && new.label != OTHERS {
            return self.add(Found { label: OTHERS.to_owned(), name: "", ..new });
        }
        let place = self.found.partition_point(|found| found.warning <= new.warning);
        self.found.insert(place, new);
    }
}
