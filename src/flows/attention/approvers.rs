//! Dialogs that nobody may decide: grants are given, taken and end while a dialog waits, so who is left is asked again.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::{Episode, clear_episode, raise};
use crate::app::App;
use crate::domain::access::{self, Grant, Target};
use crate::domain::attention::Cause;
use crate::domain::event::Actor;
use crate::domain::risk::Risk;
use crate::error::Result;
use crate::store::attentions::{self, Waiting};
use crate::store::{self, grants};

/// The tick: tells of each dialog that has nobody left who may decide it; the answer is how many.
pub async fn lost(app: &App) -> Result<usize> {
    let mut tx = app.db.begin().await?;
    let waiting = attentions::decidable(&mut tx).await?;
    if waiting.is_empty() {
        return Ok(0);
    }
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    let held = grants::held_by_anyone(&mut tx).await?;
    let mut told = 0;
    for one in waiting.iter().filter(|one| !may_be_decided(&held, one, now)) {
        nobody(app, &mut tx, one, now).await?;
        told += 1;
    }
    tx.commit().await?;
    if told > 0 {
        app.hub.poke();
    }
    Ok(told)
}

/// A dialog has come: tells of it at once if nobody may decide it.
pub(in crate::flows) async fn sought(
    app: &App,
    tx: &mut PgConnection,
    dialog: &Waiting,
    now: DateTime<Utc>,
) -> Result<()> {
    if may_be_decided(&grants::held_by_anyone(tx).await?, dialog, now) {
        return Ok(());
    }
    nobody(app, tx, dialog, now).await
}

/// A grant was given: what nobody could decide may have found somebody.
pub(in crate::flows) async fn found(tx: &mut PgConnection, actor: &Actor<'_>, now: DateTime<Utc>) -> Result<()> {
    let waiting = attentions::undecidable(tx).await?;
    if waiting.is_empty() {
        return Ok(());
    }
    let held = grants::held_by_anyone(tx).await?;
    for one in waiting.iter().filter(|one| may_be_decided(&held, one, now)) {
        clear_episode(tx, (one.place(), Cause::NoApprover, &one.key()), actor, now).await?;
    }
    Ok(())
}

fn may_be_decided(held: &[Grant], dialog: &Waiting, now: DateTime<Utc>) -> bool {
    let (project, lane) = dialog.place();
    let target = Target { project, lane, class: &dialog.class, risk: Risk::from_word(&dialog.risk) };
    access::may_decide(held, target, now).is_ok()
}

async fn nobody(app: &App, tx: &mut PgConnection, dialog: &Waiting, now: DateTime<Utc>) -> Result<()> {
    let class = &dialog.class;
    let episode = Episode {
        place: dialog.place(),
        cause: Cause::NoApprover,
        key: &dialog.key(),
        proposal: Some(dialog.id),
        detail: &format!("Nobody may decide this: no grant covers {class} here. Give one at the machine."),
    };
    raise(app, tx, &episode, now).await
}
