//! Giving an idle agent a text: pasted, seen in its composer, then Enter.

use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::NotBegun;
use super::attempt::{Attempt, Look, PATIENCE, STEP, Stop, TRIES};
use super::held::{self, bare};
use super::strike::Struck;
use crate::domain::dialog::DialogKind;
use crate::domain::order::Skip;
use crate::domain::screen::{AgentKind, Key, Screen, Status};
use crate::pane::tracker::APART;

/// How long the text must stand before Enter, which some programs else take for a part of the paste.
const STANDS: Duration = Duration::from_millis(150);
/// What opens a menu, a shell or a survey when it is typed first.
const OPENERS: &[char] = &['/', '!', '#', '@', '$', '?', '&'];
/// Letters and digits by which a text's beginning and end are found again.
const ENDS: usize = 24;
/// A longer text may be scrolled inside the composer, its beginning out of sight.
const ALL_SHOWN: usize = 400;
/// Rows of a composer's frame and footer, and of what programs put above it.
const AROUND: usize = 14;

/// Pastes the text, and sends it.
pub(super) async fn deliver(
    attempt: &mut Attempt<'_>,
    text: &str,
    before_key: impl Future<Output = Result<(), NotBegun>>,
) -> Result<(), Stop> {
    if !may_be_typed(text) {
        return Err(Stop::Fail("text_not_allowed"));
    }
    ready(attempt).await?;
    sleep(APART).await;
    let look = ready(attempt).await?;
    attempt.start(before_key).await?;
    paste(attempt, text, look).await?;
    enter(attempt, text).await?;
    left(attempt).await
}

/// Pastes. It looks and tries again only where tmux says that it pasted nothing.
async fn paste(attempt: &mut Attempt<'_>, text: &str, mut look: Look) -> Result<(), Stop> {
    for _ in 0..TRIES {
        if attempt.paste(&look, &held::of_foot(&look.screen), text).await? == Struck::Typed {
            return Ok(());
        }
        look = ready(attempt).await?;
    }
    Err(Skip::NotIdle.into())
}

/// Sends what was pasted, once it is seen.
async fn enter(attempt: &mut Attempt<'_>, text: &str) -> Result<(), Stop> {
    for _ in 0..TRIES {
        let look = typed(attempt, text).await?;
        if attempt.strike(&look, &held::of_foot(&look.screen), &[Key::Enter]).await? == Struck::Typed {
            return Ok(());
        }
    }
    Err(Stop::Fail("screen_moved_before_enter"))
}

/// Whether a text can be pasted without being taken for keys.
fn may_be_typed(text: &str) -> bool {
    let first = text.trim_start().chars().next();
    let opens = first.is_none_or(|c| c.is_numeric() || OPENERS.contains(&c));
    !opens && !bare(text).is_empty() && !text.chars().any(|c| c.is_control() && c != '\n')
}

/// Whether this is the pane's own program and no other, however large the pane is now.
fn is_program(attempt: &Attempt, look: &Look) -> bool {
    let (now, then) = (&look.pane.identity, attempt.target.pane);
    let same = (&now.server, &now.id, now.pid, &now.command) == (&then.server, &then.id, then.pid, &then.command);
    same && !look.pane.dead
}

/// Looks whether the agent is idle with nothing in its way.
async fn ready(attempt: &mut Attempt<'_>) -> Result<Look, Stop> {
    let look = attempt.look().await?;
    let reading = &look.reading;
    let limited = reading.dialog.as_ref().is_some_and(|found| found.kind == DialogKind::UsageLimit);
    let skip = if !is_program(attempt, &look) {
        Skip::StateChanged
    } else if look.pane.in_mode {
        Skip::PaneInMode
    } else if limited || reading.limit.is_some() {
        Skip::UsageLimitMenu
    } else if reading.dialog.is_some() {
        Skip::DialogPresent
    } else if reading.status != Status::Idle || !reading.safe_to_type || reading.survey {
        Skip::NotIdle
    } else {
        return Ok(look);
    };
    Err(skip.into())
}

