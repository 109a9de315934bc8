//! A person's own settings: what they may do, where they are signed in, their password and their zone.

use askama::Template;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use uuid::Uuid;

use super::form::Form;
use super::frame::{Frame, Tab};
use super::setup::Problem;
use super::visit::Visit;
use super::when::{Reader, When};
use super::{Page, device, see_other};
use crate::app::AppState;
use crate::auth::source::Client;
use crate::domain::access::Role;
use crate::error::{Code, Error, Result};
use crate::flows;
use crate::http::extract::{Path, Query};
use crate::store::{grants, sessions};

/// `/account`
#[derive(Debug, Template)]
#[template(path = "pages/account.html")]
pub struct Account {
    /// The frame.
    pub frame: Frame,
    /// Their name.
    pub name: String,
    /// What they may do, one line a grant.
    pub grants: Vec<GrantRow>,
    /// Where they are signed in, this one first.
    pub sessions: Vec<SessionRow>,
    /// Their zone.
    pub zone: String,
    /// Every zone there is.
    pub zones: Vec<&'static str>,
    /// What was just done.
    pub notice: Option<String>,
    /// What is wrong, and with which field.
    pub problem: Option<Problem>,
}

/// A grant in words.
#[derive(Debug)]
pub struct GrantRow {
    /// The role.
    pub role: &'static str,
    /// Where it holds: `everywhere`, `project shop`, `lane api`.
    pub scope: String,
    /// Its limits, if any: classes, risk.
    pub limits: Option<String>,
    /// When it ends.
    pub until: Option<String>,
}

/// A session.
#[derive(Debug)]
pub struct SessionRow {
    /// Its id.
    pub id: String,
    /// The device as it named itself.
    pub device: String,
    /// Where it came from.
    pub source: String,
    /// Signed in.
    pub since: When,
    /// Used last.
    pub seen: When,
    /// It is the one that asks.
    pub this: bool,
}

impl Account {
    /// What is wrong with a field.
    pub fn wrong(&self, field: &str) -> Option<&str> {
        self.problem.as_ref().filter(|problem| problem.field == field).map(|problem| problem.text.as_str())
    }
}

/// What was done before the page was asked for.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Done {
    done: String,
}

/// `GET /account`.
pub async fn handle(State(app): State<AppState>, visit: Visit, Query(done): Query<Done>) -> Result<Page<Account>> {
    let notice = match done.done.as_str() {
        "zone" => Some("Saved. Times are in your zone now."),
        "password" => Some("The password is changed. Your other sessions are signed out."),
        "session" => Some("That device is signed out."),
        _ => None,
    };
    let page = page(&app, &visit, None).await?;
    Ok(Page(Account { notice: notice.map(str::to_owned), ..page }))
}

/// `POST /account/zone`.
pub async fn set_zone(State(app): State<AppState>, visit: Visit, form: Form) -> Result<Response> {
    let zone = form.get("time_zone").trim();
    match flows::people::set_time_zone(&app, &visit.person, zone).await {
        Ok(()) => Ok(see_other("/account?done=zone")),
        Err(Error::Problem(problem)) if problem.code == Code::Invalid => {
            let wrong = Problem { field: "time_zone".into(), text: problem.detail.into_owned() };
            let page = page(&app, &visit, Some(wrong)).await?;
            Ok((StatusCode::UNPROCESSABLE_ENTITY, Page(Account { zone: zone.to_owned(), ..page })).into_response())
        }
        Err(error) => Err(error),
    }
}

/// `POST /account/password`.
pub async fn change_password(
    State(app): State<AppState>,
    visit: Visit,
    client: Client,
    form: Form,
) -> Result<Response> {
    let words = (form.get("old_password").into(), form.get("new_password").into());
    let problem = match flows::people::change_password(&app, &visit.person, words, &client).await {
        Ok(cookie) => {
            let mut response = see_other("/account?done=password");
            response.headers_mut().append(header::SET_COOKIE, cookie.header(&app)?);
            return Ok(response);
        }
        Err(Error::Problem(problem)) => problem,
        Err(error) => return Err(error),
    };
    let (field, text) = match problem.code {
        Code::WrongCredentials => ("old_password", "This is not your password.".to_owned()),
        Code::SlowDown => ("old_password", problem.detail.into_owned()),
        Code::WeakPassword => ("new_password", problem.detail.into_owned()),
        _ => return Err(Error::Problem(problem)),
    };
    let page = page(&app, &visit, Some(Problem { field: field.into(), text })).await?;
    Ok((StatusCode::UNPROCESSABLE_ENTITY, Page(page)).into_response())
}

/// `POST /account/sessions/{id}/revoke`.
pub async fn revoke(State(app): State<AppState>, visit: Visit, Path(id): Path<Uuid>) -> Result<Response> {
    flows::sessions::close_own(&app, &visit.person, id).await?;
    Ok(see_other("/account?done=session"))
}

async fn page(app: &AppState, visit: &Visit, problem: Option<Problem>) -> Result<Account> {
    let (frame, _) = visit.frame(app, "Account", Tab::Account).await?;
    let (person, reader) = (&visit.person, visit.reader());
    let mut conn = app.db.acquire().await?;
    let grants = grants::list(&mut conn, Some(person.name())).await?;
    let mut sessions = sessions::of_user(&mut conn, person.user_id(), person.now()).await?;
    sessions.sort_by_key(|session| session.id != person.session_id());
    let session = |session: sessions::SessionRow| SessionRow {
        this: session.id == person.session_id(),
        id: session.id.to_string(),
        device: device::name(&session.device),
        source: session.source,
        since: reader.when(session.created_at),
        seen: reader.when(session.seen_at),
    };
    Ok(Account {
        frame,
        name: person.name().to_owned(),
        grants: grants.iter().filter_map(|grant| in_words(reader, grant)).collect(),
        sessions: sessions.into_iter().map(session).collect(),
        zone: person.time_zone().name().to_owned(),
        zones: chrono_tz::TZ_VARIANTS.iter().map(|zone| zone.name()).collect(),
        notice: None,
        problem,
    })
}

/// A grant in words; nothing for a role this server does not know.
pub fn in_words(reader: Reader, grant: &grants::GrantRow) -> Option<GrantRow> {
    let mut limits: Vec<String> = grant.classes.iter().map(|classes| classes.join(", ")).collect();
    limits.extend(grant.max_risk.as_ref().map(|risk| format!("up to {risk} risk")));
    Some(GrantRow {
        role: Role::from_word(&grant.role)?.as_str(),
        scope: match grant.scope.split_once(':') {
            Some((kind, name)) => format!("{kind} {name}"),
            None => "everywhere".into(),
        },
        limits: (!limits.is_empty()).then(|| limits.join("; ")),
        until: grant.expires_at.map(|end| {
            let over = if end <= reader.now { " (over)" } else { "" };
            format!("{}{over}", reader.exact(end))
        }),
    })
}
