//! Which row of a dialog a person's answer presses: never one that grants more than this once.

use super::ask::{BadField, bad};
use super::choice::Standing;
use super::dialog::{DialogKind, DialogOption};
use super::proposal::Outcome;

/// A row, and whether it may be pressed from afar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The row.
    pub option: DialogOption,
    /// Why not, if it would hold for later dialogs too, or change a mode.
    pub standing: Option<Standing>,
}

/// A dialog that waits for an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// What sort of prompt.
    pub kind: DialogKind,
    /// Its rows.
    pub rows: Vec<Row>,
    /// The row that agrees, if the server found exactly one.
    pub approve: Option<DialogOption>,
    /// The row that refuses, if the server found exactly one.
    pub deny: Option<DialogOption>,
    /// It is no longer on the screen.
    pub ended: bool,
}

/// Why no row can be pressed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// The field `option`.
    Bad(BadField),
    /// Only the person at the terminal may choose that one.
    Standing(Standing),
}

impl Asked {
    /// The row that an answer presses. A rejection where no single row refuses presses nothing: it is recorded, and
    /// somebody has to close the dialog at the terminal.
    pub fn pick(&self, outcome: Outcome, named: Option<u32>) -> Result<Option<DialogOption>, Unfit> {
        let choice = self.kind == DialogKind::Decision;
        let found = if outcome == Outcome::Rejected { &self.deny } else { &self.approve };
        match (named, found) {
            (Some(n), _) => self.named(outcome, n).map(Some),
            (None, Some(found)) if !choice => Ok(Some(found.clone())),
            (None, _) if outcome == Outcome::Rejected => Ok(None),
            (None, _) => {
                let why = if choice { "it is a choice" } else { "no single row just says yes" };
                Err(Unfit::Bad(bad("option", format!("is missing: {why}, so name the row to press"))))
            }
        }
    }

    fn named(&self, outcome: Outcome, n: u32) -> Result<DialogOption, Unfit> {
        let Some(row) = self.rows.iter().find(|row| row.option.n == n) else {
            return Err(Unfit::Bad(bad("option", format!("{n} is not the number of a row"))));
        };
        if self.rows.iter().filter(|row| row.option.n == n).count() > 1 {
            return Err(Unfit::Bad(bad("option", format!("{n} is the number of two rows; answer at the terminal"))));
        }
        if let Some(standing) = row.standing {
            return Err(Unfit::Standing(standing));
        }
        let is = |found: &Option<DialogOption>| found.as_ref().is_some_and(|found| found.n == n);
        if outcome == Outcome::Rejected && is(&self.approve) {
            return Err(Unfit::Bad(bad("option", "is the row that agrees: approve, or name another")));
        }
        if outcome != Outcome::Rejected && is(&self.deny) {
            return Err(Unfit::Bad(bad("option", "is the row that refuses: reject, or name another")));
        }
        Ok(row.option.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn option(n: u32) -> DialogOption {
        DialogOption { n, text: format!("row {n}"), selected: false }
    }

    fn asked(kind: DialogKind, approve: Option<u32>, deny: Option<u32>) -> Asked {
        let row = |n| Row { option: option(n), standing: (n == 2).then_some(Standing::Mode) };
        let rows = [1, 2, 3, 4].map(row).to_vec();
        Asked { kind, rows, approve: approve.map(option), deny: deny.map(option), ended: false }
    }

    #[test]
    fn the_row_found_is_pressed_unless_another_is_named() {
        use Outcome::{Approved, Rejected};
        let plain = asked(DialogKind::Permission, Some(1), Some(3));
        let n = |picked: Result<Option<DialogOption>, Unfit>| picked.map(|row| row.map(|row| row.n));
        assert_eq!(n(plain.pick(Approved, None)), Ok(Some(1)));
        assert_eq!(n(plain.pick(Rejected, None)), Ok(Some(3)));
        assert_eq!(n(plain.pick(Approved, Some(4))), Ok(Some(4)));
        assert_eq!(n(plain.pick(Approved, Some(2))), Err(Unfit::Standing(Standing::Mode)));
        assert_eq!(n(plain.pick(Rejected, Some(2))), Err(Unfit::Standing(Standing::Mode)));
        for (outcome, named) in [(Approved, 3), (Rejected, 1), (Approved, 9), (Rejected, 0)] {
            assert!(matches!(plain.pick(outcome, Some(named)), Err(Unfit::Bad(bad)) if bad.field == "option"));
        }
        let unclear = asked(DialogKind::Permission, None, None);
        assert!(matches!(unclear.pick(Approved, None), Err(Unfit::Bad(bad)) if bad.field == "option"));
        assert_eq!(n(unclear.pick(Rejected, None)), Ok(None));
        assert_eq!(n(unclear.pick(Approved, Some(3))), Ok(Some(3)));
        // A number that two rows share is pressed by nobody.
        let mut doubled = plain.clone();
        doubled.rows[3].option.n = 1;
        assert!(matches!(doubled.pick(Approved, Some(1)), Err(Unfit::Bad(bad)) if bad.field == "option"));
        // A choice is never made by what the server found.
        let choice = asked(DialogKind::Decision, Some(1), Some(3));
        assert!(choice.pick(Approved, None).is_err());
        assert_eq!(n(choice.pick(Rejected, None)), Ok(None));
        assert_eq!(n(choice.pick(Approved, Some(4))), Ok(Some(4)));
    }
}
