//! Somebody at the machine who looks at an admin page, and what stands around every such page.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use crate::app::AppState;
use crate::auth::local::is_admin;
use crate::auth::{LocalPeer, mode};
use crate::config::machine_zone;
use crate::domain::text::{self, Shown};
use crate::error::Result;
use crate::flows::rules;
use crate::http::pages::frame::Paused;
use crate::http::pages::when::Reader;
use crate::store::{self, grants, instance, people};

/// The main admin pages, in the order of the menu.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    /// `/admin/supervision`
    Supervision,
    /// `/admin/lanes`
    Lanes,
    /// `/admin/rules`
    Rules,
    /// `/admin/suggestions`
    Suggestions,
    /// `/admin/people`
    People,
    /// `/admin/agents`
    Agents,
    /// `/admin/pane-clients`
    PaneClients,
    /// `/admin/settings`
    Settings,
    /// `/admin/pause`
    Pause,
}

impl Section {
    /// Every section.
    pub const ALL: &[Self] = &[
        Self::Supervision,
        Self::Lanes,
        Self::Rules,
        Self::Suggestions,
        Self::People,
        Self::Agents,
        Self::PaneClients,
        Self::Settings,
        Self::Pause,
    ];

    /// Its name in the menu.
    pub fn name(self) -> &'static str {
        match self {
            Self::Supervision => "Supervision",
            Self::Lanes => "Lanes",
            Self::Rules => "Rules",
            Self::Suggestions => "Suggestions",
            Self::People => "People",
            Self::Agents => "Agents",
            Self::PaneClients => "Pane clients",
            Self::Settings => "Settings",
            Self::Pause => "Pause",
        }
    }

    /// Its address.
    pub fn path(self) -> &'static str {
        match self {
            Self::Supervision => "/admin/supervision",
            Self::Lanes => "/admin/lanes",
            Self::Rules => "/admin/rules",
            Self::Suggestions => "/admin/suggestions",
            Self::People => "/admin/people",
            Self::Agents => "/admin/agents",
            Self::PaneClients => "/admin/pane-clients",
            Self::Settings => "/admin/settings",
            Self::Pause => "/admin/pause",
        }
    }
}

/// What stands around every admin page.
#[derive(Debug, Clone, Default)]
pub struct Desk {
    /// The page's own title.
    pub title: String,
    /// Which of the main pages this belongs to.
    pub section: Option<Section>,
    /// Which promises do not hold here; nothing in strong mode.
    pub same_user: Option<String>,
    /// Everything is held, and by whom.
    pub paused: Option<Paused>,
    /// The server's time.
    pub now: String,
    /// What was just done.
    pub notice: Option<&'static str>,
    /// Who may sign a change.
    pub admins: Vec<String>,
    /// How many suggestions wait.
    pub suggestions: usize,
}

/// One visit to one admin page.
#[derive(Debug, Clone, Copy)]
pub struct Visit {
    /// The process at the other end of the socket.
    pub peer: LocalPeer,
    /// The database's time when it came.
    pub now: DateTime<Utc>,
}

impl FromRequestParts<AppState> for Visit {
    type Rejection = crate::error::Error;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self> {
        let peer = LocalPeer::from_request_parts(parts, app).await?;
        let mut conn = app.db.acquire().await?;
        let now = store::now(&mut conn, app.clock.offset_us()).await?;
        Ok(Self { peer, now })
    }
}

impl Visit {
    /// The machine's own clock and zone.
    pub fn reader(self) -> Reader {
        Reader { now: self.now, zone: machine_zone() }
    }

    /// The frame of a page.
    pub async fn desk(self, app: &AppState, title: &str, section: Section) -> Result<Desk> {
        let mut conn = app.db.acquire().await?;
        let paused = instance::pause(&mut conn).await?;
        let reader = self.reader();
        Ok(Desk {
            title: title.to_owned(),
            section: Some(section),
            same_user: mode::same_user_warning(),
            paused: paused.map(|paused| Paused { by: paused.by, reason: paused.reason, at: reader.when(paused.at) }),
            now: reader.now(),
            notice: None,
            suggestions: rules::suggestions(app, self.peer, true).await?.len(),
            admins: self.admins(&mut conn).await?,
        })
    }

    async fn admins(self, conn: &mut PgConnection) -> Result<Vec<String>> {
        let mut admins = Vec::new();
        for person in people::list(conn).await?.into_iter().filter(|person| person.disabled_at.is_none()) {
            if is_admin(&grants::held_by(conn, person.id).await?, self.now) {
                admins.push(person.name);
            }
        }
        Ok(admins)
    }
}

impl Desk {
    /// The same with a word on what was just done.
    #[must_use]
    pub fn with_notice(self, notice: Option<&'static str>) -> Self {
        Self { notice, ..self }
    }

    /// Whether the page belongs to a section.
    pub fn is_in(&self, section: &Section) -> bool {
        self.section == Some(*section)
    }

    /// How much waits in a section, for the mark in the menu.
    pub fn count(&self, section: &Section) -> usize {
        match section {
            Section::Suggestions => self.suggestions,
            _ => 0,
        }
    }

    /// Why all is held, safe to show.
    pub fn pause_reason(&self, reason: &str) -> Shown {
        text::show(reason, text::Kind::Prose)
    }

    /// The warning as a sentence of its own, behind its heading.
    pub fn same_user_words(&self, warning: &str) -> String {
        let words = warning.split_once(": ").map_or(warning, |(_, words)| words);
        format!("{}.", words.replacen("whoever", "Whoever", 1))
    }

    /// The name to begin a signature with: what was typed before, or the only one there is.
    pub fn signer<'a>(&'a self, typed: &'a str) -> &'a str {
        match &*self.admins {
            [only] if typed.is_empty() => only,
            _ => typed,
        }
    }
}
