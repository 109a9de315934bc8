//! What every handler and flow can reach: the pools, the hub, the clock, and the address people use.

pub mod glances;
pub mod remembered;

use std::ops::Deref;
use std::sync::Arc;

use ipnet::IpNet;
use sqlx::PgPool;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use self::glances::Glances;
use self::remembered::Remembered;
use crate::clock::{Clock, Ids};
use crate::config::PublicUrl;
use crate::domain::policy::Document;
use crate::domain::settings::Settings;
use crate::error::Result;
use crate::hub::Hub;
use crate::hub::refusals::Refusals;
use crate::metrics::Metrics;
use crate::notary::Notary;
use crate::store::proposals::create::{Created, NewProposal};
use crate::store::proposals::receipts::Step;
use crate::store::{self, Pools};

/// How many creates may queue before the next is told to come back, in each lane.
const CREATES: usize = 2048;
/// How many batches of creates may be under way at a time: while one is flushed to disk the next is written.
const CREATE_LANES: usize = 2;
/// How many receipts may queue; one more is lost, which receipts may be.
const RECEIPTS: usize = 8192;

/// A create on its way to the batcher.
#[derive(Debug)]
pub struct Creating {
    /// What to write.
    pub new: Arc<NewProposal>,
    /// Who waits for it.
    pub reply: oneshot::Sender<Result<Made>>,
}

/// What a create came to.
#[derive(Clone, Debug)]
pub enum Made {
    /// It is new.
    New(Created),
    /// The idempotency key had made this one.
    Replayed(Uuid),
    /// The same content is pending already.
    Joined(Uuid),
}

/// A receipt on its way to its batcher.
#[derive(Clone, Debug)]
pub struct NewReceipt {
    /// The proposal.
    pub proposal: Uuid,
    /// The step.
    pub step: Step,
    /// How the journal names who took it.
    pub actor: String,
}

/// The receiving ends of an app's queues; whoever starts the app's tasks takes them.
#[derive(Debug)]
pub struct Queues {
    /// For the create batchers, one each.
    pub creates: Vec<mpsc::Receiver<Creating>>,
    /// For the receipt batcher.
    pub receipts: mpsc::Receiver<NewReceipt>,
}

/// The parts of a running server.
#[derive(Debug)]
pub struct App {
    /// The address people type.
    pub public_url: PublicUrl,
    /// The address listened on; bearer routes accept it as `Host` too.
    pub listen_host: String,
    /// Plain http beyond this machine: every page says so.
    pub insecure: bool,
    /// A demo: every page says that nothing in it is real.
    pub demo: bool,
    /// Proxies whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<IpNet>,
    /// For everything but decisions.
    pub db: PgPool,
    /// For decisions alone.
    pub decisions: PgPool,
    /// Telling.
    pub hub: Hub,
    /// Vouching for the journal, outside the database.
    pub notary: Notary,
    /// Time.
    pub clock: Clock,
    /// Ids.
    pub ids: Ids,
    /// What Prometheus may know.
    pub metrics: Metrics,
    /// What lists tell of proposals.
    pub glances: Glances,
    /// Which agents were refused lately.
    pub refusals: Refusals,
    creates: Vec<mpsc::Sender<Creating>>,
    receipts: mpsc::Sender<NewReceipt>,
    settings: Remembered<Settings>,
    policy: Remembered<Document>,
    /// Cancelled when the server begins to stop: long polls answer, sockets close.
    pub stopping: CancellationToken,
    /// Cancelled when the last request is over: the batchers write what they have and end.
    pub drained: CancellationToken,
}

impl App {
    /// The local settings, read at most every five seconds.
    pub async fn settings(&self) -> Result<Arc<Settings>> {
        match self.settings.get() {
            Ok(settings) => Ok(settings),
            Err(clearings) => {
                let mut conn = self.db.acquire().await?;
                Ok(self.settings.keep(clearings, store::instance::settings(&mut conn).await?))
            }
        }
    }

    /// The policy in force, read at most every five seconds: for what is frozen into a new proposal. What is answered
    /// under a policy reads it in the transaction that answers.
    pub async fn policy(&self) -> Result<Arc<Document>> {
        match self.policy.get() {
            Ok(policy) => Ok(policy),
            Err(clearings) => {
                let mut conn = self.db.acquire().await?;
                let (_, document) = store::policies::head(&mut conn).await?;
                Ok(self.policy.keep(clearings, document))
            }
        }
    }

    /// Drops the settings read before: they have changed.
    pub fn forget_settings(&self) {
        self.settings.clear();
    }

    /// Drops the policy read before: it has changed.
    pub fn forget_policy(&self) {
        self.policy.clear();
    }

    /// Queues a create; `None` when too many queue already. All of one agent go one way, so that batches which are
    /// written at the same time never wait for one another's rows.
    pub fn create(&self, new: Arc<NewProposal>) -> Option<oneshot::Receiver<Result<Made>>> {
        let (reply, answer) = oneshot::channel();
        // The last bits of an id are chance.
        let lane = usize::from(new.agent_id.as_bytes()[15]) % self.creates.len();
        self.creates[lane].try_send(Creating { new, reply }).ok().map(|()| answer)
    }

    /// Queues a receipt; when the queue is full it is lost, which receipts may be.
    pub fn receipt(&self, proposal: Uuid, step: Step, actor: String) {
        if self.receipts.try_send(NewReceipt { proposal, step, actor }).is_err() {
            tracing::warn!(%proposal, ?step, "the receipt queue is full, one receipt is lost");
        }
    }
}

/// What an [`App`] is made from.
#[derive(Debug)]
pub struct AppParts {
    /// The address people type.
    pub public_url: PublicUrl,
    /// The address listened on.
    pub listen_host: String,
    /// Plain http beyond this machine.
    pub insecure: bool,
    /// A demo.
    pub demo: bool,
    /// Proxies whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<IpNet>,
    /// The database.
    pub pools: Pools,
    /// This server's key and checkpoint file.
    pub notary: Notary,
    /// Time.
    pub clock: Clock,
}

/// A shared [`App`]; handlers take it as their state.
#[derive(Clone, Debug)]
pub struct AppState(Arc<App>);

impl AppState {
    /// Puts the parts together. The queues' ends go to [`crate::jobs`].
    pub fn new(parts: AppParts) -> (Self, Queues) {
        let AppParts { public_url, listen_host, insecure, demo, trusted_proxies, pools, notary, clock } = parts;
        let Pools { db, decisions } = pools;
        let (creates, creates_ends) = (0..CREATE_LANES).map(|_| mpsc::channel(CREATES)).unzip();
        let (receipts, receipts_end) = mpsc::channel(RECEIPTS);
        let app = App {
            public_url,
            listen_host,
            insecure,
            demo,
            trusted_proxies,
            db,
            decisions,
            hub: Hub::default(),
            notary,
            clock,
            ids: Ids,
            metrics: Metrics::default(),
            glances: Glances::default(),
            refusals: Refusals::default(),
            creates,
            receipts,
            settings: Remembered::default(),
            policy: Remembered::default(),
            stopping: CancellationToken::new(),
            drained: CancellationToken::new(),
        };
        (Self(Arc::new(app)), Queues { creates: creates_ends, receipts: receipts_end })
    }
}

impl Deref for AppState {
    type Target = App;
    fn deref(&self) -> &App {
        &self.0
    }
}
