//! Who there is: an admin, an approver with a session, a lane, and 64 agents, made as the machine's admin makes them.

use std::net::SocketAddr;
use std::path::Path;

use countersign::cli::failure::Failure;
use countersign::cli::socket::{Call, Socket};
use serde_json::{Value, json};

use crate::Res;
use crate::http::Connection;
use crate::requests;

/// How many agents.
const AGENTS: usize = 64;

const ADMIN: &str = "ada";
const APPROVER: &str = "berta";
const PASSWORD: &str = "paper-lantern-harbour-71";

/// Their credentials.
#[derive(Clone, Debug)]
pub(crate) struct World {
    tokens: Vec<String>,
    cookie: String,
}

/// The tokens of a lead and of who watches its members' panes.
#[derive(Clone, Debug)]
pub(crate) struct Fleet {
    pub(crate) lead: String,
    pub(crate) eyes: String,
}

const POLICY: &str = "/api/v1/supervision";

/// A change as the machine's admin makes it.
async fn change(socket: &Socket, call: Result<Call, Failure>) -> Res<Value> {
    Ok(socket.ask(call.map_err(said)?.signed(ADMIN, PASSWORD)).await.map_err(said)?)
}

fn said(failure: Failure) -> String {
    failure.text
}

impl World {
    /// Makes everybody, through the local socket in `dir` and the public address.
    pub(crate) async fn make(dir: &Path, address: SocketAddr) -> Res<Self> {
        let socket = Socket::in_dir(dir.to_path_buf());
        let user = |name: &str, role: &str| json!({"name": name, "password": PASSWORD, "grant": {"role": role}});
        let first = Call::post("/api/v1/users", &user(ADMIN, "admin")).map_err(said)?;
        socket.ask(first).await.map_err(said)?;
        let change = async |call| change(&socket, call).await;
        change(Call::post("/api/v1/users", &user(APPROVER, "approver"))).await?;
        // The most there is, so that a cell of seconds does not fill it.
        change(Call::patch("/api/v1/settings", &json!({"agent_cap": 1000}))).await?;
        change(Call::post("/api/v1/projects", &json!({"name": "shop", "repo": "/srv/shop"}))).await?;
        change(Call::post("/api/v1/lanes", &json!({"name": "api", "project": "shop", "worktree": "/srv/shop-api"})))
            .await?;
        let mut tokens = Vec::new();
        for n in 0..AGENTS {
            let agent = json!({"name": format!("agent-{n}"), "lane": "api"});
            let made = change(Call::post("/api/v1/agents", &agent)).await?;
            tokens.push(made["token"].as_str().ok_or("no token")?.to_owned());
        }
        Ok(Self { tokens, cookie: sign_in(address).await? })
    }

    /// Adds a lane over a real repository to the server on `dir`, lets the policy answer what is routine there, and
    /// makes a pane client for it, whose token is the answer.
    pub(crate) async fn supervise(dir: &Path, tree: &Path) -> Res<String> {
        let socket = Socket::in_dir(dir.to_path_buf());
        let change = async |call| change(&socket, call).await;
        change(Call::post("/api/v1/projects", &json!({"name": "desk", "repo": tree}))).await?;
        change(Call::post("/api/v1/lanes", &json!({"name": "desk", "project": "desk", "worktree": tree}))).await?;
        for keys in [json!({"enabled": true}), json!({"lane": "desk", "enabled": true})] {
            Self::policy(dir, keys).await?;
        }
        let made = change(Call::post("/api/v1/pane-clients", &json!({"name": "eyes", "lanes": ["desk"]}))).await?;
        Ok(made["token"].as_str().ok_or("no token")?.to_owned())
    }

    /// Sets keys of the policy, on the version that there is.
    pub(crate) async fn policy(dir: &Path, mut keys: Value) -> Res<()> {
        let socket = Socket::in_dir(dir.to_path_buf());
        keys["version"] = socket.ask(Call::get(POLICY)).await.map_err(said)?["version"].take();
        change(&socket, Call::patch(POLICY, &keys)).await.map(drop)
    }

    /// Adds a lead to the server on `dir`, and a pane client for the lane of the other agents.
    pub(crate) async fn fleet(dir: &Path) -> Res<Fleet> {
        let socket = Socket::in_dir(dir.to_path_buf());
        let token = async |path: &str, body: Value| {
            let made = change(&socket, Call::post(path, &body)).await?;
            Ok::<_, Box<dyn std::error::Error + Send + Sync>>(made["token"].as_str().ok_or("no token")?.to_owned())
        };
        let lead = token("/api/v1/agents", json!({"name": "lead", "lane": "api", "lead": true})).await?;
        let eyes = token("/api/v1/pane-clients", json!({"name": "eyes", "lanes": ["api"]})).await?;
        Ok(Fleet { lead, eyes })
    }

    /// The header line of agent `n`; there are 64, and then the first again.
    pub(crate) fn bearer(&self, n: usize) -> String {
        format!("Authorization: Bearer {}\r\n", self.tokens[n % self.tokens.len()])
    }

    /// The header lines of the approver's browser on a page of the server at `host`.
    pub(crate) fn browser(&self, host: SocketAddr) -> String {
        format!("Cookie: {}\r\nSec-Fetch-Site: same-origin\r\nOrigin: http://{host}\r\n", self.cookie)
    }
}

async fn sign_in(address: SocketAddr) -> Res<String> {
    let mut connection = Connection::open(address).await?;
    let body = json!({"username": APPROVER, "password": PASSWORD}).to_string();
    let status = connection.exchange(requests::post(address, "/api/v1/session", "", &body).bytes()).await?;
    let cookie = connection.header("set-cookie").filter(|_| status == 200).ok_or("signing in failed")?;
    Ok(cookie.split(';').next().unwrap_or_default().to_owned())
}
