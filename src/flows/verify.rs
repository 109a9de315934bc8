//! `audit verify`: reads the whole journal at one moment and holds it against its blocks and everything that was signed.

use crate::app::App;
use crate::auth::LocalPeer;
use crate::domain::journal::BLOCK_MAX;
use crate::domain::journal::finding::Report;
use crate::domain::journal::verify::{Trust, Verifier};
use crate::error::Result;
use crate::store::{checkpoints, journal};

/// Blocks that are read at a time.
const BLOCKS: i64 = 20;

/// Verifies all of it; whether the report [is whole](Report::is_whole) decides about the exit code.
pub async fn verify(app: &App, _peer: LocalPeer, trust: Trust) -> Result<Report> {
    let testimony = app.notary.witness().read().await?;
    let mut tx = journal::snapshot(&app.db).await?;
    let mut signed = checkpoints::all(&mut tx).await?;
    let outside = testimony.checkpoints.len();
    signed.extend(testimony.checkpoints);
    let mut verifier = Verifier::new(trust, &signed);
    loop {
        let blocks = journal::blocks_above(&mut tx, verifier.head().height, BLOCKS).await?;
        if blocks.is_empty() {
            break;
        }
        for block in blocks {
            let rows = journal::between(&mut tx, verifier.head().upto, block.upto).await?;
            verifier.block(&block, &rows);
        }
    }
    let mut upto = verifier.head().upto;
    loop {
        let rows = journal::behind(&mut tx, upto, BLOCK_MAX).await?;
        let Some(last) = rows.last() else { break };
        upto = last.cursor;
        verifier.unsealed(&rows);
    }
    let mut report = verifier.finish();
    let file = app.notary.witness().path().display().to_string();
    if outside == 0 {
        let notice =
            format!("{file} holds no checkpoint: what the database alone says about its past was taken at its word.");
        report.notices.push(notice);
    }
    if testimony.unreadable > 0 {
        let notice = format!(
            "{} lines of {file} cannot be read. A crash can cut off the last one it was writing; more than that is somebody's doing.",
            testimony.unreadable
        );
        report.notices.push(notice);
    }
    Ok(report)
}
