//! The service, a pane client beside the agent, and the person who decides.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use chrono::TimeDelta;
use countersign::domain::screen::Status;
use serde_json::{Value, json};

use super::agent::Agent;
use super::connection::Connection;
use super::place::Place;
use super::terminal::{SOCKET, Terminal};
use crate::support::app::TestApp;
use crate::support::cast::PASSWORD;
use crate::support::client::Client;
use crate::support::llm::{Call, FakeModel};
use crate::support::proposals::{review_at, with};
use crate::support::scratch;
use crate::support::server::countersign;

/// The lane in which the agent works.
pub const LANE: &str = "desk";

/// What an agent and a pane client take for the next step, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(90);

/// How often is asked.
const LOOK: Duration = Duration::from_millis(50);

/// Everything of a story. What is dropped first is named first: the client before the pane that it watches.
pub struct Stage {
    client: PaneClient,
    /// Its pane.
    pub terminal: Terminal,
    /// What the agent talks to.
    pub model: FakeModel,
    /// Where it works.
    pub place: Place,
    ben: Client,
    app: TestApp,
}

impl Stage {
    /// An agent at work in a lane with both keys on.
    pub async fn set(agent: Agent, script: impl FnOnce(&Place) -> Vec<Call>) -> Self {
        let (app, place) = Self::lane().await;
        Self::begin(agent, script, (app, place, None)).await
    }

    /// The same with an agent that is connected to the service over MCP.
    pub async fn connected(agent: Agent, script: impl FnOnce(&Place) -> Vec<Call>) -> Self {
        let (app, place) = Self::lane().await;
        let issued = app.machine().post("/api/v1/agents", &json!({ "name": "typist", "lane": LANE })).await.body(201);
        let connection = Connection { url: app.url.clone(), token: issued["token"].as_str().unwrap().to_owned() };
        Self::begin(agent, script, (app, place, Some(connection))).await
    }

    async fn lane() -> (TestApp, Place) {
        let app = TestApp::peopled().await;
        let place = Place::new();
        let machine = app.machine();
        let folder = place.work.display().to_string();
        machine.post("/api/v1/projects", &json!({ "name": "yard", "repo": folder })).await.assert_status(201);
        let lane = json!({ "name": LANE, "project": "yard", "worktree": folder });
        machine.post("/api/v1/lanes", &lane).await.assert_status(201);
        app.set_policy(&json!({ "enabled": true })).await;
        app.set_policy(&json!({ "lane": LANE, "enabled": true })).await;
        (app, place)
    }

    async fn begin(
        agent: Agent,
        script: impl FnOnce(&Place) -> Vec<Call>,
        (app, place, connection): (TestApp, Place, Option<Connection>),
    ) -> Self {
        let secret = app.pane_secret("beside", &[LANE]).await;
        let (model, terminal) = place.start(agent, script(&place), connection.as_ref()).await;
        let client = PaneClient::start(&app.url, &secret, &terminal);
        let ben = app.who("ben");
        Self { client, terminal, model, place, ben, app }
    }

    /// What waits for a person, once something does.
    pub async fn held(&self) -> Value {
        let path = format!("/api/v1/reviews?status=pending&lane={LANE}");
        self.soon("a request that waits for a person", async || {
            let items = self.ben.get(&path).await.body(200)["items"].as_array().unwrap().clone();
            assert!(items.len() <= 1, "one agent asks one thing at a time: {items:#?}");
            items.into_iter().next()
        })
        .await
    }

    /// A request as a person sees it.
    pub async fn review(&self, held: &Value) -> Value {
        self.ben.get(&review_at(held)).await.body(200)
    }

    /// Decides as a person does, after a look at the request itself.
    pub async fn decide(&self, held: &Value, outcome: &str) {
        let review = self.review(held).await;
        let high = review["risk"] == "high";
        // High risk wants a person who has just proven who they are, and a reason.
        let ben = if high { self.app.anonymous().sign_in("ben", PASSWORD).await } else { self.ben.clone() };
        let reason = if high { json!({ "note": "Looks right." }) } else { json!({}) };
        let ruling = with(json!({ "outcome": outcome }), &reason);
        ben.rule(&review, &ruling).await.assert_status(200);
    }

    /// Decides a request of no high risk with further words.
    pub async fn rule(&self, held: &Value, ruling: &Value) {
        self.ben.rule(&self.review(held).await, ruling).await.assert_status(200);
    }

    /// What the tool that was called as the nth has answered, as the model reads it, in small letters.
    pub async fn answer(&self, nth: usize) -> String {
        self.model.asked_after(nth).await.outputs[nth - 1].to_lowercase()
    }

