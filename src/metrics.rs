//! What Prometheus may know, served on the local socket: how long people and agents take, and what is held in memory.

use std::fmt::Write as _;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

/// Upper bounds in seconds, from a person who is right there to one who slept on it.
const HUMAN: [f64; 10] = [1.0, 5.0, 15.0, 60.0, 300.0, 900.0, 3600.0, 14_400.0, 43_200.0, 86_400.0];

/// Which step of a proposal's life took so long.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct StepLabel {
    step: &'static str,
}

/// How a proposal ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OutcomeLabel {
    outcome: String,
}

/// What was decided about a dialog.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct VerdictLabel {
    verdict: &'static str,
}

/// With which stable code a request was turned down.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct CodeLabel {
    code: &'static str,
}

/// Gauges that are read when somebody asks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Readings {
    /// Long polls asleep.
    pub waiters: usize,
    /// Open sockets.
    pub sockets: usize,
    /// Seconds by which the journal's tail is held back.
    pub tail_lag_seconds: f64,
    /// Database connections open.
    pub pool_size: u32,
    /// Of these, idle.
    pub pool_idle: usize,
    /// Proposals waiting for a person.
    pub pending: i64,
}

/// All metrics of one server.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    since_asked: Family<StepLabel, Histogram>,
    closed: Family<OutcomeLabel, Counter>,
    created: Counter,
    judged: Family<VerdictLabel, Counter>,
    executed: Family<OutcomeLabel, Counter>,
    problems: Family<CodeLabel, Counter>,
    notices: Family<OutcomeLabel, Counter>,
    waiters: Gauge,
    sockets: Gauge,
    tail_lag: Gauge<f64, std::sync::atomic::AtomicU64>,
    pool_size: Gauge,
    pool_idle: Gauge,
    pending: Gauge,
}

impl Default for Metrics {
    fn default() -> Self {
        let human: fn() -> Histogram = || Histogram::new(HUMAN);
        let mut this = Self {
            registry: Registry::with_prefix("countersign"),
            since_asked: Family::new_with_constructor(human),
            closed: Family::default(),
            created: Counter::default(),
            judged: Family::default(),
            executed: Family::default(),
            problems: Family::default(),
            notices: Family::default(),
            waiters: Gauge::default(),
            sockets: Gauge::default(),
            tail_lag: Gauge::default(),
            pool_size: Gauge::default(),
            pool_idle: Gauge::default(),
            pending: Gauge::default(),
        };
        this.register();
        this
    }
}

impl Metrics {
    fn register(&mut self) {
        let registry = &mut self.registry;
        let help = "Time from the asking of a proposal to each step of its life";
        registry.register_with_unit("since_asked", help, Unit::Seconds, self.since_asked.clone());
        registry.register("proposals_closed", "Proposals closed, by outcome", self.closed.clone());
        registry.register("proposals_created", "Proposals created", self.created.clone());
        registry.register("dialogs_judged", "Dialogs judged, by verdict", self.judged.clone());
        registry.register("orders_executed", "Orders done with, by outcome", self.executed.clone());
        registry.register("proposals_pending", "Proposals waiting for a person", self.pending.clone());
        registry.register(
            "problems",
            "Requests turned down, by code; the log has their sources",
            self.problems.clone(),
        );
        registry.register("notices", "Notices to the outside, by outcome", self.notices.clone());
        registry.register("waiters", "Long polls asleep", self.waiters.clone());
        registry.register("sockets", "Open WebSockets", self.sockets.clone());
        let help = "Age of the oldest journal row that the tail may not read yet";
        registry.register_with_unit("tail_lag", help, Unit::Seconds, self.tail_lag.clone());
        registry.register("pool_connections", "Database connections open", self.pool_size.clone());
        registry.register("pool_idle_connections", "Database connections idle", self.pool_idle.clone());
    }

    /// A proposal was created.
    pub fn created(&self) {
        self.created.inc();
    }

    /// A dialog was judged.
    pub fn judged(&self, verdict: &'static str) {
        self.judged.get_or_create(&VerdictLabel { verdict }).inc();
    }

    /// An order is done with: `sent`, `skipped`, `failed`, `void`, or `late`.
    pub fn executed(&self, outcome: &str) {
        self.executed.get_or_create(&OutcomeLabel { outcome: outcome.to_owned() }).inc();
    }

    /// A proposal was closed with this status.
    pub fn closed(&self, outcome: &str) {
        self.closed.get_or_create(&OutcomeLabel { outcome: outcome.to_owned() }).inc();
    }

    /// A request was answered with a problem. Who sent it is in the log: a label for each source would let strangers
    /// fill the memory.
    pub fn problem(&self, code: &'static str) {
        self.problems.get_or_create(&CodeLabel { code }).inc();
    }

    /// A notice to the outside was `sent`, `failed`, or `given_up` after several tries.
    pub fn notice(&self, outcome: &str) {
        self.notices.get_or_create(&OutcomeLabel { outcome: outcome.to_owned() }).inc();
    }

    /// A proposal reached a step (`notified`, `seen`, `decided`, `collected`) so long after it was asked.
    pub fn reached(&self, step: &'static str, seconds: f64) {
        self.since_asked.get_or_create(&StepLabel { step }).observe(seconds);
    }

    /// Everything as Prometheus' text format.
    pub fn render(&self, readings: Readings) -> String {
        let gauge = |value: usize| i64::try_from(value).unwrap_or(i64::MAX);
        self.waiters.set(gauge(readings.waiters));
        self.sockets.set(gauge(readings.sockets));
        self.tail_lag.set(readings.tail_lag_seconds);
        self.pool_size.set(i64::from(readings.pool_size));
        self.pool_idle.set(gauge(readings.pool_idle));
        self.pending.set(readings.pending);
        let mut text = String::new();
        if let Err(error) = encode(&mut text, &self.registry) {
            let _ = writeln!(text, "# {error}");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_has_every_metric() {
        let metrics = Metrics::default();
        metrics.created();
        metrics.closed("approved");
        metrics.problem("forbidden");
        metrics.reached("seen", 7.0);
        let text = metrics.render(Readings { waiters: 3, tail_lag_seconds: 0.5, ..Readings::default() });
        for line in [
            "countersign_proposals_created_total 1",
            "countersign_proposals_closed_total{outcome=\"approved\"} 1",
            "countersign_problems_total{code=\"forbidden\"} 1",
            "countersign_since_asked_seconds_bucket{le=\"15.0\",step=\"seen\"} 1",
            "countersign_waiters 3",
            "countersign_tail_lag_seconds 0.5",
        ] {
            assert!(text.contains(line), "{line} is not in\n{text}");
        }
    }
}
