//! A person decides: one short transaction in which everything that gives them the right is read again.

use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use super::refused::Refused;
use crate::app::App;
use crate::auth::Person;
use crate::domain::access::{self, Grant, Target};
use crate::domain::ask::Kind;
use crate::domain::dialog::DialogOption;
use crate::domain::digest::Digest;
use crate::domain::event::{Actor, EventKind, Place};
use crate::domain::proposal::{Outcome, Status};
use crate::domain::risk::Risk;
use crate::domain::ruling::{Locked, Refusal, Ruling, Step, Vote, Voter};
use crate::error::{Error, Result};
use crate::flows::dialogs::decided::{self, Decided};
use crate::store;
use crate::store::dialogs::{self, DialogRow};
use crate::store::events::{self, NewEvent};
use crate::store::grants::Stored;
use crate::store::proposals::Row;
use crate::store::proposals::close::{self, Close, LockedRow, NewVote, VoterRow};

/// Counts one ruling. The first writer wins; the same answer by the same person again is no error.
pub async fn decide(app: &App, person: &Person, id: Uuid, ruling: &Ruling) -> Result<Row> {
    let mut tx = app.decisions.begin().await?;
    let locked = close::lock(&mut tx, id).await?.ok_or_else(Error::not_found)?;
    let ids = (person.user_id(), person.session_id());
    close::hold_voter(&mut tx, ids.0, ids.1).await?;
    let voter = close::voter(&mut tx, app.clock.offset_us(), ids, id).await?;
    let voter = voter.filter(|voter| voter.alive).ok_or_else(Error::unauthenticated)?;
    let dialog = if locked.kind == Kind::Dialog.as_str() { dialogs::find(&mut tx, id).await? } else { None };
    let place = Place::lane(locked.project_id, locked.lane_id);
    let case = Case { id, person, ruling, dialog, now: voter.now, place };
    let effect = case.judge(&locked, voter)?;
    let version = case.write(&mut tx, &locked, &effect).await?;
    case.settle(app, &mut tx, &effect).await?;
    // Read before the commit: after it, nothing may fail that would hide from the person what was recorded.
    let row = store::proposals::find(&mut tx, id).await?.ok_or_else(Error::not_found)?;
    if let Err(error) = tx.commit().await {
        return case.after_unknown_commit(app, error).await;
    }
    if let Some(version) = version {
        app.hub.tell(id, version);
    } else {
        app.hub.poke();
    }
    if let Some(dialog) = &case.dialog {
        app.hub.waiters.stir(dialog.pane_client_id);
    }
    match effect {
        Effect::Step(step, _) => {
            if let Step::Closed(outcome) = step {
                app.metrics.closed(outcome.as_str());
                app.metrics.reached("decided", (case.now - row.created_at).as_seconds_f64());
            }
            Ok(row)
        }
        Effect::Refused(refusal) => {
            if matches!(refusal, Refused::Judged(Refusal::Due)) {
                app.metrics.closed(Status::Expired.as_str());
            }
            Err(refusal.told(&row))
        }
    }
}

/// One ruling on one proposal.
struct Case<'a> {
    id: Uuid,
    person: &'a Person,
    ruling: &'a Ruling,
    dialog: Option<DialogRow>,
    now: DateTime<Utc>,
    place: Place,
}

/// What the transaction will write.
enum Effect {
    /// The step, and the row of a dialog that it presses.
    Step(Step, Option<DialogOption>),
    Refused(Refused),
}

