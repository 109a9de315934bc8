//! A service with an admin, a bridge to its socket, and the admin's browser on the same machine.

use countersign::cli::admin::{Bridge, IDLE};
use countersign::cli::socket::Socket;

use serde_json::json;

use crate::people::stage::{ADMIN, PASSWORD, Stage};
use crate::support::browser::{Page, Profile, Screen};
use crate::support::client::Client;
use crate::support::panes::dialog;
use crate::support::proposals::with;

/// Everything that an admin page needs around it.
pub struct Scene {
    pub stage: Stage,
    pub page: Page,
    /// The bridge's own address, without the token.
    pub base: String,
    /// The address that was printed.
    pub printed: String,
    /// Closed when it is dropped.
    _profile: Profile,
}

impl Scene {
    /// The bridge is open; nobody has come in yet.
    pub async fn new(screen: Screen) -> Self {
        let stage = Stage::new().await;
        let printed = open_bridge(&stage).await;
        let base = printed.split("/#").next().unwrap().to_owned();
        let profile = Profile::new().await;
        let page = profile.page(screen).await;
        Self { stage, page, base, printed, _profile: profile }
    }

    /// The admin has opened the printed address.
    pub async fn inside(screen: Screen) -> Self {
        let scene = Self::new(screen).await;
        follow(&scene.page, &scene.printed).await;
        scene.page.wait_for("location.pathname.startsWith('/admin') && document.readyState === 'complete'").await;
        scene
    }

    pub async fn open(&self, path: &str) {
        self.page.goto(&format!("{}{path}", self.base)).await;
    }

    /// Puts a text into a field in place of what is in it.
    pub async fn fill(&self, name: &str, text: &str) {
        let selector = format!("[name={name}]");
        self.page.eval(&format!("document.querySelector('{selector}').value = ''")).await;
        self.page.type_text(&selector, text).await;
    }

    /// Chooses one of a list.
    pub async fn choose(&self, name: &str, value: &str) {
        let chosen = self
            .page
            .eval_apart(&[&format!("document.querySelector('select[name=\"{name}\"]').value = '{value}'")])
            .await;
        assert_eq!(chosen, value);
    }

    /// Signs the form as the admin and sends it.
    pub async fn sign(&self) {
        self.sign_with(PASSWORD).await;
    }

    pub async fn sign_with(&self, password: &str) {
        self.fill("admin", ADMIN).await;
        self.fill("admin_password", password).await;
        self.page.click_and_load("form:has([name=admin_password]) button:not([type=button])").await;
    }

    /// What is in a field now.
    pub async fn value(&self, name: &str) -> String {
        let value = self.page.eval(&format!("document.querySelector('[name=\"{name}\"]').value")).await;
        value.as_str().unwrap().to_owned()
    }

    /// Somebody else on the machine, who found the port.
    pub fn stranger(&self) -> Client {
        Client::tcp(&self.base)
    }
}

/// Panes of lane api in which agents asked for these commands.
pub async fn asked_in_panes(stage: &Stage, commands: &[&str]) {
    let made = stage.admin.post("/api/v1/pane-clients", &json!({"name": "watcher", "lanes": ["api"]})).await.body(201);
    let secret = stage.app.anonymous().with_token(made["token"].as_str().unwrap());
    let client = stage.app.exchanged(&secret).await;
    for (n, command) in commands.iter().enumerate() {
        client.report(&with(dialog(command), &json!({ "pane": format!("main.{n}") }))).await;
    }
}

/// Follows the printed address, whose page goes on by itself before it is done loading.
pub async fn follow(page: &Page, printed: &str) {
    page.eval(&format!("location.assign('{printed}')")).await;
}

/// Opens a bridge to the stage's socket; returns the printed address.
pub async fn open_bridge(stage: &Stage) -> String {
    let bridge = Bridge::bind(Socket::in_dir(stage.app.folder.clone())).await.unwrap();
    let printed = bridge.url().to_owned();
    tokio::spawn(bridge.serve(IDLE));
    printed
}
