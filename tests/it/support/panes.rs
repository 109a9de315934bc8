//! Watching a pane as most tests do it: dialogs that are reported, orders that are taken and reported.

use serde_json::{Value, json};
use uuid::Uuid;

use super::app::TestApp;
use super::client::{Answer, Client};
use super::cluster;

/// A permission dialog for a command, seen for the first time: rows yes, a standing yes, no. The facts are those of a
/// plain repository in which the command names no path.
pub fn dialog(command: &str) -> Value {
    json!({
        "instance": fresh_instance(), "pane": "main.1", "lane": "api", "agent_kind": "claude", "source": "pane",
        "kind": "permission", "title": "Bash command", "question": "Do you want to proceed?", "command": command,
        "options": [
            { "n": 1, "text": "Yes", "selected": true },
            { "n": 2, "text": "Yes, and don't ask again for this command" },
            { "n": 3, "text": "No, and tell Claude what to do differently (esc)" },
        ],
        "truncated": false, "cwd": "/srv/shop-api", "repo_root": "/srv/shop-api", "worktree": "/srv/shop-api",
        "facts": facts(), "pane_excerpt": "the screen",
    })
}

/// The facts of a plain repository.
pub fn facts() -> Value {
    let pane = json!({ "server": "1:1", "id": "%1", "pid": 100, "command": "claude", "cols": 80, "rows": 24 });
    json!({
        "shell": "bash", "root_real": "/srv/shop-api", "bare_repo": false, "paths": {}, "git_exec_keys": [],
        "shadow_modules": [], "env_names": [], "case_insensitive": false, "pane": pane, "digest": "f1",
    })
}

/// An instance that no client has reported.
pub fn fresh_instance() -> Uuid {
    countersign::clock::Ids.new_id(chrono::DateTime::UNIX_EPOCH)
}

/// The address of a dialog, for its client.
pub fn dialog_at(dialog: &Value) -> String {
    format!("/api/v1/dialogs/{}", dialog["id"].as_str().unwrap())
}

impl Client {
    /// Reports a dialog for the first time.
    pub async fn report(&self, dialog: &Value) -> Value {
        self.post("/api/v1/dialogs", dialog).await.body(201)
    }

    /// Reports a dialog that is still there.
    pub async fn report_again(&self, dialog: &Value) -> Value {
        self.post("/api/v1/dialogs", dialog).await.body(200)
    }

    /// What its client sees of a dialog.
    pub async fn see(&self, dialog: &Value) -> Value {
        self.get(&dialog_at(dialog)).await.body(200)
    }

    /// Says that a dialog is gone.
    pub async fn gone(&self, dialog: &Value, reason: &str) -> Answer {
        self.post(&format!("{}/close", dialog_at(dialog)), &json!({ "reason": reason })).await
    }

    /// Takes the orders there are.
    pub async fn orders(&self) -> Vec<Value> {
        self.get("/api/v1/orders").await.body(200)["items"].as_array().unwrap().clone()
    }

    /// Takes the one order there is.
    pub async fn order(&self) -> Value {
        let orders = self.orders().await;
        assert_eq!(orders.len(), 1, "{orders:?}");
        orders[0].clone()
    }

    /// Says what became of an order.
    pub async fn done(&self, order: &Value, outcome: &Value) -> Answer {
        self.post(&format!("/api/v1/orders/{}/outcome", order["id"].as_str().unwrap()), outcome).await
    }
}

impl TestApp {
    /// A pane client of the usual cast, with a short-lived token of its own.
    pub async fn watcher(&self) -> Client {
        self.exchanged(&self.who("watcher")).await
    }

    /// Changes a long-lived token for a short-lived one.
    pub async fn exchanged(&self, secret: &Client) -> Client {
        let issued = secret.post("/api/v1/pane/token", &json!({})).await.body(200);
        self.anonymous().with_token(issued["token"].as_str().unwrap())
    }

    /// The payloads of what supervision did, in the journal's order.
    pub async fn acted(&self) -> Vec<Value> {
        let mut conn = cluster::connect(&self.database).await;
        let rows: Vec<(Value,)> =
            sqlx::query_as("select payload from events where kind = 'supervision.acted' order by epoch, xid, id")
                .fetch_all(&mut conn)
                .await
                .unwrap();
        rows.into_iter().map(|(payload,)| payload).collect()
    }
}
