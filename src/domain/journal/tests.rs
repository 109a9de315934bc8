//! Every kind of damage, done to a small journal and found by name.

mod sample;

use sample::{Journal, at, checkpoint, key, row};

use super::checkpoint::Reason;
use super::finding::Damage;
use super::*;

/// The damage found after `change`.
fn after(change: impl FnOnce(&mut Journal)) -> Vec<Damage> {
    let mut journal = Journal::new();
    change(&mut journal);
    journal.damage()
}

#[test]
fn a_whole_journal_verifies() {
    let report = Journal::new().report();
    assert!(report.is_whole(), "{report:?}");
    let counts = (report.blocks, report.rows, report.rows_witnessed, report.rows_unsealed);
    assert_eq!(counts, (3, 15, 15, 2));
    assert_eq!(report.notices, Vec::<String>::new());
    assert_eq!(report.signers.len(), 1);
}

#[test]
fn every_column_of_a_row_is_proven() {
    let edits: &[fn(&mut Row)] = &[
        |row| row.payload = Some("{}".into()),
        |row| row.payload = None,
        |row| row.kind.push('x'),
        |row| row.actor = "agent:b".into(),
        |row| row.version = None,
        |row| row.project = None,
        |row| row.lane = row.project,
        |row| row.proposal = None,
        |row| row.at += chrono::TimeDelta::microseconds(1),
        |row| row.cursor.xid = 706,
    ];
    for (number, edit) in edits.iter().enumerate() {
        assert_eq!(after(|j| edit(&mut j.rows[6])), [Damage::EditedRow], "{number}");
    }
}

#[test]
fn rows_that_come_go_or_change_places_are_named() {
    assert_eq!(after(|j| drop(j.rows.remove(7))), [Damage::DeletedRow]);
    assert_eq!(after(|j| drop(j.rows.remove(9))), [Damage::DeletedRow]);
    let inserted = |j: &mut Journal| {
        let mut new = row(7);
        new.cursor.id = 99;
        j.rows.push(new);
    };
    assert_eq!(after(inserted), [Damage::InsertedRow]);
    let swapped = |j: &mut Journal| {
        let (a, b) = (j.rows[6].cursor, j.rows[8].cursor);
        j.rows[6].cursor = b;
        j.rows[8].cursor = a;
    };
    assert_eq!(after(swapped), [Damage::ReorderedRow; 2]);
    let report = {
        let mut journal = Journal::new();
        journal.rows[6].actor = "agent:b".into();
        journal.report()
    };
    assert_eq!((report.findings[0].height, report.findings[0].event), (Some(2), Some(7)));
}

#[test]
fn redaction_is_no_damage_and_hides_none() {
    let redacted = |j: &mut Journal| {
        j.redact(6);
        j.record_redactions(1);
    };
    assert_eq!(after(redacted), []);
    assert_eq!(after(|j| j.redact(6)), [Damage::UnrecordedRedaction]);
    let edited = |j: &mut Journal| {
        redacted(j);
        j.rows[6].actor = "person:somebody.else".into();
    };
    assert_eq!(after(edited), [Damage::EditedRow]);
}

#[test]
fn damaged_blocks_are_named() {
    assert_eq!(after(|j| j.blocks[1].sealed_at = at(51)), [Damage::EditedBlock]);
    assert_eq!(after(|j| j.blocks[1].rows[0].payload = EMPTY.hash), [Damage::EditedBlock, Damage::EditedRow]);
    let relinked = |j: &mut Journal| {
        j.blocks[2].prev = EMPTY.hash;
        j.blocks[2].hash = j.blocks[2].computed_hash();
    };
    assert_eq!(after(relinked), [Damage::BrokenLink, Damage::RewrittenChain]);
    let report = {
        let mut journal = Journal::new();
        journal.blocks.remove(1);
        journal.report()
    };
    assert_eq!(report.findings.len(), 1, "{report:?}");
    assert_eq!(report.findings[0].damage, Damage::MissingBlock);
    assert_eq!(report.rows_unproven, 5);
}

