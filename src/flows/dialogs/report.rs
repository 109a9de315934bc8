//! A pane client reports a dialog: judged and written in one short transaction, told afterwards; the same report again
//! finds the same dialog, or the one that stands in its stead.

use sqlx::{PgConnection, Postgres, Transaction};
use uuid::Uuid;

use super::again::{self, Again};
use super::cross::{self, Reached};
use super::end::{self, Ended, Ending};
use super::judge::{Ground, Where};
use super::write::{self, Fresh, Replaced, Written};
use crate::app::App;
use crate::auth::PaneClient;
use crate::domain::dialog::DialogSource;
use crate::domain::order::Execution;
use crate::domain::report::Report;
use crate::error::{Code, Error, Problem, Result};
use crate::store::dialogs::DialogRow;
use crate::store::{self, dialogs, orders, policies};

/// What a report came to.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// The dialog.
    pub id: Uuid,
    /// It is new: 201 instead of 200.
    pub new: bool,
}

/// Takes a report. A lane that is not the client's is not there.
pub async fn report(app: &App, client: &PaneClient, report: &Report) -> Result<Found> {
    report.check()?;
    let Some(lane) = client.lane(&report.lane) else {
        return Err(cross::refuse(app, client, Reached::Lane(&report.lane)).await);
    };
    let mut tx = app.db.begin().await?;
    policies::hold(&mut tx).await?;
    client.confirm(&mut tx).await?;
    // Reports of the same instance come one after the other: the second finds what the first has written.
    dialogs::claim(&mut tx, client.id(), report.instance).await?;
    let place = Where { project: lane.project, lane: lane.id, client: client.id() };
    let case = Case { app, client, report, place };
    match dialogs::of_instance(&mut tx, client.id(), report.instance).await? {
        Some(seen) if is_same(&seen, report) => case.again(tx, seen.id).await,
        Some(seen) => Err(changed(seen.id)),
        None => case.first(tx).await,
    }
}

/// Whether a report is of the dialog that is known: the same content, which has no place in it, in the same place. What
/// was approved for one folder or pane is not approved for another.
fn is_same(seen: &DialogRow, report: &Report) -> bool {
    let roots = seen
        .report
        .as_ref()
        .is_none_or(|first| first.worktree == report.worktree && first.repo_root == report.repo_root);
    seen.digest == report.digest().0 && seen.pane_key == report.pane && seen.cwd == report.cwd && roots
}

/// Whether two reports are of what one pane may have shown all the time.
fn shows_the_same(seen: &DialogRow, report: &Report) -> bool {
    let words = |report: &Report| {
        let Report { session_id, kind, title, question, body, command, .. } = report.clone();
        (session_id, kind, title, question, body, command)
    };
    seen.report.as_ref().is_none_or(|before| words(before) == words(report))
}

fn changed(id: Uuid) -> Error {
    let detail = "This instance was reported with other content. What changed is another dialog: give it an instance of its own.";
    Problem::new(Code::InstanceChanged, detail).field("instance").with("dialog_id", id.to_string()).into()
}

struct Case<'a> {
    app: &'a App,
    client: &'a PaneClient,
    report: &'a Report,
    place: Where,
}

impl Case<'_> {
    async fn first(&self, mut tx: Transaction<'_, Postgres>) -> Result<Found> {
        let replaces = self.pressed_before(&mut tx).await?;
        let ended = self.end_others(&mut tx).await?;
        let now = store::now(&mut tx, self.app.clock.offset_us()).await?;
        let ground = Ground::read(&mut tx, self.place, self.report, now).await?;
        let judgement = ground.judge(self.report);
        let fresh = Fresh { client: self.client, place: self.place, report: self.report, replaces, now };
        let written = write::write(self.app, &mut tx, &fresh, (&ground, judgement)).await?;
        tx.commit().await?;
        for ended in ended {
            ended.tell(self.app);
        }
        self.tell(&written);
        Ok(Found { id: written.id, new: true })
    }

    /// The dialog that this one is seen anew of, by a client that was started again, when a key for it may be on its way
    /// still: a second one would answer whatever comes next.
    async fn pressed_before(&self, tx: &mut PgConnection) -> Result<Option<Replaced>> {
        if self.report.source != DialogSource::Pane {
            return Ok(None);
        }
        let pane = (self.client.id(), self.report.pane.as_str());
        for id in dialogs::others_on_pane(tx, pane, self.report.instance).await? {
            let Some(seen) = dialogs::find(tx, id).await? else { continue };
            let order = orders::newest_of(tx, id).await?;
            let may_be_pressed =
                order.is_some_and(|order| order.state == "taken" || order.outcome.as_deref() == Some("failed"));
            let asked_anew = seen.judgement.reasons.iter().any(|reason| reason.code == again::FAILED);
            if (may_be_pressed || asked_anew) && shows_the_same(&seen, self.report) {
                return Ok(Some(again::replaced(id, Execution::Failed)));
            }
        }
        Ok(None)
    }

    /// A screen shows one dialog: the ones read off it before are gone. What an agent's hook hands over is on no screen.
    async fn end_others(&self, tx: &mut PgConnection) -> Result<Vec<Ended>> {
        let mut ended = Vec::new();
        if self.report.source == DialogSource::Pane {
            let pane = (self.client.id(), self.report.pane.as_str());
            for id in dialogs::others_on_pane(tx, pane, self.report.instance).await? {
                ended.push(end::end(tx, self.app, (id, Ending::Changed), &self.client.actor()).await?);
            }
        }
        Ok(ended)
    }

    async fn again(&self, mut tx: Transaction<'_, Postgres>, id: Uuid) -> Result<Found> {
        let found = again::again(self.app, &mut tx, (self.client, self.place), (id, self.report)).await?;
        match found {
            Again::Same => {}
            Again::Ordered => {
                tx.commit().await?;
                self.app.hub.waiters.stir(self.client.id());
                self.app.hub.poke();
            }
            Again::Replaced(written) => {
                tx.commit().await?;
                self.tell(&written);
                return Ok(Found { id: written.id, new: false });
            }
        }
        Ok(Found { id, new: false })
    }

    fn tell(&self, written: &Written) {
        self.app.hub.tell(written.id, 1);
        self.app.metrics.judged(written.verdict.as_str());
        if written.held {
            self.app.metrics.created();
        } else {
            self.app.hub.waiters.stir(self.client.id());
        }
    }
}
