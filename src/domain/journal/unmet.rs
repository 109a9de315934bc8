//! What it means that the chain does not bear out something that was signed: rewritten, cut, emptied, or set back by a restore.

use std::collections::BTreeMap;

use super::Head;
use super::checkpoint::Checkpoint;
use super::finding::{Damage, Finding, Report};
use super::verify::Trust;

/// Names the damage behind good checkpoints that the chain does not bear out.
pub(super) fn judge(
    unmet: &[Checkpoint],
    restores: &[Checkpoint],
    trust: &Trust,
    (head, report): (&Head, &mut Report),
) {
    let (lost, unexplained): (Vec<_>, Vec<_>) = unmet
        .iter()
        .map(|checkpoint| (checkpoint, restore_behind(checkpoint, restores)))
        .partition(|(_, restore)| restore.is_some());
    let mut by_epoch: BTreeMap<i32, (&Checkpoint, i64)> = BTreeMap::new();
    for (checkpoint, restore) in lost {
        let Some(restore) = restore else { continue };
        let (_, to) = by_epoch.entry(restore.epoch).or_insert((restore, 0));
        *to = checkpoint.height.max(*to);
    }
    for (restore, to) in by_epoch.into_values() {
        set_back(restore, to, trust, report);
    }
    let (ahead, within): (Vec<_>, Vec<_>) =
        unexplained.into_iter().map(|(checkpoint, _)| checkpoint.height).partition(|height| *height > head.height);
    if let Some(height) = within.iter().min() {
        let detail =
            format!("The chain is not the one that was signed at block {height} ({} such checkpoints).", within.len());
        report.find(Finding::new(Damage::RewrittenChain, detail).at(*height));
    }
    if let Some(to) = ahead.iter().max() {
        cut(head, *to, report);
    }
}

/// The first restore after the checkpoint that set the chain back to before it.
fn restore_behind<'a>(checkpoint: &Checkpoint, restores: &'a [Checkpoint]) -> Option<&'a Checkpoint> {
    restores
        .iter()
        .filter(|restore| restore.epoch > checkpoint.epoch && restore.height < checkpoint.height)
        .min_by_key(|restore| restore.epoch)
}

fn set_back(restore: &Checkpoint, to: i64, trust: &Trust, report: &mut Report) {
    let from = restore.height + 1;
    let what = format!(
        "Blocks {from} to {to} were signed and are not in this chain: the server found the database set back at {} and began epoch {}.",
        restore.at.format("%Y-%m-%d %H:%M:%S UTC"),
        restore.epoch
    );
    if trust.restores.contains(&restore.epoch) {
        report.notices.push(what);
        return;
    }
    let damage = if restore.height == 0 { Damage::EmptiedJournal } else { Damage::LostToRestore };
    let detail = format!("{what} If a backup was restored then, say so with --restored {}.", restore.epoch);
    report.find(Finding::new(damage, detail).at(from));
}

fn cut(head: &Head, to: i64, report: &mut Report) {
    let finding = if head.height == 0 {
        let detail = format!("Blocks up to {to} were signed, and the journal has none.");
        Finding::new(Damage::EmptiedJournal, detail)
    } else {
        let detail = format!("Blocks {} to {to} were signed and are gone.", head.height + 1);
        Finding::new(Damage::CutTail, detail)
    };
    report.find(finding.at(head.height + 1));
}
