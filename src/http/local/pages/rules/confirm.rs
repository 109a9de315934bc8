//! Confirming a rule, in two steps: its words; then what else they would cover, and an admin's signature.

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use uuid::Uuid;

use super::Coverage;
use crate::app::AppState;
use crate::domain::rule::{Match, spelled};
use crate::domain::shell;
use crate::domain::text::{self, Kind as TextKind, Shown};
use crate::error::{Error, Result};
use crate::flows::rules::{self, Accept, Draft, NewRule};
use crate::http::local::pages::ask::{Ask, Field, Kind};
use crate::http::local::pages::sent::{self, ADMIN, PASSWORD, Sent};
use crate::http::local::pages::supervision::draft::Asked;
use crate::http::local::pages::visit::{Desk, Section, Visit};
use crate::http::pages::form::Form;
use crate::http::pages::setup::Problem;
use crate::http::pages::{Page, see_other};
use crate::store::places;

/// The second step.
#[derive(Debug, Template)]
#[template(path = "admin/rule.html")]
pub struct Review {
    /// The frame.
    pub desk: Desk,
    /// The words.
    pub command: Shown,
    /// Any words may follow.
    pub open: bool,
    /// The project.
    pub project: String,
    /// How long it holds, in words.
    pub lasts: String,
    /// What it covers of what was asked lately.
    pub covers: Coverage,
    /// What it would cover if any words might follow, where that is not what was chosen.
    pub wider: Option<Coverage>,
    /// The form of the first step, to be sent on.
    pub carried: Vec<(String, String)>,
    /// Where that form is.
    pub back: String,
    /// The admin's name as typed before.
    pub signer: String,
    /// What is wrong, and with which field.
    pub problem: Option<Problem>,
}

impl Review {
    /// What is wrong with a field; with the rule as a whole when the name is empty.
    pub fn wrong(&self, field: &str) -> Option<&str> {
        let problem = self.problem.as_ref()?;
        let known = [ADMIN, PASSWORD].contains(&problem.field.as_str());
        let place = if known { problem.field.as_str() } else { "" };
        (place == field).then_some(problem.text.as_str())
    }
}

/// `GET /admin/rules/add`: the words, as a suggestion or somebody's typing left them.
pub async fn add_form(State(app): State<AppState>, visit: Visit, Asked(form): Asked) -> Result<Page<Ask>> {
    let form = match (form.given("suggestion"), form.has("command")) {
        (Some(id), false) => suggested(&app, visit, id).await?,
        _ => form,
    };
    Ok(Page(writing(&app, visit, &form).await?))
}

/// The form that a suggestion fills in.
async fn suggested(app: &AppState, visit: Visit, id: &str) -> Result<Form> {
    let open = rules::suggestions(app, visit.peer, true).await?;
    let found = open.into_iter().find(|row| row.id.to_string() == id).ok_or_else(Error::not_found)?;
    let command = found.argv.as_ref().map(|argv| spelled(&argv.0)).unwrap_or_default();
    Ok(Form::of(&[
        ("suggestion", id),
        ("command", &command),
        ("project", found.project.as_deref().unwrap_or_default()),
    ]))
}

async fn writing(app: &AppState, visit: Visit, form: &Form) -> Result<Ask> {
    let projects = {
        let mut conn = app.db.acquire().await?;
        places::projects(&mut conn, None).await?
    };
    let projects = projects.into_iter().map(|project| (project.name.clone(), project.name)).collect();
    let desk = visit.desk(app, "Confirm a rule", Section::Rules).await?;
    let pair = |(value, label): (&str, &str)| (value.to_owned(), label.to_owned());
    let matching = [("exact", "exactly these words"), ("prefix", "these words, and whatever follows")];
    let days = [("30", "30 days"), ("90", "90 days"), ("365", "a year"), ("never", "until somebody removes it")];
    let mut days_field = Field::line(form, "days", "It holds for", "").of(Kind::One(days.map(pair).to_vec()));
    if days_field.value.is_empty() {
        "90".clone_into(&mut days_field.value);
    }
    let shorten = "One plain command. If whatever follows is to count, only the words that it has to begin with.";
    Ok(Ask {
        heading: "Confirm a rule".into(),
        why: vec![
            "A rule lets the policy approve a command that it would hold, if it is proven to stay inside the repository."
                .into(),
        ],
        fields: vec![
            Field::line(form, "command", "Command", shorten),
            Field::line(form, "matching", "It covers", "").of(Kind::One(matching.map(pair).to_vec())),
            Field::line(form, "project", "In project", "").of(Kind::One(projects)),
            days_field,
            Field::line(form, "reason", "Why", "For whoever reviews the rules.").optional(),
        ],
        hidden: form.given("suggestion").map(|id| ("suggestion", id.to_owned())),
        action: "/admin/rules/review".into(),
        looks: true,
        back: "/admin/rules".into(),
        button: "See what it covers",
        ..Ask::new(desk, form)
    })
}

