//! Orders: taken from the server, carried out once, and what became of each reported until the server has heard it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::Mutex;
use tokio::time::timeout;
use tracing::{info, warn};

use super::ask;
use super::backoff::Backoff;
use super::client::Shared;
use super::given::Given;
use super::instance::Instance;
use super::search;
use super::send::{Decided, Errand, NotBegun, Target, verified_send};
use super::server::Trouble;
use super::taken::Taken;
use super::wire::Order;
use crate::domain::order::{Execution, OutcomeReport, Skip};

/// How long one question for orders waits.
const WAIT: Duration = Duration::from_secs(25);
/// While something is under way the server lists it and answers at once, so the client waits itself.
const BUSY: Duration = Duration::from_millis(150);
/// The same text is not typed into the same pane again within (contract, section 4).
const SAME_TEXT: Duration = Duration::from_secs(20);

/// Takes orders until the client stops. Fails only when the server refuses this client for good.
pub(super) async fn act(shared: &Arc<Shared>) -> Result<(), Trouble> {
    let taken: Arc<Mutex<Taken>> = Arc::default();
    let mut backoff = Backoff::default();
    // An answer that got lost may have brought what the next one lists as taken.
    let mut unanswered: Option<Given> = None;
    loop {
        let over = taken.lock().await.over();
        let asked = Given::now(&shared.clock);
        let first = *unanswered.get_or_insert(asked);
        let asks = shared.book.asks();
        let orders = match shared.server.orders(WAIT).await {
            Ok(orders) => {
                shared.book.connected(asks);
                backoff = Backoff::default();
                orders
            }
            Err(Trouble::Away(why)) => {
                shared.book.away(&why);
                tokio::time::sleep(backoff.next()).await;
                continue;
            }
            // A short-lived token that has ended is changed for another; if that is refused too, nothing helps.
            Err(refused) if refused.is_token() => {
                match shared.server.sign_in().await {
                    Ok(_) => {}
                    Err(Trouble::Away(why)) => shared.book.away(&why),
                    Err(refused) => return Err(refused),
                }
                tokio::time::sleep(backoff.next()).await;
                continue;
            }
            Err(refused) => return Err(refused),
        };
        unanswered = None;
        // What is listed is listed again at once, until the server has heard of it.
        let any = !orders.is_empty();
        let mut now = taken.lock().await;
        for order in now.news(orders, &over) {
            let (shared, taken) = (shared.clone(), taken.clone());
            shared.clone().orders.spawn(async move {
                let id = order.id;
                let given = if order.taken { first } else { asked };
                carry_out(&shared, order, given).await;
                taken.lock().await.done(id);
            });
        }
        drop(now);
        if any {
            tokio::time::sleep(BUSY).await;
        }
    }
}

async fn carry_out(shared: &Arc<Shared>, order: Order, given: Given) {
    let instance = open_instance(shared, &order);
    let _acting = match &instance {
        Some(instance) => Some(instance.acting.lock().await),
        None => None,
    };
    let report = if shared.started().contains(order.id) {
        // An earlier run of this client began it. Whether the key arrived nobody knows, so it is not pressed again.
        failed("interrupted")
    } else {
        match (order.kind.as_str(), &instance, &order.text) {
            ("answer", Some(instance), _) => answer(shared, &order, instance, given).await,
            ("answer", None, _) => skipped(Skip::StateChanged),
            (_, _, Some(text)) => type_text(shared, &order, text, given).await,
            (kind, ..) => failed(&format!("this client does not know orders of the kind {kind}")),
        }
    };
    // The client stops and nothing was begun: the order waits for its next run.
    if shared.stop.is_cancelled() && report.keys.is_empty() && !shared.started().contains(order.id) {
        return;
    }
    if let Some(instance) = &instance {
        match report.outcome {
            Execution::Sent => instance.set_sent(),
            Execution::Skipped if report.reason.as_deref() == Some(Skip::StateChanged.as_str()) => instance.set_void(),
            Execution::Skipped | Execution::Failed => {}
        }
    }
    tell(shared, &order, &report).await;
    if let Some(instance) = &instance {
        instance.again.notify_one();
    }
}

/// The dialog of an order, if it is still the one that is open there.
fn open_instance(shared: &Shared, order: &Order) -> Option<Arc<Instance>> {
    let panes = shared.panes();
    let instance = panes.get(&order.pane)?.instance.clone()?;
    (Some(instance.id) == order.instance && !instance.ended.is_cancelled()).then_some(instance)
}

