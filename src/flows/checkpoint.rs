//! Vouching for the chain: a signed checkpoint in the table and in the file outside the database, from every server.

use chrono::TimeDelta;

use super::restore::{self, Restored};
use super::seal;
use crate::app::App;
use crate::domain::journal::checkpoint::{Checkpoint, Reason};
use crate::error::Result;
use crate::store;
use crate::store::{checkpoints, epoch, journal};

/// So many sealed rows are not left without a checkpoint.
const ROWS: i64 = 256;
/// So long no sealed row is left without a checkpoint.
const AGE: TimeDelta = TimeDelta::minutes(10);

/// What a start found.
#[derive(Debug)]
pub struct Opening {
    /// This server's key; printed at every start, for the auditor to keep.
    pub fingerprint: String,
    /// The database was a restored one, and what was taken back.
    pub restored: Option<Restored>,
}

/// At a start, before anything is served: makes the key known, finds out about a restore, seals what is left, and vouches.
pub async fn open(app: &App) -> Result<Opening> {
    let fingerprint = app.notary.fingerprint();
    let mut conn = app.db.acquire().await?;
    checkpoints::register_key(&mut conn, "checkpoint", (&fingerprint, &app.notary.public_key())).await?;
    let pane_key = app.notary.pane_key().verifying_key().to_bytes();
    checkpoints::register_key(&mut conn, "pane_token", (&app.notary.pane_kid(), &pane_key)).await?;
    let known = checkpoints::known(&mut conn, &fingerprint).await?;
    drop(conn);
    let furthest = app.notary.witness().read().await?.furthest(&fingerprint);
    let restored = restore::restore(app, furthest.as_ref()).await?;
    let mut conn = app.db.acquire().await?;
    let epoch = epoch::identity(&mut conn).await?.epoch;
    drop(conn);
    // Also after a restore that another server dealt with, or this one before a crash: what this file says
    // about higher blocks is explained from here on. Nothing is sealed before that.
    if furthest.as_ref().is_some_and(|signed| signed.epoch < epoch) {
        vouch(app, Reason::Restored).await?;
    }
    seal::seal(app).await?;
    let first = furthest.is_none() && !known;
    vouch(app, if first { Reason::First } else { Reason::Start }).await?;
    Ok(Opening { fingerprint, restored })
}

/// At a clean stop, when nothing is written any more: seals the rest and vouches for it.
pub async fn close(app: &App) -> Result<()> {
    seal::seal(app).await?;
    vouch(app, Reason::Stop).await
}

/// After sealing: vouches if enough rows or time has passed since this server last did. True if it did.
/// A chain that no longer has what was vouched for is a database restored under a running server: it is [opened](open) anew.
pub async fn keep_up(app: &App) -> Result<bool> {
    let Some(last) = app.notary.last() else {
        open(app).await?;
        return Ok(true);
    };
    let mut conn = app.db.acquire().await?;
    let progress = journal::progress(&mut conn, last.height, app.clock.offset_us()).await?;
    drop(conn);
    if last.height > 0 && progress.hash != Some(last.hash) {
        open(app).await?;
        return Ok(true);
    }
    let due = progress.rows >= ROWS || (progress.rows > 0 && progress.now - last.at >= AGE);
    if due {
        vouch(app, Reason::Interval).await?;
    }
    Ok(due)
}

async fn vouch(app: &App, reason: Reason) -> Result<()> {
    let mut conn = app.db.acquire().await?;
    let head = journal::head(&mut conn).await?;
    let identity = epoch::identity(&mut conn).await?;
    let at = store::now(&mut conn, app.clock.offset_us()).await?;
    let checkpoint = Checkpoint {
        instance: identity.cluster,
        epoch: identity.epoch,
        height: head.height,
        hash: head.hash,
        at,
        reason,
    };
    let signed = app.notary.vouch(&checkpoint).await?;
    let id = app.ids.new_id(at);
    checkpoints::insert(&mut conn, id, &checkpoint, &signed).await?;
    Ok(())
}
