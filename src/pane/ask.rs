//! Reporting one dialog from its beginning to its end: with facts, again and again, until the server has it and knows the end.

use std::sync::Arc;
use std::time::Duration;

use tracing::{info, warn};

use super::backoff::Backoff;
use super::client::Shared;
use super::facts::{self, Place};
use super::instance::Instance;
use super::process;
use super::server::Trouble;
use crate::domain::dialog::{DialogOption, DialogSource};
use crate::domain::facts::Facts;
use crate::domain::report::Report;
use crate::domain::screen::Offer;

/// How often a dialog that is still there is reported again; what its last order left open goes on with that.
const STILL_THERE: Duration = Duration::from_secs(10);

/// Stays with a dialog to its end.
pub(super) async fn ask(shared: Arc<Shared>, instance: Arc<Instance>) {
    let mut backoff = Backoff::default();
    while !instance.ended.is_cancelled() {
        let pause = match post(&shared, &instance).await {
            Ok(()) => {
                backoff = Backoff::default();
                STILL_THERE
            }
            Err(Trouble::Away(why)) => {
                shared.book.away(&why);
                backoff.next()
            }
            Err(refused) => {
                warn!(pane = instance.seen.key, "a dialog was not taken: {refused}");
                shared.book.refused(&instance.seen.key, &refused.to_string());
                STILL_THERE
            }
        };
        tokio::select! {
            () = instance.ended.cancelled() => {}
            () = instance.again.notified() => {}
            // What was decided is void, and the dialog is still there: it begins anew, and is asked about as it is now.
            () = tokio::time::sleep(pause) => if instance.is_void() { shared.let_go(&instance); },
        }
    }
    close(&shared, &instance).await;
}

/// Tells the end, unless our own key was it: then the order's outcome tells.
async fn close(shared: &Shared, instance: &Instance) {
    // What became of an order is told first: it may have been what ended the dialog.
    let _told = instance.acting.lock().await;
    let (Some(answered), Some(how)) = (instance.answered(), instance.gone()) else { return };
    if instance.is_sent() {
        return;
    }
    let (key, id, how) = (&instance.seen.key, answered.posted.id, how.as_str());
    match shared.insist(|| shared.server.close(id, how)).await {
        Ok(()) => info!(pane = key, dialog = %id, how, "a dialog ended"),
        Err(refused) => warn!(pane = key, "the end of a dialog was not taken: {refused}"),
    }
}

async fn post(shared: &Shared, instance: &Arc<Instance>) -> Result<(), Trouble> {
    let gathered = gather(instance).await;
    let digest = named(&gathered);
    let report = report(instance, gathered);
    let asks = shared.book.asks();
    let posted = shared.server.post_dialog(&report).await?;
    shared.book.connected(asks);
    let new = instance.answered().is_none_or(|before| before.posted.id != posted.id);
    if new {
        let (verdict, class) = (&posted.verdict, &posted.class);
        info!(pane = instance.seen.key, dialog = %posted.id, verdict, class, "a dialog was reported");
    }
    instance.take(posted, digest);
    Ok(())
}

/// What the disk and the processes say, at one moment.
struct Gathered {
    /// The folders, in the words that the server accepts; nothing when they cannot be told.
    place: Option<Place>,
    /// Nothing when there is nobody to ask: then nothing is proven.
    facts: Option<Facts>,
}

async fn gather(instance: &Instance) -> Gathered {
    let seen = &instance.seen;
    let running = process::foreground(&seen.tty, seen.pane.pid);
    let cwd = running.as_ref().and_then(|running| running.cwd.as_deref());
    let place = cwd.and_then(|cwd| Place::of(&seen.lane, cwd));
    let facts = match (&place, &running) {
        (Some(place), Some(running)) => {
            let bare = report(instance, Gathered { place: None, facts: None });
            Some(facts::read(&bare.dialog(), place, running, seen.pane.clone()).await)
        }
        _ => None,
    };
    Gathered { place, facts }
}

/// Names the facts of a dialog as they are now: what stands right before the key has to be what was reported.
pub(super) async fn facts_now(instance: &Instance) -> String {
    named(&gather(instance).await)
}

fn named(gathered: &Gathered) -> String {
    gathered.facts.as_ref().map(|facts| facts.digest.clone()).unwrap_or_default()
}

fn report(instance: &Instance, gathered: Gathered) -> Report {
    let seen = &instance.seen;
    let found = &seen.found;
    // Without folders the report says so with empty names, and nothing is proven.
    let place = gathered.place;
    let folder = |of: fn(&Place) -> &String| place.as_ref().map(of).cloned().unwrap_or_default();
    Report {
        instance: instance.id,
        pane: seen.key.clone(),
        lane: seen.lane.name.clone(),
        agent_kind: seen.agent.as_str().to_owned(),
        session_id: Some(session(&seen.pane)),
        source: DialogSource::Pane,
        kind: found.kind,
        title: found.title.clone().unwrap_or_default(),
        question: found.question.clone(),
        body: found.body.clone(),
        command: found.command.clone(),
        context: found.context.clone(),
        options: found.options.iter().map(option).collect(),
        // A command that was put together from rows may have had a newline where a row ends.
        truncated: found.truncated || found.joined,
        cwd: folder(|place| &place.cwd),
        repo_root: folder(|place| &place.repo_root),
        worktree: folder(|place| &place.worktree),
        facts: gathered.facts,
        pane_excerpt: Some(seen.excerpt.clone()),
    }
}

fn option(offer: &Offer) -> DialogOption {
    DialogOption { n: offer.n, text: offer.text.clone(), selected: offer.selected }
}

/// Names one run of a program in a pane: another process is another session.
pub(super) fn session(pane: &crate::domain::facts::PaneIdentity) -> String {
    format!("{}.{}.{}", pane.server, pane.id, pane.pid)
}
