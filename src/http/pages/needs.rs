//! What a person is needed for beyond the proposals that wait: told in the inbox and on its lane, and seen to.

use axum::extract::State;
use axum::response::Response;
use uuid::Uuid;

use super::see_other;
use super::visit::Visit;
use super::when::When;
use crate::app::AppState;
use crate::domain::attention::Cause;
use crate::error::Result;
use crate::flows::attention;
use crate::http::extract::Path;
use crate::store::attentions::Attention;

/// A reason for somebody to look.
#[derive(Debug)]
pub struct Need {
    /// Its id.
    pub id: Uuid,
    /// In a few words.
    pub head: &'static str,
    /// In a sentence.
    pub detail: String,
    /// Its lane.
    pub lane: String,
    /// Where to see it.
    pub link: String,
    /// Since when.
    pub since: When,
    /// The reader may say that they have seen to it.
    pub may_close: bool,
}

/// An episode as its reader sees it; none when it is a proposal, which is listed as such.
pub(super) fn need(visit: &Visit, open: Attention) -> Option<Need> {
    let cause = Cause::from_word(&open.cause);
    if cause.is_some_and(Cause::is_the_proposal) {
        return None;
    }
    Some(Need {
        id: open.id,
        // A newer server may know more causes than this one.
        head: cause.map_or("A person is needed", Cause::head),
        link: link(&open, cause),
        may_close: attention::may_see_to(&visit.person, &open),
        detail: open.detail,
        lane: open.lane,
        since: visit.reader().when(open.raised_at),
    })
}

/// Where what it is about is to be seen.
fn link(open: &Attention, cause: Option<Cause>) -> String {
    let part = match (open.proposal_id, cause) {
        (Some(proposal), _) => return format!("/p/{proposal}"),
        (_, Some(Cause::Drift)) => "#panes",
        (_, Some(Cause::MailUndelivered)) => "#queue",
        (_, Some(Cause::MessageFailed)) => "#tickets",
        (_, Some(Cause::Stalled)) => "#stalls",
        _ => "",
    };
    format!("/lanes/{}{part}", open.lane)
}

/// `POST /lanes/{name}/needs/{id}`.
pub async fn close(
    State(app): State<AppState>,
    visit: Visit,
    Path((name, id)): Path<(String, Uuid)>,
) -> Result<Response> {
    attention::see_to(&app, &visit.person, (&name, id)).await?;
    Ok(see_other(&format!("/lanes/{name}")))
}
