//! The journal, as the machine reads it: a page, all of it, and whether it is whole.

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use serde::Deserialize;
use uuid::Uuid;

use crate::app::AppState;
use crate::auth::LocalPeer;
use crate::domain::journal::finding::Report;
use crate::domain::journal::verify::Trust;
use crate::error::{Error, Result};
use crate::flows;
use crate::flows::audit::{Format, Page, Reader};
use crate::http::api::proposals::page_size;
use crate::http::extract::Query;
use crate::store::audit::AuditFilter;

/// Which rows.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    lane: Option<String>,
    kind: Option<String>,
    actor: Option<String>,
    since: Option<DateTime<Utc>>,
    until: Option<DateTime<Utc>>,
    proposal: Option<Uuid>,
    before: Option<i64>,
    limit: Option<i64>,
    format: Option<String>,
}

/// What the auditor takes as given; lists are written with commas.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Given {
    #[serde(default)]
    trust: String,
    #[serde(default)]
    restores: String,
}

impl Wanted {
    fn filter(&self) -> AuditFilter {
        AuditFilter {
            lane: self.lane.clone(),
            kind: self.kind.clone(),
            actor: self.actor.clone(),
            since: self.since,
            until: self.until,
            proposal: self.proposal,
        }
    }
}

/// `GET /api/v1/audit`.
pub async fn list(State(app): State<AppState>, peer: LocalPeer, Query(wanted): Query<Wanted>) -> Result<Json<Page>> {
    let page = (wanted.before, page_size(wanted.limit)?);
    flows::audit::list(&app, Reader::Local(peer), &wanted.filter(), page).await.map(Json)
}

/// `GET /api/v1/audit/export?format=csv|jsonl`: everything that fits, newest first, as it is read.
pub async fn export(State(app): State<AppState>, peer: LocalPeer, Query(wanted): Query<Wanted>) -> Result<Response> {
    let (format, mime) = match wanted.format.as_deref() {
        Some("csv") => (Format::Csv, "text/csv; charset=utf-8"),
        None | Some("jsonl") => (Format::JsonLines, "application/jsonl"),
        Some(_) => return Err(Error::invalid("format", "takes csv or jsonl")),
    };
    let rows = flows::audit::export(app, Reader::Local(peer), wanted.filter(), format)?;
    Ok(([(header::CONTENT_TYPE, mime)], Body::from_stream(rows)).into_response())
}

/// `GET /api/v1/audit/verify`.
pub async fn verify(State(app): State<AppState>, peer: LocalPeer, Query(given): Query<Given>) -> Result<Json<Report>> {
    let words = |text: &str| text.split(',').filter(|word| !word.is_empty()).map(str::to_owned).collect::<Vec<_>>();
    let restores = words(&given.restores).iter().map(|epoch| epoch.parse()).collect::<Result<_, _>>();
    let restores = restores.map_err(|_| Error::invalid("restores", "takes numbers of epochs, with commas"))?;
    let trust = Trust { fingerprints: words(&given.trust), restores };
    flows::verify::verify(&app, peer, trust).await.map(Json)
}
