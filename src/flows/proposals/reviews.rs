//! What a person may see, and whether they may decide it: the inbox, the history, one review.

use serde::Serialize;
use sqlx::PgConnection;
use utoipa::ToSchema;
use uuid::Uuid;

use super::dialog::{self, DialogFields};
use super::shape::{self, Proposal};
use crate::app::App;
use crate::auth::Person;
use crate::domain::access::{self, Scope, Target, Verb};
use crate::domain::ask::Question;
use crate::domain::proposal::Status;
use crate::domain::risk::Risk;
use crate::domain::verdict::Reason;
use crate::error::{Error, Result};
use crate::store;
use crate::store::proposals::glance::{self, Sort};
use crate::store::proposals::list::{self, Filter};
use crate::store::proposals::receipts::Step;
use crate::store::proposals::{Content, Row};

/// A proposal in a list, as approvers see it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Item {
    /// The proposal.
    #[serde(flatten)]
    pub proposal: Proposal,
    /// The dialog class, or `change` or `question`.
    pub class: String,
    /// `low`, `medium` or `high`.
    pub risk: String,
    /// The agent that asked.
    pub agent: Option<String>,
    /// The command, if any.
    pub command: Option<String>,
    /// Whether the person who reads may decide it now.
    pub may_decide: bool,
}

/// A proposal with everything there is to read.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Review {
    /// The proposal as in lists.
    #[serde(flatten)]
    pub item: Item,
    /// The agent's reasons.
    pub justification: Option<String>,
    /// The proposed text.
    pub body: Option<String>,
    /// The text as it is.
    pub base: Option<String>,
    /// The questions.
    pub questions: Vec<Question>,
    /// Why the person who reads may not decide it; null when they may.
    pub why_not: Option<String>,
    /// Proven to stay inside the repository; dialogs only.
    pub repo_scoped: Option<bool>,
    /// Why it is held.
    pub reasons: Vec<Reason>,
    /// What the pane showed; dialogs only.
    pub pane_excerpt: Option<String>,
    /// The fields that only dialogs have.
    #[serde(flatten)]
    pub dialog: Option<DialogFields>,
}

/// The filter for everything `person` may see.
pub fn visible(person: &Person) -> Filter {
    let mut filter = Filter { limit: 50, ..Filter::default() };
    let live = person.grants().iter().filter(|grant| grant.live(person.now()) && grant.role.carries(Verb::Read));
    for grant in live {
        match grant.scope {
            Scope::Global => filter.everywhere = true,
            Scope::Project(id) => filter.projects.push(id),
            Scope::Lane(id) => filter.lanes.push(id),
        }
    }
    filter
}

/// Whether `person`'s grants, as read for this request, cover deciding a proposal of this row; else why not.
pub fn may_decide(person: &Person, row: &Row) -> Result<(), String> {
    let target = Target {
        project: row.project_id,
        lane: row.lane_id,
        class: row.class.as_deref().unwrap_or(&row.kind),
        risk: Risk::from_word(&row.risk),
    };
    access::may_decide(person.grants(), target, person.now()).map_err(|denied| denied.0)?;
    match Status::from_word(&row.status) {
        Some(Status::Pending) if row.expires_at.is_some_and(|end| person.now() >= end) => Err("It has expired.".into()),
        Some(Status::Pending) => Ok(()),
        _ => Err(format!("It is {} already.", row.status)),
    }
}

/// How many of what waits a person may decide now.
pub async fn to_decide(conn: &mut PgConnection, person: &Person) -> Result<usize> {
    let sorts = glance::sorts(conn, &visible(person), person.now()).await?;
    let may = |sort: &&Sort| {
        let risk = Risk::from_word(&sort.risk);
        let target = Target { project: sort.project_id, lane: sort.lane_id, class: &sort.class, risk };
        access::may_decide(person.grants(), target, person.now()).is_ok()
    };
    Ok(sorts.iter().filter(may).map(|sort| usize::try_from(sort.count).unwrap_or_default()).sum())
}

/// Lists what passes the filter; an inbox of pending ones alone uses its own index.
pub async fn list(app: &App, filter: &Filter) -> Result<Vec<Row>> {
    let mut conn = app.db.acquire().await?;
    let only_pending = filter.statuses == [Status::Pending.as_str()]
        && filter.agent.is_none()
        && filter.kind.is_none()
        && filter.risk.is_none();
    Ok(if only_pending { list::pending(&mut conn, filter).await? } else { list::newest(&mut conn, filter).await? })
}

/// Opens one proposal for a person; the first who may decide it leaves the receipt `seen`.
pub async fn open(app: &App, person: &Person, id: Uuid) -> Result<(Row, Content)> {
    let mut conn = app.db.acquire().await?;
    let row = store::proposals::find(&mut conn, id).await?.ok_or_else(Error::not_found)?;
    if !access::at_place(person.grants(), Verb::Read, (row.project_id, row.lane_id), person.now()) {
        return Err(Error::not_found());
    }
    let content = store::proposals::content(&mut conn, id).await?.unwrap_or_default();
    if row.seen_at.is_none() && may_decide(person, &row).is_ok() {
        app.receipt(id, Step::Seen, person.actor().to_string());
    }
    Ok((row, content))
}

/// The list's shape.
pub fn item(app: &App, person: &Person, row: &Row) -> Item {
    Item {
        proposal: shape::proposal(app, row, false),
        class: row.class.clone().unwrap_or_else(|| row.kind.clone()),
        risk: row.risk.clone(),
        agent: row.agent.clone(),
        command: row.command.clone(),
        may_decide: may_decide(person, row).is_ok(),
    }
}

/// The review's shape.
pub fn review(app: &App, person: &Person, row: &Row, content: Content) -> Review {
    let dialog = content.dialog.as_deref();
    Review {
        item: item(app, person, row),
        justification: content.justification,
        body: content.body,
        base: content.base,
        questions: content.questions.map(|questions| questions.0).unwrap_or_default(),
        why_not: may_decide(person, row).err(),
        repo_scoped: dialog.map(|dialog| dialog.repo_scoped),
        reasons: dialog.map_or_else(|| reasons(row), |dialog| dialog.judgement.0.reasons.clone()),
        pane_excerpt: dialog.and_then(|dialog| dialog.report.as_ref()?.0.pane_excerpt.clone()),
        dialog: dialog.map(dialog::fields),
    }
}

/// Why a person is asked, in words.
fn reasons(row: &Row) -> Vec<Reason> {
    let text = match (row.kind.as_str(), row.risk.as_str()) {
        ("question", _) => "Only a person answers questions.",
        (_, "high") => "This server treats the action as high risk.",
        _ => "Changes are always decided by a person.",
    };
    vec![Reason { code: if row.risk == "high" { "high_action" } else { "always_person" }.into(), text: text.into() }]
}
