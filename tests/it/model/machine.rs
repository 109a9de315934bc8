//! The model: what a proposal's life is, said as simply as it can be, without time, transactions or the network.

use std::collections::HashMap;

use proptest::prelude::*;
use proptest_state_machine::ReferenceStateMachine;

/// How many an agent may have in flight here: few, so that the cap is met.
pub const CAP: usize = 3;
/// Two agents of one lane, by name.
pub const AGENTS: [&str; 2] = ["coder", "tester"];
/// Two who may decide, by name.
pub const PEOPLE: [&str; 2] = ["ben", "ada"];
/// How many contents and keys there are: few, so that they meet.
const CONTENTS: usize = 4;

/// What can be done.
#[derive(Clone, Debug)]
pub enum Act {
    Create {
        agent: usize,
        content: usize,
        expires: bool,
        key: Option<usize>,
    },
    Decide {
        person: usize,
        proposal: usize,
        outcome: &'static str,
        stale: bool,
    },
    Withdraw {
        agent: usize,
        proposal: usize,
    },
    Check {
        agent: usize,
        proposal: usize,
    },
    Ack {
        agent: usize,
        proposal: usize,
    },
    /// Time passes: everything that can expire does.
    Expire,
    /// The server is gone in the middle of everything, and comes back over the same database.
    Kill,
}

/// What is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A status, and which proposal it is about.
    Proposal(u16, usize),
    /// A status without a body.
    Empty(u16),
    /// A refusal.
    Problem(u16, &'static str),
    Nothing,
}

/// One proposal.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Proposal {
    pub agent: usize,
    pub content: usize,
    pub expires: bool,
    pub status: &'static str,
    pub version: i32,
    pub decided_by: Option<usize>,
    pub previously_rejected: bool,
    pub archived: bool,
    /// Its agent has had the final answer, so that a receipt may say so.
    pub told: bool,
}

/// All there is, and the last answer.
#[derive(Clone, Debug)]
pub struct World {
    pub proposals: Vec<Proposal>,
    /// Agent and key: content, expiry and proposal.
    keys: HashMap<(usize, usize), (usize, bool, usize)>,
    pub answer: Answer,
}

impl World {
    fn pending(&self) -> impl Iterator<Item = (usize, &Proposal)> {
        self.proposals.iter().enumerate().filter(|(_, proposal)| proposal.status == "pending")
    }

    /// How many an agent has in flight.
    pub fn in_flight(&self, agent: usize) -> usize {
        self.pending().filter(|(_, proposal)| proposal.agent == agent).count()
    }

    fn create(&mut self, agent: usize, content: usize, expires: bool, key: Option<usize>) -> Answer {
        if let Some(&(before, life, at)) = key.and_then(|key| self.keys.get(&(agent, key))) {
            if (before, life) != (content, expires) {
                return Answer::Problem(422, "idempotency_mismatch");
            }
            self.tell(agent, at);
            return Answer::Proposal(200, at);
        }
        let same = self.pending().find(|(_, other)| (other.agent, other.content) == (agent, content));
        let (status, at) = match same.map(|(at, _)| at) {
            Some(at) => (200, at),
            None if self.in_flight(agent) >= CAP => return Answer::Problem(429, "too_many_pending"),
            None => {
                let rejected = self
                    .proposals
                    .iter()
                    .any(|other| (other.agent, other.content, other.status) == (agent, content, "rejected"));
                self.proposals.push(Proposal {
                    agent,
                    content,
                    expires,
                    status: "pending",
                    version: 1,
                    decided_by: None,
                    previously_rejected: rejected,
                    archived: false,
                    told: false,
                });
                (201, self.proposals.len() - 1)
            }
        };
        if let Some(key) = key {
            self.keys.insert((agent, key), (content, expires, at));
        }
        Answer::Proposal(status, at)
    }

    fn decide(&mut self, person: usize, at: usize, outcome: &'static str, stale: bool) -> Answer {
        let proposal = &mut self.proposals[at];
        // An edit is the same edit whatever it was an edit of.
        let same_words = outcome == "modified" || !stale;
        match proposal.status {
            "pending" if stale => Answer::Problem(409, "changed"),
            "pending" => {
                proposal.close(outcome);
                proposal.decided_by = Some(person);
                Answer::Proposal(200, at)
            }
            "expired" => Answer::Problem(410, "expired"),
            "withdrawn" => Answer::Problem(409, "already_final"),
            before if before == outcome && proposal.decided_by == Some(person) && same_words => {
                Answer::Proposal(200, at)
            }
            _ => Answer::Problem(409, "already_decided"),
        }
    }

