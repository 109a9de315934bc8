//! Reading the journal: a page at a time for people, as a stream for files.

use chrono::{DateTime, SecondsFormat, Utc};
use futures_util::Stream;
use futures_util::stream::try_unfold;
use serde::Serialize;
use serde_json::value::RawValue;
use uuid::Uuid;

use crate::app::{App, AppState};
use crate::auth::{LocalPeer, Person};
use crate::domain::access::{Scope, Verb};
use crate::domain::spreadsheet;
use crate::error::{Error, Result};
use crate::store::audit::{self, AuditFilter, AuditRow, AuditScope};

/// Rows that an export reads at a time.
const EXPORTED: i64 = 1_000;
/// Most entries of a page.
const PAGE_MAX: i64 = 200;

/// Who reads: a person as far as their grants reach, or somebody at the machine.
#[derive(Clone, Copy, Debug)]
pub enum Reader<'a> {
    /// A person.
    Person(&'a Person),
    /// Somebody on the local socket.
    Local(LocalPeer),
}

impl Reader<'_> {
    /// Where they may read; refused when that is nowhere.
    pub fn scope(&self) -> Result<AuditScope> {
        let person = match self {
            Self::Local(_) => return Ok(AuditScope { everywhere: true, ..AuditScope::default() }),
            Self::Person(person) => person,
        };
        let mut scope = AuditScope::default();
        let live = |grant: &&crate::domain::access::Grant| grant.live(person.now()) && grant.role.carries(Verb::Audit);
        for grant in person.grants().iter().filter(live) {
            match grant.scope {
                Scope::Global => scope.everywhere = true,
                Scope::Project(id) => scope.projects.push(id),
                Scope::Lane(id) => scope.lanes.push(id),
            }
        }
        if scope.everywhere || !scope.projects.is_empty() || !scope.lanes.is_empty() {
            Ok(scope)
        } else {
            Err(Error::forbidden("The journal is for auditors and admins."))
        }
    }
}

/// One journal row, as pages, the command line and JSON lines show it.
#[derive(Clone, Debug, Serialize)]
pub struct Entry {
    /// Its id.
    pub id: i64,
    /// When.
    pub at: DateTime<Utc>,
    /// What happened.
    pub kind: String,
    /// Who did it.
    pub actor: String,
    /// The project's name.
    pub project: Option<String>,
    /// The lane's name.
    pub lane: Option<String>,
    /// The proposal.
    pub proposal_id: Option<Uuid>,
    /// The proposal's version after it.
    pub version: Option<i32>,
    /// The particulars, byte for byte as the chain proves them; none once redacted.
    pub payload: Option<Box<RawValue>>,
    /// When retention took the particulars away.
    pub redacted_at: Option<DateTime<Utc>>,
    /// Its epoch.
    pub epoch: i32,
    /// The transaction that wrote it.
    pub xid: String,
}

/// A page of entries, newest first.
#[derive(Clone, Debug, Serialize)]
pub struct Page {
    /// The entries.
    pub items: Vec<Entry>,
    /// The `before` of the next page; none on the last.
    pub next: Option<i64>,
}

/// How an export is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated, with a header. A cell that a spreadsheet would take for a formula gets an apostrophe in front.
    Csv,
    /// One JSON object a line.
    JsonLines,
}

impl From<AuditRow> for Entry {
    fn from(row: AuditRow) -> Self {
        Self {
            id: row.id,
            at: row.at,
            kind: row.kind,
            actor: row.actor,
            project: row.project,
            lane: row.lane,
            proposal_id: row.proposal_id,
            version: row.version,
            // The column's type makes it valid JSON.
            payload: row.payload.and_then(|text| RawValue::from_string(text).ok()),
            redacted_at: row.redacted_at,
            epoch: row.epoch,
            xid: row.xid,
        }
    }
}

/// Entries with an id below `before`, newest first, at most 200.
pub async fn list(
    app: &App,
    reader: Reader<'_>,
    filter: &AuditFilter,
    (before, limit): (Option<i64>, i64),
) -> Result<Page> {
    let scope = reader.scope()?;
    let limit = limit.clamp(1, PAGE_MAX);
    let mut conn = app.db.acquire().await?;
    // One more than asked for tells whether there is a next page.
    let mut rows = audit::page(&mut conn, &scope, filter, (before, limit + 1)).await?;
    let more = i64::try_from(rows.len()).is_ok_and(|n| n > limit);
    if more {
        rows.pop();
    }
    let next = rows.last().filter(|_| more).map(|row| row.id);
    Ok(Page { items: rows.into_iter().map(Entry::from).collect(), next })
}

/// Every row that passes, newest first, in pieces: it reads as fast as its reader takes it, and holds no transaction open.
pub fn export(
    app: AppState,
    reader: Reader<'_>,
    filter: AuditFilter,
    format: Format,
) -> Result<impl Stream<Item = Result<Vec<u8>>> + Send + use<>> {
    let scope = reader.scope()?;
    let start = (app, scope, filter, Some(Piece::First));
    Ok(try_unfold(start, move |(app, scope, filter, piece)| async move {
        let Some(piece) = piece else { return Ok(None) };
        let before = match piece {
            Piece::First => None,
            Piece::Below(id) => Some(id),
        };
        let mut conn = app.db.acquire().await?;
        let rows = audit::page(&mut conn, &scope, &filter, (before, EXPORTED)).await?;
        drop(conn);
        let full = i64::try_from(rows.len()).is_ok_and(|n| n == EXPORTED);
        let next = rows.last().filter(|_| full).map(|row| Piece::Below(row.id));
        let bytes = match format {
            Format::Csv => csv(&rows, before.is_none())?,
            Format::JsonLines => json_lines(rows)?,
        };
        Ok(Some((bytes, (app, scope, filter, next))))
    }))
}

enum Piece {
    First,
    Below(i64),
}

/// A line break in a payload can only stand between tokens, where a space means the same and keeps the line whole.
fn json_lines(rows: Vec<AuditRow>) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    for mut row in rows {
        row.payload = row.payload.map(|text| text.replace(['\n', '\r'], " "));
        serde_json::to_writer(&mut out, &Entry::from(row)).map_err(|e| Error::Internal(format!("export: {e}")))?;
        out.push(b'\n');
    }
    Ok(out)
}

fn csv(rows: &[AuditRow], header: bool) -> Result<Vec<u8>> {
    let mut out = csv::Writer::from_writer(Vec::new());
    let time = |at: DateTime<Utc>| at.to_rfc3339_opts(SecondsFormat::Micros, true);
    let text = |text: &Option<String>| spreadsheet::cell(text.as_deref().unwrap_or_default()).into_owned();
    let fault = |error: &dyn std::fmt::Display| Error::Internal(format!("export: {error}"));
    if header {
        let columns = "id,at,kind,actor,project,lane,proposal_id,version,payload,redacted_at,epoch,xid";
        out.write_record(columns.split(',')).map_err(|e| fault(&e))?;
    }
    for row in rows {
        out.write_record([
            row.id.to_string(),
            time(row.at),
            spreadsheet::cell(&row.kind).into_owned(),
            spreadsheet::cell(&row.actor).into_owned(),
            text(&row.project),
            text(&row.lane),
            row.proposal_id.map(|id| id.to_string()).unwrap_or_default(),
            row.version.map(|version| version.to_string()).unwrap_or_default(),
            text(&row.payload),
            row.redacted_at.map(time).unwrap_or_default(),
            row.epoch.to_string(),
            row.xid.clone(),
        ])
        .map_err(|e| fault(&e))?;
    }
    out.into_inner().map_err(|e| fault(&e))
}
