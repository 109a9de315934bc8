//! Somebody reached for what is not theirs: they are told that there is nothing, and the journal is told the truth.

use serde_json::Value;
use uuid::Uuid;

use crate::app::App;
use crate::domain::event::{Actor, EventKind, Place};
use crate::error::Result;
use crate::store;
use crate::store::events::{self, NewEvent};

/// Writes the row, at most one a minute for each caller, so that a hostile one cannot fill the journal. Only for what is
/// there: a reach for nothing must not use the minute up.
pub(in crate::flows) async fn reached(
    app: &App,
    (id, actor, place): (Uuid, Actor<'_>, Place),
    payload: Value,
) -> Result<()> {
    if !app.refusals.first_this_minute(id, app.clock.now().timestamp()) {
        return Ok(());
    }
    let mut tx = app.db.begin().await?;
    let at = store::now(&mut tx, app.clock.offset_us()).await?;
    let row = NewEvent { kind: EventKind::AccessRefused, actor, place, proposal: None, payload, at };
    events::append(&mut tx, row).await?;
    tx.commit().await?;
    app.hub.poke();
    Ok(())
}
