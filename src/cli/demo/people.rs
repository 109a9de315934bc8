//! Whom the demo's server knows: an admin, two lanes with an agent each, a pane client; all made as an admin makes them.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::cli::failure::{Failure, Outcome};
use crate::cli::socket::{Call, Socket};
use crate::cli::table::text;

/// The admin's name.
pub(super) const ADMIN: &str = "demo";

/// The lanes.
pub(super) const LANES: [&str; 2] = ["api", "web"];

/// The tokens that were made.
pub(super) struct Tokens {
    /// The agents', in the order of the lanes.
    pub(super) agents: Vec<String>,
    /// The pane client's.
    pub(super) pane_client: String,
}

/// The local door of the demo's server, with the admin's password.
pub(super) struct Door {
    socket: Socket,
    password: String,
}

impl Door {
    /// The door of the server on a data folder, once its first admin is made.
    pub(super) async fn open(data: PathBuf, password: &str) -> Outcome<Self> {
        let socket = Socket::in_dir(data);
        let grant = json!({"role": "admin", "scope": "global"});
        let first = json!({"name": ADMIN, "password": password, "grant": grant});
        socket.ask(Call::post("/api/v1/users", &first)?).await?;
        Ok(Self { socket, password: password.to_owned() })
    }

    async fn make(&self, path: &str, body: &Value) -> Outcome<Value> {
        self.socket.ask(Call::post(path, body)?.signed(ADMIN, &self.password)).await
    }

    /// Makes the project, its lanes, who works in them and who watches them.
    pub(super) async fn furnish(&self, worktrees: [&Path; 2]) -> Outcome<Tokens> {
        self.make("/api/v1/projects", &json!({"name": "shop", "repo": worktrees[0]})).await?;
        let mut agents = Vec::new();
        for (lane, worktree) in LANES.into_iter().zip(worktrees) {
            self.make("/api/v1/lanes", &json!({"name": lane, "project": "shop", "worktree": worktree})).await?;
            let agent = json!({"name": format!("{lane}-coder"), "lane": lane});
            agents.push(text(&self.make("/api/v1/agents", &agent).await?["token"]));
        }
        let client = self.make("/api/v1/pane-clients", &json!({"name": "desk", "lanes": LANES})).await?;
        Ok(Tokens { agents, pane_client: text(&client["token"]) })
    }

    /// Has what is routine answered without anybody: both keys, for both lanes.
    pub(super) async fn supervise(&self) -> Outcome {
        self.set(json!({"enabled": true})).await?;
        for lane in LANES {
            self.set(json!({"lane": lane, "enabled": true})).await?;
        }
        Ok(())
    }

    async fn set(&self, mut change: Value) -> Outcome {
        let before = self.socket.ask(Call::get("/api/v1/supervision")).await?;
        let fields = change.as_object_mut().ok_or_else(|| Failure::failed("a change of the policy is an object"))?;
        fields.insert("version".into(), before["version"].clone());
        fields.insert("reason".into(), json!("The demo shows what is answered without anybody."));
        let call = Call::patch("/api/v1/supervision", &change)?.signed(ADMIN, &self.password);
        self.socket.ask(call).await.map(drop)
    }
}
