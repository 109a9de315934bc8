//! Times as people read them: how long ago, and exactly when in their own zone.

use chrono::{DateTime, Datelike, NaiveDate, NaiveTime, SecondsFormat, TimeDelta, TimeZone, Utc};
use chrono_tz::Tz;

/// A moment in the past.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct When {
    /// For machines.
    pub iso: String,
    /// Exactly, in the reader's zone.
    pub absolute: String,
    /// How long ago.
    pub relative: String,
}

/// A deadline.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Left {
    /// For machines.
    pub iso: String,
    /// Exactly, in the reader's zone.
    pub absolute: String,
    /// How long it is still open.
    pub relative: String,
    /// Less than two minutes are left.
    pub urgent: bool,
}

/// Whose clock and zone a page is written for.
#[derive(Debug, Clone, Copy)]
pub struct Reader {
    /// The database's time at this request.
    pub now: DateTime<Utc>,
    /// The reader's zone.
    pub zone: Tz,
}

impl Reader {
    /// A moment in the past.
    pub fn when(self, at: DateTime<Utc>) -> When {
        let relative = match ago(self.now - at) {
            Some(relative) => relative,
            None => self.day(at),
        };
        When { iso: iso(at), absolute: self.exact(at), relative }
    }

    /// When the reader's day began.
    pub fn midnight(self) -> DateTime<Utc> {
        self.start_of(self.now.with_timezone(&self.zone).date_naive())
    }

    /// When a day begins in the reader's zone; where the clocks skip midnight, an hour later.
    pub fn start_of(self, day: NaiveDate) -> DateTime<Utc> {
        let at = |hour| day.and_time(NaiveTime::MIN) + TimeDelta::hours(hour);
        let local = [0, 1, 2].into_iter().find_map(|hour| self.zone.from_local_datetime(&at(hour)).earliest());
        local.map_or_else(|| at(0).and_utc(), |start| start.to_utc())
    }

    /// The time of this page, for machines.
    pub fn now(self) -> String {
        iso(self.now)
    }

    /// A deadline.
    pub fn left(self, until: DateTime<Utc>) -> Left {
        let left = until - self.now;
        Left {
            iso: iso(until),
            absolute: self.exact(until),
            relative: remaining(left),
            urgent: left < TimeDelta::minutes(2),
        }
    }

    fn day(self, at: DateTime<Utc>) -> String {
        let (local, today) = (at.with_timezone(&self.zone), self.now.with_timezone(&self.zone));
        let format = if local.year() == today.year() { "%-d %b" } else { "%-d %b %Y" };
        local.format(format).to_string()
    }

    /// Exactly when, in the reader's zone.
    pub fn exact(self, at: DateTime<Utc>) -> String {
        format!("{}, {}", self.day(at), at.with_timezone(&self.zone).format("%H:%M:%S %Z"))
    }
}

fn iso(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// `None` from a week on, when the date says more.
fn ago(passed: TimeDelta) -> Option<String> {
    let secs = passed.num_seconds();
    Some(match secs {
        ..5 => "now".into(),
        5..60 => format!("{secs} s ago"),
        60..3_600 => format!("{} min ago", secs / 60),
        3_600..86_400 => format!("{} h ago", secs / 3_600),
        86_400..604_800 => format!("{} d ago", secs / 86_400),
        _ => return None,
    })
}

fn remaining(left: TimeDelta) -> String {
    let secs = left.num_seconds();
    match secs {
        ..=0 => "time is over".into(),
        1..60 => format!("{secs} s left"),
        60..3_600 => format!("{} min left", secs / 60),
        3_600..86_400 => format!("{} h left", secs / 3_600),
        _ => format!("{} d left", secs / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_in_the_readers_zone() {
        let now = DateTime::parse_from_rfc3339("2026-11-29T23:30:00Z").unwrap().to_utc();
        let reader = Reader { now, zone: chrono_tz::Europe::Berlin };
        let when = reader.when(now - TimeDelta::seconds(70));
        assert_eq!((when.relative.as_str(), when.absolute.as_str()), ("1 min ago", "30 Nov, 00:28:50 CET"));
        assert_eq!(reader.when(now - TimeDelta::days(10)).relative, "20 Nov");
        assert_eq!(reader.when(now - TimeDelta::days(400)).relative, "26 Oct 2025");
        let left = reader.left(now + TimeDelta::seconds(119));
        assert_eq!((left.relative.as_str(), left.urgent), ("1 min left", true));
        assert_eq!(reader.left(now).relative, "time is over");
        assert_eq!(reader.midnight().to_rfc3339(), "2026-11-29T23:00:00+00:00");
    }
}
