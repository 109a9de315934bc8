//! The tick that looks for stalls: each pane of a supervised lane by itself, nudged a few times, then a person is told once.

use std::collections::BTreeSet;

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::end::{end, why};
use crate::app::App;
use crate::domain::pane::FRESH;
use crate::domain::policy::Effective;
use crate::domain::stall::{Limits, Schedule, Stall, Still, decide_stall, still_since};
use crate::error::Result;
use crate::flows::panes::ready;
use crate::store::stalls::{self, Episode};
use crate::store::typing::{self, Typing};
use crate::store::{self, instance, messages, policies};

/// The tick; the answer is how many nudges it ordered.
pub async fn tick(app: &App) -> Result<usize> {
    let mut conn = app.db.acquire().await?;
    let now = store::now(&mut conn, app.clock.offset_us()).await?;
    let (_, document) = policies::head(&mut conn).await?;
    let fresh = typing::fresh(&mut conn, now - FRESH).await?;
    let unread = messages::unread_lanes(&mut conn).await?;
    let may_stall = |pane: &Typing| {
        let effective = document.resolve(&pane.lane);
        let work = effective.expect_work || unread.contains(&pane.lane_id);
        let since = still_since((pane.quiet_since, pane.last_activity_at), None);
        let still = since.is_some_and(|since| now - since >= still_for(&effective));
        effective.enabled && work && still && pane.state().rests()
    };
    let fresh = fresh.into_iter().filter(may_stall);
    let mut panes: BTreeSet<(Uuid, String)> = fresh.map(|pane| (pane.client, pane.key)).collect();
    // What is over is ended wherever it is, and whether its pane is still reported or not.
    let open = stalls::open(&mut conn).await?;
    panes.extend(open.into_iter().map(|episode| (episode.pane_client_id, episode.pane_key)));
    drop(conn);
    let mut ordered = 0;
    for (client, key) in panes {
        match look(app, (client, &key)).await {
            Ok(done) => ordered += usize::from(done),
            Err(error) => tracing::warn!(pane = key, %error, "a pane could not be looked at for a stall yet"),
        }
    }
    Ok(ordered)
}

/// One pane; true when a nudge was ordered.
async fn look(app: &App, at: (Uuid, &str)) -> Result<bool> {
    let mut tx = app.db.begin().await?;
    policies::hold(&mut tx).await?;
    if instance::pause(&mut tx).await?.is_some() {
        return Ok(false);
    }
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    let pane = typing::take(&mut tx, at, now - FRESH).await?;
    // While a text is under way nothing is known of what it does.
    if typing::is_under_way(&mut tx, at).await? {
        return Ok(false);
    }
    let episode = stalls::lock(&mut tx, at).await?;
    let Some((lane, name)) = home(pane.as_ref(), episode.as_ref()) else { return Ok(false) };
    let (version, document) = policies::head(&mut tx).await?;
    let effective = document.resolve(name);
    let mail = messages::unread_since(&mut tx, lane).await?;
    let work = effective.expect_work || mail.is_some();
    let over = episode.as_ref().and_then(|open| why(open, pane.as_ref(), (effective.enabled, work)));
    if let (Some(open), Some(why)) = (&episode, over) {
        end(&mut tx, open, why, now).await?;
    }
    let episode = episode.filter(|_| over.is_none());
    let rests = pane.filter(|pane| effective.enabled && work && pane.state().rests());
    let ordered = match rests {
        Some(pane) => {
            let since = mail.filter(|_| !effective.expect_work);
            let case = Case { app, pane, episode, effective, version, now };
            case.act(&mut tx, since).await?
        }
        None => false,
    };
    tx.commit().await?;
    if ordered {
        app.hub.waiters.stir(at.0);
    }
    app.hub.poke();
    Ok(ordered)
}

/// The lane that it is about.
fn home<'a>(pane: Option<&'a Typing>, episode: Option<&'a Episode>) -> Option<(Uuid, &'a str)> {
    let of_episode = episode.map(|episode| (episode.lane_id, episode.lane.as_str()));
    of_episode.or_else(|| pane.map(|pane| (pane.lane_id, pane.lane.as_str())))
}

/// A pane that rests and has something to do.
pub(super) struct Case<'a> {
    pub(super) app: &'a App,
    pub(super) pane: Typing,
    /// What was done already, if anything.
    pub(super) episode: Option<Episode>,
    pub(super) effective: Effective,
    pub(super) version: i64,
    pub(super) now: DateTime<Utc>,
}

impl Case<'_> {
    /// Does what is decided; `mail` is since when the work is there, where that is mail alone.
    async fn act(&self, tx: &mut PgConnection, mail: Option<DateTime<Utc>>) -> Result<bool> {
        let read = still_since((self.pane.quiet_since, self.pane.last_activity_at), mail);
        // The nudges' own echo moves the screen: while the agent does not, it is still since it was.
        let since = match &self.episode {
            Some(open) => read.map(|_| open.still_since),
            None => read,
        };
        let schedule = self.episode.as_ref().map(schedule);
        let limits = Limits { still_for: still_for(&self.effective), retries: self.effective.nudge_retries };
        let still = Still { since, outstanding: true, takes_text: self.pane.state().takes_text() };
        match decide_stall(schedule.as_ref(), &still, &limits, self.now) {
            Stall::Nothing => Ok(false),
            Stall::Escalate => self.escalate(tx, since.unwrap_or(self.now)).await.map(|()| false),
            Stall::Nudge => {
                if !ready::takes(tx, &self.pane, &self.effective.nudge_text, self.now).await? {
                    return Ok(false);
                }
                self.nudge(tx, since.unwrap_or(self.now)).await.map(|()| true)
            }
        }
    }
}

fn still_for(effective: &Effective) -> TimeDelta {
    TimeDelta::minutes(i64::from(effective.stall_mins))
}

fn schedule(episode: &Episode) -> Schedule {
    Schedule {
        nudges: u32::try_from(episode.nudges).unwrap_or_default(),
        last_at: episode.last_nudge_at,
        escalated: episode.escalated_at.is_some(),
    }
}
