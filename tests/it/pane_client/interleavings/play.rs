//! Plays a plan: people decide what waits for them, and beside that happens what the plan says.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::{Value, json};

use super::frozen::Frozen;
use super::plan::{Event, Plan, Step};
use crate::pane_client::desk::Desk;
use crate::support::agent_pane::AgentPane;
use crate::support::server::signal;

/// Longer than any step takes on a busy machine, with every order that it may need.
const PATIENCE: Duration = Duration::from_secs(90);
/// How often the agent's log and the inbox are looked at.
const LOOK: Duration = Duration::from_millis(20);
/// The window, and the other size that it gets for a while.
const SIZE: [&str; 2] = ["120", "40"];
const OTHER_SIZE: [&str; 2] = ["100", "30"];

/// Plays all steps.
pub async fn play(desk: &mut Desk, plan: &Plan) {
    let mut player = Player { desk, seed: plan.seed, known: HashSet::new() };
    for step in &plan.steps {
        player.step(step).await;
    }
    let last = plan.script.lines().count() as u64;
    player.desk.until("the script's end", async || (at(&player.desk.pane) > last).then_some(())).await;
}

/// The step that the agent is at, by its line.
fn at(pane: &AgentPane) -> u64 {
    pane.notes().iter().rev().find_map(|note| note["step"].as_u64()).unwrap_or_default()
}

struct Player<'d> {
    desk: &'d mut Desk,
    seed: u64,
    /// Proposals of earlier steps, and those that were decided.
    known: HashSet<String>,
}

impl Player<'_> {
    /// Until the agent has gone on, by whichever way.
    async fn step(&mut self, step: &Step) {
        self.desk.until("the next dialog", async || (at(&self.desk.pane) >= step.line).then_some(())).await;
        let began = Instant::now();
        let mut due = step.early.then(|| began + step.after);
        let mut undo: Option<Instant> = None;
        let mut decided = false;
        while at(&self.desk.pane) == step.line {
            let (seed, said) = (self.seed, || self.desk.watch.said());
            assert!(began.elapsed() < PATIENCE, "seed {seed}: {step:?}\n{}\n{}", self.desk.pane.seen(), said());
            if due.take_if(|due| Instant::now() >= *due).is_some() {
                self.happen(step);
                undo = Some(Instant::now() + step.lasts);
            }
            if undo.take_if(|undo| Instant::now() >= *undo).is_some() {
                self.undo(step);
            }
            if let Some(item) = self.fresh(step).await {
                self.decide(step, &item, !decided).await;
                if !decided && !step.early {
                    due = Some(Instant::now() + step.after);
                }
                decided = true;
            }
            tokio::time::sleep(LOOK).await;
        }
        if undo.is_some() {
            self.undo(step);
        }
        self.known.extend(self.desk.inbox().await.iter().map(id));
    }

    /// A proposal for this step's dialog that nobody has decided.
    async fn fresh(&self, step: &Step) -> Option<Value> {
        let items = self.desk.inbox().await;
        items.into_iter().find(|item| item["command"] == step.command && !self.known.contains(&id(item)))
    }

    async fn decide(&mut self, step: &Step, item: &Value, first: bool) {
        self.known.insert(id(item));
        let (yes, no) = (json!({ "outcome": "approved" }), json!({ "outcome": "rejected" }));
        let ruling = if step.refused { &no } else { &yes };
        let late = (first && step.event == Event::Late).then(|| self.between(step, Self::by_hand));
        if first && step.event == Event::Contest {
            let ada = self.desk.app.who("ada");
            let (one, other) = tokio::join!(self.desk.ben.rule(item, &yes), ada.rule(item, &no));
            let mut statuses = [one.status, other.status];
            statuses.sort_unstable();
            assert_eq!(statuses, [200, 409], "seed {}: one of two decides; {step:?}", self.seed);
        } else {
            // It may have ended in this moment.
            let answer = self.desk.ben.rule(item, ruling).await;
            assert!(matches!(answer.status, 200 | 409), "seed {}: {} {step:?}", self.seed, answer.text);
        }
        drop(late);
    }

    fn happen(&mut self, step: &Step) {
        match step.event {
            Event::Nothing | Event::Late | Event::Contest => {}
            Event::Hand => self.by_hand(step),
            Event::MovesOn => self.moves_on(step),
            Event::HandBetween => drop(self.between(step, Self::by_hand)),
            Event::MovesOnBetween => drop(self.between(step, Self::moves_on)),
            Event::CopyMode => drop(self.desk.pane.tmux(["copy-mode", "-t", &self.desk.pane.pane])),
            Event::Resize => self.resize(OTHER_SIZE),
            Event::Crash => self.desk.restart_client(),
        }
    }

    fn undo(&self, step: &Step) {
        match step.event {
            Event::CopyMode => {
                let pane = &self.desk.pane.pane;
                let leave = format!("send-keys -t {pane} -X cancel");
                self.desk.pane.tmux(["if-shell", "-F", "-t", pane, "#{pane_in_mode}", &leave]);
            }
            Event::Resize => self.resize(SIZE),
            _ => {}
        }
    }

    /// Answers as the decision would, with keys that no client presses.
    fn by_hand(&self, step: &Step) {
        let keys: &[&str] = if step.refused { &["Up", "Enter"] } else { &["Enter"] };
        if at(&self.desk.pane) == step.line {
            self.desk.press(keys);
        }
    }

    fn moves_on(&self, step: &Step) {
        let pane = &self.desk.pane;
        let pid = pane.tmux(["display-message", "-p", "-t", &pane.pane, "#{pane_pid}"]);
        if at(pane) == step.line {
            signal(pid.trim().parse().unwrap(), Signal::USR1);
        }
    }

    /// While the client stands still the dialog goes, and what follows is on the screen.
    fn between(&self, step: &Step, go: impl Fn(&Self, &Step)) -> Frozen {
        let frozen = Frozen::client(self.desk);
        let pane = &self.desk.pane;
        if at(pane) == step.line {
            let before = pane.seen();
            go(self, step);
            pane.wait_for("what comes after it", |_| at(pane) > step.line);
            pane.wait_for("its picture", |_| {
                let now = pane.seen();
                now != before && now == pane.seen()
            });
        }
        frozen
    }

    fn resize(&self, [cols, rows]: [&str; 2]) {
        self.desk.pane.tmux(["resize-window", "-t", &self.desk.pane.pane, "-x", cols, "-y", rows]);
    }
}

fn id(item: &Value) -> String {
    item["id"].as_str().unwrap().to_owned()
}
