//! The pure core by itself, and how long it may take.

#[path = "../../src/domain/mod.rs"]
pub mod domain;

use std::time::{Duration, Instant};

/// The longest that anything may take on 4 KiB.
const LIMIT: Duration = Duration::from_millis(5);

/// Fails when every one of a few tries on a short input takes too long; one slow try is the machine's.
pub fn in_time(length: usize, mut work: impl FnMut()) {
    let tries = (0..5).map(|_| {
        let start = Instant::now();
        work();
        start.elapsed()
    });
    // A sanitizer's build is several times slower than a release.
    let slow = if cfg!(debug_assertions) { 20 } else { 4 };
    if length <= 4096 {
        let mut tries = tries;
        assert!(tries.any(|took| took < LIMIT * slow), "{length} bytes take too long");
    } else {
        work();
    }
}
