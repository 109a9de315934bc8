//! A project with a lead and two members, each in a pane of its own, and another project beside it.

use std::collections::HashMap;

use chrono::TimeDelta;
use reqwest::Method;
use rmcp::ClientLifecycleMode;
use serde_json::{Value, json};
use tokio::sync::OnceCell;

use crate::support::app::TestApp;
use crate::support::client::Client;
use crate::support::cluster;
use crate::support::mcp::{Session, Told};
use crate::support::proposals::with;

/// Name, lane, whether it leads, its pane.
const AGENTS: &[(&str, &str, bool, Option<&str>)] = &[
    ("boss", "hq", true, None),
    ("chief", "hq", true, Some("hq.2")),
    ("carter", "barn", false, None),
    ("farmer", "barn", true, None),
];

/// The tokens of the agents and of the pane client, and the database in which they are at home.
struct Troupe {
    template: String,
    tokens: HashMap<&'static str, String>,
}

static TROUPE: OnceCell<Troupe> = OnceCell::const_new();

async fn gather() -> Troupe {
    let app = TestApp::peopled().await;
    app.lane("hq").await;
    let made = async |path: &str, body: Value| app.machine().post(path, &body).await.body(201);
    made("/api/v1/projects", json!({ "name": "farm", "repo": "/srv/farm" })).await;
    made("/api/v1/lanes", json!({ "name": "barn", "project": "farm", "worktree": "/srv/farm", "profile": "slow" }))
        .await;
    let mut tokens = HashMap::new();
    for &(name, lane, lead, pane) in AGENTS {
        let wish = json!({ "name": name, "lane": lane, "lead": lead, "pane": pane });
        let issued = made("/api/v1/agents", wish).await;
        tokens.insert(name, issued["token"].as_str().unwrap().to_owned());
    }
    tokens.insert("eyes", app.pane_secret("eyes", &["hq", "api", "web", "barn"]).await);
    let template = app.database.clone();
    app.stop().await;
    Troupe { template, tokens }
}

/// The service with everybody at home.
pub struct Stage {
    pub app: TestApp,
    /// The pane client.
    pub eyes: Client,
}

impl Stage {
    /// A service of its own, with the lead's pane and the members' idle.
    pub async fn new() -> Self {
        let troupe = TROUPE.get_or_init(gather).await;
        Self::on(TestApp::start_on(&cluster::copy_of(&troupe.template).await).await).await
    }

    /// Another server over the same database.
    pub async fn beside(other: &Self) -> Self {
        Self::on(TestApp::start_on(&other.app.database).await).await
    }

    pub async fn on(app: TestApp) -> Self {
        let eyes = eyes(&app).await;
        Self { app, eyes }
    }

    /// The pane client gets a fresh token.
    pub async fn renew(&mut self) {
        self.eyes = eyes(&self.app).await;
    }

    /// An agent's caller. Those of the usual cast are there too: `coder` and `tester` in lane api, `painter` in web.
    pub fn caller(&self, name: &str) -> Client {
        match TROUPE.get().unwrap().tokens.get(name) {
            Some(token) => self.app.anonymous().with_token(token),
            None => self.app.who(name),
        }
    }

    /// An agent's session over MCP. From then on it is there to be sent to.
    pub async fn session(&self, name: &str) -> Session {
        Session::open(&self.app.url, &self.caller(name), ClientLifecycleMode::Initialize).await
    }

    /// The lead, `coder` and the member's pane, which is idle.
    pub async fn pair(&self) -> (Session, Session, Pane<'_>) {
        let pane = self.api();
        pane.idle().await;
        (self.session("boss").await, self.session("coder").await, pane)
    }

