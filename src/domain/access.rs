//! Who may do what, where: roles, scopes, and the words that tell somebody why not.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::risk::Risk;

/// A person's role within a grant's scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Reads.
    Viewer,
    /// Reads, and sees the journal and its export.
    Auditor,
    /// Reads, decides, nudges, mails, suggests.
    Approver,
    /// All of these, and may pause.
    Admin,
}

/// What somebody wants to do. Every right of a person is one of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verb {
    /// See proposals, lanes and their state.
    Read,
    /// See the journal, export it.
    Audit,
    /// Decide a proposal.
    Decide,
    /// Have a line typed to an idle agent.
    Nudge,
    /// Send mail to a lane's agents.
    Mail,
    /// Suggest a rule or a change of the policy to the machine's admin.
    Suggest,
    /// Hold everything, from anywhere.
    Pause,
}

impl Role {
    /// Every role, weakest first.
    pub const ALL: &[Self] = &[Self::Viewer, Self::Auditor, Self::Approver, Self::Admin];

    /// The word on the wire and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Viewer => "viewer",
            Self::Auditor => "auditor",
            Self::Approver => "approver",
            Self::Admin => "admin",
        }
    }

    /// Reads the word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|role| role.as_str() == word)
    }

    /// Whether the role carries the verb.
    pub const fn carries(self, verb: Verb) -> bool {
        match verb {
            Verb::Read => true,
            Verb::Audit => matches!(self, Self::Auditor | Self::Admin),
            Verb::Decide | Verb::Nudge | Verb::Mail | Verb::Suggest => matches!(self, Self::Approver | Self::Admin),
            Verb::Pause => matches!(self, Self::Admin),
        }
    }
}

/// What a grant may be limited to: the nine dialog classes, and the other two kinds.
pub const GRANT_CLASSES: &[&str] = &[
    "credential_access",
    "push_remote",
    "install",
    "device_access",
    "network_access",
    "deletion",
    "file_write",
    "command_exec",
    "unknown",
    "change",
    "question",
];

/// Where a grant holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Everywhere.
    Global,
    /// In one project.
    Project(Uuid),
    /// In one lane.
    Lane(Uuid),
}

/// A role that somebody holds somewhere, for some classes, until some time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// What it lets do.
    pub role: Role,
    /// Where.
    pub scope: Scope,
    /// Dialog classes and the words `change`, `question`; `None` is every class. Limits deciding, not reading.
    pub classes: Option<Vec<String>>,
    /// The highest risk it may decide; `None` is any.
    pub max_risk: Option<Risk>,
    /// When it ends.
    pub expires_at: Option<DateTime<Utc>>,
}

/// The thing somebody wants to act on.
#[derive(Clone, Copy, Debug)]
pub struct Target<'a> {
    /// Its project.
    pub project: Uuid,
    /// Its lane.
    pub lane: Uuid,
    /// Its dialog class, or `change` or `question`.
    pub class: &'a str,
    /// Its risk.
    pub risk: Risk,
}

/// Why somebody may not: a sentence that is said to them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Denied(pub String);

impl Grant {
    /// Whether the grant still counts at `now`.
    pub fn live(&self, now: DateTime<Utc>) -> bool {
        self.expires_at.is_none_or(|end| now < end)
    }

    /// Whether the grant's scope covers a place.
    pub fn covers(&self, project: Uuid, lane: Uuid) -> bool {
        match self.scope {
            Scope::Global => true,
            Scope::Project(id) => id == project,
            Scope::Lane(id) => id == lane,
        }
    }
}

/// Whether any live grant carries `verb` anywhere at all.
pub fn anywhere(grants: &[Grant], verb: Verb, now: DateTime<Utc>) -> bool {
    grants.iter().any(|g| g.live(now) && g.role.carries(verb))
}

