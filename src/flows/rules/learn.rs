//! A person's answer to a dialog is counted towards a rule, in the transaction of the decision.

use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::app::App;
use crate::domain::event::{Actor, EventKind, Place};
use crate::domain::rule::{argv_hash, spelled, worth_suggesting};
use crate::error::Result;
use crate::store::events::{self, NewEvent};
use crate::store::rules;
use crate::store::suggestions::{self, NewSuggestion};

/// What a person answered.
#[derive(Clone, Copy, Debug)]
pub struct Lesson<'a> {
    /// The dialog's proposal.
    pub proposal: Uuid,
    /// Its project.
    pub project: Uuid,
    /// Its lane.
    pub lane: Uuid,
    /// Its words: [`crate::domain::rule::learnable`].
    pub argv: &'a [String],
    /// The decision's `now`.
    pub now: DateTime<Utc>,
}

/// A person approved: after three in a row a rule is suggested, unless one covers these words already.
pub async fn note_approval(app: &App, tx: &mut PgConnection, lesson: &Lesson<'_>) -> Result<()> {
    let hash = argv_hash(lesson.argv);
    let approvals = rules::raise_streak(tx, lesson.project, (&hash, lesson.argv), lesson.now).await?;
    if !worth_suggesting(approvals) {
        return Ok(());
    }
    let live = rules::live(tx, lesson.project, lesson.now).await?;
    if live.iter().any(|rule| rule.covers(lesson.argv)) {
        return Ok(());
    }
    let command = spelled(lesson.argv);
    let id = app.ids.new_id(lesson.now);
    let suggestion = NewSuggestion {
        id,
        kind: "rule",
        text: &format!("Approved {approvals} times in a row in this project: {command}"),
        proposal_id: Some(lesson.proposal),
        place: Some((lesson.project, lesson.lane)),
        argv: Some((lesson.argv, hash)),
        author: &Actor::System.to_string(),
        at: lesson.now,
    };
    if suggestions::insert(tx, suggestion).await? {
        let row = NewEvent {
            kind: EventKind::SuggestionMade,
            actor: Actor::System,
            place: Place::lane(lesson.project, lesson.lane),
            proposal: None,
            payload: json!({ "suggestion_id": id, "kind": "rule", "argv": lesson.argv, "of": lesson.proposal }),
            at: lesson.now,
        };
        events::append(tx, row).await?;
    }
    Ok(())
}

/// A person refused: counting starts again.
pub async fn note_denial(tx: &mut PgConnection, lesson: &Lesson<'_>) -> Result<()> {
    Ok(rules::end_streak(tx, lesson.project, &argv_hash(lesson.argv)).await?)
}
