//! How long to wait before the next try, when somebody is away: the server, or a listener of tmux.

use std::time::Duration;

use rand::RngExt;

/// The first wait for the server.
const FIRST: Duration = Duration::from_millis(250);
/// The longest wait for it.
const MOST: Duration = Duration::from_secs(15);

/// Waits that double, each moved by chance, so that many do not come back at one moment.
#[derive(Debug)]
pub(super) struct Backoff {
    next: Duration,
    most: Duration,
}

impl Default for Backoff {
    fn default() -> Self {
        Self::new(FIRST, MOST)
    }
}

impl Backoff {
    /// Begins with the first wait.
    pub(super) const fn new(first: Duration, most: Duration) -> Self {
        Self { next: first, most }
    }

    /// The next wait: between half and the whole of what it could be.
    pub(super) fn next(&mut self) -> Duration {
        let whole = self.next;
        self.next = (whole * 2).min(self.most);
        whole.mul_f64(rand::rng().random_range(0.5..=1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_to_their_limit_and_are_never_nothing() {
        let mut backoff = Backoff::default();
        let waits: Vec<_> = (0..20).map(|_| backoff.next()).collect();
        assert!(waits.iter().all(|wait| *wait >= FIRST / 2 && *wait <= MOST), "{waits:?}");
        assert!(waits[0] <= FIRST && waits[19] >= MOST / 2, "{waits:?}");
    }
}
