//! Giving somebody a role, and taking it back.

use axum::extract::State;
use axum::response::Response;
use uuid::Uuid;

use super::change::exists;
use super::phrase;
use crate::app::AppState;
use crate::domain::access::{GRANT_CLASSES, Role};
use crate::domain::risk::Risk;
use crate::error::{Error, Result};
use crate::flows;
use crate::flows::people::GrantSpec;
use crate::http::extract::Path;
use crate::http::local::pages::ask::{Ask, Field, Kind};
use crate::http::local::pages::sent::Sent;
use crate::http::local::pages::visit::{Section, Visit};
use crate::http::pages::Page;
use crate::http::pages::form::Form;
use crate::store::{grants, places};

const RISKS: &[Risk] = &[Risk::Low, Risk::Medium, Risk::High];

/// `GET /admin/people/{name}/grant`.
pub async fn grant_form(State(app): State<AppState>, visit: Visit, Path(name): Path<String>) -> Result<Page<Ask>> {
    Ok(Page(granting(&app, visit, &name, &Form::default()).await?))
}

/// `POST /admin/people/{name}/grant`.
pub async fn grant(
    State(app): State<AppState>,
    visit: Visit,
    Path(name): Path<String>,
    sent: Sent,
) -> Result<Response> {
    let Sent { admin, form } = sent;
    let ask = granting(&app, visit, &name, &form).await?;
    let act = async { flows::people::grant(&app, &admin?, &name, &spec(&form)?).await };
    ask.settle(&format!("/admin/people/{name}?done=granted"), act).await
}

async fn granting(app: &AppState, visit: Visit, name: &str, form: &Form) -> Result<Ask> {
    exists(app, name).await?;
    let desk = visit.desk(app, "Grant", Section::People).await?;
    Ok(Ask {
        heading: format!("Grant {name} a role"),
        why: vec!["It adds to what they have already.".into()],
        fields: fields(app, form).await?,
        action: format!("/admin/people/{name}/grant"),
        back: format!("/admin/people/{name}"),
        button: "Grant",
        ..Ask::new(desk, form)
    })
}

/// The fields that make a grant.
pub(super) async fn fields(app: &AppState, form: &Form) -> Result<Vec<Field>> {
    let mut conn = app.db.acquire().await?;
    let places = places::projects(&mut conn, None).await?.into_iter().map(|project| ("project", project.name));
    let lanes = places::lanes(&mut conn, None).await?.into_iter().map(|lane| ("lane", lane.name));
    let mut scopes = vec![("global".to_owned(), "everywhere".to_owned())];
    scopes.extend(places.chain(lanes).map(|(kind, name)| (format!("{kind}:{name}"), format!("in {kind} {name}"))));
    let roles = Role::ALL.iter().map(|role| (role.as_str().to_owned(), told(*role).to_owned()));
    let risks = RISKS.iter().map(|risk| (risk.as_str().to_owned(), format!("up to {} risk", risk.as_str())));
    let any = std::iter::once((String::new(), "any risk".to_owned()));
    let mut role = Field::line(form, "role", "Role", "").of(Kind::One(roles.collect()));
    if role.value.is_empty() {
        Role::Approver.as_str().clone_into(&mut role.value);
    }
    let limit = "Limits deciding, not reading.";
    Ok(vec![
        role,
        Field::line(form, "scope", "Where", "").of(Kind::One(scopes)),
        Field::line(form, "max_risk", "Decides", limit).of(Kind::One(any.chain(risks).collect())),
        Field {
            hint: "None chosen is all of them. Limits deciding, not reading.",
            ..Field::any(form, "classes", "Only these kinds", GRANT_CLASSES)
        },
        Field::line(form, "expires_days", "Days until it ends", "Empty: it does not end by itself.").optional(),
    ])
}

fn told(role: Role) -> &'static str {
    match role {
        Role::Viewer => "viewer: reads",
        Role::Auditor => "auditor: reads, and sees the journal",
        Role::Approver => "approver: reads, decides, nudges, suggests",
        Role::Admin => "admin: all of these, and pauses",
    }
}

/// The grant that the fields spell.
pub(super) fn spec(form: &Form) -> Result<GrantSpec> {
    let role = Role::from_word(form.get("role")).ok_or_else(|| Error::invalid("role", "Choose a role."))?;
    let risk = form.given("max_risk").map(|word| {
        let known = RISKS.iter().copied().find(|risk| risk.as_str() == word);
        known.ok_or_else(|| Error::invalid("max_risk", "Choose a risk."))
    });
    let days = form.given("expires_days").map(|text| {
        text.trim().parse().map_err(|_| Error::invalid("expires_days", "A number of days from 1 to 3650, or nothing."))
    });
    let classes = form.all("classes");
    Ok(GrantSpec {
        role,
        scope: form.given("scope").map(str::to_owned),
        classes: (!classes.is_empty()).then_some(classes),
        max_risk: risk.transpose()?,
        expires_days: days.transpose()?,
    })
}

/// `GET /admin/grants/{id}/revoke`.
pub async fn revoke_form(State(app): State<AppState>, visit: Visit, Path(id): Path<Uuid>) -> Result<Page<Ask>> {
    Ok(Page(revoking(&app, visit, id, &Form::default()).await?.0))
}

/// `POST /admin/grants/{id}/revoke`.
pub async fn revoke(State(app): State<AppState>, visit: Visit, Path(id): Path<Uuid>, sent: Sent) -> Result<Response> {
    let Sent { admin, form } = sent;
    let (ask, name) = revoking(&app, visit, id, &form).await?;
    let act = async { flows::people::revoke(&app, &admin?, id).await };
    ask.settle(&format!("/admin/people/{name}?done=revoked"), act).await
}

async fn revoking(app: &AppState, visit: Visit, id: Uuid, form: &Form) -> Result<(Ask, String)> {
    let held = {
        let mut conn = app.db.acquire().await?;
        grants::list(&mut conn, None).await?
    };
    let held = held.into_iter().find(|grant| grant.id == id).ok_or_else(Error::not_found)?;
    let name = held.user.clone();
    let what = phrase(visit.reader(), &held).unwrap_or_default();
    let desk = visit.desk(app, "Take a role back", Section::People).await?;
    let ask = Ask {
        heading: format!("Take a role of {name} back"),
        why: vec![format!("They are {what}. That ends at once; what they decided stands.")],
        action: format!("/admin/grants/{id}/revoke"),
        back: format!("/admin/people/{name}"),
        button: "Take it back",
        removes: true,
        ..Ask::new(desk, form)
    };
    Ok((ask, name))
}