#[test]
fn what_was_signed_cannot_be_taken_back() {
    let rewritten = |j: &mut Journal| {
        j.rows[6].actor = "agent:b".into();
        j.seal();
    };
    assert_eq!(after(rewritten), [Damage::RewrittenChain]);
    let cut = |j: &mut Journal| {
        j.blocks.pop();
        j.rows.truncate(10);
    };
    assert_eq!(after(cut), [Damage::CutTail]);
    let emptied = |j: &mut Journal| {
        j.blocks.clear();
        j.rows.clear();
    };
    assert_eq!(after(emptied), [Damage::EmptiedJournal]);
    let forged = |j: &mut Journal| {
        cut(j);
        for signed in &mut j.signed {
            signed.statement = signed.statement.replace("height 3", "height 2");
        }
    };
    assert_eq!(after(forged), [Damage::ForgedCheckpoint]);
}

#[test]
fn only_trusted_keys_prove_anything() {
    let stranger = |j: &mut Journal| {
        let head = j.blocks[2].head();
        j.signed.push(checkpoint(1, &head, Reason::Start).sign(&key(2)));
    };
    assert_eq!(after(stranger), [Damage::UnknownKey]);
    let renamed = |j: &mut Journal| {
        stranger(j);
        j.signed.last_mut().unwrap().kid = j.signed[0].kid.clone();
    };
    assert_eq!(after(renamed), [Damage::WrongFingerprint]);
    let mistrusted = |j: &mut Journal| j.trust.fingerprints = vec!["00".repeat(32)];
    assert_eq!(after(mistrusted), [Damage::UnknownKey, Damage::WrongFingerprint]);
    let mut journal = Journal::new();
    journal.trust.fingerprints.clear();
    let report = journal.report();
    assert!(report.is_whole() && report.notices.len() == 1);
}

#[test]
fn a_restore_is_told_until_the_auditor_knows_of_it() {
    let mut journal = Journal::new();
    journal.blocks.pop();
    journal.rows.truncate(10);
    let head = journal.blocks[1].head();
    journal.sign(2, &head, Reason::Restored);
    assert_eq!(journal.damage(), [Damage::LostToRestore]);
    let mut later = row(18);
    later.cursor.epoch = 2;
    journal.blocks.extend(Block::seal(&head, std::slice::from_ref(&later), at(60)));
    journal.rows.push(later);
    assert_eq!(journal.damage(), [Damage::LostToRestore]);
    journal.trust.restores = vec![2];
    let report = journal.report();
    assert!(report.is_whole() && report.notices.len() == 1, "{report:?}");
}

proptest::proptest! {
    /// Whatever one thing is changed in rows or blocks, and wherever: the journal is not whole afterwards.
    #[test]
    fn no_single_change_goes_unseen(at in 0usize..15, what in 0usize..11, bit in 0usize..8) {
        let mut journal = Journal::new();
        let block = at % 3;
        let byte = 1u8 << bit;
        match what {
            0 => drop(journal.rows.remove(at)),
            1 => {
                let mut new = row(18 + i64::from(byte));
                new.cursor.xid = journal.rows[at].cursor.xid;
                new.cursor.id = journal.rows[at].cursor.id - 1;
                journal.rows.push(new);
            }
            2 => journal.rows[at].cursor.id += 100 * i64::from(byte),
            3 => journal.rows[at].kind.insert(bit, 'x'),
            4 => journal.rows[at].version = Some(i32::from(byte) + 1),
            5 => journal.rows[at].payload = Some(format!("{{\"n\":{at},\"bit\":{bit}}}")),
            6 => journal.rows[at].at += chrono::TimeDelta::microseconds(i64::from(byte)),
            7 => journal.blocks[block].rows[at / 3].payload.0[at] ^= byte,
            8 => journal.blocks[block].hash.0[at] ^= byte,
            9 => journal.blocks[block].prev.0[at] ^= byte,
            _ => drop(journal.blocks.remove(block)),
        }
        proptest::prop_assert!(!journal.damage().is_empty());
    }
}
