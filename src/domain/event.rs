//! The kinds of journal rows, and who acts in them.

use uuid::Uuid;

macro_rules! kinds {
    ($($variant:ident $word:literal $told:literal),+ $(,)?) => {
        /// What a journal row records. `told` kinds also go to sockets (contract, section 5).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum EventKind { $(#[doc = $word] $variant),+ }

        impl EventKind {
            /// Every kind.
            pub const ALL: &[Self] = &[$(Self::$variant),+];
            /// The word in the journal and on the wire.
            pub const fn as_str(self) -> &'static str { match self { $(Self::$variant => $word),+ } }
            /// Whether sockets hear of it.
            pub const fn told(self) -> bool { match self { $(Self::$variant => $told),+ } }
        }
    };
}

kinds! {
    ProposalCreated    "proposal.created"    true,
    ProposalNotified   "proposal.notified"   true,
    ProposalSeen       "proposal.seen"       true,
    ProposalVoted      "proposal.voted"      true,
    ProposalDecided    "proposal.decided"    true,
    ProposalWithdrawn  "proposal.withdrawn"  true,
    ProposalExpired    "proposal.expired"    true,
    ProposalCollected  "proposal.collected"  true,
    ProposalExecuted   "proposal.executed"   true,
    ProposalArchived   "proposal.archived"   false,
    DecisionRefused    "decision.refused"    false,
    AccessRefused      "access.refused"      false,
    LocalRefused       "local.refused"       false,
    SessionOpened      "session.opened"      false,
    SessionReauthenticated "session.reauthenticated" false,
    SessionClosed      "session.closed"      true,
    SigninThrottled    "signin.throttled"    false,
    UserAdded          "user.added"          false,
    UserRemoved        "user.removed"        true,
    PasswordChanged    "password.changed"    false,
    ProfileChanged     "profile.changed"     false,
    GrantGiven         "grant.given"         true,
    GrantRevoked       "grant.revoked"       true,
    ProjectAdded       "project.added"       false,
    ProjectRemoved     "project.removed"     false,
    LaneAdded          "lane.added"          false,
    LaneRemoved        "lane.removed"        false,
    AgentAdded         "agent.added"         false,
    AgentRemoved       "agent.removed"       false,
    PaneClientAdded    "pane_client.added"   false,
    PaneClientRemoved  "pane_client.removed" false,
    PaneStatus         "pane.status"         true,
    PaneDrift          "pane.drift"          true,
    OrderLate          "order.late"          false,
    TicketQueued       "ticket.queued"       true,
    TicketSent         "ticket.sent"         true,
    TicketPickedUp     "ticket.picked_up"    true,
    TicketQuestion     "ticket.question"     true,
    TicketAnswered     "ticket.answered"     true,
    TicketDone         "ticket.done"         true,
    TicketAcked        "ticket.acked"        true,
    MailQueued         "mail.queued"         true,
    MailDelivered      "mail.delivered"      true,
    MailRead           "mail.read"           true,
    MailFailed         "mail.failed"         true,
    MailRedacted       "mail.redacted"       false,
    NeedsYouRaised     "needs_you.raised"    true,
    NeedsYouCleared    "needs_you.cleared"   true,
    TokenIssued        "token.issued"        false,
    TokenRevoked       "token.revoked"       true,
    SettingsChanged    "settings.changed"    false,
    SupervisionChanged "supervision.changed" true,
    SupervisionActed   "supervision.acted"   true,
    SupervisionPaused  "supervision.paused"  true,
    SupervisionResumed "supervision.resumed" true,
    NoticeTried        "notice.tried"        false,
    NudgeOrdered       "nudge.ordered"       false,
    RuleConfirmed      "rule.confirmed"      false,
    RuleRemoved        "rule.removed"        false,
    SuggestionMade     "suggestion.made"     false,
    SuggestionSettled  "suggestion.settled"  false,
    InstanceRestored   "instance.restored"   true,
    JournalRedacted    "journal.redacted"    false,
}

impl EventKind {
    /// Whether it is about a message between agents; the payload names its ticket.
    pub const fn of_ticket(self) -> bool {
        matches!(
            self,
            Self::TicketQueued
                | Self::TicketSent
                | Self::TicketPickedUp
                | Self::TicketQuestion
                | Self::TicketAnswered
                | Self::TicketDone
                | Self::TicketAcked
        )
    }

    /// Reads the word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.as_str() == word)
    }
}

/// Who a journal row is about, as `kind:name`. Names are never reused, so the text stays true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Actor<'a> {
    /// A person signed in from anywhere.
    Person(&'a str),
    /// An admin at the machine, on the local socket, with their password.
    Admin(&'a str),
    /// Somebody on the local socket without a name, by user id of the process.
    Local(u32),
    /// An agent.
    Agent(&'a str),
    /// A pane client.
    PaneClient(&'a str),
    /// A version of the policy, which answered by itself.
    Policy(i64),
    /// The service itself: expiry, retention, sealing.
    System,
}

impl std::fmt::Display for Actor<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Person(name) => write!(f, "person:{name}"),
            Self::Admin(name) => write!(f, "admin:{name}"),
            Self::Local(uid) => write!(f, "local:{uid}"),
            Self::Agent(name) => write!(f, "agent:{name}"),
            Self::PaneClient(name) => write!(f, "pane-client:{name}"),
            Self::Policy(version) => write!(f, "policy:{version}"),
            Self::System => f.write_str("system"),
        }
    }
}

/// Where a journal row belongs, for those who may see only some lanes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The project, if any.
    pub project: Option<Uuid>,
    /// The lane, if any.
    pub lane: Option<Uuid>,
}

impl Place {
    /// A lane and its project.
    pub const fn lane(project: Uuid, lane: Uuid) -> Self {
        Self { project: Some(project), lane: Some(lane) }
    }
}
