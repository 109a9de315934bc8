//! Panes that rest, orders that are taken, and what became of messages.

use countersign::flows::mail::deliver;
use countersign::flows::orders::texts::unstrand;
use countersign::flows::stalls::watch;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::client::Client;
use crate::support::cluster;
use crate::support::proposals::with;

/// The line that says there is mail.
pub const LINE: &str = "Check your Countersign mail and act on it.";

/// A pane of lane api, in which an agent rests.
pub fn resting() -> Value {
    json!({
        "lane": "api", "agent_kind": "claude", "session_id": "s1", "status": "idle", "safe_to_type": true,
        "awaiting_input": false, "ended_turn": true, "limit": false, "external": false, "quiet_since": null,
        "last_activity_at": null, "client": { "version": "1", "host": "here" },
    })
}

/// What became of a message.
#[derive(Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Fate {
    pub state: String,
    pub delivered_by: Option<String>,
    pub attempts: i32,
    pub nudged: bool,
    pub read: bool,
    pub maybe_typed: bool,
    pub reason: Option<String>,
}

impl Client {
    /// Reports a pane.
    pub async fn pane(&self, key: &str, pane: &Value) {
        let request = self.request(Method::PUT, &format!("/api/v1/panes/{key}"));
        self.send(request.json(pane)).await.assert_status(204);
    }

    /// Reports pane `main.1` as resting, and whatever differs.
    pub async fn rest(&self, differs: &Value) {
        self.pane("main.1", &with(resting(), differs)).await;
    }

    /// Waits for the next order.
    pub async fn awaited(&self) -> Value {
        let found = self.get("/api/v1/orders?wait=10").await.body(200);
        let items = found["items"].as_array().unwrap();
        assert_eq!(items.len(), 1, "{found}");
        items[0].clone()
    }

    /// Says that an order was carried out.
    pub async fn typed(&self, order: &Value) {
        self.done(order, &json!({ "outcome": "sent", "keys": ["Enter"] })).await.assert_status(200);
    }

    /// Says that nothing was typed.
    pub async fn skipped(&self, order: &Value, reason: &str) {
        self.done(order, &json!({ "outcome": "skipped", "reason": reason })).await.assert_status(200);
    }

    /// Says that something may have been typed.
    pub async fn failed(&self, order: &Value, reason: &str) {
        self.done(order, &json!({ "outcome": "failed", "reason": reason })).await.assert_status(200);
    }

    /// Calls a tool; what it answers as data.
    pub async fn call(&self, tool: &str, args: &Value) -> Value {
        let call =
            json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": tool, "arguments": args } });
        let request = self.request(Method::POST, "/mcp").header("accept", "application/json, text/event-stream");
        let request = request.header("content-type", "application/json").header("mcp-protocol-version", "2025-06-18");
        let answer = self.send(request.body(call.to_string())).await;
        answer.assert_status(200);
        let line = answer.text.lines().rev().find_map(|line| line.strip_prefix("data: ")).unwrap_or(&answer.text);
        let message: Value = serde_json::from_str(line).unwrap();
        let data = &message["result"]["structuredContent"];
        assert!(data.is_object(), "{message}");
        data.clone()
    }

    /// Reads the mail of an agent's lane.
    pub async fn inbox(&self) -> Vec<Value> {
        self.call("message_inbox", &json!({})).await["items"].as_array().unwrap().clone()
    }

    /// Sends mail to a lane as a person; its id.
    pub async fn mail(&self, lane: &str, body: &str) -> String {
        let sent = self.post(&format!("/api/v1/lanes/{lane}/mail"), &json!({ "body": body })).await.body(201);
        sent["id"].as_str().unwrap().to_owned()
    }
}

impl TestApp {
    /// Both keys of lane api on, and whatever else its policy says.
    pub async fn supervised(&self, more: &Value) {
        self.set_policy(&json!({ "enabled": true })).await;
        self.set_policy(&with(json!({ "lane": "api", "enabled": true }), more)).await;
    }

    /// Every tick that is about mail and stalls, once; how many orders they made.
    pub async fn tick(&self) -> usize {
        unstrand(&self.state).await.unwrap();
        deliver::tick(&self.state).await.unwrap() + watch::tick(&self.state).await.unwrap()
    }

    /// The ticks have run, twice at least, and nothing is there to be taken.
    pub async fn nothing_for(&self, watcher: &Client) {
        for _ in 0..2 {
            self.tick().await;
        }
        assert_eq!(watcher.orders().await, Vec::<Value>::new());
    }

    /// The ticks have run, and nothing but this, which is taken already, is there.
    pub async fn nothing_for_taken(&self, watcher: &Client, order: &Value) {
        self.tick().await;
        let listed = watcher.orders().await;
        assert_eq!((listed.len(), &listed[0]["id"], &listed[0]["taken"]), (1, &order["id"], &json!(true)));
    }

    /// Waits until a tick has made an order, which nobody has taken.
    pub async fn ordered(&self) {
        let mut conn = cluster::connect(&self.database).await;
        let sql = "select count(*) from orders where state = 'queued'";
        for _ in 0..500 {
            self.tick().await;
            if sqlx::query_scalar::<_, i64>(sql).fetch_one(&mut conn).await.unwrap() == 1 {
                return;
            }
        }
        panic!("nothing was ordered");
    }

    /// Every word of mail that is kept outside the journal.
    pub async fn everything_kept(&self) -> String {
        let mut conn = cluster::connect(&self.database).await;
        let sql = "select coalesce(string_agg(words, ' '), '') from (
            select body as words from messages union all select text from orders) as kept";
        sqlx::query_scalar(sql).fetch_one(&mut conn).await.unwrap()
    }

    /// What became of a message.
    pub async fn fate(&self, id: &str) -> Fate {
        let mut conn = cluster::connect(&self.database).await;
        sqlx::query_as(
            "select state, delivered_by, attempts, nudged_at is not null as nudged, read_at is not null as read, maybe_typed, reason
            from messages where id = $1::uuid",
        )
        .bind(id)
        .fetch_one(&mut conn)
        .await
        .unwrap()
    }

    /// The payloads of one kind of journal row, in the journal's order.
    pub async fn told(&self, kind: &str) -> Vec<Value> {
        let mut conn = cluster::connect(&self.database).await;
        let rows: Vec<(Value,)> = sqlx::query_as("select payload from events where kind = $1 order by epoch, xid, id")
            .bind(kind)
            .fetch_all(&mut conn)
            .await
            .unwrap();
        rows.into_iter().map(|(payload,)| payload).collect()
    }

    /// The causes of what a person is needed for now.
    pub async fn needed(&self) -> Vec<String> {
        let mut conn = cluster::connect(&self.database).await;
        sqlx::query_scalar("select cause from attentions where cleared_at is null order by id")
            .fetch_all(&mut conn)
            .await
            .unwrap()
    }
}
