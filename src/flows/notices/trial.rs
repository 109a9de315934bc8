//! An admin at the machine sends a notice by hand, to see whether it arrives.

use serde::Serialize;
use serde_json::json;

use super::shape::parcel;
use super::target::target;
use crate::app::AppState;
use crate::auth::LocalAdmin;
use crate::domain::event::EventKind;
use crate::domain::notice;
use crate::error::{Error, Result};
use crate::flows::record::act;
use crate::outbound::address::origin_of;
use crate::outbound::post;
use crate::store::{self, events, instance, notices};

/// What came of it.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct Tried {
    /// It was taken.
    pub delivered: bool,
    /// Where it went: scheme, host and port.
    pub to: String,
    /// What to know about it.
    pub said: String,
}

/// Sends one notice that says it is a test.
pub async fn trial(app: &AppState, admin: &LocalAdmin) -> Result<Tried> {
    let mut conn = app.db.acquire().await?;
    let now = store::now(&mut conn, app.clock.offset_us()).await?;
    admin.confirm(&mut conn, now).await?;
    // What another server has set a moment ago counts.
    let settings = instance::settings(&mut conn).await?;
    let token = notices::token(&mut conn).await?;
    drop(conn);
    let nowhere = || Error::invalid("notify_url", "Notices go nowhere yet: set notify_url first.");
    let target = target(&settings)?.ok_or_else(nowhere)?;
    let to = origin_of(&target.url);
    let outcome = post(parcel(&target, token.as_deref(), &notice::trial(&app.public_url.origin()))?).await;
    let delivered = outcome.is_ok();
    let said = match outcome {
        Ok(status) => format!("It was taken ({status}). Look whether it arrives."),
        Err(why) => format!("It was not delivered: {why}."),
    };
    let mut tx = app.db.begin().await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    let payload = json!({ "to": to, "delivered": delivered });
    events::append(&mut tx, act(EventKind::NoticeTried, admin.actor(), payload, now)).await?;
    tx.commit().await?;
    Ok(Tried { delivered, to, said })
}
