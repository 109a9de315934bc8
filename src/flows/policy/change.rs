//! One change of the policy: the head is locked, the change is made on the version that was read, and a new version is
//! written with its journal row.

use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::{Postgres, Transaction};

use super::View;
use crate::app::AppState;
use crate::auth::LocalAdmin;
use crate::domain::event::EventKind;
use crate::domain::policy::Document;
use crate::domain::policy::diff::diff;
use crate::domain::policy::file::BadFile;
use crate::domain::policy::takes::{Bad, Fault};
use crate::error::{Code, Error, Problem, Result};
use crate::flows::record::act;
use crate::store::policies::{self, Head, NewVersion};
use crate::store::{self, events, places};

/// Longest reason, in characters.
const REASON_MAX: usize = 500;

/// What a change is made on, and why.
#[derive(Clone, Copy, Debug)]
pub(super) struct Basis<'a> {
    /// The version that was read: if it is no longer the one in force, nothing is changed.
    pub(super) version: i64,
    /// Why, for the history.
    pub(super) reason: Option<&'a str>,
}

/// A change under way: nobody else changes the policy meanwhile.
pub(super) struct Change<'a> {
    app: &'a AppState,
    admin: &'a LocalAdmin,
    reason: Option<&'a str>,
    pub(super) tx: Transaction<'static, Postgres>,
    pub(super) head: Head,
    now: DateTime<Utc>,
}

impl<'a> Change<'a> {
    /// Locks the head, reads it, and checks that the change is made on it.
    pub(super) async fn begin(app: &'a AppState, admin: &'a LocalAdmin, basis: Basis<'a>) -> Result<Self> {
        let reason = basis.reason.map(str::trim).filter(|reason| !reason.is_empty());
        if reason.is_some_and(|reason| reason.chars().count() > REASON_MAX || reason.contains('\0')) {
            return Err(Error::invalid("reason", "reason takes at most 500 characters."));
        }
        let mut tx = app.db.begin().await?;
        let head = policies::lock_head(&mut tx).await?;
        let now = store::now(&mut tx, app.clock.offset_us()).await?;
        admin.confirm(&mut tx, now).await?;
        if head.version != basis.version {
            return Err(conflict(&head, basis.version));
        }
        Ok(Self { app, admin, reason, tx, head, now })
    }

    /// Writes the new version, unless nothing differs. `lane` is whose part the answer shows.
    pub(super) async fn finish(mut self, after: Document, origin: &str, lane: Option<&str>) -> Result<View> {
        let changes = diff(&self.head.document, &after);
        if changes.is_empty() {
            return Ok(View::of(self.head.version, after, lane));
        }
        let changes = json!(changes);
        let version = self.head.version + 1;
        let author = self.admin.actor().to_string();
        let new = NewVersion {
            version,
            author: &author,
            reason: self.reason,
            origin,
            document: &after,
            diff: &changes,
            parent: self.head.version,
            at: self.now,
        };
        policies::insert(&mut self.tx, new).await?;
        let payload = json!({
            "version": version, "parent": self.head.version, "origin": origin, "reason": self.reason, "diff": changes,
        });
        let row = act(EventKind::SupervisionChanged, self.admin.actor(), payload, self.now);
        events::append(&mut self.tx, row).await?;
        self.tx.commit().await?;
        self.app.forget_policy();
        self.app.hub.poke();
        Ok(View::of(version, after, lane))
    }

    /// A lane that is to be in the policy has to exist; one that was in it already may have been removed since.
    pub(super) async fn check_lanes(&mut self, after: &Document) -> Result<()> {
        let new = after.lanes.keys().filter(|name| !self.head.document.lanes.contains_key(*name));
        for name in new {
            if places::lane(&mut self.tx, name).await?.is_none() {
                return Err(no_lane(name));
            }
        }
        Ok(())
    }
}

fn conflict(head: &Head, version: i64) -> Error {
    let detail = format!(
        "The policy is at version {} now, by {}; this change was made on version {version}. Read it again and decide anew.",
        head.version, head.author
    );
    Problem::new(Code::VersionConflict, detail)
        .field("version")
        .with("version", head.version)
        .with("author", head.author.clone())
        .into()
}

/// There is no such lane.
pub(super) fn no_lane(name: &str) -> Error {
    Error::invalid("lane", format!("There is no lane {name}; countersign lane list shows those there are."))
}

/// A field that cannot be used, as callers are told.
pub(super) fn refused(bad: Bad) -> Error {
    let code = match bad.fault {
        Fault::Unknown => Code::UnknownField,
        Fault::Value => Code::Invalid,
        Fault::NeverScoped => Code::ClassNeverScoped,
    };
    Problem::new(code, bad.detail).field(bad.field).into()
}

/// A file that cannot be used, with the line.
pub(super) fn refused_file(bad: &BadFile) -> Error {
    let told = refused(Bad {
        field: bad.field.clone(),
        fault: bad.fault,
        detail: format!("Line {}: {}", bad.line, bad.detail),
    });
    match told {
        Error::Problem(problem) => (*problem).with("line", bad.line).into(),
        other => other,
    }
}
