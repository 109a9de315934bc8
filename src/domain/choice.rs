//! Which row to press: exactly one single-shot yes or no, by an allow-list of labels; anything else is nobody's choice.

mod labels;
mod standing;

use super::dialog::{DialogKind, DialogOption};

pub(super) use labels::is_keys;
pub use standing::Standing;

/// The rows that could be pressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rows<'a> {
    /// The one that agrees, once.
    pub approve: Option<&'a DialogOption>,
    /// The one that refuses, once.
    pub deny: Option<&'a DialogOption>,
}

/// Finds both rows; two that qualify are none.
pub fn rows<'a>(agent_kind: &str, options: &'a [DialogOption]) -> Rows<'a> {
    let mut rows = Rows::default();
    let (mut yes, mut no) = (0, 0);
    for option in options {
        match labels::read(agent_kind, &option.text) {
            labels::Label::Yes => {
                yes += 1;
                rows.approve = Some(option);
            }
            labels::Label::No => {
                no += 1;
                rows.deny = Some(option);
            }
            labels::Label::Other => {}
        }
    }
    // The number is what a client presses: one that two rows share presses nothing.
    let alone = |row: &&DialogOption| options.iter().filter(|option| option.n == row.n).count() == 1;
    rows.approve = rows.approve.filter(|row| yes == 1 && alone(row));
    rows.deny = rows.deny.filter(|row| no == 1 && alone(row));
    rows
}

/// Whether a person may have this row pressed from afar; the error says why not.
pub fn pressable(kind: DialogKind, text: &str) -> Result<(), Standing> {
    standing::of(kind, text).map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests;
