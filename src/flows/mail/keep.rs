//! Mail is kept thirty days: then its words go. What nobody has been given yet waits on.

use serde_json::json;

use crate::app::App;
use crate::domain::event::{Actor, EventKind};
use crate::domain::mail::KEPT;
use crate::error::Result;
use crate::flows::record::act;
use crate::store::{self, events, messages};

/// How many a transaction takes.
const ROWS: i64 = 500;

/// Takes the words of old mail away; the answer is of how many.
pub async fn keep(app: &App) -> Result<u64> {
    let mut total = 0;
    loop {
        let mut tx = app.db.begin().await?;
        let now = store::now(&mut tx, app.clock.offset_us()).await?;
        let redacted = messages::redact(&mut tx, now - KEPT, (ROWS, now)).await?;
        if redacted == 0 {
            return Ok(total);
        }
        let payload = json!({ "messages": redacted, "before": now - KEPT });
        events::append(&mut tx, act(EventKind::MailRedacted, Actor::System, payload, now)).await?;
        tx.commit().await?;
        total += redacted;
    }
}
