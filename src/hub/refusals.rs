//! Which agents were refused lately, so that a refusal is journaled once a minute and not once a request.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use uuid::Uuid;

/// The minute of each agent's last journaled refusal.
#[derive(Debug, Default)]
pub struct Refusals {
    minutes: Mutex<HashMap<Uuid, i64>>,
}

impl Refusals {
    /// Whether this is the agent's first refusal in the minute of `now` (seconds since 1970).
    pub fn first_this_minute(&self, agent: Uuid, now: i64) -> bool {
        let minute = now.div_euclid(60);
        let mut minutes = self.minutes.lock().unwrap_or_else(PoisonError::into_inner);
        // Agents are few; those of older minutes are of no use.
        minutes.retain(|_, seen| *seen == minute);
        minutes.insert(agent, minute).is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn once_a_minute_for_each_agent() {
        let refusals = Refusals::default();
        let (one, two) = (Uuid::from_u128(1), Uuid::from_u128(2));
        assert!(refusals.first_this_minute(one, 0));
        assert!(!refusals.first_this_minute(one, 59));
        assert!(refusals.first_this_minute(two, 59));
        assert!(refusals.first_this_minute(one, 60));
    }
}
