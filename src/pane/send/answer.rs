//! Answering a dialog: the same one that was decided, one key, and a look whether it went away.

use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::attempt::{Attempt, Look, PATIENCE, STEP, Stop, TRIES};
use super::held;
use super::strike::Struck;
use super::{Decided, NotBegun};
use crate::domain::dialog::DialogKind;
use crate::domain::order::Skip;
use crate::domain::screen::{Choose, Found, Key, Status, choose};
use crate::pane::digest::digest;
use crate::pane::tmux::TmuxError;
use crate::pane::tracker::APART;

/// A frame that says nothing is looked at again so often, so far apart.
const RETRIES: u32 = 4;
const RETRY: Duration = Duration::from_millis(60);
/// A dialog is gone when it stays away so long: a program may clear the screen to paint it again.
const AWAY: Duration = Duration::from_millis(100);

/// The decided dialog, seen, and how it is answered there.
struct Seen {
    look: Look,
    way: Choose,
    rows: Vec<usize>,
}

/// Presses the decided row.
pub(super) async fn press(
    attempt: &mut Attempt<'_>,
    decided: &Decided,
    facts: impl Future<Output = Option<String>>,
    before_key: impl Future<Output = Result<(), NotBegun>>,
) -> Result<(), Stop> {
    see(attempt, decided).await?;
    let (facts, ()) = tokio::join!(facts, sleep(APART));
    if facts.ok_or(Skip::CaptureFailed)? != decided.facts {
        return Err(Skip::StateChanged.into());
    }
    let seen = see(attempt, decided).await?;
    attempt.start(before_key).await?;
    if let Choose::Steer(_) = strike(attempt, decided, seen).await? {
        confirm(attempt, decided).await?;
    }
    gone(attempt, decided).await
}

/// Looks until the decided dialog is there. Only a frame that says nothing is given time: any other is another state.
async fn see(attempt: &mut Attempt<'_>, decided: &Decided) -> Result<Seen, Stop> {
    let mut left = RETRIES;
    loop {
        let look = attempt.look().await?;
        match same(attempt, &look, decided) {
            Ok(found) => {
                let way = way(attempt, found, decided)?;
                let rows = held::of_dialog(&look.screen, found, decided.option);
                return Ok(Seen { look, way, rows });
            }
            Err(Stop::Skip(Skip::StateChanged))
                if left > 0 && look.reading.status == Status::Unknown && is_pane(attempt, &look) =>
            {
                left -= 1;
                sleep(RETRY).await;
            }
            Err(stop) => return Err(stop),
        }
    }
}

/// Presses. It looks and tries again only where tmux says that it pressed nothing: then something else on the screen may
/// have moved, or all has changed.
async fn strike(attempt: &mut Attempt<'_>, decided: &Decided, mut seen: Seen) -> Result<Choose, Stop> {
    for _ in 0..TRIES {
        let (Choose::Press(keys) | Choose::Steer(keys)) = &seen.way;
        if attempt.strike(&seen.look, &seen.rows, keys).await? == Struck::Typed {
            return Ok(seen.way);
        }
        seen = see(attempt, decided).await?;
    }
    Err(Skip::CaptureFailed.into())
}

fn is_pane(attempt: &Attempt, look: &Look) -> bool {
    look.pane.identity == *attempt.target.pane && !look.pane.dead
}

/// The dialog on the screen, if it is the decided one and can be answered now.
fn same<'l>(attempt: &Attempt, look: &'l Look, decided: &Decided) -> Result<&'l Found, Stop> {
    if !is_pane(attempt, look) {
        return Err(Skip::StateChanged.into());
    }
    let found = look.reading.dialog.as_ref().ok_or(Skip::StateChanged)?;
    if found.kind == DialogKind::UsageLimit {
        return Err(Skip::UsageLimitMenu.into());
    }
    if digest(attempt.target.agent, &look.pane.identity, found) != decided.screen {
        return Err(Skip::StateChanged.into());
    }
    // Whoever scrolls is left alone; the decision waits.
    if look.pane.in_mode { Err(Skip::PaneInMode.into()) } else { Ok(found) }
}

fn way(attempt: &Attempt, found: &Found, decided: &Decided) -> Result<Choose, Stop> {
    let option = found.options.iter().find(|option| option.n == decided.option);
    let option = option.filter(|option| option.text == decided.option_text).ok_or(Skip::StateChanged)?;
    if option.standing {
        return Err(Stop::Fail("standing_option"));
    }
    choose(attempt.target.agent, found, decided.option).ok_or(Stop::Fail("no_key_for_option"))
}

/// After the moves, which have only moved the mark: Enter, once the mark is seen on the row.
async fn confirm(attempt: &mut Attempt<'_>, decided: &Decided) -> Result<(), Stop> {
    let end = Instant::now() + PATIENCE;
    loop {
        sleep(STEP).await;
        let look = attempt.look().await.map_err(|_| Stop::Fail("pane_lost"))?;
        let found = same(attempt, &look, decided);
        let marked = |found: &&Found| found.options.iter().any(|option| option.n == decided.option && option.selected);
        if let Some(found) = found.ok().filter(marked) {
            let rows = held::of_dialog(&look.screen, found, decided.option);
            if attempt.strike(&look, &rows, &[Key::Enter]).await? == Struck::Typed {
                return Ok(());
            }
        }
        if Instant::now() >= end {
            return Err(Stop::Fail(if found.is_ok() { "mark_moved" } else { "dialog_changed" }));
        }
    }
}

/// Waits until the dialog has gone, or has become another one. It is never pressed again.
async fn gone(attempt: &mut Attempt<'_>, decided: &Decided) -> Result<(), Stop> {
    let end = Instant::now() + PATIENCE;
    let mut away: Option<Instant> = None;
    loop {
        sleep(STEP).await;
        match attempt.look().await {
            Ok(look) if stays(attempt, &look, decided) => away = None,
            Ok(_) if away.is_some_and(|since| since.elapsed() >= AWAY) => return Ok(()),
            Ok(_) => away = away.or(Some(Instant::now())),
            // The program answered, and ended.
            Err(TmuxError::NoPane | TmuxError::NoServer) if away.is_some() => return Ok(()),
            Err(TmuxError::NoPane | TmuxError::NoServer) => return Err(Stop::Fail("pane_gone")),
            Err(_) if Instant::now() >= end => return Err(Stop::Fail("pane_lost")),
            Err(_) => {}
        }
        if away.is_none() && Instant::now() >= end {
            return Err(Stop::Fail("dialog_stayed"));
        }
    }
}

/// Whether the decided dialog is still there. At another size nobody can tell one from another.
fn stays(attempt: &Attempt, look: &Look, decided: &Decided) -> bool {
    let (now, then) = (&look.pane.identity, attempt.target.pane);
    let resized = (now.cols, now.rows) != (then.cols, then.rows);
    let shown = look.reading.dialog.as_ref();
    shown.is_some_and(|found| resized || digest(attempt.target.agent, now, found) == decided.screen)
}
