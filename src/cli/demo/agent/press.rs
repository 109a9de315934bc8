//! How an open dialog takes keys: digits, letters where the agent names them, the mark and Enter.

use super::keys::Key;
use super::scene::Asking;
use crate::domain::screen::AgentKind;

/// What a key does to an open dialog: a row is chosen, or the dialog is cancelled without one; the mark may move.
#[expect(
    clippy::option_option,
    reason = "no choice, a cancel and a row are three things, and the log tells them apart"
)]
pub(super) fn choose(asking: &mut Asking, key: &Key, kind: AgentKind) -> Option<Option<usize>> {
    if asking.answered.is_some() {
        return None;
    }
    if asking.ignores > 0 {
        asking.ignores -= 1;
        return None;
    }
    let count = asking.options.len();
    match key {
        Key::Char(c) if c.is_ascii_digit() => {
            let row = usize::from(*c as u8 - b'0').checked_sub(1)?;
            (row < count).then_some(Some(row))
        }
        Key::Char(c) if kind == AgentKind::Codex => lettered(&asking.options, *c).map(Some),
        Key::Enter => Some(Some(asking.selected)),
        Key::Escape => Some(asking.refusal()),
        Key::BackTab => asking.options.iter().position(|row| row.ends_with("(shift+tab)")).map(Some),
        Key::Up => {
            asking.selected = (asking.selected + count - 1) % count;
            None
        }
        Key::Down => {
            asking.selected = (asking.selected + 1) % count;
            None
        }
        _ => None,
    }
}

/// Codex names a row's letter behind it; `n` also takes the row of Escape.
fn lettered(options: &[String], c: char) -> Option<usize> {
    let hint = format!("({c})");
    let named = options.iter().position(|row| row.ends_with(&hint));
    named.or_else(|| options.iter().position(|row| c == 'n' && row.ends_with("(esc)")))
}
