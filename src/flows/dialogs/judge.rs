//! What a dialog is judged by, read in the transaction that acts on the judgement.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::domain::dialog::{Dialog, Home};
use crate::domain::policy::Effective;
use crate::domain::report::Report;
use crate::domain::rule::Rule;
use crate::domain::verdict::{Judgement, Standing, judge};
use crate::error::{Error, Result};
use crate::store::taints::{self, Shell};
use crate::store::{instance, places, policies, rules};

/// Where a dialog is, and whose client sees it.
#[derive(Clone, Copy, Debug)]
pub struct Where {
    /// Its project.
    pub project: Uuid,
    /// Its lane.
    pub lane: Uuid,
    /// The pane client.
    pub client: Uuid,
}

/// Everything outside the dialog that decides about it.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Ground {
    /// The policy's version.
    pub version: i64,
    /// Every approval needs a reason.
    pub require_reason: bool,
    policy: Effective,
    rules: Vec<Rule>,
    paused: bool,
    runner_taint: bool,
    shell_taint: bool,
    home: Home,
}

impl Ground {
    /// Reads it. Whoever acts on it has taken [`policies::hold`] before.
    pub async fn read(tx: &mut PgConnection, place: Where, report: &Report, now: DateTime<Utc>) -> Result<Self> {
        let (version, document) = policies::head(tx).await?;
        Ok(Self {
            version,
            require_reason: document.supervision.require_reason,
            policy: document.resolve(&report.lane),
            rules: rules::live(tx, place.project, now).await?,
            paused: instance::pause(tx).await?.is_some(),
            runner_taint: taints::runner(tx, place.lane).await?,
            shell_taint: shell_taint(tx, place, report).await?,
            home: places::home(tx, place.lane).await?.ok_or_else(Error::not_found)?,
        })
    }

    /// Judges.
    pub fn judge(&self, report: &Report) -> Judgement {
        let standing = Standing {
            policy: &self.policy,
            rules: &self.rules,
            paused: self.paused,
            runner_taint: self.runner_taint,
            shell_taint: self.shell_taint,
        };
        let dialog = Dialog { home: Some(self.home.clone()), ..report.dialog() };
        judge(&dialog, &standing)
    }
}

/// The shell a report was read from, if the client says which.
pub fn shell_of(report: &Report) -> Option<Shell> {
    let pane = report.facts.as_ref()?.pane.as_ref()?;
    Some(Shell { server: pane.server.clone(), pid: i64::from(pane.pid) })
}

/// Whether the pane still has the shell that somebody let change. A taint of a shell that was not named is one of the
/// first that is.
async fn shell_taint(tx: &mut PgConnection, place: Where, report: &Report) -> Result<bool> {
    let Some(tainted) = taints::shell(tx, place.client, &report.pane).await? else { return Ok(false) };
    let Some(shell) = shell_of(report) else { return Ok(true) };
    if tainted.pid == 0 {
        taints::name_shell(tx, (place.client, &report.pane), &shell).await?;
        return Ok(true);
    }
    if tainted != shell {
        taints::clear_shell(tx, place.client, &report.pane).await?;
    }
    Ok(tainted == shell)
}