    fn withdraw(&mut self, agent: usize, at: usize) -> Answer {
        let proposal = &mut self.proposals[at];
        match proposal.status {
            _ if proposal.agent != agent => Answer::Problem(404, "not_found"),
            "pending" => {
                proposal.close("withdrawn");
                Answer::Proposal(200, at)
            }
            _ => Answer::Problem(409, "already_final"),
        }
    }

    fn ack(&mut self, agent: usize, at: usize) -> Answer {
        let proposal = &mut self.proposals[at];
        match proposal.status {
            _ if proposal.agent != agent => Answer::Problem(404, "not_found"),
            "pending" => Answer::Problem(409, "not_final"),
            _ => {
                proposal.archived = true;
                proposal.told = true;
                Answer::Empty(204)
            }
        }
    }

    fn tell(&mut self, agent: usize, at: usize) {
        let proposal = &mut self.proposals[at];
        proposal.told |= proposal.agent == agent && proposal.status != "pending";
    }
}

impl Proposal {
    fn close(&mut self, status: &'static str) {
        (self.status, self.version) = (status, self.version + 1);
    }
}

impl ReferenceStateMachine for World {
    type State = Self;
    type Transition = Act;

    fn init_state() -> BoxedStrategy<Self> {
        Just(Self { proposals: Vec::new(), keys: HashMap::new(), answer: Answer::Nothing }).boxed()
    }

    fn transitions(state: &Self) -> BoxedStrategy<Act> {
        let create = (0..AGENTS.len(), 0..CONTENTS, any::<bool>(), proptest::option::of(0..CONTENTS))
            .prop_map(|(agent, content, expires, key)| Act::Create { agent, content, expires, key });
        if state.proposals.is_empty() {
            return create.boxed();
        }
        // One of the newest: what happened long ago is less likely to go on.
        let count = state.proposals.len();
        let which = || count.saturating_sub(6)..count;
        let outcome = prop_oneof![Just("approved"), Just("rejected"), Just("modified")];
        let decide = (0..PEOPLE.len(), which(), outcome, proptest::bool::weighted(0.15))
            .prop_map(|(person, proposal, outcome, stale)| Act::Decide { person, proposal, outcome, stale });
        let by_agent = || (0..AGENTS.len(), which());
        prop_oneof![
            6 => create,
            5 => decide,
            2 => by_agent().prop_map(|(agent, proposal)| Act::Withdraw { agent, proposal }),
            3 => by_agent().prop_map(|(agent, proposal)| Act::Check { agent, proposal }),
            2 => by_agent().prop_map(|(agent, proposal)| Act::Ack { agent, proposal }),
            1 => Just(Act::Expire),
            1 => Just(Act::Kill),
        ]
        .boxed()
    }

    fn preconditions(state: &Self, act: &Act) -> bool {
        match act {
            Act::Create { .. } | Act::Expire | Act::Kill => true,
            Act::Decide { proposal, .. }
            | Act::Withdraw { proposal, .. }
            | Act::Check { proposal, .. }
            | Act::Ack { proposal, .. } => *proposal < state.proposals.len(),
        }
    }

    fn apply(mut state: Self, act: &Act) -> Self {
        state.answer = match *act {
            Act::Create { agent, content, expires, key } => state.create(agent, content, expires, key),
            Act::Decide { person, proposal, outcome, stale } => state.decide(person, proposal, outcome, stale),
            Act::Withdraw { agent, proposal } => state.withdraw(agent, proposal),
            Act::Ack { agent, proposal } => state.ack(agent, proposal),
            Act::Check { agent, proposal } => {
                state.tell(agent, proposal);
                Answer::Proposal(200, proposal)
            }
            Act::Expire => {
                let due =
                    state.proposals.iter_mut().filter(|proposal| proposal.expires && proposal.status == "pending");
                due.for_each(|proposal| proposal.close("expired"));
                Answer::Nothing
            }
            Act::Kill => Answer::Nothing,
        };
        state
    }
}
