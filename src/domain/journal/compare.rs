//! What happened to the rows of one block: the rows that are there against the hashes that were sealed.

use std::collections::HashMap;

use super::finding::{Damage, Finding};
use super::{Block, Row};
use crate::domain::digest::Digest;

/// Beyond so many rows that fit nowhere, swapped places are no longer looked for; the rows are named as edited.
const PLACES_TRIED: usize = 100;

/// The result for one block.
#[derive(Debug, Default)]
pub(super) struct Compared {
    /// The damage.
    pub findings: Vec<Finding>,
    /// Leading rows that cannot be judged, because the block they were in is gone.
    pub unproven: u64,
}

/// Rows and hashes between two rows that are where they were sealed.
struct Gap<'a> {
    rows: Vec<&'a Row>,
    sealed: usize,
    after: Option<i64>,
}

/// Compares. `behind_gap` says that the block before is missing, so that its rows come first and are not this block's.
pub(super) fn compare(block: &Block, rows: &[Row], behind_gap: bool) -> Compared {
    let mut out = Compared::default();
    let places: HashMap<Digest, usize> = block.rows.iter().enumerate().map(|(place, row)| (row.meta, place)).collect();
    let found: Vec<Option<usize>> = rows.iter().map(|row| places.get(&row.hash().meta).copied()).collect();
    let skip = if behind_gap { found.iter().take_while(|place| place.is_none()).count() } else { 0 };
    out.unproven = skip as u64;
    payloads(block, rows, &found, &mut out.findings);
    let moved = moved(block, &rows[skip..], &found[skip..]);
    for gap in gaps(block, &rows[skip..], &found[skip..]) {
        judge(block, gap, &moved, &mut out.findings);
    }
    out
}

/// Rows whose other fields fit, but whose payload does not.
fn payloads(block: &Block, rows: &[Row], found: &[Option<usize>], findings: &mut Vec<Finding>) {
    for (row, place) in rows.iter().zip(found) {
        let Some(place) = place else { continue };
        let taken_away = row.redacted && row.payload.is_none();
        if !taken_away && row.hash().payload != block.rows[*place].payload {
            let detail = format!("The payload of event {} is not the one that was sealed.", row.cursor.id);
            findings.push(Finding::new(Damage::EditedRow, detail).at(block.height).row(row.cursor.id));
        }
    }
}

/// Ids of rows that fit a sealed hash once they are given back the place of another row that fits nowhere.
fn moved(block: &Block, rows: &[Row], found: &[Option<usize>]) -> Vec<i64> {
    let strays: Vec<&Row> = rows.iter().zip(found).filter_map(|(row, place)| place.is_none().then_some(row)).collect();
    if strays.len() > PLACES_TRIED {
        return Vec::new();
    }
    let fits = |row: &&&Row| {
        strays.iter().any(|other| {
            let meta = row.meta(other.cursor);
            other.cursor != row.cursor && block.rows.iter().any(|sealed| sealed.meta == meta)
        })
    };
    strays.iter().filter(fits).map(|row| row.cursor.id).collect()
}

/// Cuts both lists at the rows that are in their places.
fn gaps<'a>(block: &Block, rows: &'a [Row], found: &[Option<usize>]) -> Vec<Gap<'a>> {
    let mut gaps = Vec::new();
    let mut next = 0;
    let mut gap = Gap { rows: Vec::new(), sealed: 0, after: None };
    for (row, place) in rows.iter().zip(found) {
        match place {
            Some(place) => {
                gap.sealed = place.saturating_sub(next);
                gaps.push(gap);
                next = next.max(place + 1);
                gap = Gap { rows: Vec::new(), sealed: 0, after: Some(row.cursor.id) };
            }
            None => gap.rows.push(row),
        }
    }
    gap.sealed = block.rows.len().saturating_sub(next);
    gaps.push(gap);
    gaps
}

/// Names what happened in one gap: moved rows first, then pairs are edits, and what is left over came or went.
fn judge(block: &Block, gap: Gap<'_>, moved: &[i64], findings: &mut Vec<Finding>) {
    let mut sealed = gap.sealed;
    let mut say = |damage, id: Option<i64>, detail: String| {
        let finding = Finding::new(damage, detail).at(block.height);
        findings.push(match id {
            Some(id) => finding.row(id),
            None => finding,
        });
    };
    let (swapped, strays): (Vec<&Row>, Vec<&Row>) =
        gap.rows.into_iter().partition(|row| moved.contains(&row.cursor.id));
    for row in swapped {
        sealed = sealed.saturating_sub(1);
        let id = row.cursor.id;
        say(Damage::ReorderedRow, Some(id), format!("What stands at event {id} was sealed at another place."));
    }
    for row in strays {
        let id = row.cursor.id;
        if sealed > 0 {
            sealed -= 1;
            let what = if row.redacted { "Beyond its redacted payload, event" } else { "Event" };
            say(Damage::EditedRow, Some(id), format!("{what} {id} is not what was sealed."));
        } else {
            say(Damage::InsertedRow, Some(id), format!("Event {id} was put between sealed rows."));
        }
    }
    for _ in 0..sealed {
        let place = gap.after.map_or_else(|| "at the block's start".to_owned(), |id| format!("behind event {id}"));
        say(Damage::DeletedRow, None, format!("A row that was sealed {place} is gone."));
    }
}
