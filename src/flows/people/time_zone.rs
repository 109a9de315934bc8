//! Somebody chooses the zone of the times on their pages.

use serde_json::json;

use crate::app::AppState;
use crate::auth::Person;
use crate::domain::event::EventKind;
use crate::error::{Error, Result};
use crate::flows::record::act;
use crate::store::{self, events, people};

/// Sets the zone, by its name in the time zone database.
pub async fn set_time_zone(app: &AppState, person: &Person, zone: &str) -> Result<()> {
    let zone = self::zone(zone)?;
    let mut tx = app.db.begin().await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    people::set_time_zone(&mut tx, person.user_id(), zone.name()).await?;
    let payload = json!({"time_zone": zone.name()});
    let row = act(EventKind::ProfileChanged, person.actor(), payload, now);
    events::append(&mut tx, row).await?;
    tx.commit().await?;
    app.hub.poke();
    Ok(())
}

/// A zone by its name.
pub(super) fn zone(name: &str) -> Result<chrono_tz::Tz> {
    name.parse().map_err(|_| Error::invalid("time_zone", "Name a zone as in Europe/Vienna or UTC."))
}
