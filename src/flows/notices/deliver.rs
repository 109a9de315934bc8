//! The tick that sends notices: whatever waits and was not told of goes out together, in one POST, by one server.
//!
//! Delivered at least once: a server that dies between the POST and the commit leaves the notice to be sent again. What is
//! over before it could be told is not told.

use chrono::{DateTime, TimeDelta, Utc};

use super::shape::parcel;
use super::target::target;
use crate::app::App;
use crate::domain::notice::{Need, TRIES, Waiting, compose};
use crate::error::Result;
use crate::outbound::post;
use crate::store;
use crate::store::notices::{self, Due};

/// What comes within this time goes out together, and what is answered at once is not told at all.
const GATHER: TimeDelta = TimeDelta::seconds(2);
/// After a notice nobody is disturbed again for so long.
const QUIET: TimeDelta = TimeDelta::seconds(10);
/// How long a server has the desk to itself: longer than a POST may take.
const LEASE: TimeDelta = TimeDelta::seconds(60);
/// How long to wait after the first failure, and after the second.
const BACKOFF: [TimeDelta; 2] = [TimeDelta::seconds(10), TimeDelta::seconds(60)];

/// Sends what is due; true when a notice went out.
pub async fn deliver(app: &App) -> Result<bool> {
    let settings = app.settings().await?;
    let Some(target) = target(&settings)? else { return Ok(false) };
    let Some((due, token)) = claim(app).await? else { return Ok(false) };
    let waiting: Vec<Waiting> = due.iter().filter_map(waiting).collect();
    let told: Vec<i64> = due.iter().map(|due| due.event_id).collect();
    let Some(notice) = compose(&waiting, &app.public_url.origin()) else { return Ok(false) };
    // No transaction is open while a stranger is waited for: it would hold back everybody's tail.
    let outcome = post(parcel(&target, token.as_deref(), &notice)?).await;
    let mut tx = app.db.begin().await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    match &outcome {
        Ok(_) => {
            notices::sent(&mut tx, &told, now).await?;
            notices::close_until(&mut tx, now + QUIET).await?;
        }
        Err(why) => {
            let why = why.to_string();
            let (tries, over) = notices::failed(&mut tx, (&told, TRIES), (&why, now)).await?;
            let wait = usize::try_from(tries - 1).ok().and_then(|at| BACKOFF.get(at)).unwrap_or(&BACKOFF[0]);
            notices::close_until(&mut tx, now + *wait).await?;
            if over > 0 {
                tracing::warn!(things = over, why, "a notice could not be delivered three times and was given up");
                app.metrics.notice("given_up");
            }
        }
    }
    tx.commit().await?;
    app.metrics.notice(if outcome.is_ok() { "sent" } else { "failed" });
    Ok(outcome.is_ok())
}

/// Takes the desk for long enough, with everything that waits to be told; none when nothing is to be done now.
async fn claim(app: &App) -> Result<Option<(Vec<Due>, Option<String>)>> {
    let mut tx = app.db.begin().await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    let Some(desk) = notices::take(&mut tx, now).await? else { return Ok(None) };
    notices::gather(&mut tx, &desk).await?;
    let due = notices::due(&mut tx).await?;
    let ripe = is_ripe(&due, now);
    if ripe {
        notices::close_until(&mut tx, now + LEASE).await?;
    }
    tx.commit().await?;
    Ok(ripe.then_some((due, desk.token)))
}

fn is_ripe(due: &[Due], now: DateTime<Utc>) -> bool {
    due.iter().any(|due| now - due.at >= GATHER)
}

/// What a newer server has noted and this one does not know is told by nobody here.
fn waiting(due: &Due) -> Option<Waiting> {
    let need = Need::from_word(&due.need)?;
    Some(Waiting { need, lane: due.lane.clone(), proposal: due.proposal_id })
}
