//! The one error: a stable code that clients may rely on, words for people, and a cause that stays in the log.

pub mod json;

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::domain::ask::BadField;

/// What every fallible function of the crate returns.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Everything that can go wrong, in two kinds: what the caller is told in full, and what only the log sees.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The caller's doing, or a state of the world the caller must know of.
    #[error("{0}")]
    Problem(Box<Problem>),
    /// The database is away, full or too slow. What it has recorded stands, and trying again is safe.
    #[error("the database is unavailable: {0}")]
    Unavailable(#[source] sqlx::Error),
    /// A fault of ours. The text is for the log alone.
    #[error("internal: {0}")]
    Internal(String),
}

/// An answer of `application/problem+json`.
#[derive(Debug, thiserror::Error)]
#[error("{}: {detail}", code.as_str())]
pub struct Problem {
    /// The stable word.
    pub code: Code,
    /// One or two sentences for a person.
    pub detail: Cow<'static, str>,
    /// The request field that is to blame, as a path (`questions[0].options`).
    pub field: Option<Cow<'static, str>>,
    /// Further members, e.g. `pending_ids`.
    pub extra: Map<String, Value>,
}

macro_rules! codes {
    ($($variant:ident $word:literal $status:literal $title:literal),+ $(,)?) => {
        /// Every stable error code. The table is the only list: word, HTTP status, title.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code { $(#[doc = $title] $variant),+ }

        impl Code {
            /// All codes, in the order of the table.
            pub const ALL: &[Self] = &[$(Self::$variant),+];
            /// The word clients match on.
            pub const fn as_str(self) -> &'static str { match self { $(Self::$variant => $word),+ } }
            /// The HTTP status it is sent with.
            pub const fn status(self) -> u16 { match self { $(Self::$variant => $status),+ } }
            /// A short, constant summary.
            pub const fn title(self) -> &'static str { match self { $(Self::$variant => $title),+ } }
        }
    };
}

codes! {
    Malformed           "malformed"             400 "The request could not be read",
    Unauthenticated     "unauthenticated"       401 "Sign in, or send a valid token",
    WrongCredentials    "wrong_credentials"     401 "Name or password is wrong",
    Forbidden           "forbidden"             403 "You may not do this",
    CrossSite           "cross_site"            403 "The request came from another site",
    ReauthRequired      "reauth_required"       403 "Enter your password again",
    Proxied             "proxied"               403 "The local socket does not take proxied requests",
    NotFound            "not_found"             404 "There is nothing here",
    MethodNotAllowed    "method_not_allowed"    405 "This address does not take that method",
    NotFinal            "not_final"             409 "The proposal is still waiting",
    AlreadyFinal        "already_final"         409 "The proposal is already closed",
    AlreadyDecided      "already_decided"       409 "Somebody has already decided",
    Changed             "changed"               409 "The proposal is not the one you read",
    InstanceChanged     "instance_changed"      409 "This instance was reported with other content",
    AmbiguousSession    "ambiguous_session"     409 "More than one session could be meant",
    NoOpenTicket        "no_open_ticket"        409 "No message of a lead is open",
    OutcomeDiffers      "outcome_differs"       409 "Something else was reported of this order",
    NotTaken            "not_taken"             409 "Take the order first",
    NameTaken           "name_taken"            409 "The name is taken",
    InUse               "in_use"                409 "Something still depends on it",
    VersionConflict     "version_conflict"      409 "Somebody else has changed it meanwhile",
    LastAdmin           "last_admin"            409 "Countersign would be left without an admin",
    Expired             "expired"               410 "The proposal expired before it was decided",
    TooLarge            "too_large"             413 "The request is too large",
    UnsupportedMedia    "unsupported_media"     415 "Send application/json",
    WrongHost           "wrong_host"            421 "This server answers to another name",
    UnknownField        "unknown_field"         422 "The request has a field this server does not know",
    Invalid             "invalid"               422 "A field has a value that cannot be used",
    ClassNeverScoped    "class_never_scoped"    422 "This class can never be approved by a policy",
    IdempotencyMismatch "idempotency_mismatch"  422 "The idempotency key was used for another request",
    NotModifiable       "not_modifiable"        422 "Only a change can be approved with an edit",
    StandingOption      "standing_option"       422 "This row can only be chosen at the terminal",
    ReasonRequired      "reason_required"       422 "Give a reason",
    WeakPassword        "weak_password"         422 "Choose a better password",
    TooManyPending      "too_many_pending"      429 "Too many proposals are waiting",
    QueueFull           "queue_full"            429 "The queue is full",
    SlowDown            "slow_down"             429 "Too many attempts",
    Internal            "internal"              500 "Something broke on our side",
    Unavailable         "unavailable"           503 "The service cannot answer right now",
}

