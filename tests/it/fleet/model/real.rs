//! The real service under the acts, with an account of its own beside it.

use std::collections::BTreeSet;
use std::path::PathBuf;

use chrono::{DateTime, TimeDelta, Utc};
use proptest_state_machine::StateMachineTest;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use super::super::stage::{Stage, came_to, detached, said};
use super::acts::{Act, OUTCOMES, PASSES, STATUSES, Sends};
use super::turn::Account;
use crate::support::app::TestApp;

/// A service that can be killed: everything it runs on ends with its runtime.
pub struct Service {
    runtime: Runtime,
    stage: Stage,
    moved: TimeDelta,
    account: Account,
    /// The tickets, in the order in which they were sent.
    sent: Vec<String>,
    /// The order that is out.
    out: Option<Value>,
    /// Tickets that were typed, or may have been.
    typed: BTreeSet<String>,
}

impl Service {
    fn now(&self) -> DateTime<Utc> {
        self.stage.app.state.clock.now()
    }

    fn kill(self) -> Self {
        let (folder, database): (PathBuf, String) = (self.stage.app.folder.clone(), self.stage.app.database.clone());
        // Nothing is told, drained or closed.
        self.runtime.shutdown_background();
        let runtime = Runtime::new().unwrap();
        let moved = self.moved;
        let stage = runtime.block_on(async {
            let app = TestApp::start_in(&folder, &database, "127.0.0.1:0").await;
            app.advance(moved);
            Stage::on(app).await
        });
        Self { runtime, stage, ..self }
    }

    async fn send(&mut self) {
        let content = format!("Message {}.", self.sent.len());
        let told = self.stage.caller("boss").tool("fleet_send", &detached("s-api", &content)).await;
        match came_to(&told) {
            ("accepted", _) => self.sent.push(said(&told, "ticket").to_owned()),
            full => assert_eq!(full, ("failed", "queue_full")),
        }
    }

    async fn report(&mut self, status: &'static str) {
        self.account.report(status, self.now());
        self.stage.api().status(status).await;
    }

    async fn take(&mut self) {
        let mut orders = self.stage.eyes.orders().await;
        // What is out is listed again, and is no second one.
        orders.retain(|order| order["taken"] == false);
        let Some(order) = orders.pop() else { return };
        assert_eq!(orders, Vec::<Value>::new(), "two at once");
        self.account.take(self.now());
        let id = order["msg_ids"][0].as_str().unwrap().to_owned();
        assert!(!self.typed.contains(&id), "typed twice: {id}");
        let first = self.sent.iter().find(|id| !self.typed.contains(*id)).unwrap();
        assert_eq!(*first, id, "out of turn");
        self.out = Some(order);
    }

    async fn outcome(&mut self, outcome: &str) {
        let Some(order) = self.out.take() else { return };
        let reason = match outcome {
            "skipped" => json!("not_idle"),
            "failed" => json!("text_stayed"),
            _ => json!(null),
        };
        let done = self.stage.eyes.done(&order, &json!({ "outcome": outcome, "reason": reason })).await.body(200);
        assert_eq!(done["late"], false);
        if outcome == "skipped" {
            return self.account.skipped();
        }
        self.arrived(&order, outcome == "sent");
    }

    fn arrived(&mut self, order: &Value, sure: bool) {
        let id = order["msg_ids"][0].as_str().unwrap().to_owned();
        self.account.typed(sure, self.now());
        self.typed.insert(id);
    }

    async fn reply(&mut self) {
        let told = self.stage.caller("coder").tool("fleet_reply", &json!({ "content": "Done." })).await;
        if told.is_error {
            assert_eq!(told.code(), "no_open_ticket");
        } else {
            self.account.called();
        }
    }

    async fn pass(&mut self, secs: i64) {
        // A pane that nobody reports for five minutes is gone, and what waits for it fails: `gate` tries that.
        if self.account.silent_since().is_none_or(|at| self.now() - at >= TimeDelta::minutes(3)) {
            self.report("unknown").await;
        }
        let by = TimeDelta::seconds(secs);
        self.moved += by;
        self.stage.app.advance(by);
        // A short-lived token does not outlive the run's hours.
        self.stage.renew().await;
        let over = self.account.out_since().is_some_and(|at| self.now() - at >= TimeDelta::seconds(60));
        if over && let Some(order) = self.out.take() {
            self.arrived(&order, false);
            countersign::flows::orders::expire::expire_overdue(&self.stage.app.state).await.unwrap();
        }
        self.stage.tick().await;
    }

    /// Everything that waits is taken in the end, in its order; what became of each is said by its name.
    async fn drain(&mut self) {
        self.outcome("sent").await;
        for _ in 0..6 * self.sent.len() {
            if self.typed.len() == self.sent.len() {
                break;
            }
            self.pass(33).await;
            for status in ["idle", "idle"] {
                self.report(status).await;
            }
            self.stage.tick().await;
            self.take().await;
            self.outcome("sent").await;
            self.report("working").await;
            self.report("idle").await;
        }
        assert_eq!(self.typed.len(), self.sent.len(), "lost: {:?} of {:?}", self.typed, self.sent);
        for id in &self.sent {
            let told = self.stage.caller("boss").tool("fleet_poll", &json!({ "ticket": id })).await;
            let (outcome, reason) = came_to(&told);
            assert!(["reply", "turn_done", "failed", "pending"].contains(&outcome), "{}", told.text);
            assert!(outcome != "failed" || reason == "send_failed", "{}", told.text);
        }
    }
}

impl StateMachineTest for Service {
    type SystemUnderTest = Self;
    type Reference = Sends;

    fn init_test(_: &Sends) -> Self {
        let runtime = Runtime::new().unwrap();
        let stage = runtime.block_on(async {
            let stage = Stage::new().await;
            // A call of its own makes the member one that can be sent to.
            stage.caller("coder").tool("fleet_whoami", &json!({})).await;
            stage.api().status("unknown").await;
            stage
        });
        Self {
            runtime,
            stage,
            moved: TimeDelta::zero(),
            account: Account::default(),
            sent: Vec::new(),
            out: None,
            typed: BTreeSet::new(),
        }
    }

    fn apply(mut service: Self, _: &Sends, act: Act) -> Self {
        let runtime = service.runtime.handle().clone();
        match act {
            Act::Kill => return service.kill(),
            Act::Send => runtime.block_on(service.send()),
            Act::Report(which) => runtime.block_on(service.report(STATUSES[which])),
            Act::Take => runtime.block_on(service.take()),
            Act::Outcome(which) => runtime.block_on(service.outcome(OUTCOMES[which])),
            Act::Reply => runtime.block_on(service.reply()),
            Act::Pass(which) => runtime.block_on(service.pass(PASSES[which])),
        }
        service
    }

    fn teardown(mut service: Self, _: Sends) {
        let runtime = service.runtime.handle().clone();
        runtime.block_on(service.drain());
        let Self { runtime, stage, .. } = service;
        runtime.block_on(stage.app.stop());
    }
}
