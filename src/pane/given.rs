//! How long ago an order was given, at most: the answer that brought it may have waited long for its reader, in a machine
//! that slept or a client that was stopped.

use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};

use crate::clock::Clock;

/// An order is the client's alone for sixty seconds (contract, section 4); one that is older is not begun.
const BEGIN_WITHIN: Duration = Duration::from_secs(55);

/// The moment before which an order was not given: that of the question which brought it.
///
/// It is taken by both clocks. One stands still while a machine sleeps, the other can be set; the longer time counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Given {
    steady: Instant,
    wall: DateTime<Utc>,
}

impl Given {
    /// A question is about to be asked.
    pub(super) fn now(clock: &Clock) -> Self {
        Self { steady: Instant::now(), wall: clock.now() }
    }

    /// How long the order may still wait; nothing when it is no longer to be begun.
    pub(super) fn left(self, clock: &Clock) -> Option<Duration> {
        let wall = (clock.now() - self.wall).to_std().unwrap_or_default();
        let left = BEGIN_WITHIN.checked_sub(wall.max(self.steady.elapsed()))?;
        (!left.is_zero()).then_some(left)
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::*;

    #[test]
    fn time_that_passed_in_sleep_counts() {
        let clock = Clock::default();
        let given = Given::now(&clock);
        assert!(given.left(&clock).is_some_and(|left| left > Duration::from_secs(50)));
        clock.advance(TimeDelta::seconds(50));
        assert!(given.left(&clock).is_some_and(|left| left < Duration::from_secs(6)));
        clock.advance(TimeDelta::seconds(10));
        assert_eq!(given.left(&clock), None);
        // A clock that was set back proves nothing; the other one still runs.
        clock.advance(TimeDelta::seconds(-600));
        assert!(given.left(&clock).is_some());
    }
}
