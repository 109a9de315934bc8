//! What all plates are made of: one moment, one reader, and short ways to write shown texts.

use chrono::{DateTime, TimeDelta, Utc};
use countersign::domain::text::{Kind, Shown, show};
use countersign::http::pages::frame::{Frame, Signed, Tab};
use countersign::http::pages::when::{Left, Reader, When};

pub fn reader() -> Reader {
    let now = DateTime::parse_from_rfc3339("2026-11-29T22:41:07Z").unwrap().to_utc();
    Reader { now, zone: chrono_tz::Europe::Berlin }
}

pub fn before(secs: i64) -> DateTime<Utc> {
    reader().now - TimeDelta::seconds(secs)
}

pub fn when(secs: i64) -> When {
    reader().when(before(secs))
}

pub fn left(secs: i64) -> Left {
    reader().left(reader().now + TimeDelta::seconds(secs))
}

pub fn code(text: &str) -> Shown {
    show(text, Kind::Command)
}

pub fn says(text: &str) -> Shown {
    show(text, Kind::Prose)
}

pub fn frame(title: &str, tab: Tab) -> Frame {
    let person = Signed { name: "maria".into(), may_audit: true, waiting: 5, needs: 6 };
    Frame { title: title.into(), tab, person: Some(person), now: reader().now(), ..Frame::default() }
}