/// Waits until the text stands in the composer, in two looks. Without that nothing is sent.
async fn typed(attempt: &mut Attempt<'_>, text: &str) -> Result<Look, Stop> {
    let end = Instant::now() + PATIENCE;
    let mut since: Option<Instant> = None;
    loop {
        sleep(STEP).await;
        let look = attempt.look().await.map_err(|_| Stop::Fail("pane_lost"))?;
        if look.reading.dialog.is_some() {
            return Err(Stop::Fail("dialog_before_enter"));
        }
        let draft = look.reading.status == Status::Idle && !look.reading.safe_to_type;
        let there = is_program(attempt, &look) && draft && shows(attempt.target.agent, &look.screen, text);
        since = since.filter(|_| there).or_else(|| there.then(Instant::now));
        if since.is_some_and(|since| since.elapsed() >= STANDS) {
            return if look.pane.in_mode { Err(Stop::Fail("pane_in_mode")) } else { Ok(look) };
        }
        if since.is_none() && Instant::now() >= end {
            return Err(Stop::Fail("text_not_seen"));
        }
    }
}

/// Whether the foot of the screen holds the text, however it is broken and framed.
fn shows(agent: AgentKind, screen: &Screen, text: &str) -> bool {
    let bare_text: Vec<char> = bare(text).chars().collect();
    let rows = bare_text.len() / screen.cols.saturating_sub(10).max(10) + text.lines().count() + AROUND;
    let mut foot: Vec<&str> =
        screen.rows.iter().rev().map(|row| row.text.as_str()).filter(|row| !row.trim().is_empty()).take(rows).collect();
    foot.reverse();
    let shown: String = foot.iter().map(|row| bare(row)).collect();
    let piece = |chars: &[char]| chars.iter().collect::<String>();
    let opening = piece(&bare_text[..bare_text.len().min(ENDS)]);
    let closing = piece(&bare_text[bare_text.len().saturating_sub(ENDS)..]);
    let whole = bare_text.len() > ALL_SHOWN || shown.contains(&opening);
    shown.contains(&closing) && whole || folds_pastes(agent) && foot.iter().any(|row| row.contains("[Pasted "))
}

/// Programs that show a long paste as `[Pasted text #1 +12 lines]` or the like.
const fn folds_pastes(agent: AgentKind) -> bool {
    matches!(agent, AgentKind::Claude | AgentKind::Codex | AgentKind::Gemini | AgentKind::Opencode)
}

/// Waits until the composer is empty again, or the agent is at work. Enter is never pressed again.
async fn left(attempt: &mut Attempt<'_>) -> Result<(), Stop> {
    let end = Instant::now() + PATIENCE;
    loop {
        sleep(STEP).await;
        match attempt.look().await {
            Ok(look) if look.reading.safe_to_type || look.reading.limit.is_some() => return Ok(()),
            Ok(look) if matches!(look.reading.status, Status::Working | Status::Blocked) => return Ok(()),
            Ok(_) if Instant::now() >= end => return Err(Stop::Fail("text_stayed")),
            Err(_) if Instant::now() >= end => return Err(Stop::Fail("pane_lost")),
            Ok(_) | Err(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_act_by_itself_is_not_typed() {
        for text in ["Check your mail.", "[COUNTERSIGN MAIL id=1] hi", "two\nlines", "Über"] {
            assert!(may_be_typed(text), "{text}");
        }
        for text in
            ["", "  ", "1", " 2 things", "/clear", "!ls", "#x", "@a", "$x", "?", "...", "a\u{1b}[201~", "a\tb", "a\rb"]
        {
            assert!(!may_be_typed(text), "{text:?}");
        }
    }

    #[test]
    fn a_text_is_found_however_it_is_framed() {
        let text = "Check your Countersign mail and act on it.";
        let boxed = "╭──────────────╮\n│ > Check your │\n│   Countersign│\n│   mail and   │\n│   act on it. │\n╰──────────────╯";
        assert!(shows(AgentKind::Gemini, &Screen::plain(boxed, 16), text));
        assert!(!shows(AgentKind::Gemini, &Screen::plain(&boxed.replace("act on it.", "act"), 16), text));
        let folded = "────\n❯ [Pasted text #1 +12 lines]\n────";
        assert!(shows(AgentKind::Claude, &Screen::plain(folded, 40), text));
        assert!(!shows(AgentKind::Aider, &Screen::plain(folded, 40), text));
    }
}
