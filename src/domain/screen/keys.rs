//! Which keys choose a row: one key where the program has one for it, else a way that is looked at before it is confirmed.

use super::phrase::fold;
use super::rules::{self, Press, RowShape};
use super::{AgentKind, Found, Offer};
use crate::domain::dialog::DialogKind;

/// A key to press.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Key {
    /// Characters, sent as they are.
    Text(String),
    /// Enter.
    Enter,
    /// Escape, only where it refuses what is open.
    Escape,
    /// Arrow up.
    Up,
    /// Arrow down.
    Down,
    /// Arrow left.
    Left,
    /// Arrow right.
    Right,
}

impl Key {
    /// Its name for tmux and for the record; text stands for itself.
    pub fn name(&self) -> &str {
        match self {
            Self::Text(text) => text,
            Self::Enter => "Enter",
            Self::Escape => "Escape",
            Self::Up => "Up",
            Self::Down => "Down",
            Self::Left => "Left",
            Self::Right => "Right",
        }
    }
}

/// How a row is chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choose {
    /// These keys, one after the other.
    Press(Vec<Key>),
    /// First these, which only move the mark; then the screen is read again, and Enter follows only if the mark is on
    /// the row.
    Steer(Vec<Key>),
}

impl Choose {
    /// All keys in their order.
    pub fn keys(&self) -> Vec<Key> {
        match self {
            Self::Press(keys) => keys.clone(),
            Self::Steer(moves) => moves.iter().cloned().chain([Key::Enter]).collect(),
        }
    }
}

/// How row `n` is chosen on the screen that was read, which must be the one right before the keys: the mark may have
/// moved since an earlier one. Nothing for a row that is never pressed from afar: a standing one, one that asks for a text,
/// one of a list of which several can be ticked, and any of a limit or a sign-in.
pub fn choose(agent: AgentKind, found: &Found, n: u32) -> Option<Choose> {
    let at = found.options.iter().position(|option| option.n == n)?;
    let option = &found.options[at];
    let account = matches!(found.kind, DialogKind::UsageLimit | DialogKind::Login);
    if account || option.standing || asks_for_text(option) || found.options.iter().any(has_box) {
        return None;
    }
    // What a choice offers is often the agent's own words, and so would be a key that they name.
    let foreign = found.kind == DialogKind::Decision && found.shape != RowShape::Keyed;
    let named = |way: &&Press| matches!(way, Press::Hint | Press::Letter(_));
    let (_, ways) = rules::of(agent).keys.iter().find(|(shape, _)| *shape == found.shape)?;
    ways.iter().filter(|way| !(foreign && named(way))).find_map(|way| match way {
        Press::Digit => (n < 10).then(|| Choose::Press(vec![Key::Text(n.to_string())])),
        Press::Hint => hint(&option.text)
            .filter(|key| !LASTING.contains(key))
            .map(|key| Choose::Press(vec![Key::Text(key.to_string())])),
        Press::Letter(rows) => {
            let label = super::choose::label(&option.text);
            let row = rows.iter().find(|(row, _)| *row == label);
            row.map(|(_, key)| Choose::Press(vec![Key::Text(key.to_string())]))
        }
        Press::Word => word(&option.text).map(|word| Choose::Press(vec![Key::Text(word), Key::Enter])),
        Press::Down => steer(found, at, [Key::Up, Key::Down]),
        Press::Right => steer(found, at, [Key::Left, Key::Right]),
        Press::Refuse => (found.deny_option == Some(n)).then(|| Choose::Press(vec![Key::Escape])),
    })
}

/// Steps from the marked row; without a mark nobody knows where they would lead.
fn steer(found: &Found, to: usize, [back, on]: [Key; 2]) -> Option<Choose> {
    let from = found.options.iter().position(|option| option.selected)?;
    let key = if to < from { back } else { on };
    let moves = vec![key; to.abs_diff(from)];
    Some(if moves.is_empty() { Choose::Press(vec![Key::Enter]) } else { Choose::Steer(moves) })
}

fn asks_for_text(option: &Offer) -> bool {
    let text = fold(&option.text);
    text.starts_with("type ") || text.starts_with("enter a custom") || text.starts_with("chat about")
}

/// Whether the row begins with a box to tick.
fn has_box(option: &Offer) -> bool {
    let mut chars = option.text.chars();
    let (first, inside, last) = (chars.next(), chars.next(), chars.next());
    first == Some('[') && last == Some(']') && inside.is_some_and(|c| !c.is_ascii_alphabetic() || c == 'x')
}

/// Letters that give or refuse for good in the dialog that may come next; to such a row we go and look.
const LASTING: &[char] = &['a', 'd'];

/// The first single letter among the keys that a row names: `(esc or n or p)`, `[q] Quit`.
fn hint(text: &str) -> Option<char> {
    let mut rest = text.trim_end();
    let mut found = None;
    if let Some(key) = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')).map(|(key, _)| key) {
        found = letter(key);
    }
    while let Some((before, inside)) = rest.strip_suffix(')').and_then(|inner| inner.rsplit_once('(')) {
        found = inside.split([' ', '/', ',']).find_map(letter).or(found);
        rest = before.trim_end();
    }
    found
}

fn letter(word: &str) -> Option<char> {
    let mut chars = word.chars();
    let only = chars.next().filter(char::is_ascii_alphabetic)?;
    chars.next().is_none().then(|| only.to_ascii_lowercase())
}

/// What is typed for an answer at the end of a line: the marked letter, or the answer as it is offered.
fn word(text: &str) -> Option<String> {
    let marked = text.strip_prefix('(').and_then(|rest| rest.split_once(')')).and_then(|(key, _)| letter(key));
    marked.map(String::from).or_else(|| {
        let plain = !text.is_empty() && text.chars().all(|c| c.is_ascii_lowercase());
        plain.then(|| text.to_owned())
    })
}
