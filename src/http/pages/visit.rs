//! A person who looks at a page: who they are, when it is for them, and from where on the page is live.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use super::frame::{Frame, Paused, Signed, Tab};
use super::when::Reader;
use crate::app::{App, AppState};
use crate::auth::Person;
use crate::domain::access::{self, Verb};
use crate::domain::cursor::Cursor;
use crate::domain::proposal::REAUTH_LASTS;
use crate::error::{Error, Result};
use crate::flows::attention;
use crate::flows::proposals::reviews;
use crate::store::instance;
use crate::store::proposals::glance::{self, Waiting};

/// One visit to one page.
#[derive(Debug)]
pub struct Visit {
    /// Who.
    pub person: Person,
    /// Taken before anything the page shows was read, so that no event can fall between page and socket.
    cursor: Cursor,
    /// The password came with this very request.
    proven: bool,
}

impl FromRequestParts<AppState> for Visit {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self> {
        let cursor = app.hub.position();
        let person = <Person as FromRequestParts<AppState>>::from_request_parts(parts, app).await?;
        Ok(Self { person, cursor, proven: false })
    }
}

impl Visit {
    /// Whose clock and zone the page is written for.
    pub fn reader(&self) -> Reader {
        Reader { now: self.person.now(), zone: self.person.time_zone() }
    }

    /// Notes that the password was good, so that the page which answers does not ask for it again.
    pub fn prove(&mut self) {
        self.proven = true;
    }

    /// Whether the password was given lately enough for high risk.
    pub fn has_proven_lately(&self) -> bool {
        self.proven || self.person.now() - self.person.reauth_at() <= REAUTH_LASTS
    }

    /// Whether a name is the visitor's own.
    pub fn is_me(&self, name: Option<&str>) -> bool {
        name == Some(self.person.name())
    }

    /// The frame, and how many wait in each lane.
    pub async fn frame(&self, app: &App, title: &str, tab: Tab) -> Result<(Frame, Vec<Waiting>)> {
        let mut conn = app.db.acquire().await?;
        let waiting = glance::waiting(&mut conn, &reviews::visible(&self.person)).await?;
        let needs =
            reviews::to_decide(&mut conn, &self.person).await? + attention::mine(&mut conn, &self.person).await?.len();
        let paused = instance::pause(&mut conn).await?;
        let count = waiting.iter().map(|lane| usize::try_from(lane.count).unwrap_or_default()).sum();
        let reader = self.reader();
        let frame = Frame {
            title: if needs == 0 { title.to_owned() } else { format!("({needs}) {title}") },
            tab,
            person: Some(Signed {
                name: self.person.name().to_owned(),
                may_audit: access::anywhere(self.person.grants(), Verb::Audit, self.person.now()),
                waiting: count,
                needs,
            }),
            insecure: app.insecure,
            demo: app.demo,
            paused: paused.map(|paused| Paused { by: paused.by, reason: paused.reason, at: reader.when(paused.at) }),
            now: reader.now(),
            cursor: Some(self.cursor.to_string()),
        };
        Ok((frame, waiting))
    }
}

impl Frame {
    /// The frame for somebody who is not signed in.
    pub fn outside(app: &App, title: &str) -> Self {
        Self { title: title.to_owned(), insecure: app.insecure, demo: app.demo, ..Self::default() }
    }
}
