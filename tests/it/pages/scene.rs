//! A service with an admin, a lane with an agent, and the admin's phone.

use serde_json::{Value, json};

use crate::people::stage::{ADMIN, PASSWORD, Stage};
use crate::support::browser::{Page, Profile, Screen};
use crate::support::client::Client;

/// Everything that a page needs around it.
pub struct Scene {
    pub stage: Stage,
    pub agent: Client,
    pub page: Page,
    pub profile: Profile,
}

impl Scene {
    /// Nobody is signed in yet.
    pub async fn new(screen: Screen) -> Self {
        Self::on(Stage::new().await, screen).await
    }

    pub async fn on(stage: Stage, screen: Screen) -> Self {
        let token = stage.agent("api").await;
        let agent = stage.app.anonymous().with_token(&token);
        let profile = Profile::new().await;
        let page = profile.page(screen).await;
        Self { stage, agent, page, profile }
    }

    /// The admin is signed in and looks at the inbox.
    pub async fn signed_in() -> Self {
        let scene = Self::new(Screen::Phone).await;
        scene.sign_in("/").await;
        scene
    }

    /// Signs in through the page's own form, on the way to another page.
    pub async fn sign_in(&self, path: &str) {
        self.open(path).await;
        sign_in(&self.page).await;
        assert_eq!(self.page.path().await, path);
    }

    pub async fn open(&self, path: &str) {
        self.page.goto(&format!("{}{path}", self.stage.app.url)).await;
    }

    /// A pane client of the agent's lane, with a short-lived token.
    pub async fn watcher(&self) -> Client {
        let client = json!({ "name": "laptop", "lanes": ["api"] });
        let made = self.stage.admin.post("/api/v1/pane-clients", &client).await.body(201);
        let secret = self.stage.app.anonymous().with_token(made["token"].as_str().unwrap());
        self.stage.app.exchanged(&secret).await
    }

    /// Sets a key of the policy, at the machine.
    pub async fn set_policy(&self, change: Value) {
        let mut change = change;
        change["version"] = self.stage.app.local().get("/api/v1/supervision").await.body(200)["version"].clone();
        self.stage.admin.patch("/api/v1/supervision", &change).await.assert_status(200);
    }

    /// Waits for the live connection.
    pub async fn live(&self) {
        self.page.wait_for("document.getElementById('live')?.dataset.state === 'on'").await;
    }

    /// The agent proposes; the answer is the proposal.
    pub async fn propose(&self, ask: Value) -> Value {
        self.agent.post("/api/v1/proposals", &ask).await.body(201)
    }

    /// The agent proposes, and the page is opened.
    pub async fn asked(&self, ask: Value) -> String {
        let id = self.propose(ask).await["id"].as_str().unwrap().to_owned();
        self.open(&format!("/p/{id}")).await;
        id
    }

    /// What the agent has of a proposal once it is decided.
    pub async fn decision(&self, id: &str) -> Value {
        let answer = self.agent.get(&format!("/api/v1/proposals/{id}?wait=20")).await.body(200);
        assert!(answer["decision"].is_object(), "{answer}");
        answer["decision"].clone()
    }

    /// Another approver decides, away from the page.
    pub async fn decide_as(&self, who: &Client, id: &str, outcome: &str) {
        let digest = who.get(&format!("/api/v1/reviews/{id}")).await.body(200)["digest"].clone();
        let ruling = json!({ "outcome": outcome, "digest": digest, "note": "seen to" });
        who.post(&format!("/api/v1/proposals/{id}/decision"), &ruling).await.assert_status(200);
    }
}

/// Fills in the sign-in page and waits for where it leads.
pub async fn sign_in(page: &Page) {
    page.wait_for_element("input[name=username]").await;
    page.type_text("input[name=username]", ADMIN).await;
    page.type_text("input[name=password]", PASSWORD).await;
    page.click_and_load("button.yes").await;
}

/// A change of medium risk.
pub fn change(title: &str) -> Value {
    json!({
        "action": "edit", "title": title, "justification": "The test fails without it.",
        "base": "one\ntwo\nthree\n", "body": "one\ntwo and a half\nthree\n",
    })
}

/// A command of high risk.
pub fn risky() -> Value {
    json!({ "action": "deploy.push", "title": "Ship it", "command": "git push origin main" })
}
