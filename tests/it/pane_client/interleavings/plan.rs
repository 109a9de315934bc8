//! What will happen at a desk: dialogs, decisions, and what comes between them, drawn from a seed.

use std::fmt::Write as _;
use std::time::Duration;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::pane_client::desk::ask;

/// So long an agent works at least between two dialogs that look the same, as one that runs a command does.
const BETWEEN_TWINS: u64 = 1500;
/// So long it works after something that races with the client's key: a key that is on its way cannot be called back,
/// and nothing tells a terminal that its program has already turned to something else. No dialog may open meanwhile.
const AFTER_A_RACE: u64 = 500;

/// What happens beside the decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Nothing.
    Nothing,
    /// Somebody answers at the terminal, whatever the client is doing.
    Hand,
    /// The agent goes on by itself, whatever the client is doing.
    MovesOn,
    /// Somebody answers at the terminal while the client stands still.
    HandBetween,
    /// Another dialog takes its place while the client stands still.
    MovesOnBetween,
    /// The decision comes when the dialog is gone, and the client does not know yet.
    Late,
    /// Somebody scrolls for a while.
    CopyMode,
    /// The window gets another size for a while.
    Resize,
    /// The client dies and is started again.
    Crash,
    /// Two people decide at the same time, one yes and one no.
    Contest,
}

/// One dialog.
#[derive(Clone, Debug)]
pub struct Step {
    /// The line of the script: under this number the agent's log speaks of it.
    pub line: u64,
    pub command: String,
    /// The policy answers it, nobody else.
    pub routine: bool,
    /// Whether people refuse it.
    pub refused: bool,
    pub event: Event,
    /// The event waits for the dialog, not for a decision.
    pub early: bool,
    /// How long after that it happens.
    pub after: Duration,
    /// How long it lasts, if it does.
    pub lasts: Duration,
}

impl Step {
    /// Whether a key of the client may arrive when its dialog is just gone.
    pub fn races(&self) -> bool {
        matches!(self.event, Event::Hand | Event::MovesOn)
    }

    /// The key of the decision.
    pub fn key(&self) -> &'static str {
        if self.refused { "3" } else { "1" }
    }
}

/// All steps of a desk.
#[derive(Debug)]
pub struct Plan {
    pub seed: u64,
    pub steps: Vec<Step>,
    pub script: String,
}

impl Plan {
    /// The plan of a seed.
    pub fn draw(seed: u64, steps: usize) -> Self {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
        let mut runner = TestRunner::new_with_rng(Config::default(), rng);
        let drawn = proptest::collection::vec(draw(), steps).new_tree(&mut runner).unwrap().current();
        let mut plan = Self { seed, steps: Vec::new(), script: String::new() };
        let mut twin: Option<Step> = None;
        for (at, draw) in drawn.into_iter().enumerate() {
            let mut step = draw.step;
            step.line = plan.script.lines().count() as u64 + 1;
            step.command =
                if step.routine { format!("git log -n {}", at + 1) } else { format!("curl https://example.org/{at}") };
            if let Some(first) = twin.take() {
                // The other answer: the key alone says for which of the two it was meant.
                (step.command, step.refused, step.routine) = (first.command, !first.refused, false);
                step.event = if step.event == Event::Contest { Event::Nothing } else { step.event };
            } else if draw.twin && !step.routine && step.event != Event::Contest {
                twin = Some(step.clone());
            }
            let rest = match () {
                () if twin.is_some() => BETWEEN_TWINS,
                () if step.races() => AFTER_A_RACE,
                () => draw.rest,
            };
            plan.script += &ask(&step.command);
            if rest > 0 {
                writeln!(plan.script, "{{\"work_ms\":{rest}}}").unwrap();
            }
            plan.steps.push(step);
        }
        plan
    }
}

#[derive(Clone, Debug)]
struct Draw {
    step: Step,
    twin: bool,
    rest: u64,
}

fn draw() -> impl Strategy<Value = Draw> {
    let chance = proptest::bool::weighted;
    let asked = (chance(0.2), chance(0.3), chance(0.1), prop_oneof![Just(0), 50..400_u64]);
    let moment = (any::<bool>(), 0..450_u64, 100..1200_u64);
    (asked, event(), moment).prop_map(|((routine, refused, twin, rest), event, (early, after, lasts))| {
        let event = if routine && matches!(event, Event::Late | Event::Contest) { Event::Nothing } else { event };
        let early = early || routine;
        // Until a dialog is reported and decided takes longer than from the decision to the key.
        let after = Duration::from_millis(if early { 2 * after } else { after });
        let lasts = Duration::from_millis(lasts);
        let (line, command) = (0, String::new());
        let step = Step { line, command, routine, refused: refused && !routine, event, early, after, lasts };
        Draw { step, twin, rest }
    })
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        4 => Just(Event::Nothing),
        2 => Just(Event::Hand),
        1 => Just(Event::MovesOn),
        2 => Just(Event::HandBetween),
        5 => Just(Event::MovesOnBetween),
        2 => Just(Event::Late),
        2 => Just(Event::CopyMode),
        2 => Just(Event::Resize),
        2 => Just(Event::Crash),
        1 => Just(Event::Contest),
    ]
}
