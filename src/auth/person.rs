//! A person's rights, read again where something is written.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::Person;
use crate::domain::access::Grant;
use crate::error::{Error, Result};
use crate::store::{grants, people, sessions};

impl Person {
    /// What they hold at `now`, read inside the transaction that acts on it, with the account kept from being removed until
    /// it ends; refused when account or session have ended meanwhile.
    pub async fn confirm(&self, conn: &mut PgConnection, now: DateTime<Utc>) -> Result<Vec<Grant>> {
        let account = people::lock_share(conn, self.user_id()).await?;
        let enabled = account.is_some_and(|account| account.disabled_at.is_none());
        if !enabled || !sessions::is_live(conn, self.session_id(), now).await? {
            return Err(Error::unauthenticated());
        }
        Ok(grants::held_by(conn, self.user_id()).await?)
    }
}