/// What the form says.
struct Wish {
    argv: Vec<String>,
    matching: Match,
    project: String,
    days: Option<u32>,
    reason: Option<String>,
    suggestion: Option<Uuid>,
}

impl Wish {
    fn read(form: &Form) -> Result<Self> {
        let line = shell::lex(form.get("command").trim())
            .map_err(|rejection| Error::invalid("command", rejection.why.text()))?;
        let plain = "One plain command: nothing joined to it, no variable before it, nothing read from or written to.";
        let single = line.single().ok_or_else(|| Error::invalid("command", plain))?;
        let days = match form.get("days") {
            "never" => None,
            days => Some(days.parse().map_err(|_| Error::invalid("days", "Choose how long it holds."))?),
        };
        let suggestion = form.given("suggestion").map(str::parse).transpose().map_err(|_| Error::not_found())?;
        let matching = Match::from_word(form.get("matching"));
        Ok(Self {
            argv: single.argv(),
            matching: matching.ok_or_else(|| Error::invalid("matching", "Choose what it covers."))?,
            project: form.get("project").to_owned(),
            days,
            reason: form.given("reason").map(str::to_owned),
            suggestion,
        })
    }

    fn draft(&self, matching: Match) -> Draft {
        Draft { project: self.project.clone(), argv: self.argv.clone(), matching, days: None }
    }
}

/// `GET /admin/rules/review`.
pub async fn review(State(app): State<AppState>, visit: Visit, Asked(form): Asked) -> Result<Response> {
    let read = async {
        let wish = Wish::read(&form)?;
        reviewing(&app, visit, &wish, &form).await
    };
    match read.await {
        Ok(page) => Ok(Page(page).into_response()),
        Err(Error::Problem(problem)) if problem.field.is_some() => {
            let field = if problem.field.as_deref() == Some("argv") {
                "command"
            } else {
                problem.field.as_deref().unwrap_or_default()
            };
            let problem = Problem { field: field.to_owned(), text: problem.detail.to_string() };
            let page = Ask { problem: Some(problem), ..writing(&app, visit, &form).await? };
            Ok((StatusCode::UNPROCESSABLE_ENTITY, Page(page)).into_response())
        }
        Err(error) => Err(error),
    }
}

async fn reviewing(app: &AppState, visit: Visit, wish: &Wish, form: &Form) -> Result<Review> {
    let covers = rules::covers(app, visit.peer, &wish.draft(wish.matching)).await?;
    // One word alone is no prefix; then there is nothing wider to warn of.
    let wider = match wish.matching {
        Match::Exact => rules::covers(app, visit.peer, &wish.draft(Match::Prefix)).await.ok(),
        Match::Prefix => None,
    };
    let desk = visit.desk(app, "Confirm a rule", Section::Rules).await?;
    let carried: Vec<_> = form.carried().into_iter().filter(|(name, _)| name != ADMIN).collect();
    let mut back = form_urlencoded::Serializer::new("/admin/rules/add?".to_owned());
    back.extend_pairs(&carried);
    Ok(Review {
        command: text::show(&spelled(&wish.argv), TextKind::Command),
        open: wish.matching == Match::Prefix,
        project: wish.project.clone(),
        lasts: wish
            .days
            .map_or_else(|| "It does not end by itself.".into(), |days| format!("It ends after {days} days.")),
        covers: Coverage::of(&covers),
        wider: wider.filter(|wider| wider.commands > covers.commands).map(|wider| Coverage::of(&wider)),
        back: back.finish(),
        carried,
        signer: desk.signer(form.get(ADMIN)).to_owned(),
        desk,
        problem: None,
    })
}

/// `POST /admin/rules/save`: a rule of its own, or the answer to a suggestion.
pub async fn save(State(app): State<AppState>, visit: Visit, sent: Sent) -> Result<Response> {
    let Sent { admin, form } = sent;
    let wish = Wish::read(&form)?;
    let page = reviewing(&app, visit, &wish, &form).await?;
    let Wish { argv, matching, project, days, reason, suggestion } = wish;
    let never = days.is_none();
    let act = async {
        let admin = admin?;
        match suggestion {
            None => {
                rules::confirm(&app, &admin, &NewRule { project, argv, matching, days, never, reason }).await.map(drop)
            }
            Some(id) => {
                let (argv, project, matching) = (Some(argv), Some(project), Some(matching));
                let how = Accept { argv, project, matching, days, never, reason, version: None };
                rules::accept(&app, &admin, id, &how).await.map(drop)
            }
        }
    };
    match act.await {
        Ok(()) => Ok(see_other("/admin/rules?done=confirmed")),
        Err(error) => sent::refused(error, |problem| Review { problem: Some(problem), ..page }),
    }
}
