//! People: accounts and what pages and lists show of them.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::domain::secret::Secret;

/// An account with its secret's hash.
#[derive(Clone, Debug)]
pub struct Account {
    /// The person's id.
    pub id: Uuid,
    /// Their name.
    pub name: String,
    /// Their password's hash.
    pub password_phc: Secret,
    /// When the account was removed.
    pub disabled_at: Option<DateTime<Utc>>,
}

/// A person in a list.
#[derive(Clone, Debug, serde::Serialize, utoipa::ToSchema)]
pub struct PersonRow {
    /// Their id.
    pub id: Uuid,
    /// Their name.
    pub name: String,
    /// The zone their pages are in.
    pub time_zone: String,
    /// When the account was made.
    pub created_at: DateTime<Utc>,
    /// When it was removed.
    pub disabled_at: Option<DateTime<Utc>>,
    /// When they were last seen, to the minute.
    pub seen_at: Option<DateTime<Utc>>,
}

/// An account to store.
#[derive(Debug)]
pub struct NewAccount<'a> {
    /// Its id.
    pub id: Uuid,
    /// Its name.
    pub name: &'a str,
    /// The password's hash.
    pub password_phc: &'a Secret,
    /// When it was made.
    pub at: DateTime<Utc>,
}

/// The account of a name.
pub async fn account(conn: &mut PgConnection, name: &str) -> sqlx::Result<Option<Account>> {
    sqlx::query_as!(
        Account,
        r#"select id, name::text as "name!", password_phc, disabled_at from users where name::text = $1"#,
        name,
    )
    .fetch_optional(conn)
    .await
}

/// The account of an id, kept from changing until the transaction ends.
pub async fn lock_share(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<Account>> {
    sqlx::query_as!(
        Account,
        r#"select id, name::text as "name!", password_phc, disabled_at from users where id = $1 for share"#,
        id,
    )
    .fetch_optional(conn)
    .await
}

/// The account of a name, ours to change until the transaction ends.
pub async fn lock(conn: &mut PgConnection, name: &str) -> sqlx::Result<Option<Account>> {
    sqlx::query_as!(
        Account,
        r#"select id, name::text as "name!", password_phc, disabled_at from users where name::text = $1 for update"#,
        name,
    )
    .fetch_optional(conn)
    .await
}

/// Keeps everybody else from deciding or acting as this person until the transaction ends.
pub async fn hold(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<()> {
    sqlx::query!("select from users where id = $1 for update", id).execute(conn).await?;
    Ok(())
}

/// Whether anybody was ever added. Names are not reused, so this never becomes false again.
pub async fn any(conn: &mut PgConnection) -> sqlx::Result<bool> {
    sqlx::query_scalar!(r#"select exists (select from users) as "any!""#).fetch_one(conn).await
}

/// Everybody, removed ones last.
pub async fn list(conn: &mut PgConnection) -> sqlx::Result<Vec<PersonRow>> {
    sqlx::query_as!(
        PersonRow,
        r#"select u.id, u.name::text as "name!", u.time_zone, u.created_at, u.disabled_at,
                  (select max(s.seen_at) from sessions s where s.user_id = u.id) as seen_at
           from users u order by u.disabled_at nulls first, u.name"#,
    )
    .fetch_all(conn)
    .await
}

/// Stores a new account.
pub async fn insert(conn: &mut PgConnection, account: NewAccount<'_>) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into users (id, name, password_phc, created_at) values ($1, $2::text, $3, $4)",
        account.id,
        account.name,
        account.password_phc.reveal(),
        account.at,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Takes the power to sign in and decide from an account.
pub async fn disable(conn: &mut PgConnection, id: Uuid, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!("update users set disabled_at = $2 where id = $1", id, now).execute(conn).await?;
    Ok(())
}

/// Gives an account a new password.
pub async fn set_password(conn: &mut PgConnection, id: Uuid, phc: &str) -> sqlx::Result<()> {
    sqlx::query!("update users set password_phc = $2 where id = $1", id, phc).execute(conn).await?;
    Ok(())
}

/// The same password under a newer hash; false if the password was changed meanwhile.
pub async fn renew_hash(conn: &mut PgConnection, id: Uuid, old: &str, new: &str) -> sqlx::Result<bool> {
    let done = sqlx::query!("update users set password_phc = $3 where id = $1 and password_phc = $2", id, old, new,)
        .execute(conn)
        .await?;
    Ok(done.rows_affected() == 1)
}

/// Sets the zone of somebody's pages.
pub async fn set_time_zone(conn: &mut PgConnection, id: Uuid, zone: &str) -> sqlx::Result<()> {
    sqlx::query!("update users set time_zone = $2 where id = $1", id, zone).execute(conn).await?;
    Ok(())
}
