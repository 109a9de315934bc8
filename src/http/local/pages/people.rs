//! People: who signs in, what they may, and where they are signed in.

pub mod change;
pub mod grant;

use askama::Template;
use axum::extract::State;

use super::Done;
use super::visit::{Desk, Section, Visit};
use crate::app::AppState;
use crate::error::{Error, Result};
use crate::http::extract::{Path, Query};
use crate::http::pages::account::{self, GrantRow, SessionRow};
use crate::http::pages::when::{Reader, When};
use crate::http::pages::{Page, device};
use crate::store::grants::{self, GrantRow as Stored};
use crate::store::{people, sessions};

/// `/admin/people`
#[derive(Debug, Template)]
#[template(path = "admin/people.html")]
pub struct People {
    /// The frame.
    pub desk: Desk,
    /// Everybody who may sign in.
    pub here: Vec<Somebody>,
    /// Names of those who were removed.
    pub gone: Vec<String>,
}

/// A person in the list.
#[derive(Debug)]
pub struct Somebody {
    /// Their name.
    pub name: String,
    /// What they may, in words.
    pub may: Vec<String>,
    /// When they were last seen.
    pub seen: Option<When>,
}

/// `/admin/people/{name}`
#[derive(Debug, Template)]
#[template(path = "admin/person.html")]
pub struct Person {
    /// The frame.
    pub desk: Desk,
    /// Their name.
    pub name: String,
    /// When they were added.
    pub since: When,
    /// What they may: the grant's id, and in words.
    pub grants: Vec<(String, GrantRow, String)>,
    /// Where they are signed in.
    pub sessions: Vec<SessionRow>,
}

/// `GET /admin/people`.
pub async fn handle(State(app): State<AppState>, visit: Visit, Query(done): Query<Done>) -> Result<Page<People>> {
    let notice = match done.done.as_str() {
        "added" => Some("Added. Tell them their name and password."),
        "removed" => Some("Removed. They are signed out everywhere."),
        _ => None,
    };
    let desk = visit.desk(&app, "People", Section::People).await?.with_notice(notice);
    let mut conn = app.db.acquire().await?;
    let held = grants::list(&mut conn, None).await?;
    let (here, gone) = people::list(&mut conn).await?.into_iter().partition::<Vec<_>, _>(|it| it.disabled_at.is_none());
    let reader = visit.reader();
    let somebody = |person: people::PersonRow| Somebody {
        may: held.iter().filter(|grant| grant.user == person.name).filter_map(|grant| phrase(reader, grant)).collect(),
        seen: person.seen_at.map(|at| reader.when(at)),
        name: person.name,
    };
    Ok(Page(People {
        desk,
        here: here.into_iter().map(somebody).collect(),
        gone: gone.into_iter().map(|person| person.name).collect(),
    }))
}

/// `GET /admin/people/{name}`.
pub async fn show(
    State(app): State<AppState>,
    visit: Visit,
    Path(name): Path<String>,
    Query(done): Query<Done>,
) -> Result<Page<Person>> {
    let notice = match done.done.as_str() {
        "granted" => Some("Granted. It counts at once."),
        "revoked" => Some("Taken back. It counts at once."),
        "password" => Some("The password is changed. They are signed out everywhere."),
        "session" => Some("That device is signed out."),
        _ => None,
    };
    let desk = visit.desk(&app, &name, Section::People).await?.with_notice(notice);
    let mut conn = app.db.acquire().await?;
    let everybody = people::list(&mut conn).await?;
    let person = everybody.into_iter().find(|person| person.name == name && person.disabled_at.is_none());
    let person = person.ok_or_else(Error::not_found)?;
    let held = grants::list(&mut conn, Some(&name)).await?;
    let reader = visit.reader();
    let session = |session: sessions::SessionRow| SessionRow {
        this: false,
        id: session.id.to_string(),
        device: device::name(&session.device),
        source: session.source,
        since: reader.when(session.created_at),
        seen: reader.when(session.seen_at),
    };
    let sessions = sessions::of_user(&mut conn, person.id, visit.now).await?;
    let worded = held.iter().filter_map(|grant| {
        Some((grant.id.to_string(), account::in_words(reader, grant)?, given_by(&grant.granted_by)))
    });
    Ok(Page(Person {
        desk,
        since: reader.when(person.created_at),
        grants: worded.collect(),
        sessions: sessions.into_iter().map(session).collect(),
        name,
    }))
}

/// `admin:ada` is said as `ada`.
fn given_by(actor: &str) -> String {
    actor.rsplit(':').next().unwrap_or(actor).to_owned()
}

/// A grant in a phrase: `approver in lane api, up to medium risk`.
pub(super) fn phrase(reader: Reader, grant: &Stored) -> Option<String> {
    let worded = account::in_words(reader, grant)?;
    let place = if worded.scope == "everywhere" { worded.scope } else { format!("in {}", worded.scope) };
    let limits = worded.limits.map(|limits| format!(", {limits}")).unwrap_or_default();
    let until = worded.until.map(|until| format!(", until {until}")).unwrap_or_default();
    Some(format!("{} {place}{limits}{until}", worded.role))
}
