//! A stall is over: the agent moved, it has nothing to do any more, or nobody supervises it. Whoever was told is told that.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use crate::domain::attention::Cause;
use crate::domain::event::Actor;
use crate::domain::stall::{Nudged, Seen, has_moved};
use crate::error::Result;
use crate::flows::attention;
use crate::store::stalls::{self, Episode};
use crate::store::typing::Typing;

/// Why a stall is over, if it is; `on` when both keys are, `work` when the agent has something to do.
pub(super) fn why(episode: &Episode, pane: Option<&Typing>, (on, work): (bool, bool)) -> Option<&'static str> {
    if episode.gone {
        return Some("gone");
    }
    if !on {
        return Some("off");
    }
    if !work {
        return Some("no_work");
    }
    // A pane that nobody reports now may be there again in a moment, as it was.
    let pane = pane?;
    if pane.lane_id != episode.lane_id {
        return Some("gone");
    }
    let other = episode.session_id.is_some() && pane.session_id.is_some() && episode.session_id != pane.session_id;
    // One that could not be nudged at all moves when it does after somebody was told.
    let last = episode.last_nudge_at.or(episode.escalated_at);
    let nudged = last.map(|done_at| Nudged { taken_at: episode.taken_at, done_at });
    let seen = Seen { worked_at: pane.worked_at, moved_at: pane.moved_at, quiet_since: pane.quiet_since };
    (other || nudged.is_some_and(|nudged| has_moved(&nudged, &seen))).then_some("activity")
}

/// Ends it.
pub(super) async fn end(tx: &mut PgConnection, episode: &Episode, why: &str, now: DateTime<Utc>) -> Result<()> {
    stalls::end(tx, episode.id, why, now).await?;
    let place = (episode.project_id, episode.lane_id);
    attention::clear_episode(tx, (place, Cause::Stalled, &episode.id.to_string()), &Actor::System, now).await
}
