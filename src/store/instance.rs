//! The one row that says which installation this is.

use sqlx::PgConnection;
use sqlx::types::Json;

use crate::domain::settings::Settings;

/// The local settings.
pub async fn settings(conn: &mut PgConnection) -> sqlx::Result<Settings> {
    let row = sqlx::query!(r#"select settings as "settings: Json<Settings>" from instance"#).fetch_one(conn).await?;
    Ok(row.settings.0)
}
