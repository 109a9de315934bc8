//! How long somebody waits before the next password: no lock-out, but guessing gets slow.

use chrono::{DateTime, TimeDelta, Utc};

/// Attempts counted so far. An attempt is counted before its password is looked at; a good one is taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tries {
    /// How many count.
    pub failures: i32,
    /// The last one.
    pub last: DateTime<Utc>,
    /// No attempt before this.
    pub blocked_until: DateTime<Utc>,
}

/// Tries for one account from one source before delays begin.
const FREE: i32 = 3;
/// The longest delay.
const LONGEST: TimeDelta = TimeDelta::minutes(15);
/// After this much quiet an account's count starts anew.
pub const FORGOTTEN: TimeDelta = TimeDelta::hours(24);
/// Failures from one source, whatever the accounts, before it is slowed down.
const BURST: i32 = 30;
/// How long one of those weighs.
const REFILL: TimeDelta = TimeDelta::seconds(10);

/// Counts an attempt on one account from one source; the error is how long to wait.
pub fn on_account(before: Option<Tries>, now: DateTime<Utc>) -> Result<Tries, TimeDelta> {
    let failures = match before {
        Some(tries) if now < tries.blocked_until => return Err(tries.blocked_until - now),
        Some(tries) if now - tries.last < FORGOTTEN => tries.failures.saturating_add(1),
        _ => 1,
    };
    Ok(Tries { failures, last: now, blocked_until: now + delay(failures) })
}

/// Counts an attempt from one source as a whole; the error is how long to wait.
pub fn from_source(before: Option<Tries>, now: DateTime<Utc>) -> Result<Tries, TimeDelta> {
    let failures = match before {
        Some(tries) if now < tries.blocked_until => return Err(tries.blocked_until - now),
        Some(tries) => {
            let faded = (now - tries.last).num_seconds() / REFILL.num_seconds();
            let faded = i32::try_from(faded).unwrap_or(i32::MAX);
            tries.failures.saturating_sub(faded).clamp(0, BURST) + 1
        }
        None => 1,
    };
    let blocked = if failures > BURST { REFILL } else { TimeDelta::zero() };
    Ok(Tries { failures, last: now, blocked_until: now + blocked })
}

/// Whether this many failures deserve a journal row: when delays begin, and when they are at their longest.
pub fn is_notable(failures: i32) -> bool {
    failures == FREE + 1 || failures == FREE + 11
}

fn delay(failures: i32) -> TimeDelta {
    let Ok(step @ 0..) = u32::try_from(failures - FREE - 1) else {
        return TimeDelta::zero();
    };
    // 2^10 s is past the longest.
    TimeDelta::seconds(1_i64 << step.min(10)).min(LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(secs: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_000_000 + secs, 0).unwrap()
    }

    #[test]
    fn delays_grow_from_a_second_to_a_quarter_of_an_hour() {
        let waits: Vec<i64> = (1..16).map(|n| delay(n).num_seconds()).collect();
        assert_eq!(waits, [0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
    }

    #[test]
    fn the_fourth_guess_in_a_second_is_the_last() {
        let mut tries = None;
        for _ in 0..4 {
            tries = Some(on_account(tries, at(0)).unwrap());
        }
        assert_eq!(on_account(tries, at(0)), Err(TimeDelta::seconds(1)));
        assert_eq!(on_account(tries, at(1)).unwrap().failures, 5);
        assert_eq!(on_account(tries, at(90_000)).unwrap().failures, 1, "a day forgives");
    }

    #[test]
    fn a_source_gets_a_burst_and_then_one_each_ten_seconds() {
        let mut tries = None;
        for _ in 0..31 {
            tries = Some(from_source(tries, at(0)).unwrap());
        }
        assert_eq!(from_source(tries, at(3)), Err(TimeDelta::seconds(7)));
        let next = from_source(tries, at(10)).unwrap();
        assert_eq!(next.blocked_until, at(20));
        assert_eq!(from_source(Some(next), at(10_000)).unwrap().failures, 1);
    }
}