async fn answer(shared: &Arc<Shared>, order: &Order, instance: &Arc<Instance>, given: Given) -> OutcomeReport {
    let left = given.left(&shared.clock).unwrap_or_default();
    let Ok(heard) = timeout(left, instance.heard(order.dialog_id)).await else {
        return skipped(Skip::CaptureTimeout);
    };
    let Some(answered) = heard else { return skipped(Skip::StateChanged) };
    if order.digest.as_deref() != Some(answered.posted.digest.as_str()) {
        return skipped(Skip::StateChanged);
    }
    let Some(option) = &order.option else { return failed("the order names no row") };
    let Some(hand) = shared.panes().get(&order.pane).map(|pane| pane.hand.clone()) else {
        return skipped(Skip::CaptureFailed);
    };
    let _one_at_a_time = hand.lock().await;
    if given.left(&shared.clock).is_none() {
        return skipped(Skip::CaptureTimeout);
    }
    if instance.is_sent() {
        return skipped(Skip::LatchHeld);
    }
    let decided = Decided {
        screen: instance.seen.screen,
        facts: answered.facts,
        option: option.n,
        option_text: option.text.clone(),
    };
    let target = Target { tmux: &shared.tmux, pane: &instance.seen.pane, agent: instance.seen.agent };
    let facts = async { Some(ask::facts_now(instance).await) };
    let begin = async {
        if instance.ended.is_cancelled() || shared.stop.is_cancelled() || given.left(&shared.clock).is_none() {
            return Err(NotBegun::Ended);
        }
        Ok(shared.started().begin(order.id)?)
    };
    verified_send(target, Errand::Answer(&decided), facts, begin).await
}

async fn type_text(shared: &Arc<Shared>, order: &Order, text: &str, given: Given) -> OutcomeReport {
    let found = {
        let panes = shared.panes();
        panes.get(&order.pane).map(|watched| (watched.hand.clone(), watched.pane.clone(), watched.agent))
    };
    let Some((hand, pane, agent)) = found else { return skipped(Skip::CaptureFailed) };
    let _one_at_a_time = hand.lock().await;
    if given.left(&shared.clock).is_none() {
        return skipped(Skip::CaptureTimeout);
    }
    let typed = shared.panes().get(&order.pane).and_then(|pane| pane.typed.clone());
    if typed.is_some_and(|(before, at)| before == text && at.elapsed() < SAME_TEXT) {
        return skipped(Skip::LatchHeld);
    }
    // An agent that was started again in its pane has read nothing of what the one before was told.
    if order.session_id.as_ref().is_some_and(|meant| *meant != ask::session(&pane.identity)) {
        return skipped(Skip::StateChanged);
    }
    // What an agent has left on the screen of its shell can look as if it still were there.
    if !search::is_agent(agent, &pane) {
        return skipped(Skip::NotIdle);
    }
    let target = Target { tmux: &shared.tmux, pane: &pane.identity, agent };
    let begin = async {
        if shared.stop.is_cancelled() || given.left(&shared.clock).is_none() {
            return Err(NotBegun::Ended);
        }
        if let Some(pane) = shared.panes().get_mut(&order.pane) {
            pane.typed = Some((text.to_owned(), Instant::now()));
        }
        Ok(shared.started().begin(order.id)?)
    };
    verified_send(target, Errand::Text(text), async { None }, begin).await
}

/// Reports until the server has heard it. An order that is not there or has another end needs no more from us; one whose
/// report is refused for what it says stays on the list of started ones, so that no later run begins it again.
async fn tell(shared: &Shared, order: &Order, report: &OutcomeReport) {
    let (outcome, reason) = (report.outcome.as_str(), report.reason.as_deref().unwrap_or_default());
    info!(pane = order.pane, order = %order.id, kind = order.kind, outcome, reason, "an order was carried out");
    shared.book.acted(&order.pane, outcome, reason);
    if let Err(refused) = shared.insist(|| shared.server.outcome(order.id, report)).await {
        warn!(order = %order.id, "what became of an order was not taken: {refused}");
        if !matches!(refused, Trouble::Refused { status: 404 | 409, .. }) {
            return;
        }
    }
    if let Err(error) = shared.started().done(order.id) {
        warn!(order = %order.id, "cannot strike an order off the list of started ones: {error}");
    }
}

fn skipped(skip: Skip) -> OutcomeReport {
    OutcomeReport {
        outcome: Execution::Skipped,
        reason: Some(skip.as_str().to_owned()),
        keys: Vec::new(),
        pane_excerpt: None,
    }
}

fn failed(reason: &str) -> OutcomeReport {
    OutcomeReport { outcome: Execution::Failed, reason: Some(reason.to_owned()), keys: Vec::new(), pane_excerpt: None }
}
