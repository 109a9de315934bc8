//! Making orders.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use sqlx::types::{Json, JsonValue};
use uuid::Uuid;

use crate::domain::dialog::DialogOption;

/// An order to answer a dialog.
#[derive(Debug)]
pub struct NewAnswer<'a> {
    /// Its id.
    pub id: Uuid,
    /// The dialog.
    pub proposal_id: Uuid,
    /// Which try it is, from 1.
    pub attempt: i32,
    /// `dialog` or `legacy_rule`.
    pub trigger: &'a str,
    /// The row to press.
    pub option: &'a DialogOption,
    /// It refuses.
    pub deny: bool,
    /// Made by the policy.
    pub by_policy: bool,
    /// Why.
    pub policy_source: &'a str,
    /// Who ordered it.
    pub ordered_by: &'a str,
    /// When.
    pub now: DateTime<Utc>,
    /// When it may be taken.
    pub not_before: DateTime<Utc>,
}

/// Stores an answer; where and to whom is the dialog's.
pub async fn insert_answer(conn: &mut PgConnection, new: &NewAnswer<'_>) -> sqlx::Result<()> {
    let decision = if new.deny { "deny" } else { "approve" };
    sqlx::query!(
        "insert into orders (id, kind, trigger, project_id, lane_id, pane_client_id, pane_key, proposal_id, attempt, instance,
            digest, option, deny, decision, by_policy, policy_source, policy_version, ordered_by, created_at, not_before)
        select $1, 'answer', $2, p.project_id, p.lane_id, d.pane_client_id, d.pane_key, p.id, $3, d.instance, p.digest, $4, $5,
            $6, $7, $8, p.policy_version, $9, $10, $11
        from proposals p join dialogs d on d.proposal_id = p.id where p.id = $12",
        new.id,
        new.trigger,
        new.attempt,
        Json(new.option) as Json<&DialogOption>,
        new.deny,
        decision,
        new.by_policy,
        new.policy_source,
        new.ordered_by,
        new.now,
        new.not_before,
        new.proposal_id,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// An order to type a text.
#[derive(Debug)]
pub struct NewText<'a> {
    /// Its id.
    pub id: Uuid,
    /// `nudge`, `mail`, `message`.
    pub kind: &'a str,
    /// `mail`, `stall`, `manual_nudge`, `message`.
    pub trigger: &'a str,
    /// Project and lane.
    pub place: (Uuid, Uuid),
    /// Whose pane it is.
    pub pane: (Uuid, &'a str),
    /// What is typed.
    pub text: &'a str,
    /// The messages that it carries.
    pub msg_ids: Option<&'a JsonValue>,
    /// Under which policy, if the policy ordered it.
    pub policy_version: Option<i64>,
    /// Who ordered it.
    pub ordered_by: &'a str,
    /// When.
    pub now: DateTime<Utc>,
}

/// Stores a text.
pub async fn insert_text(conn: &mut PgConnection, new: &NewText<'_>) -> sqlx::Result<()> {
    // For the audit.
    let decision = if new.kind == "nudge" { "nudge" } else { "full_body" };
    sqlx::query!(
        "insert into orders (id, kind, trigger, project_id, lane_id, pane_client_id, pane_key, text, msg_ids, decision, by_policy,
            policy_version, ordered_by, created_at, not_before)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $14)",
        new.id,
        new.kind,
        new.trigger,
        new.place.0,
        new.place.1,
        new.pane.0,
        new.pane.1,
        new.text,
        new.msg_ids,
        decision,
        new.policy_version.is_some(),
        new.policy_version,
        new.ordered_by,
        new.now,
    )
    .execute(conn)
    .await?;
    Ok(())
}