    /// The titles of all that anybody was asked in the lane, however it ended.
    pub async fn asked(&self) -> Vec<String> {
        let mut titles = Vec::new();
        for status in ["pending", "approved", "modified", "rejected", "expired", "withdrawn"] {
            let path = format!("/api/v1/reviews?lane={LANE}&status={status}");
            let items = self.ben.get(&path).await.body(200)["items"].clone();
            titles.extend(items.as_array().unwrap().iter().map(|item| item["title"].as_str().unwrap().to_owned()));
        }
        titles
    }

    /// Returns once the agent's turn has ended.
    pub async fn at_rest(&self) {
        self.terminal.until("idle", |reading| reading.status == Status::Idle).await;
    }

    /// Lets so much time go by for the service.
    pub fn pass(&self, time: TimeDelta) {
        self.app.advance(time);
    }

    /// Returns once a request is archived.
    pub async fn archived(&self, held: &Value) {
        self.soon("its receipt", async || self.review(held).await["receipts"]["archived_at"].is_string().then_some(()))
            .await;
    }

    /// The next that waits for a person, after this one.
    pub async fn held_after(&self, known: &Value) -> Value {
        self.gone(known).await;
        self.held().await
    }

    /// Returns once a request no longer waits; how it ended.
    pub async fn gone(&self, held: &Value) -> Value {
        self.soon("the end of a request", async || {
            let review = self.review(held).await;
            (review["status"] != "pending").then(|| review["status"].clone())
        })
        .await
    }

    /// What the journal says of orders about a subject, once there are so many; holds are not among them.
    pub async fn answered(&self, subject: &str, times: usize) -> Vec<Value> {
        self.soon("the row of an order", async || {
            let rows = self.orders_about(subject).await;
            (rows.len() >= times).then_some(rows)
        })
        .await
    }

    async fn orders_about(&self, subject: &str) -> Vec<Value> {
        let of = |row: &Value| {
            row["order_id"].is_string() && row["subject"].as_str().is_some_and(|text| text.contains(subject))
        };
        self.app.acted().await.into_iter().filter(of).collect()
    }

    /// All rows of orders, when the story is over.
    pub async fn orders(&self) -> Vec<Value> {
        self.orders_about("").await
    }

    /// Sends the agent a text as a person does, and waits until it is in.
    pub async fn nudge(&self, text: &str) {
        let wish = json!({ "lane": LANE, "text": text });
        self.soon("a nudge that is sent", async || {
            let answer = self.ben.post("/api/v1/supervision/nudge", &wish).await;
            (answer.status == 200 && answer.json["outcome"] == "sent").then_some(())
        })
        .await;
    }

    async fn soon<T>(&self, what: &str, look: impl AsyncFn() -> Option<T>) -> T {
        let began = Instant::now();
        loop {
            if let Some(found) = look().await {
                return found;
            }
            let told = || {
                format!(
                    "{what} never came; the client says:\n{}\nthe screen:\n{}",
                    self.client.log(),
                    self.terminal.seen()
                )
            };
            assert!(began.elapsed() < PATIENCE, "{}", told());
            tokio::time::sleep(LOOK).await;
        }
    }
}

/// `countersign pane`; killed when dropped.
struct PaneClient {
    child: Child,
    log: PathBuf,
}

impl PaneClient {
    fn start(url: &str, secret: &str, terminal: &Terminal) -> Self {
        let folder = scratch::folder("beside");
        let (token, log) = (folder.join("token"), folder.join("log"));
        fs::write(&token, secret).unwrap();
        fs::set_permissions(&token, fs::Permissions::from_mode(0o600)).unwrap();
        let lane = format!("{LANE}={}", terminal.pane);
        let (name, place) = terminal.place();
        let child = countersign(&["pane", "--server", url, "--lane", &lane, "--tmux-socket", SOCKET])
            .arg("--token-file")
            .arg(&token)
            .arg("--state-dir")
            .arg(&folder)
            .env(name, place)
            .stdout(Stdio::null())
            .stderr(fs::File::create(&log).unwrap())
            .spawn()
            .unwrap();
        scratch::stop_at_exit("KILL", child.id());
        Self { child, log }
    }

    fn log(&self) -> String {
        fs::read_to_string(&self.log).unwrap()
    }
}

impl Drop for PaneClient {
    fn drop(&mut self) {
        // Already gone is what is wanted.
        drop(self.child.kill());
        drop(self.child.wait());
        scratch::gone(self.child.id());
        if std::thread::panicking() {
            eprintln!("the pane client's log:\n{}", fs::read_to_string(&self.log).unwrap_or_default());
        }
    }
}
