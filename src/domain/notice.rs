//! What a notice to the outside says: what sort of need, where, how many, and a link. Never a word of an agent's.

use std::collections::BTreeMap;

use serde::Serialize;
use uuid::Uuid;

use super::attention::Cause;

/// How many things a notice lists one by one.
const LISTED: usize = 20;
/// How many lanes it names.
const LANES: usize = 5;
/// How often a notice is tried.
pub const TRIES: i32 = 3;

/// What waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// A change to decide.
    Change,
    /// A question to answer.
    Question,
    /// Something else for a person.
    Person(Cause),
}

/// One thing that waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// What.
    pub need: Need,
    /// The lane's name.
    pub lane: String,
    /// The proposal it is about.
    pub proposal: Option<Uuid>,
}

/// A notice, ready to be put into somebody's shape.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Notice {
    /// How many things wait.
    pub count: usize,
    /// One line.
    pub title: String,
    /// A second one.
    pub text: String,
    /// Where to look.
    pub link: String,
    /// The first of them, one by one.
    pub items: Vec<Item>,
}

/// One thing that a notice lists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Item {
    /// `change`, `question`, or why a person is needed.
    pub need: &'static str,
    /// The lane's name.
    pub lane: String,
    /// Where to look.
    pub link: String,
}

impl Need {
    /// The word in the database and on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Change => "change",
            Self::Question => "question",
            Self::Person(cause) => cause.as_str(),
        }
    }

    /// Reads the word.
    pub fn from_word(word: &str) -> Option<Self> {
        match word {
            "change" => Some(Self::Change),
            "question" => Some(Self::Question),
            cause => Cause::from_word(cause).map(Self::Person),
        }
    }

    const fn head(self) -> &'static str {
        match self {
            Self::Change => "A change waits",
            Self::Question => "A question waits",
            Self::Person(cause) => cause.head(),
        }
    }

    /// What to call it among others, and in which order.
    const fn sort(self) -> Sort {
        match self {
            Self::Person(Cause::Held | Cause::NoApprover) => Sort::Dialog,
            Self::Change => Sort::Change,
            Self::Question => Sort::Question,
            Self::Person(_) => Sort::Other,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sort {
    Dialog,
    Change,
    Question,
    Other,
}

impl Sort {
    fn counted(self, n: usize) -> String {
        let word = match self {
            Self::Dialog => "dialog",
            Self::Change => "change",
            Self::Question => "question",
            Self::Other => "other need",
        };
        format!("{n} {word}{}", if n == 1 { "" } else { "s" })
    }
}

/// The notice of everything that waits and was not told of yet; none when nothing does. `base` is the address people use.
pub fn compose(waiting: &[Waiting], base: &str) -> Option<Notice> {
    let waiting = once_each(waiting);
    let link = |one: &Waiting| match one.proposal {
        Some(id) => format!("{base}/p/{id}"),
        None => format!("{base}/lanes/{}", one.lane),
    };
    let item = |one: &&Waiting| Item { need: one.need.as_str(), lane: one.lane.clone(), link: link(one) };
    let items: Vec<Item> = waiting.iter().take(LISTED).map(item).collect();
    let (title, text, link) = match waiting[..] {
        [] => return None,
        [one] => {
            (format!("{} in lane {}", one.need.head(), one.lane), "Open it to see and to decide.".to_owned(), link(one))
        }
        _ => (format!("{} things wait for a person", waiting.len()), summed(&waiting), format!("{base}/")),
    };
    Some(Notice { count: waiting.len(), title, text, link, items })
}

/// The notice that an admin sends to see whether it arrives.
pub fn trial(base: &str) -> Notice {
    let text = "This is a test: nothing waits because of it.".to_owned();
    Notice { count: 0, title: "Countersign reaches you".to_owned(), text, link: format!("{base}/"), items: Vec::new() }
}

/// What is about the same proposal is one thing; the last word on it counts.
fn once_each(waiting: &[Waiting]) -> Vec<&Waiting> {
    let later = |at: usize, one: &Waiting| waiting[at + 1..].iter().any(|other| other.proposal == one.proposal);
    let counts = |(at, one): &(usize, &Waiting)| one.proposal.is_none() || !later(*at, one);
    waiting.iter().enumerate().filter(counts).map(|(_, one)| one).collect()
}

fn summed(waiting: &[&Waiting]) -> String {
    let mut sorts: BTreeMap<Sort, usize> = BTreeMap::new();
    let mut lanes: Vec<&str> = Vec::new();
    for one in waiting {
        *sorts.entry(one.need.sort()).or_default() += 1;
        if !lanes.contains(&one.lane.as_str()) {
            lanes.push(&one.lane);
        }
    }
    let sorts: Vec<String> = sorts.into_iter().map(|(sort, n)| sort.counted(n)).collect();
    let more = lanes.len().saturating_sub(LANES);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let word = if lanes.len() == 1 { "lane" } else { "lanes" };
    format!("{} in {word} {}{more}", sorts.join(", "), lanes[..lanes.len().min(LANES)].join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(need: Need, lane: &str, proposal: Option<u128>) -> Waiting {
        Waiting { need, lane: lane.to_owned(), proposal: proposal.map(Uuid::from_u128) }
    }

    #[test]
    fn one_thing_is_named_and_linked() {
        let notice = compose(&[one(Need::Person(Cause::Held), "api", Some(1))], "https://a.example").unwrap();
        assert_eq!(notice.title, "A dialog waits in lane api");
        assert_eq!(notice.link, "https://a.example/p/00000000-0000-0000-0000-000000000001");
        let notice = compose(&[one(Need::Person(Cause::Stalled), "api", None)], "https://a.example").unwrap();
        assert_eq!(
            (notice.title.as_str(), notice.link.as_str()),
            ("An agent has stalled in lane api", "https://a.example/lanes/api")
        );
        assert_eq!(compose(&[], "https://a.example"), None);
    }

    #[test]
    fn many_things_are_counted() {
        let held = Need::Person(Cause::Held);
        let many = [
            one(Need::Change, "api", Some(1)),
            one(held, "web", Some(2)),
            one(Need::Person(Cause::NoApprover), "web", Some(2)),
            one(held, "api", Some(3)),
            one(Need::Person(Cause::Drift), "docs", None),
            one(Need::Person(Cause::Drift), "docs", None),
        ];
        let notice = compose(&many, "https://a.example").unwrap();
        assert_eq!((notice.count, notice.title.as_str()), (5, "5 things wait for a person"));
        assert_eq!(notice.text, "2 dialogs, 1 change, 2 other needs in lanes api, web, docs");
        assert_eq!(notice.link, "https://a.example/");
        assert_eq!(notice.items[1].need, "no_approver");
        let crowd: Vec<_> = (0..70).map(|n| one(Need::Question, &format!("lane{}", n % 7), Some(n))).collect();
        let notice = compose(&crowd, "https://a.example").unwrap();
        assert_eq!((notice.count, notice.items.len()), (70, 20));
        assert!(notice.text.ends_with("lane4 and 2 more"), "{}", notice.text);
    }

    #[test]
    fn every_need_has_its_word() {
        let causes = Cause::ALL.iter().copied().map(Need::Person);
        for need in causes.chain([Need::Change, Need::Question]) {
            assert_eq!(Need::from_word(need.as_str()), Some(need));
        }
    }
}
