//! `GET /audit` and `GET /audit/export`: the journal for those who may read it.

use axum::body::Body;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use chrono::NaiveDate;
use serde::Deserialize;
use serde_json::Value;

use super::{Audit, Entry, Seal};
use crate::app::{App, AppState};
use crate::domain::event::EventKind;
use crate::domain::text::{Kind, Shown, show};
use crate::error::{Error, Result};
use crate::flows::audit::{self, Format, Reader};
use crate::flows::proposals::reviews;
use crate::http::extract::Query;
use crate::http::pages::Page;
use crate::http::pages::frame::Tab;
use crate::http::pages::history::{Pick, picks, visible_lanes};
use crate::http::pages::visit::Visit;
use crate::store::audit::AuditFilter;
use crate::store::{checkpoints, journal};

/// How many one page lists.
const LISTED: i64 = 50;

/// The filters of `/audit`; an empty one does not count.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Asked {
    lane: String,
    kind: String,
    actor: String,
    from: String,
    to: String,
    before: Option<i64>,
    format: String,
}

/// `GET /audit`.
pub async fn handle(State(app): State<AppState>, visit: Visit, Query(asked): Query<Asked>) -> Result<Page<Audit>> {
    let filter = filter(&visit, &asked)?;
    let found = audit::list(&app, Reader::Person(&visit.person), &filter, (asked.before, LISTED)).await?;
    let (frame, _) = visit.frame(&app, "Audit", Tab::Audit).await?;
    let lanes = visible_lanes(&app, &reviews::visible(&visit.person)).await?;
    let query = asked.query();
    let before = |id: i64| if query.is_empty() { format!("before={id}") } else { format!("{query}&before={id}") };
    let older = found.next.map(|id| format!("/audit?{}", before(id)));
    Ok(Page(Audit {
        frame,
        lanes: picks("All lanes", lanes.into_iter().map(|lane| (lane.name.clone(), lane.name)), &asked.lane),
        kinds: kinds(&asked.kind),
        rows: found.items.into_iter().map(|entry| self::entry(&visit, entry)).collect(),
        older,
        filtered: !query.is_empty(),
        query,
        seal: seal(&app, &visit).await?,
        actor: asked.actor,
        from: asked.from,
        to: asked.to,
    }))
}

/// `GET /audit/export?format=csv|jsonl`: a file, as long as the journal is.
pub async fn export(State(app): State<AppState>, visit: Visit, Query(asked): Query<Asked>) -> Result<Response> {
    let (format, mime, name) = match asked.format.as_str() {
        "csv" => (Format::Csv, "text/csv; charset=utf-8", "countersign-audit.csv"),
        "jsonl" => (Format::JsonLines, "application/jsonl", "countersign-audit.jsonl"),
        _ => return Err(Error::invalid("format", "takes csv or jsonl")),
    };
    let filter = filter(&visit, &asked)?;
    let pieces = audit::export(app, Reader::Person(&visit.person), filter, format)?;
    let headers = [
        (header::CONTENT_TYPE, mime.to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
    ];
    Ok((headers, Body::from_stream(pieces)).into_response())
}

impl Asked {
    /// The filters that are on, as a query.
    fn query(&self) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        let fields = [
            ("lane", &self.lane),
            ("kind", &self.kind),
            ("actor", &self.actor),
            ("from", &self.from),
            ("to", &self.to),
        ];
        for (name, value) in fields {
            if !value.trim().is_empty() {
                query.append_pair(name, value.trim());
            }
        }
        query.finish()
    }
}

fn filter(visit: &Visit, asked: &Asked) -> Result<AuditFilter> {
    let given = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    let day = |field: &'static str, text: &str| -> Result<Option<NaiveDate>> {
        given(text)
            .map(|text| text.parse().map_err(|_| Error::invalid(field, "Give a day, as in 2026-11-29.")))
            .transpose()
    };
    let reader = visit.reader();
    let (from, to) = (day("from", &asked.from)?, day("to", &asked.to)?);
    Ok(AuditFilter {
        lane: given(&asked.lane),
        kind: given(&asked.kind),
        actor: given(&asked.actor),
        since: from.map(|day| reader.start_of(day)),
        until: to.and_then(|day| day.succ_opt()).map(|day| reader.start_of(day)),
        proposal: None,
    })
}

/// Every kind, and before those of one family the family itself.
fn kinds(chosen: &str) -> Vec<Pick> {
    let mut values: Vec<(String, String)> = Vec::new();
    for kind in EventKind::ALL {
        let word = kind.as_str();
        let family = word.split('.').next().unwrap_or(word);
        if values.last().is_none_or(|(last, _)| !last.starts_with(family)) {
            values.push((family.to_owned(), format!("{family}: all")));
        }
        values.push((word.to_owned(), word.to_owned()));
    }
    picks("Everything", values.into_iter(), chosen)
}

fn entry(visit: &Visit, entry: audit::Entry) -> Entry {
    let payload = entry.payload.and_then(|payload| serde_json::from_str::<Value>(payload.get()).ok());
    let details = match payload {
        Some(Value::Object(members)) => members.into_iter().filter(|(_, value)| !value.is_null()).map(detail).collect(),
        Some(other) => vec![detail(("payload".into(), other))],
        None => Vec::new(),
    };
    Entry {
        id: entry.id.to_string(),
        kind: entry.kind,
        actor: entry.actor,
        lane: entry.lane,
        proposal: entry.proposal_id.map(|id| id.to_string()),
        details,
        redacted: entry.redacted_at.is_some(),
        at: visit.reader().when(entry.at),
    }
}

fn detail((name, value): (String, Value)) -> (String, Shown) {
    let text = match value {
        Value::String(text) => text,
        other => other.to_string(),
    };
    (name, show(&text, Kind::Document))
}

async fn seal(app: &App, visit: &Visit) -> Result<Option<Seal>> {
    let mut conn = app.db.acquire().await?;
    let head = journal::head(&mut conn).await?;
    let checkpoint = checkpoints::newest_at(&mut conn).await?;
    Ok((head.height > 0).then(|| Seal {
        height: head.upto.id.to_string(),
        hash: head.hash.to_string().chars().take(12).collect(),
        checkpoint: checkpoint.map(|at| visit.reader().when(at)),
    }))
}