    /// The pane of lane api.
    pub fn api(&self) -> Pane<'_> {
        self.pane("api.1", "api", "s-api")
    }

    /// The pane of the lead.
    pub fn hq(&self) -> Pane<'_> {
        self.pane("hq.1", "hq", "s-hq")
    }

    pub fn pane(&self, key: &'static str, lane: &'static str, session: &'static str) -> Pane<'_> {
        Pane { stage: self, key, lane, session }
    }

    /// Takes the next order, which is there or comes soon.
    pub async fn order(&self) -> Value {
        let orders = self.eyes.get("/api/v1/orders?wait=8").await.body(200);
        assert_eq!(orders["items"].as_array().unwrap().len(), 1, "{orders}");
        orders["items"][0].clone()
    }

    /// Nothing is ordered.
    pub async fn no_order(&self) {
        assert_eq!(self.eyes.orders().await, Vec::<Value>::new());
    }

    /// Takes the next order and types it.
    pub async fn typed(&self) -> Value {
        let order = self.order().await;
        self.sent(&order).await;
        order
    }

    pub async fn sent(&self, order: &Value) {
        self.eyes.done(order, &json!({ "outcome": "sent", "keys": ["Enter"] })).await.assert_status(200);
    }

    pub async fn skipped(&self, order: &Value, reason: &str) {
        self.eyes.done(order, &json!({ "outcome": "skipped", "reason": reason })).await.assert_status(200);
    }

    /// Time passes, and the ticks run.
    pub async fn pass(&self, secs: i64) {
        self.app.advance(TimeDelta::seconds(secs));
        self.tick().await;
    }

    pub async fn tick(&self) {
        countersign::flows::fleet::tick(&self.app.state).await.unwrap();
    }

    /// The journal's rows of tickets: kind, and what it says.
    pub async fn told(&self) -> Vec<(String, Value)> {
        let mut conn = cluster::connect(&self.app.database).await;
        let sql = "select kind, payload from events where kind like 'ticket.%' order by epoch, xid, id";
        sqlx::query_as(sql).fetch_all(&mut conn).await.unwrap()
    }
}

async fn eyes(app: &TestApp) -> Client {
    app.exchanged(&app.anonymous().with_token(&TROUPE.get().unwrap().tokens["eyes"])).await
}

/// One pane, as its client reports it.
pub struct Pane<'a> {
    stage: &'a Stage,
    key: &'static str,
    lane: &'static str,
    pub session: &'static str,
}

impl Pane<'_> {
    pub async fn put(&self, change: Value) {
        let pane = json!({
            "lane": self.lane, "agent_kind": "claude", "session_id": self.session, "status": "idle", "safe_to_type": true,
            "awaiting_input": false, "ended_turn": false, "limit": false, "external": false,
        });
        let eyes = &self.stage.eyes;
        let request = eyes.request(Method::PUT, &format!("/api/v1/panes/{}", self.key));
        eyes.send(request.json(&with(pane, &change))).await.assert_status(204);
    }

    pub async fn idle(&self) {
        self.put(json!({})).await;
    }

    pub async fn status(&self, status: &str) {
        self.put(json!({ "status": status, "safe_to_type": status == "idle" })).await;
    }

    pub async fn working(&self) {
        self.status("working").await;
    }

    /// The turn is over, and this is the end of what it said.
    pub async fn ended(&self, text: &str, clipped: bool) {
        self.put(json!({ "ended_turn": true, "turn_tail": { "text": text, "clipped": clipped } })).await;
    }
}

/// What an answer came to, and why.
pub fn came_to(told: &Told) -> (&str, &str) {
    assert!(!told.is_error, "{}", told.text);
    (told.data["outcome"].as_str().unwrap(), told.data["reason"].as_str().unwrap_or_default())
}

/// A member of the answer, as text.
pub fn said<'a>(told: &'a Told, member: &str) -> &'a str {
    told.data[member].as_str().unwrap_or_else(|| panic!("no {member}: {}", told.data))
}

/// A message without waiting.
pub fn detached(session: &str, content: &str) -> Value {
    json!({ "sessionId": session, "content": content, "wait": 0 })
}

/// The ticket of an answer, to poll.
pub fn ticket(told: &Told) -> Value {
    json!({ "ticket": said(told, "ticket") })
}
