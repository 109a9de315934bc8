//! A data folder in which people and agents are at home: made once through the program's own doors, copied for each test.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tokio::sync::OnceCell;

use crate::support::client::Client;
use crate::support::scratch;
use crate::support::server::Server;

const PASSWORD: &str = "eleven moths around a lamp";

/// They ask, all in one lane.
pub const AGENTS: &[&str] = &["coder", "tester", "writer"];

/// What was made once.
struct Made {
    folder: PathBuf,
    approver: String,
    tokens: Vec<String>,
}

/// A data folder of the test's own, and what those who are at home in it carry.
pub struct Stage {
    /// The data folder; nobody serves it yet.
    pub folder: PathBuf,
    made: &'static Made,
}

impl Stage {
    pub async fn new() -> Self {
        let stage = Self { folder: scratch::folder("faults").join("data"), made: made().await };
        copy(stage.template(), &stage.folder);
        stage
    }

    /// The folder that others are copies of.
    pub fn template(&self) -> &Path {
        &self.made.folder
    }

    /// Starts a server on the folder.
    pub fn serve(&self) -> Server {
        Server::start(&self.folder, &[])
    }

    /// The person who decides, at a server.
    pub fn approver(&self, url: &str) -> Client {
        Client::tcp(url).with_cookie(&self.made.approver)
    }

    /// An agent, at a server.
    pub fn agent(&self, number: usize, url: &str) -> Client {
        Client::tcp(url).with_token(&self.made.tokens[number])
    }
}

async fn made() -> &'static Made {
    static MADE: OnceCell<Made> = OnceCell::const_new();
    MADE.get_or_init(make).await
}

async fn make() -> Made {
    let folder = scratch::folder("faults-template").join("data");
    let server = Server::start(&folder, &[]);
    let grant = |role: &str| json!({ "role": role, "scope": "global" });
    let user = |name: &str, role: &str| json!({ "name": name, "password": PASSWORD, "grant": grant(role) });
    server.local().post("/api/v1/users", &user("ada", "admin")).await.assert_status(201);
    let admin = server.local().with_password("ada", PASSWORD);
    let add = async |path: &str, body: Value| admin.post(path, &body).await.body(201);
    add("/api/v1/users", user("ben", "approver")).await;
    add("/api/v1/projects", json!({ "name": "shop", "repo": "/srv/shop" })).await;
    add("/api/v1/lanes", json!({ "name": "api", "project": "shop", "worktree": "/srv/shop-api" })).await;
    let mut tokens = Vec::new();
    for name in AGENTS {
        let issued = add("/api/v1/agents", json!({ "name": name, "lane": "api" })).await;
        tokens.push(issued["token"].as_str().unwrap().to_owned());
    }
    let ben = server.anonymous().sign_in("ben", PASSWORD).await;
    let approver = ben.cookie().unwrap().to_owned();
    assert!(server.stop().success());
    Made { folder, approver, tokens }
}

/// With owners and modes: the cluster's files may belong to another account.
fn copy(from: &Path, to: &Path) {
    assert!(scratch::program("cp").arg("-a").args([from, to]).status().unwrap().success());
}
