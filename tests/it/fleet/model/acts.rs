//! What can be done: the model itself only says that nothing may be done before anything was sent.

use proptest::prelude::*;
use proptest_state_machine::ReferenceStateMachine;

/// How a pane can be reported.
pub const STATUSES: [&str; 4] = ["idle", "working", "blocked", "unknown"];
/// What a pane client can say of an order.
pub const OUTCOMES: [&str; 3] = ["sent", "skipped", "failed"];
/// So long time can pass: less than the grace, more than it, more than a report counts, more than a lease lasts.
pub const PASSES: [i64; 4] = [1, 4, 31, 61];
/// More are not sent, so that a run ends.
const MOST: usize = 12;

/// What can be done.
#[derive(Clone, Debug)]
pub enum Act {
    /// The lead sends one more.
    Send,
    /// The pane is reported.
    Report(usize),
    /// The pane client takes what there is.
    Take,
    /// It says what became of what it has taken.
    Outcome(usize),
    /// The member replies.
    Reply,
    /// Time passes, and the ticks run.
    Pass(usize),
    /// The server is gone in the middle of everything, and comes back over the same database.
    Kill,
}

/// How many were sent.
#[derive(Clone, Debug)]
pub struct Sends(usize);

impl ReferenceStateMachine for Sends {
    type State = Self;
    type Transition = Act;

    fn init_state() -> BoxedStrategy<Self> {
        Just(Self(0)).boxed()
    }

    fn transitions(_: &Self) -> BoxedStrategy<Act> {
        // Mostly idle, and mostly sent: else little would ever be delivered.
        let status = prop_oneof![5 => Just(0_usize), 3 => Just(1_usize), 1 => Just(2_usize), 1 => Just(3_usize)];
        let outcome = prop_oneof![5 => Just(0_usize), 2 => Just(1_usize), 1 => Just(2_usize)];
        let pass = prop_oneof![2 => Just(0_usize), 5 => Just(1_usize), 1 => Just(2_usize), 1 => Just(3_usize)];
        prop_oneof![
            4 => Just(Act::Send),
            9 => status.prop_map(Act::Report),
            6 => Just(Act::Take),
            5 => outcome.prop_map(Act::Outcome),
            2 => Just(Act::Reply),
            4 => pass.prop_map(Act::Pass),
            1 => Just(Act::Kill),
        ]
        .boxed()
    }

    fn preconditions(state: &Self, act: &Act) -> bool {
        !matches!(act, Act::Send) || state.0 < MOST
    }

    fn apply(mut state: Self, act: &Act) -> Self {
        state.0 += usize::from(matches!(act, Act::Send));
        state
    }
}
