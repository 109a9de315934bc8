//! The receipt batcher: writes what has happened to proposals on their way, after the answers have gone out.

use std::collections::HashMap;

use tokio::sync::mpsc;

use crate::app::{App, AppState, NewReceipt};
use crate::error::Result;
use crate::store::proposals::receipts::{self, Step};

/// How many receipts one transaction takes.
const BATCH: usize = 256;

/// Runs until the app is drained, and then until the queue is empty.
pub async fn run(app: AppState, mut queue: mpsc::Receiver<NewReceipt>) {
    let mut batch = Vec::with_capacity(BATCH);
    loop {
        tokio::select! {
            biased;
            taken = queue.recv_many(&mut batch, BATCH) => if taken == 0 { return },
            () = app.drained.cancelled(), if !queue.is_closed() => queue.close(),
        }
        if let Err(error) = write(&app, std::mem::take(&mut batch)).await {
            tracing::warn!(%error, "some receipts are lost");
        }
    }
}

async fn write(app: &App, batch: Vec<NewReceipt>) -> Result<()> {
    let mut tx = app.db.begin().await?;
    receipts::relax_commit(&mut tx).await?;
    let mut first = 0;
    for &step in Step::ALL {
        // One row a proposal: a statement may not touch the same row twice.
        let mut actors: HashMap<_, String> = HashMap::new();
        for receipt in batch.iter().filter(|receipt| receipt.step == step) {
            actors.entry(receipt.proposal).or_insert_with(|| receipt.actor.clone());
        }
        // In one order, so that two servers cannot deadlock.
        let mut rows: Vec<_> = actors.into_iter().collect();
        rows.sort();
        let (ids, actors): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
        if !ids.is_empty() {
            let written = receipts::record(&mut tx, app.clock.offset_us(), step, (&ids, &actors)).await?;
            first += written.len();
            for seconds in written {
                app.metrics.reached(step.as_str(), seconds);
            }
        }
    }
    tx.commit().await?;
    if first > 0 {
        app.hub.poke();
    }
    Ok(())
}
