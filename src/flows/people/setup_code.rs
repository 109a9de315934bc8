//! The one-time code that lets the first person in, made anew at each start while there is nobody.

use chrono::TimeDelta;

use crate::app::AppState;
use crate::auth::token;
use crate::error::Result;
use crate::store::{self, instance, people};

/// How long a code counts.
const LIFE: TimeDelta = TimeDelta::minutes(30);

/// A fresh code whose hash replaces the one before; nothing once there is a user.
pub async fn renew_setup_code(app: &AppState) -> Result<Option<String>> {
    let mut tx = app.db.begin().await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    instance::lock(&mut tx).await?;
    if people::any(&mut tx).await? {
        return Ok(None);
    }
    // 22 of 43 characters: 132 bits, short enough to be typed from another screen.
    let code = token::secret_text().get(..22).map(str::to_owned).unwrap_or_default();
    instance::set_setup_code(&mut tx, Some((&token::hash(&code), now + LIFE))).await?;
    tx.commit().await?;
    Ok(Some(code))
}
