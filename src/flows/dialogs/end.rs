//! A dialog is gone from the screen: nobody has to decide it any more, and what was decided but not yet taken is void.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::app::App;
use crate::domain::event::Actor;
use crate::domain::order::Skip;
use crate::domain::proposal::Status;
use crate::error::Result;
use crate::flows::attention;
use crate::flows::orders::{Done, finish};
use crate::store::proposals::close::{self, Close};
use crate::store::{self, dialogs, orders};

/// How it went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Somebody answered at the terminal, which is no approval of ours.
    AnsweredLocally,
    /// It is not there any more.
    Vanished,
    /// Another dialog has taken its place.
    Changed,
    /// Nobody watches the pane any more.
    ClientRemoved,
    /// Its lane is no longer supervised.
    LaneRemoved,
}

impl Ending {
    /// The word in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AnsweredLocally => "answered_locally",
            Self::Vanished => "vanished",
            Self::Changed => "changed",
            Self::ClientRemoved => "client_removed",
            Self::LaneRemoved => "lane_removed",
        }
    }

    /// What people read.
    const fn sentence(self) -> &'static str {
        match self {
            Self::AnsweredLocally => "It was answered at the terminal.",
            Self::Vanished => "The dialog is gone from the terminal.",
            Self::Changed => "Another dialog has taken its place at the terminal.",
            Self::LaneRemoved => "Its lane was removed.",
            Self::ClientRemoved => "The pane client that watched it was removed.",
        }
    }
}

/// What has to be told after the commit.
#[derive(Clone, Copy, Debug)]
pub struct Ended {
    id: Uuid,
    /// The new version, if it was waiting for a person.
    withdrawn: Option<i32>,
    /// An order that nobody needs to carry out.
    void: bool,
}

impl Ended {
    /// Tells it.
    pub fn tell(self, app: &App) {
        if let Some(version) = self.withdrawn {
            app.hub.tell(self.id, version);
            app.metrics.closed(Status::Withdrawn.as_str());
        } else {
            app.hub.poke();
        }
        if self.void {
            app.metrics.executed("void");
        }
    }
}

/// Writes it in the caller's transaction; doing it again changes nothing.
pub async fn end(tx: &mut PgConnection, app: &App, (id, ending): (Uuid, Ending), actor: &Actor<'_>) -> Result<Ended> {
    let mut ended = Ended { id, withdrawn: None, void: false };
    let Some(locked) = close::lock(tx, id).await? else { return Ok(ended) };
    let now = store::now(tx, app.clock.offset_us()).await?;
    if !dialogs::end(tx, id, ending.as_str(), now).await? {
        return Ok(ended);
    }
    if locked.status == Status::Pending.as_str() {
        let (status, reason) = (Status::Withdrawn, Some(ending.sentence()));
        let closing = Close { proposal_id: id, status, reason, now, actor: actor.to_string() };
        ended.withdrawn = Some(close::close(tx, closing).await?);
    }
    // One that its client has taken already is reported by the client.
    let order = orders::newest_of(tx, id).await?.filter(|order| order.state == "queued");
    if let Some(order) = order {
        let actor = actor.clone();
        let done = Done { void: true, actor, ..Done::taken_back(Skip::StateChanged, now) };
        ended.void = finish(tx, &order, &done).await?;
    }
    attention::clear(tx, id, actor, now).await?;
    Ok(ended)
}
