//! What is done about a stall: a nudge, which begins its row, and the one hold that tells a person.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::watch::Case;
use crate::domain::acted::{Acted, Of};
use crate::domain::attention::Cause;
use crate::domain::event::{Actor, EventKind, Place};
use crate::error::Result;
use crate::flows::attention::{self, Episode as Needed};
use crate::flows::record::particulars;
use crate::store::events::{self, NewEvent};
use crate::store::orders::{self, NewText};
use crate::store::stalls::{self, Episode};

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
        let episode = match &self.episode {
            Some(open) => open.id,
            None => {
                let episode = self.app.ids.new_id(self.now);
                stalls::begin(tx, (episode, pane), (since, self.now)).await?;
                episode
            }
        };
        Ok(stalls::nudge(tx, episode, id, self.now).await?)
    }

    /// Tells a person, once a stall.
    pub(super) async fn escalate(&self, tx: &mut PgConnection, episode: &Episode) -> Result<()> {
        stalls::escalate(tx, episode.id, self.now).await?;
        let (pane, place) = (&self.pane, Place::lane(episode.project_id, episode.lane_id));
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
            reason: Some(reason(episode)),
            subject: None,
            pane_excerpt: None,
            of: Of::HoldOf(episode.id),
        };
        let payload = particulars(&acted)?;
        let (kind, actor) = (EventKind::SupervisionActed, Actor::Policy(self.version));
        events::append(tx, NewEvent { kind, actor, place, proposal: None, payload, at: self.now }).await?;
        let mins = (self.now - episode.still_since).num_minutes();
        let detail = format!(
            "Nothing has moved in pane {} of lane {} for {mins} minutes, and it was {}. Look at the terminal.",
            pane.key,
            pane.lane,
            reason(episode),
        );
        let needed = Needed {
            place: (episode.project_id, episode.lane_id),
            cause: Cause::Stalled,
            key: &episode.id.to_string(),
            proposal: None,
            detail: &detail,
        };
        attention::raise(self.app, tx, &needed, self.now).await
    }
}

fn reason(episode: &Episode) -> String {
    let nudges = if episode.nudges == 1 { "1 nudge".to_owned() } else { format!("{} nudges", episode.nudges) };
    match episode.typed {
        typed if typed == episode.nudges => format!("escalated after {nudges}"),
        typed => format!("escalated after {nudges}, of which {typed} could be typed"),
    }
}
