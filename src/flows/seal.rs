//! Sealing: what the tail may see is hashed into blocks, by one server at a time; no writer ever waits for it.

use crate::app::App;
use crate::domain::journal::{BLOCK_MAX, Block};
use crate::error::Result;
use crate::store;
use crate::store::journal;

/// Seals everything that can be sealed now, and answers how many rows that were. While another server is at it: none.
pub async fn seal(app: &App) -> Result<u64> {
    let mut total = 0;
    loop {
        let rows = next_block(app).await?;
        total += rows.unsigned_abs();
        if rows < BLOCK_MAX {
            return Ok(total);
        }
    }
}

async fn next_block(app: &App) -> Result<i64> {
    let mut tx = app.db.begin().await?;
    if !journal::try_lock(&mut tx).await? {
        return Ok(0);
    }
    let head = journal::head(&mut tx).await?;
    let rows = journal::sealable(&mut tx, head.upto, BLOCK_MAX).await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    let Some(block) = Block::seal(&head, &rows, now) else {
        return Ok(0);
    };
    journal::insert_block(&mut tx, &block).await?;
    tx.commit().await?;
    Ok(i64::try_from(rows.len()).unwrap_or(BLOCK_MAX))
}
