//! A service with its first admin, and short ways to add people, places and agents to it.

use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::client::Client;

/// The first admin.
pub const ADMIN: &str = "ada";
/// Their password, and everybody's.
pub const PASSWORD: &str = "nine quiet otters at dusk";

/// A service with an admin.
pub struct Stage {
    pub app: TestApp,
    /// The admin at the machine, with the password.
    pub admin: Client,
}

impl Stage {
    pub async fn new() -> Self {
        Self::on(TestApp::start().await).await
    }

    pub async fn on(app: TestApp) -> Self {
        app.local().post("/api/v1/users", &person(ADMIN, &json!({"role": "admin"}))).await.assert_status(201);
        let admin = app.local().with_password(ADMIN, PASSWORD);
        Self { app, admin }
    }

    /// Adds somebody with one grant.
    pub async fn add(&self, name: &str, grant: &Value) {
        self.admin.post("/api/v1/users", &person(name, grant)).await.assert_status(201);
    }

    /// Signs somebody in.
    pub async fn sign_in(&self, name: &str) -> Client {
        self.app.anonymous().sign_in(name, PASSWORD).await
    }

    /// Adds a project with a lane of the same name and an agent in it; returns the agent's token.
    pub async fn agent(&self, name: &str) -> String {
        let project = json!({"name": name, "repo": "/srv/repo"});
        self.admin.post("/api/v1/projects", &project).await.assert_status(201);
        let lane = json!({"name": name, "project": name, "worktree": format!("/srv/shop-{name}")});
        self.admin.post("/api/v1/lanes", &lane).await.assert_status(201);
        let made = self.admin.post("/api/v1/agents", &json!({"name": name, "lane": name})).await.body(201);
        made["token"].as_str().unwrap().to_owned()
    }

    /// The kinds of the journal's rows, newest first.
    pub async fn journal(&self) -> Vec<String> {
        let page = self.app.local().get("/api/v1/audit?limit=200").await.body(200);
        let kinds = page["items"].as_array().unwrap().iter();
        kinds.map(|entry| entry["kind"].as_str().unwrap().to_owned()).collect()
    }
}

/// What adds somebody.
pub fn person(name: &str, grant: &Value) -> Value {
    json!({"name": name, "password": PASSWORD, "grant": grant})
}

/// What signs somebody in.
pub fn credentials(name: &str, password: &str) -> Value {
    json!({"username": name, "password": password})
}
