//! What is done about a stall: a nudge, which begins its row, and the one hold that tells a person.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::watch::Case;
use crate::domain::acted::{Acted, Of};
use crate::domain::attention::Cause;
use crate::domain::event::{Actor, EventKind, Place};
use crate::error::Result;
use crate::flows::attention::{self, Episode as Needed};
use crate::flows::record::particulars;
use crate::store::events::{self, NewEvent};
use crate::store::orders::{self, NewText};
use crate::store::stalls;

impl Case<'_> {
    /// Orders a nudge.
    pub(super) async fn nudge(&self, tx: &mut PgConnection, since: DateTime<Utc>) -> Result<()> {
        let pane = &self.pane;
        let id = self.app.ids.new_id(self.now);
        let new = NewText {
            id,
            kind: "nudge",
            trigger: "stall",
            place: (pane.project_id, pane.lane_id),
            pane: (pane.client, &pane.key),
            text: &self.effective.nudge_text,
            msg_ids: None,
            policy_version: Some(self.version),
            ordered_by: &Actor::Policy(self.version).to_string(),
            now: self.now,
        };
        orders::insert_text(tx, &new).await?;
        let episode = self.begun(tx, since).await?;
        Ok(stalls::nudge(tx, episode, id, self.now).await?)
    }

    /// The episode, which begins now if it has not.
    async fn begun(&self, tx: &mut PgConnection, since: DateTime<Utc>) -> Result<Uuid> {
        if let Some(open) = &self.episode {
            return Ok(open.id);
        }
        let episode = self.app.ids.new_id(self.now);
        stalls::begin(tx, (episode, &self.pane), (since, self.now)).await?;
        Ok(episode)
    }

    /// Tells a person, once a stall.
    pub(super) async fn escalate(&self, tx: &mut PgConnection, since: DateTime<Utc>) -> Result<()> {
        let id = self.begun(tx, since).await?;
        stalls::escalate(tx, id, self.now).await?;
        let pane = &self.pane;
        let at = (pane.project_id, pane.lane_id);
        let (reason, despite) = match self.tried() {
            Some(tried) => (format!("escalated after {tried}"), format!("despite {tried}")),
            None => ("nothing can be typed there".to_owned(), "and nothing can be typed there".to_owned()),
        };
        let acted = Acted {
            lane: pane.lane.clone(),
            pane: pane.key.clone(),
            session_id: pane.session_id.clone(),
            agent_kind: Some(pane.agent_kind.clone()),
            trigger: "stall".to_owned(),
            dialog_class: None,
            repo_scoped: None,
            decision: "hold".to_owned(),
            policy_source: None,
            policy_version: Some(self.version),
            keys: None,
            outcome: "held",
            reason: Some(reason),
            subject: None,
            pane_excerpt: None,
            of: Of::HoldOf(id),
        };
        let payload = particulars(&acted)?;
        let (kind, actor) = (EventKind::SupervisionActed, Actor::Policy(self.version));
        let place = Place::lane(at.0, at.1);
        events::append(tx, NewEvent { kind, actor, place, proposal: None, payload, at: self.now }).await?;
        let mins = (self.now - since).num_minutes();
        let (key, lane) = (&pane.key, &pane.lane);
        let detail = format!(
            "Nothing has moved in pane {key} of lane {lane} for {mins} minutes, {despite}. Look at the terminal."
        );
        let needed = Needed { place: at, cause: Cause::Stalled, key: &id.to_string(), proposal: None, detail: &detail };
        attention::raise(self.app, tx, &needed, self.now).await
    }

    /// What was done about it before a person is told; nothing when nothing could be.
    fn tried(&self) -> Option<String> {
        let episode = self.episode.as_ref().filter(|open| open.nudges > 0)?;
        let nudges = if episode.nudges == 1 { "1 nudge".to_owned() } else { format!("{} nudges", episode.nudges) };
        Some(match episode.typed {
            typed if typed == episode.nudges => nudges,
            typed => format!("{nudges}, of which {typed} could be typed"),
        })
    }
}