/// Whether any live grant carries `verb` for a place (a project and a lane in it).
pub fn at_place(grants: &[Grant], verb: Verb, place: (Uuid, Uuid), now: DateTime<Utc>) -> bool {
    grants.iter().any(|g| g.live(now) && g.role.carries(verb) && g.covers(place.0, place.1))
}

/// Whether any live grant carries `verb` for everything there is.
pub fn everywhere(grants: &[Grant], verb: Verb, now: DateTime<Utc>) -> bool {
    grants.iter().any(|g| g.live(now) && g.role.carries(verb) && g.scope == Scope::Global)
}

/// Whether somebody with `grants` may decide `target` at `now`; the error says which condition failed.
pub fn may_decide(grants: &[Grant], target: Target<'_>, now: DateTime<Utc>) -> Result<(), Denied> {
    let carrying: Vec<&Grant> = grants.iter().filter(|g| g.role.carries(Verb::Decide)).collect();
    let here: Vec<&Grant> = carrying.iter().copied().filter(|g| g.covers(target.project, target.lane)).collect();
    let live: Vec<&Grant> = here.iter().copied().filter(|g| g.live(now)).collect();
    let class_fits = |g: &&Grant| g.classes.as_ref().is_none_or(|c| c.iter().any(|c| c == target.class));
    let classed: Vec<&Grant> = live.iter().copied().filter(class_fits).collect();
    let risk_fits = |g: &&Grant| g.max_risk.is_none_or(|max| target.risk <= max);
    let why = if carrying.is_empty() {
        "You may read this, but only an approver or an admin decides.".to_owned()
    } else if here.is_empty() {
        "Your right to decide does not cover this lane.".to_owned()
    } else if live.is_empty() {
        "Your right to decide here has expired.".to_owned()
    } else if classed.is_empty() {
        format!("Your right to decide here does not cover the class {}.", target.class)
    } else if !classed.iter().any(risk_fits) {
        format!("Your right to decide here does not reach to {} risk.", target.risk.as_str())
    } else {
        return Ok(());
    };
    Err(Denied(why))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grant(role: Role, scope: Scope) -> Grant {
        Grant { role, scope, classes: None, max_risk: None, expires_at: None }
    }

    #[test]
    fn deciding_needs_role_place_time_class_and_risk() {
        let (project, lane, other) = (Uuid::from_u128(1), Uuid::from_u128(2), Uuid::from_u128(3));
        let now = DateTime::from_timestamp(1_000, 0).unwrap();
        let target = Target { project, lane, class: "change", risk: Risk::Medium };
        let ok = |grants: &[Grant]| may_decide(grants, target, now);
        assert!(ok(&[]).is_err());
        assert!(ok(&[grant(Role::Viewer, Scope::Global)]).is_err());
        assert!(ok(&[grant(Role::Auditor, Scope::Global)]).is_err());
        assert!(ok(&[grant(Role::Approver, Scope::Global)]).is_ok());
        assert!(ok(&[grant(Role::Admin, Scope::Lane(lane))]).is_ok());
        assert!(ok(&[grant(Role::Approver, Scope::Project(project))]).is_ok());
        assert!(ok(&[grant(Role::Approver, Scope::Lane(other))]).unwrap_err().0.contains("lane"));
        let expired = Grant { expires_at: Some(now), ..grant(Role::Approver, Scope::Global) };
        assert!(ok(std::slice::from_ref(&expired)).unwrap_err().0.contains("expired"));
        let questions = Grant { classes: Some(vec!["question".into()]), ..grant(Role::Approver, Scope::Global) };
        assert!(ok(std::slice::from_ref(&questions)).unwrap_err().0.contains("class change"));
        let low = Grant { max_risk: Some(Risk::Low), ..grant(Role::Approver, Scope::Global) };
        assert!(ok(std::slice::from_ref(&low)).unwrap_err().0.contains("medium risk"));
        assert!(ok(&[expired, questions, low, grant(Role::Approver, Scope::Lane(lane))]).is_ok());
    }
}
