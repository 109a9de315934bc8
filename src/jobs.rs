//! Everything that runs beside requests: the batchers, the tail, the bell, and ticks that each call one flow.

use std::pin::Pin;
use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};
use tokio_util::task::TaskTracker;

use crate::app::{AppState, Queues};
use crate::error::Result;
use crate::flows::attention::approvers;
use crate::flows::mail;
use crate::flows::notices::deliver;
use crate::flows::orders::expire::expire_overdue;
use crate::flows::orders::texts::unstrand;
use crate::flows::panes::silence::silence;
use crate::flows::proposals::{batch, expire, receipts};
use crate::flows::stalls::watch;
use crate::flows::{checkpoint, fleet, retain, seal, sweep};
use crate::hub::tail::{self, Tail};

const SECOND: Duration = Duration::from_secs(1);
const TWO_SECONDS: Duration = Duration::from_secs(2);
const MINUTE: Duration = Duration::from_mins(1);
const HOUR: Duration = Duration::from_hours(1);

/// One call of a tick's flow.
type Run<'a> = Pin<Box<dyn Future<Output = Result<()>> + Send + 'a>>;

/// A flow that is called again and again.
struct Tick {
    name: &'static str,
    every: Duration,
    run: for<'a> fn(&'a AppState) -> Run<'a>,
}

/// Every tick.
const TICKS: &[Tick] = &[
    Tick { name: "expire", every: SECOND, run: |app| Box::pin(async { expire::expire_due(app).await.map(drop) }) },
    Tick { name: "no report", every: SECOND, run: |app| Box::pin(async { expire_overdue(app).await.map(drop) }) },
    Tick { name: "silence", every: SECOND, run: |app| Box::pin(async { silence(app).await.map(drop) }) },
    Tick { name: "approvers", every: TWO_SECONDS, run: |app| Box::pin(async { approvers::lost(app).await.map(drop) }) },
    Tick { name: "notices", every: SECOND, run: |app| Box::pin(async { deliver(app).await.map(drop) }) },
    Tick { name: "fleet", every: TWO_SECONDS, run: |app| Box::pin(fleet::tick(app)) },
    Tick { name: "mail", every: TWO_SECONDS, run: |app| Box::pin(hand_over(app)) },
    Tick { name: "stalls", every: TWO_SECONDS, run: |app| Box::pin(async { watch::tick(app).await.map(drop) }) },
    Tick { name: "seal", every: SECOND, run: |app| Box::pin(seal_and_vouch(app)) },
    Tick { name: "recount", every: MINUTE, run: |app| Box::pin(async { expire::recount(app).await.map(drop) }) },
    Tick { name: "retain", every: HOUR, run: |app| Box::pin(async { retain::retain(app).await.map(drop) }) },
    Tick { name: "mail kept", every: HOUR, run: |app| Box::pin(async { mail::keep::keep(app).await.map(drop) }) },
    Tick { name: "sweep", every: HOUR, run: |app| Box::pin(sweep::sweep(app)) },
];

async fn hand_over(app: &AppState) -> Result<()> {
    unstrand(app).await?;
    mail::deliver::tick(app).await.map(drop)
}

async fn seal_and_vouch(app: &AppState) -> Result<()> {
    seal::seal(app).await?;
    checkpoint::keep_up(app).await.map(drop)
}

/// Starts all of it. Ticks, tail and bell end with [`crate::app::App::stopping`], the batchers with
/// [`crate::app::App::drained`], so that a create that was taken is answered. Wait for all with the tracker.
pub fn start(app: &AppState, queues: Queues) -> TaskTracker {
    let tasks = TaskTracker::new();
    work(&tasks, app, queues);
    tell(&tasks, app);
    tasks.close();
    tasks
}

/// Starts what writes: the batchers and the ticks.
pub fn work(tasks: &TaskTracker, app: &AppState, queues: Queues) {
    for queue in queues.creates {
        tasks.spawn(batch::run(app.clone(), queue));
    }
    tasks.spawn(receipts::run(app.clone(), queues.receipts));
    for tick in TICKS {
        tasks.spawn(repeat(app.clone(), tick));
    }
}

/// Starts what tells: the tail, and the bell between servers.
pub fn tell(tasks: &TaskTracker, app: &AppState) {
    tasks.spawn(run_tail(app.clone()));
    let bell = app.clone();
    tasks.spawn(async move { tail::ring_bell(&bell.hub, &bell.db, &bell.stopping).await });
    let bell = app.clone();
    tasks.spawn(async move { tail::hear_bell(&bell.hub, &bell.db, &bell.stopping).await });
}

/// Calls a tick's flow until the server stops. A fault is logged, and the next tick tries again.
async fn repeat(app: AppState, tick: &Tick) {
    let mut ticks = interval(tick.every);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while app.stopping.run_until_cancelled(ticks.tick()).await.is_some() {
        if let Err(error) = (tick.run)(&app).await {
            tracing::warn!(job = tick.name, %error, "a job failed; it will be tried again");
        }
    }
}

async fn run_tail(app: AppState) {
    let now = || app.clock.now();
    let settings_changed = || app.forget_settings();
    let policy_changed = || app.forget_policy();
    let tail = Tail {
        hub: &app.hub,
        db: &app.db,
        now: &now,
        settings_changed: &settings_changed,
        policy_changed: &policy_changed,
        stopping: &app.stopping,
    };
    tail.run().await;
}
