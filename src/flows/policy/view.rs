//! What the policy is, as somebody sees it: the defaults, a lane's own part, and what holds there.

use serde::Serialize;

use crate::app::App;
use crate::auth::reader::Reader;
use crate::domain::policy::{Document, Effective, Global, Lane};
use crate::error::Result;
use crate::flows::supervision::sight;
use crate::store::policies;

/// The policy, and what holds for one lane.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct View {
    /// The version in force.
    pub version: i64,
    /// What holds where a lane does not say otherwise.
    pub defaults: Global,
    /// The lane's own part; null without a lane, or where it sets nothing.
    pub lane: Option<Lane>,
    /// What holds for the lane; null without one.
    pub effective: Option<Effective>,
}

impl View {
    /// The view of a version for a lane.
    pub(super) fn of(version: i64, document: Document, lane: Option<&str>) -> Self {
        Self {
            version,
            effective: lane.map(|lane| document.resolve(lane)),
            lane: lane.and_then(|lane| document.lanes.get(lane).cloned()),
            defaults: document.supervision,
        }
    }
}

/// Reads the policy in force. An agent sees its own lane's; another lane is not there.
pub async fn view(app: &App, reader: &Reader, lane: Option<&str>) -> Result<View> {
    let mut conn = app.db.acquire().await?;
    let lane = sight::one_lane(&mut conn, reader, lane).await?;
    let (version, document) = policies::head(&mut conn).await?;
    Ok(View::of(version, document, lane.as_deref()))
}
