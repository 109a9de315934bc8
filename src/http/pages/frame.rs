//! What stands around every page: its title, the way to the others, and what concerns all of them.

use super::when::When;

/// The frame of a page.
#[derive(Debug, Clone, Default)]
pub struct Frame {
    /// The page's own title.
    pub title: String,
    /// Which of the main pages this is.
    pub tab: Tab,
    /// Who is signed in.
    pub person: Option<Signed>,
    /// Plain http beyond this machine.
    pub insecure: bool,
    /// A demo, in which nothing is real.
    pub demo: bool,
    /// Everything is held, and by whom.
    pub paused: Option<Paused>,
    /// The server's time, so that a device with a wrong clock counts right.
    pub now: String,
    /// Where live updates start, as the journal's cursor.
    pub cursor: Option<String>,
}

/// The main pages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Tab {
    /// None of them.
    #[default]
    None,
    /// `/`
    Inbox,
    /// `/history`
    History,
    /// `/lanes`
    Lanes,
    /// `/audit`
    Audit,
    /// `/account`
    Account,
}

/// Who is signed in.
#[derive(Debug, Clone)]
pub struct Signed {
    /// Their name.
    pub name: String,
    /// Whether they may see the journal.
    pub may_audit: bool,
    /// How many proposals wait where they may read.
    pub waiting: usize,
    /// How many things wait for them: what they may decide, and what else they are needed for.
    pub needs: usize,
}

/// A pause by an admin.
#[derive(Debug, Clone)]
pub struct Paused {
    /// Who paused.
    pub by: String,
    /// Their reason.
    pub reason: String,
    /// When.
    pub at: When,
}

impl Frame {
    /// How many things wait for the reader, for the mark on the inbox.
    pub fn needs(&self) -> usize {
        self.person.as_ref().map_or(0, |person| person.needs)
    }

    /// How many proposals wait where the reader may look.
    pub fn waiting(&self) -> usize {
        self.person.as_ref().map_or(0, |person| person.waiting)
    }

    /// Whether the journal's tab is there.
    pub fn may_audit(&self) -> bool {
        self.person.as_ref().is_some_and(|person| person.may_audit)
    }
}
