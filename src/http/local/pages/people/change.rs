//! Adding and removing people, new passwords, ended sessions.

use axum::extract::State;
use axum::response::Response;
use uuid::Uuid;

use super::grant::{fields, spec};
use crate::app::AppState;
use crate::error::{Error, Result};
use crate::flows;
use crate::flows::people::{By, NewUser};
use crate::http::extract::Path;
use crate::http::local::pages::ask::{Ask, Field, Kind, named};
use crate::http::local::pages::sent::Sent;
use crate::http::local::pages::visit::{Section, Visit};
use crate::http::pages::Page;
use crate::http::pages::form::Form;
use crate::store::{people, sessions};

/// `GET /admin/people/add`.
pub async fn add_form(State(app): State<AppState>, visit: Visit) -> Result<Page<Ask>> {
    Ok(Page(adding(&app, visit, &Form::default()).await?))
}

/// `POST /admin/people/add`.
pub async fn add(State(app): State<AppState>, visit: Visit, sent: Sent) -> Result<Response> {
    let Sent { admin, form } = sent;
    let ask = adding(&app, visit, &form).await?;
    let act = async {
        let admin = admin?;
        let new = NewUser { name: named(&form)?, password: form.get("password").into(), grant: spec(&form)? };
        flows::people::add(&app, By::Admin(&admin), new).await
    };
    ask.settle("/admin/people?done=added", act).await
}

async fn adding(app: &AppState, visit: Visit, form: &Form) -> Result<Ask> {
    let desk = visit.desk(app, "Add a person", Section::People).await?;
    let name = Field::line(
        form,
        "name",
        "Their name",
        "Small letters, digits, dot, dash. It stands beside every decision they make, and is never used again.",
    );
    let password = Field {
        value: String::new(),
        ..Field::line(
            form,
            "password",
            "Their first password",
            "At least 12 characters. They change it on their account page.",
        )
    };
    let mut all = vec![name, password.of(Kind::NewPassword)];
    all.extend(fields(app, form).await?);
    Ok(Ask {
        heading: "Add a person".into(),
        why: vec!["They sign in with this name and password at the public address.".into()],
        fields: all,
        action: "/admin/people/add".into(),
        back: "/admin/people".into(),
        button: "Add",
        ..Ask::new(desk, form)
    })
}

/// `GET /admin/people/{name}/password`.
pub async fn password_form(State(app): State<AppState>, visit: Visit, Path(name): Path<String>) -> Result<Page<Ask>> {
    Ok(Page(resetting(&app, visit, &name, &Form::default()).await?))
}

/// `POST /admin/people/{name}/password`.
pub async fn password(
    State(app): State<AppState>,
    visit: Visit,
    Path(name): Path<String>,
    sent: Sent,
) -> Result<Response> {
    let Sent { admin, form } = sent;
    let ask = resetting(&app, visit, &name, &form).await?;
    let act = async {
        let admin = admin?;
        let user = name.parse().map_err(|_| Error::not_found())?;
        flows::people::reset_password(&app, &admin, &user, form.get("password").into()).await
    };
    ask.settle(&format!("/admin/people/{name}?done=password"), act).await
}

async fn resetting(app: &AppState, visit: Visit, name: &str, form: &Form) -> Result<Ask> {
    exists(app, name).await?;
    let desk = visit.desk(app, "New password", Section::People).await?;
    let password =
        Field { value: String::new(), ..Field::line(form, "password", "The new password", "At least 12 characters.") };
    Ok(Ask {
        heading: format!("A new password for {name}"),
        why: vec!["They are signed out everywhere and sign in with the new one.".into()],
        fields: vec![password.of(Kind::NewPassword)],
        action: format!("/admin/people/{name}/password"),
        back: format!("/admin/people/{name}"),
        button: "Change the password",
        ..Ask::new(desk, form)
    })
}

/// `GET /admin/people/{name}/remove`.
pub async fn remove_form(State(app): State<AppState>, visit: Visit, Path(name): Path<String>) -> Result<Page<Ask>> {
    Ok(Page(removing(&app, visit, &name, &Form::default()).await?))
}

/// `POST /admin/people/{name}/remove`.
pub async fn remove(
    State(app): State<AppState>,
    visit: Visit,
    Path(name): Path<String>,
    sent: Sent,
) -> Result<Response> {
    let Sent { admin, form } = sent;
    let ask = removing(&app, visit, &name, &form).await?;
    ask.settle("/admin/people?done=removed", async { flows::people::remove(&app, &admin?, &name).await }).await
}

async fn removing(app: &AppState, visit: Visit, name: &str, form: &Form) -> Result<Ask> {
    exists(app, name).await?;
    let desk = visit.desk(app, "Remove a person", Section::People).await?;
    Ok(Ask {
        heading: format!("Remove {name}"),
        why: vec![
            "They are signed out everywhere and cannot sign in again. Their grants end.".into(),
            "What they decided stays on the record, and their name is not given to anybody else.".into(),
        ],
        action: format!("/admin/people/{name}/remove"),
        back: format!("/admin/people/{name}"),
        button: "Remove",
        removes: true,
        ..Ask::new(desk, form)
    })
}

/// `GET /admin/sessions/{id}/end`.
pub async fn end_form(State(app): State<AppState>, visit: Visit, Path(id): Path<Uuid>) -> Result<Page<Ask>> {
    Ok(Page(ending(&app, visit, id, &Form::default()).await?.0))
}

/// `POST /admin/sessions/{id}/end`.
pub async fn end(State(app): State<AppState>, visit: Visit, Path(id): Path<Uuid>, sent: Sent) -> Result<Response> {
    let Sent { admin, form } = sent;
    let (ask, name) = ending(&app, visit, id, &form).await?;
    let act = async { flows::sessions::close(&app, &admin?, id).await };
    ask.settle(&format!("/admin/people/{name}?done=session"), act).await
}

async fn ending(app: &AppState, visit: Visit, id: Uuid, form: &Form) -> Result<(Ask, String)> {
    let owner = {
        let mut conn = app.db.acquire().await?;
        sessions::owner(&mut conn, id).await?
    };
    let (_, name) = owner.ok_or_else(Error::not_found)?;
    let desk = visit.desk(app, "Sign a device out", Section::People).await?;
    let ask = Ask {
        heading: format!("Sign a device of {name} out"),
        why: vec!["Its pages close within a second. They can sign in again with their password.".into()],
        action: format!("/admin/sessions/{id}/end"),
        back: format!("/admin/people/{name}"),
        button: "Sign out",
        removes: true,
        ..Ask::new(desk, form)
    };
    Ok((ask, name))
}

/// 404 for somebody who is not there, before a form for them is shown.
pub(super) async fn exists(app: &AppState, name: &str) -> Result<()> {
    let mut conn = app.db.acquire().await?;
    let account = people::account(&mut conn, name).await?;
    account.filter(|account| account.disabled_at.is_none()).map(drop).ok_or_else(Error::not_found)
}
