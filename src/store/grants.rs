//! Grants: who holds which role where, for what, until when.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::domain::access::{Grant, Role, Scope};
use crate::domain::risk::Risk;

/// A grant in a list.
#[derive(Clone, Debug, serde::Serialize, utoipa::ToSchema)]
pub struct GrantRow {
    /// Its id.
    pub id: Uuid,
    /// Whose it is.
    pub user: String,
    /// The role.
    pub role: String,
    /// `global`, `project:NAME` or `lane:NAME`.
    pub scope: String,
    /// The classes it is limited to.
    pub classes: Option<Vec<String>>,
    /// The highest risk it may decide.
    pub max_risk: Option<String>,
    /// Who gave it.
    pub granted_by: String,
    /// When it was given.
    pub created_at: DateTime<Utc>,
    /// When it ends.
    pub expires_at: Option<DateTime<Utc>>,
}

/// A grant to store.
#[derive(Debug)]
pub struct NewGrant<'a> {
    /// Its id.
    pub id: Uuid,
    /// Whose it will be.
    pub user_id: Uuid,
    /// What it says.
    pub grant: &'a Grant,
    /// Who gives it.
    pub granted_by: &'a str,
    /// When.
    pub at: DateTime<Utc>,
}

/// A grant as it stands in its row.
#[derive(Clone, Debug, serde::Deserialize)]
pub struct Stored {
    role: String,
    scope: String,
    scope_id: Option<Uuid>,
    classes: Option<Vec<String>>,
    max_risk: Option<String>,
    expires_at: Option<DateTime<Utc>>,
}

impl Stored {
    /// Words that this program does not know give nothing: a newer server wrote them.
    pub fn read(self) -> Option<Grant> {
        let scope = match (self.scope.as_str(), self.scope_id) {
            ("global", None) => Scope::Global,
            ("project", Some(id)) => Scope::Project(id),
            ("lane", Some(id)) => Scope::Lane(id),
            _ => return None,
        };
        let max_risk = match self.max_risk {
            None => None,
            Some(word) => Some(*[Risk::Low, Risk::Medium, Risk::High].iter().find(|risk| risk.as_str() == word)?),
        };
        Some(Grant {
            role: Role::from_word(&self.role)?,
            scope,
            classes: self.classes,
            max_risk,
            expires_at: self.expires_at,
        })
    }
}

/// What anybody who has not left holds, live or not.
pub async fn held_by_anyone(conn: &mut PgConnection) -> sqlx::Result<Vec<Grant>> {
    let rows = sqlx::query_as!(
        Stored,
        r#"select g.role, g.scope, g.scope_id, g.classes, g.max_risk, g.expires_at
        from grants g join users u on u.id = g.user_id where g.revoked_at is null and u.disabled_at is null"#,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().filter_map(Stored::read).collect())
}

/// What somebody holds, revoked grants left out, expired ones not.
pub async fn held_by(conn: &mut PgConnection, user_id: Uuid) -> sqlx::Result<Vec<Grant>> {
    let rows = sqlx::query_as!(
        Stored,
        "select role, scope, scope_id, classes, max_risk, expires_at from grants
         where user_id = $1 and revoked_at is null",
        user_id,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().filter_map(Stored::read).collect())
}

/// Grants for people: of one person or of everybody; revoked ones are left out.
pub async fn list(conn: &mut PgConnection, user: Option<&str>) -> sqlx::Result<Vec<GrantRow>> {
    sqlx::query_as!(
        GrantRow,
        r#"select g.id, u.name::text as "user!", g.role, g.classes, g.max_risk, g.granted_by, g.created_at, g.expires_at,
                  case g.scope when 'project' then 'project:' || coalesce(p.name, '?')
                               when 'lane' then 'lane:' || coalesce(l.name, '?')
                               else 'global' end as "scope!"
           from grants g join users u on u.id = g.user_id
           left join projects p on g.scope = 'project' and p.id = g.scope_id
           left join lanes l on g.scope = 'lane' and l.id = g.scope_id
           where g.revoked_at is null and ($1::text is null or u.name::text = $1)
           order by u.name, g.id"#,
        user,
    )
    .fetch_all(conn)
    .await
}

/// Stores a grant.
pub async fn insert(conn: &mut PgConnection, new: NewGrant<'_>) -> sqlx::Result<()> {
    let (scope, scope_id) = match new.grant.scope {
        Scope::Global => ("global", None),
        Scope::Project(id) => ("project", Some(id)),
        Scope::Lane(id) => ("lane", Some(id)),
    };
    sqlx::query!(
        "insert into grants (id, user_id, role, scope, scope_id, classes, max_risk, granted_by, created_at, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        new.id,
        new.user_id,
        new.grant.role.as_str(),
        scope,
        scope_id,
        new.grant.classes.as_deref(),
        new.grant.max_risk.map(Risk::as_str),
        new.granted_by,
        new.at,
        new.grant.expires_at,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Takes a grant back; false when it was already.
pub async fn revoke(conn: &mut PgConnection, id: Uuid, now: DateTime<Utc>) -> sqlx::Result<bool> {
    let done = sqlx::query!("update grants set revoked_at = $2 where id = $1 and revoked_at is null", id, now)
        .execute(conn)
        .await?;
    Ok(done.rows_affected() == 1)
}

/// Whose grant it is, unless it was taken back.
pub async fn holder(conn: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar!("select user_id from grants where id = $1 and revoked_at is null", id)
        .fetch_optional(conn)
        .await
}

/// Takes back all that somebody holds; returns the grants' ids.
pub async fn revoke_all(conn: &mut PgConnection, user_id: Uuid, now: DateTime<Utc>) -> sqlx::Result<Vec<Uuid>> {
    sqlx::query_scalar!(
        "update grants set revoked_at = $2 where user_id = $1 and revoked_at is null returning id",
        user_id,
        now,
    )
    .fetch_all(conn)
    .await
}

/// How many people hold the admin role everywhere and without end.
pub async fn lasting_admins(conn: &mut PgConnection) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"select count(distinct u.id) as "count!" from users u join grants g on g.user_id = u.id
           where u.disabled_at is null and g.revoked_at is null and g.role = 'admin' and g.scope = 'global'
             and g.expires_at is null"#,
    )
    .fetch_one(conn)
    .await
}
