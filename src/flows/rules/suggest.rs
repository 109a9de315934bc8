//! A person suggests a rule or a change of the policy; it waits for the local admin.

use serde::Deserialize;
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::app::AppState;
use crate::auth::Person;
use crate::domain::access::{self, Grant, Verb};
use crate::domain::ask::has_visible;
use crate::domain::event::{EventKind, Place};
use crate::domain::rule::{SuggestionKind, argv_hash};
use crate::error::{Code, Error, Problem, Result};
use crate::flows::record::{act, at};
use crate::store::suggestions::{self, NewSuggestion};
use crate::store::{self, events, proposals};

/// Longest text, in characters.
const TEXT_MAX: usize = 2_000;
/// Suggestions of one person that may wait.
const WAITING_MAX: i64 = 20;

/// The body of `POST /api/v1/suggestions`.
#[derive(Clone, Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Suggestion {
    /// `rule` or `policy`.
    pub kind: SuggestionKind,
    /// What, and why.
    pub text: String,
    /// The dialog it is about; its command is what a rule would be made of.
    #[serde(default)]
    pub proposal_id: Option<Uuid>,
}

/// Notes the suggestion; returns its id. The same words again are the same suggestion while it waits.
pub async fn suggest(app: &AppState, person: &Person, suggestion: &Suggestion) -> Result<Uuid> {
    let text = suggestion.text.trim();
    if !has_visible(text) || text.chars().count() > TEXT_MAX || text.contains('\0') {
        return Err(Error::invalid("text", "text takes 1 to 2000 characters: what should be answered how, and why."));
    }
    let mut tx = app.db.begin().await?;
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    let grants = person.confirm(&mut tx, now).await?;
    let kind = suggestion.kind.as_str();
    let place = match suggestion.proposal_id {
        Some(id) => Some(place_of(&mut tx, id, (&grants, now)).await?),
        None if access::anywhere(&grants, Verb::Suggest, now) => None,
        None => return Err(denied()),
    };
    let author = person.actor().to_string();
    let (waiting, same) = suggestions::waiting(&mut tx, &author, (kind, text, suggestion.proposal_id)).await?;
    if let Some(same) = same {
        return Ok(same);
    }
    if waiting >= WAITING_MAX {
        let detail = format!("{waiting} suggestions of yours wait for the admin at the machine already.");
        return Err(Problem::new(Code::TooManyPending, detail).into());
    }
    let argv = match (suggestion.kind, suggestion.proposal_id) {
        (SuggestionKind::Rule, Some(id)) => suggestions::words_of(&mut tx, id).await?,
        (SuggestionKind::Rule, None) | (SuggestionKind::Policy, _) => None,
    };
    let id = app.ids.new_id(now);
    let new = NewSuggestion {
        id,
        kind,
        text,
        proposal_id: suggestion.proposal_id,
        place,
        argv: argv.as_deref().map(|argv| (argv, argv_hash(argv))),
        author: &author,
        at: now,
    };
    suggestions::insert(&mut tx, new).await?;
    let payload =
        json!({ "suggestion_id": id, "kind": kind, "text": text, "argv": argv, "of": suggestion.proposal_id });
    let row = act(EventKind::SuggestionMade, person.actor(), payload, now);
    let place = place.map_or_else(Place::default, |(project, lane)| Place::lane(project, lane));
    events::append(&mut tx, at(place, row)).await?;
    tx.commit().await?;
    app.hub.poke();
    Ok(id)
}

/// Where a proposal is, for somebody who may suggest something there.
async fn place_of(
    conn: &mut PgConnection,
    id: Uuid,
    (grants, now): (&[Grant], chrono::DateTime<chrono::Utc>),
) -> Result<(Uuid, Uuid)> {
    let row = proposals::find(conn, id).await?.ok_or_else(Error::not_found)?;
    let place = (row.project_id, row.lane_id);
    if !access::at_place(grants, Verb::Read, place, now) {
        return Err(Error::not_found());
    }
    if access::at_place(grants, Verb::Suggest, place, now) { Ok(place) } else { Err(denied()) }
}

fn denied() -> Error {
    Error::forbidden("Approvers and admins suggest.")
}
