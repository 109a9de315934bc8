//! Proposals as resources: `proposal://<id>` is the agent's view of one, and a client of the newer era may listen to it.

use std::future::pending;
use std::time::Duration;

use futures_util::stream::{FuturesUnordered, StreamExt};
use rmcp::ErrorData;
use rmcp::model::{ReadResourceResult, Resource, ResourceContents, ResourceTemplate, SubscriptionFilter};
use rmcp::service::SubscriptionContext;
use tokio::time::sleep;
use uuid::Uuid;

use super::desk::fault;
use crate::app::AppState;
use crate::auth::Agent;
use crate::domain::proposal::Status;
use crate::error::{Code, Error, Result};
use crate::flows::proposals::check::{self, Look, Seen};
use crate::flows::proposals::{reviews, shape};
use crate::store::proposals::Row;
use crate::store::proposals::list::Filter;

const SCHEME: &str = "proposal://";
const JSON: &str = "application/json";
/// How many one list names, and one subscription listens to.
const MOST: usize = 200;
/// How often a listener's token is thought of.
const BEAT: Duration = Duration::from_secs(1);
/// How long one look waits before the next; nothing is asked of the database in between.
const ROUND: Duration = Duration::from_mins(5);

/// The lane's proposals that are still to be decided.
pub(super) async fn list(app: &AppState, agent: &Agent) -> Result<Vec<Resource>> {
    let filter = Filter {
        lanes: vec![agent.lane().id],
        statuses: vec![Status::Pending.as_str().to_owned()],
        limit: i64::try_from(MOST).unwrap_or(i64::MAX),
        ..Filter::default()
    };
    let rows = reviews::list(app, &filter).await?;
    let resource = |row: &Row| {
        Resource::new(format!("{SCHEME}{}", row.id), row.id.to_string()).with_title(&row.title).with_mime_type(JSON)
    };
    Ok(rows.iter().map(resource).collect())
}

/// How any proposal is named.
pub(super) fn template() -> ResourceTemplate {
    ResourceTemplate::new(format!("{SCHEME}{{id}}"), "proposal")
        .with_description("One proposal of your lane, with its decision once there is one.")
        .with_mime_type(JSON)
}

/// Reads one. A resource is a view: nothing is archived by it.
pub(super) async fn read(app: &AppState, agent: &Agent, uri: String) -> Result<ReadResourceResult, ErrorData> {
    let none = || ErrorData::resource_not_found("There is no such proposal in your lane.", None);
    let id = named(&uri).ok_or_else(none)?;
    let row = match check::check(app, agent, id, Look::default()).await {
        Ok(Seen::Now(row)) => row,
        Ok(Seen::Unchanged(_)) => return Err(none()),
        Err(error) if error.code() == Code::NotFound => return Err(none()),
        Err(error) => return Err(fault(error)),
    };
    let text = serde_json::to_string(&shape::proposal(app, &row, false));
    let text = text.map_err(|error| fault(Error::Internal(error.to_string())))?;
    Ok(ReadResourceResult::new(vec![ResourceContents::text(text, uri).with_mime_type(JSON)]))
}

/// Of what a client would like to hear, what there is to hear.
pub(super) fn accepted(requested: &SubscriptionFilter) -> SubscriptionFilter {
    let uris = requested.resource_subscriptions.iter().flatten();
    SubscriptionFilter::builder().resource_subscriptions(uris.filter(|uri| named(uri).is_some()).take(MOST)).build()
}

/// Tells of every change until the client leaves, its token is taken back, or the server stops.
pub(super) async fn listen(app: &AppState, agent: &Agent, context: &SubscriptionContext) {
    let uris = context.accepted().resource_subscriptions.iter().flatten();
    let mut watched: FuturesUnordered<_> = uris.map(|uri| watch(app, agent, uri, context)).collect();
    // When all are closed the stream stays: a client that lost it would come back to listen to the same.
    let told = async { while watched.next().await.is_some() {} };
    tokio::select! {
        () = async { told.await; pending().await } => {}
        () = context.cancelled() => {}
        () = taken_back(app, agent) => {}
        () = app.stopping.cancelled() => {}
    }
}

/// Tells of one proposal until it is closed; one that is closed already is told of once, for who may have missed it.
async fn watch(app: &AppState, agent: &Agent, uri: &str, context: &SubscriptionContext) {
    let Some(id) = named(uri) else { return };
    let mut look = Look::default();
    while !app.stopping.is_cancelled() {
        match check::check(app, agent, id, look).await {
            Ok(Seen::Now(row)) => {
                let news = look.known.is_some() || !row.is_pending();
                if news && context.sink().notify_resource_updated(uri).await.is_err() || !row.is_pending() {
                    return;
                }
                look = Look { known: Some(row.version), wait: ROUND };
            }
            Ok(Seen::Unchanged(_)) => {}
            Err(error) if error.code() == Code::Unavailable => sleep(BEAT).await,
            Err(_) => return,
        }
    }
}

/// Returns when the agent's token is no longer good. What is remembered of tokens is cleared with every revocation.
async fn taken_back(app: &AppState, agent: &Agent) {
    let mut seen = app.hub.bearers.clearings();
    for beat in 1_u32.. {
        sleep(BEAT).await;
        let clearings = app.hub.bearers.clearings();
        if clearings == seen && !beat.is_multiple_of(30) {
            continue;
        }
        seen = clearings;
        if check::still_good(app, agent).await.is_err_and(|error| error.code() == Code::Unauthenticated) {
            return;
        }
    }
}

fn named(uri: &str) -> Option<Uuid> {
    uri.strip_prefix(SCHEME)?.parse().ok()
}