impl Problem {
    /// A problem with nothing but its code and words.
    pub fn new(code: Code, detail: impl Into<Cow<'static, str>>) -> Self {
        Self { code, detail: detail.into(), field: None, extra: Map::new() }
    }

    /// Names the request field that is to blame.
    #[must_use]
    pub fn field(mut self, field: impl Into<Cow<'static, str>>) -> Self {
        self.field = Some(field.into());
        self
    }

    /// Adds a member to the answer.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.extra.insert(name.to_owned(), value.into());
        self
    }
}

impl Error {
    /// The code the caller sees.
    pub fn code(&self) -> Code {
        match self {
            Self::Problem(problem) => problem.code,
            Self::Unavailable(_) => Code::Unavailable,
            Self::Internal(_) => Code::Internal,
        }
    }

    /// The same answer for "never was", "not yours" and "local only".
    pub fn not_found() -> Self {
        Problem::new(Code::NotFound, "There is nothing at this address, or nothing that is yours.").into()
    }

    /// No credential, or one that is no longer good.
    pub fn unauthenticated() -> Self {
        Problem::new(
            Code::Unauthenticated,
            "Sign in, or send `Authorization: Bearer csa_…`: the credential is missing, has ended, or is mistyped.",
        )
        .into()
    }

    /// A person who may not; `why` is said to them in full.
    pub fn forbidden(why: impl Into<String>) -> Self {
        let why = why.into();
        Problem::new(Code::Forbidden, why.clone()).with("why", why).into()
    }

    /// A field with a value that cannot be used.
    pub fn invalid(field: impl Into<Cow<'static, str>>, detail: impl Into<Cow<'static, str>>) -> Self {
        Problem::new(Code::Invalid, detail).field(field).into()
    }
}

impl From<Problem> for Error {
    fn from(problem: Problem) -> Self {
        Self::Problem(Box::new(problem))
    }
}

impl From<BadField> for Error {
    fn from(bad: BadField) -> Self {
        Self::invalid(bad.field, bad.detail)
    }
}

impl From<Error> for Problem {
    /// What the caller is told, on every surface; a cause that is not theirs to know goes to the log, here.
    fn from(error: Error) -> Self {
        match error {
            Error::Problem(problem) => *problem,
            Error::Unavailable(cause) => {
                tracing::warn!(%cause, "the database is unavailable");
                Self::new(
                    Code::Unavailable,
                    "The database cannot be reached. Try again shortly; the same request twice counts once.",
                )
                .with("retry_after", 2)
            }
            Error::Internal(cause) => {
                tracing::error!(%cause, "internal error");
                Self::new(Code::Internal, "Something broke on our side. The log has the cause under this request id.")
            }
        }
    }
}

/// Whether a fault of the database is one of the moment: connection, read only, serialization, resources (disk full),
/// lock and statement timeouts, shutdown, I/O. Trying again later is right then, and useless otherwise.
pub fn is_passing(error: &sqlx::Error) -> bool {
    use sqlx::Error as E;
    match error {
        E::Io(_) | E::Tls(_) | E::PoolTimedOut | E::PoolClosed | E::WorkerCrashed | E::Protocol(_) => true,
        E::Database(db) => db.code().is_some_and(|code| {
            ["08", "25006", "40", "53", "55P03", "57", "58"].iter().any(|class| code.starts_with(class))
        }),
        _ => false,
    }
}

/// The text has the character U+0000, which Postgres cannot keep or compare: there is nothing it could name.
fn has_nul(error: &sqlx::Error) -> bool {
    matches!(error, sqlx::Error::Database(db) if db.code().is_some_and(|code| code == "22021"))
}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        if has_nul(&error) {
            return Problem::new(Code::Invalid, "The request has the character U+0000.").into();
        }
        if is_passing(&error) { Self::Unavailable(error) } else { Self::Internal(format!("database: {error}")) }
    }
}