impl Case<'_> {
    fn judge(&self, row: &LockedRow, voter: VoterRow) -> Result<Effect> {
        let reauth_at = voter.reauth_at;
        let votes = voter.votes.0.into_iter().map(|vote| {
            let outcome = Outcome::from_word(&vote.outcome).ok_or("outcome")?;
            let digest = Digest::parse(&vote.digest).map_err(|_| "digest")?;
            Ok(Vote { user_id: vote.user_id, outcome, digest, answers: vote.answers, option: vote.option })
        });
        let corrupt = |what: &str| Error::Internal(format!("proposal {} has an unreadable {what}", self.id));
        let votes = votes.collect::<Result<Vec<_>, &str>>().map_err(corrupt)?;
        let grants: Vec<Grant> = voter.grants.0.into_iter().filter_map(Stored::read).collect();
        let target = Target {
            project: row.project_id,
            lane: row.lane_id,
            class: row.class.as_deref().unwrap_or(&row.kind),
            risk: Risk::from_word(&row.risk),
        };
        if !access::at_place(&grants, access::Verb::Read, (row.project_id, row.lane_id), self.now) {
            return Ok(Effect::Refused(Refused::Hidden));
        }
        if let Err(denied) = access::may_decide(&grants, target, self.now) {
            return Ok(Effect::Refused(Refused::Denied(denied)));
        }
        let locked = Locked {
            kind: Kind::from_word(&row.kind).ok_or_else(|| corrupt("kind"))?,
            status: Status::from_word(&row.status).ok_or_else(|| corrupt("status"))?,
            digest: Digest::from_slice(&row.digest).map_err(|_| corrupt("digest"))?,
            has_body: row.has_body,
            questions: row.questions.as_ref().map(|questions| questions.0.clone()).unwrap_or_default(),
            dialog: self.dialog.as_ref().map(decided::asked),
            expires_at: row.expires_at,
            requirement: row.requirement.0.clone(),
            votes,
        };
        let voter = Voter { user_id: self.person.user_id(), reauth_at };
        let judged = locked.judge(self.ruling, voter, self.now);
        let judged = judged.and_then(|step| Ok((locked.picked(self.ruling)?, step)));
        Ok(match judged {
            Ok((option, step)) => Effect::Step(step, option),
            Err(refusal) => Effect::Refused(Refused::Judged(refusal)),
        })
    }

    /// Writes what the judgement leads to; the answer is the new version, if there is one.
    async fn write(&self, tx: &mut PgConnection, row: &LockedRow, effect: &Effect) -> Result<Option<i32>> {
        let status = match effect {
            Effect::Step(Step::Repeated, _) => return Ok(None),
            Effect::Step(Step::Counted, _) => Status::Pending,
            Effect::Step(Step::Closed(outcome), _) => outcome.status(),
            Effect::Refused(refused) => {
                let closed = self.expire_if_due(tx, refused).await?;
                self.journal_refusal(tx, row, refused).await?;
                return Ok(closed);
            }
        };
        let option = if let Effect::Step(_, option) = effect { option.as_ref() } else { None };
        let payload = json!({
            "outcome": self.ruling.outcome, "status": status, "digest": self.ruling.approved_digest().to_string(),
            "note": self.ruling.note, "decided_by": self.person.name(), "session": self.person.session_id(),
            "option": option.map(|option| json!({ "n": option.n, "text": option.text })),
        });
        let vote = NewVote {
            proposal_id: self.id,
            user_id: self.person.user_id(),
            ruling: self.ruling,
            option,
            status,
            now: self.now,
            actor: self.person.actor().to_string(),
            payload,
        };
        Ok(Some(close::vote(tx, vote).await?))
    }

    /// What follows from a dialog's decision, in the same transaction.
    async fn settle(&self, app: &App, tx: &mut PgConnection, effect: &Effect) -> Result<()> {
        if let (Effect::Step(Step::Closed(outcome), option), Some(dialog)) = (effect, &self.dialog) {
            let (outcome, option, actor) = (*outcome, option.as_ref(), self.person.actor());
            let decided = Decided { dialog, outcome, option, actor: &actor, now: self.now };
            decided::settle(app, tx, &decided).await?;
        }
        Ok(())
    }

    async fn expire_if_due(&self, tx: &mut PgConnection, refused: &Refused) -> Result<Option<i32>> {
        if !matches!(refused, Refused::Judged(Refusal::Due)) {
            return Ok(None);
        }
        let actor = Actor::System.to_string();
        let closing = Close { proposal_id: self.id, status: Status::Expired, reason: None, now: self.now, actor };
        Ok(Some(close::close(tx, closing).await?))
    }

    async fn journal_refusal(&self, tx: &mut PgConnection, row: &LockedRow, refused: &Refused) -> Result<()> {
        let event = NewEvent {
            kind: EventKind::DecisionRefused,
            actor: self.person.actor(),
            place: self.place,
            proposal: Some((self.id, row.version)),
            payload: json!({ "code": refused.code().as_str(), "outcome": self.ruling.outcome }),
            at: self.now,
        };
        events::append(tx, event).await?;
        Ok(())
    }

    /// The connection broke at the commit: what is in the database is the truth, and nothing is tried again blindly.
    async fn after_unknown_commit(&self, app: &App, error: sqlx::Error) -> Result<Row> {
        tracing::warn!(%error, proposal = %self.id, "a decision's commit has an unknown outcome; reading it back");
        let mut conn = app.db.acquire().await?;
        let row = store::proposals::find(&mut conn, self.id).await?.ok_or_else(Error::not_found)?;
        let mine = row.decided_by.as_deref() == Some(self.person.name());
        let same = row.outcome.as_deref() == Some(self.ruling.outcome.as_str());
        let voted = row.votes.iter().flat_map(|votes| votes.iter());
        let counted = voted.filter(|vote| vote.by == self.person.name()).any(|vote| vote.at == self.now);
        if (mine && same) || counted {
            app.hub.tell(self.id, row.version);
            return Ok(row);
        }
        if row.is_pending() {
            return Err(Error::Unavailable(error));
        }
        Err(Refused::Judged(Refusal::Closed(Status::from_word(&row.status).unwrap_or(Status::Rejected))).told(&row))
    }
}
