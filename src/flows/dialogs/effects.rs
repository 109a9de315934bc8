//! What an approval leaves behind for the dialogs after it (design, section 5).

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::judge::{Where, shell_of};
use crate::domain::report::Report;
use crate::domain::verdict::Effects;
use crate::error::Result;
use crate::store::taints::{self, Shell};

/// An approval that is being written.
#[derive(Clone, Copy, Debug)]
pub struct Approval<'a> {
    /// The dialog's proposal.
    pub proposal: Uuid,
    /// Where.
    pub place: Where,
    /// The pane.
    pub pane: &'a str,
    /// What was reported, if it is still known.
    pub report: Option<&'a Report>,
    /// A person has looked.
    pub by_person: bool,
    /// When.
    pub now: DateTime<Utc>,
}

/// Sets and clears taints.
pub async fn apply(tx: &mut PgConnection, effects: Effects, approval: &Approval<'_>) -> Result<()> {
    let Approval { proposal, place, pane, now, .. } = *approval;
    if effects.runs && approval.by_person {
        taints::clear_runner(tx, place.lane).await?;
    }
    if effects.writes_runner_file {
        taints::set_runner(tx, place.lane, proposal, now).await?;
    }
    if effects.changes_shell {
        let unknown = Shell { server: String::new(), pid: 0 };
        let shell = approval.report.and_then(shell_of).unwrap_or(unknown);
        taints::set_shell(tx, (place.client, pane), &shell, (proposal, now)).await?;
    }
    Ok(())
}
