//! Why nothing was decided, in the words that the person is told.

use serde_json::json;

use crate::domain::access::Denied;
use crate::domain::ask::Kind;
use crate::domain::proposal::Status;
use crate::domain::ruling::Refusal;
use crate::error::{Code, Error, Problem};
use crate::store::proposals::Row;

/// Why nothing was decided.
pub(super) enum Refused {
    /// Somebody who may not even read here is told what a stranger is told; the journal knows better.
    Hidden,
    Denied(Denied),
    Judged(Refusal),
}

impl Refused {
    /// The stable code.
    pub(super) fn code(&self) -> Code {
        match self {
            Self::Hidden => Code::NotFound,
            Self::Denied(_) => Code::Forbidden,
            Self::Judged(refusal) => match refusal {
                Refusal::Due | Refusal::Closed(Status::Expired) => Code::Expired,
                Refusal::Closed(Status::Withdrawn | Status::Pending) => Code::AlreadyFinal,
                Refusal::Closed(_) => Code::AlreadyDecided,
                Refusal::Changed => Code::Changed,
                Refusal::NotModifiable(_) => Code::NotModifiable,
                Refusal::StandingOption(_) => Code::StandingOption,
                Refusal::ReasonRequired => Code::ReasonRequired,
                Refusal::ReauthRequired => Code::ReauthRequired,
                Refusal::Bad(_) => Code::Invalid,
            },
        }
    }

    /// The refusal in words, with who, what and when where somebody else was first.
    pub(super) fn told(self, row: &Row) -> Error {
        let code = self.code();
        let refusal = match self {
            Self::Hidden => return Error::not_found(),
            Self::Denied(denied) => return Error::forbidden(denied.0),
            Self::Judged(refusal) => refusal,
        };
        let problem = match refusal {
            Refusal::Due | Refusal::Closed(Status::Expired) => Problem::new(
                code,
                "It expired before you decided. Expired is not approved; the agent has to ask again.",
            )
            .with("proposal_status", row.status.as_str()),
            Refusal::Closed(Status::Withdrawn | Status::Pending) => Problem::new(code, withdrawn(row))
                .with("proposal_status", row.status.as_str())
                .with("reason", row.close_reason.clone()),
            Refusal::Closed(_) => already_decided(code, row),
            Refusal::Changed => {
                Problem::new(code, "The digest is not that of this proposal: read it again before you decide.")
                    .field("digest")
                    .with("digest", hex::encode(&row.digest))
                    .with("version", row.version)
            }
            Refusal::NotModifiable(why) => Problem::new(code, why).field("outcome"),
            Refusal::StandingOption(standing) => Problem::new(code, standing.text()).field("option"),
            Refusal::ReasonRequired => Problem::new(code, "Approving this needs a reason.").field("note"),
            Refusal::ReauthRequired => {
                Problem::new(code, "Approving this needs your password again: the last time is over five minutes ago.")
            }
            Refusal::Bad(bad) => return bad.into(),
        };
        problem.into()
    }
}

fn already_decided(code: Code, row: &Row) -> Problem {
    let who = row.decided_by.as_deref().unwrap_or("the policy");
    Problem::new(code, format!("{who} was first: it is {} already.", row.status))
        .with("proposal_status", row.status.as_str())
        .with("outcome", row.outcome.clone())
        .with("decided_by", row.decided_by.clone())
        .with("decided_at", json!(row.decided_at))
        .with("version", row.version)
}

fn withdrawn(row: &Row) -> String {
    if row.kind != Kind::Dialog.as_str() {
        return "The agent has withdrawn it; there is nothing left to decide.".to_owned();
    }
    let gone = row.close_reason.as_deref().unwrap_or("The dialog is gone from the terminal.");
    format!("{gone} There is nothing left to decide.")
}
