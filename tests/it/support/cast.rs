//! Who the tests are about. Passwords are dear to hash, so the usual cast is made once and copied with its database.

use std::collections::HashMap;

use serde_json::{Value, json};
use sqlx::Connection;
use tokio::sync::OnceCell;

use super::app::TestApp;
use super::client::Client;
use super::cluster;

/// Everybody's password.
pub const PASSWORD: &str = "nine herons in a drawer";

/// The admin of every test.
pub const ADMIN: &str = "ada";

/// A database with the usual cast, and what each of them carries.
struct Cast {
    template: String,
    credentials: HashMap<&'static str, Carried>,
}

enum Carried {
    Cookie(String),
    Token(String),
}

/// Name, role, scope. All of them are signed in.
const PEOPLE: &[(&str, &str, &str)] = &[
    ("ben", "approver", "global"),
    ("lin", "approver", "lane:web"),
    ("vic", "viewer", "global"),
    ("tom", "auditor", "global"),
];

/// Name, lane.
const AGENTS: &[(&str, &str)] = &[("coder", "api"), ("tester", "api"), ("painter", "web")];

static CAST: OnceCell<Cast> = OnceCell::const_new();

/// A pane client that watches both lanes.
const WATCHER: &str = "watcher";

/// Makes the cast through the product's own doors, then stops that service so that its database can be copied.
async fn gather() -> Cast {
    let template = cluster::database().await;
    let app = TestApp::start_on(&template).await;
    let mut credentials = HashMap::new();
    let ada = app.admin().await;
    credentials.insert(ADMIN, Carried::Cookie(ada.cookie().unwrap().to_owned()));
    for lane in ["api", "web"] {
        app.lane(lane).await;
    }
    for &(name, role, scope) in PEOPLE {
        let person = app.person(name, role, scope).await;
        credentials.insert(name, Carried::Cookie(person.cookie().unwrap().to_owned()));
    }
    for &(name, lane) in AGENTS {
        credentials.insert(name, Carried::Token(app.token(name, lane).await));
    }
    credentials.insert(WATCHER, Carried::Token(app.pane_secret(WATCHER, &["api", "web"]).await));
    app.stop().await;
    Cast { template, credentials }
}

impl TestApp {
    /// Starts over a database of its own in which the usual cast is at home: `ada` is admin; `ben` approves everywhere
    /// and `lin` in lane web; `vic` is a viewer and `tom` an auditor; agents `coder` and `tester` are in lane api,
    /// `painter` in lane web; `watcher` is a pane client of both.
    pub async fn peopled() -> Self {
        let cast = CAST.get_or_init(gather).await;
        let database = cluster::copy_of(&cast.template).await;
        // They have just signed in, however long ago the cast was gathered: after five minutes high risk takes a password.
        let mut conn = cluster::connect(&database).await;
        sqlx::query("update sessions set reauth_at = clock_timestamp()").execute(&mut conn).await.unwrap();
        conn.close().await.unwrap();
        Self::start_on(&database).await
    }

    /// One of the usual cast, with session or token.
    pub fn who(&self, name: &str) -> Client {
        match &CAST.get().expect("the service was started with its cast").credentials[name] {
            Carried::Cookie(cookie) => self.anonymous().with_cookie(cookie),
            Carried::Token(token) => self.anonymous().with_token(token),
        }
    }

    /// The first admin, made through the printed link and signed in.
    pub async fn admin(&self) -> Client {
        let code = self.setup_code.as_deref().expect("there is nobody yet");
        let wish = json!({ "code": code, "name": ADMIN, "password": PASSWORD });
        let answer = self.anonymous().post("/setup", &wish).await;
        answer.assert_status(201);
        self.anonymous().with_cookie(&answer.cookie())
    }

    /// The admin at the machine, whose password goes with every change.
    pub fn machine(&self) -> Client {
        self.local().with_password(ADMIN, PASSWORD)
    }

    async fn made(&self, path: &str, body: Value) -> Value {
        self.machine().post(path, &body).await.body(201)
    }

    /// Adds a person with one grant, and signs them in.
    pub async fn person(&self, name: &str, role: &str, scope: &str) -> Client {
        let grant = json!({ "role": role, "scope": scope });
        self.made("/api/v1/users", json!({ "name": name, "password": PASSWORD, "grant": grant })).await;
        self.anonymous().sign_in(name, PASSWORD).await
    }

    /// Adds a lane to project `shop`, which is made with its first lane.
    pub async fn lane(&self, name: &str) {
        let projects = self.local().get("/api/v1/projects").await.body(200);
        if projects["items"].as_array().unwrap().is_empty() {
            self.made("/api/v1/projects", json!({ "name": "shop", "repo": "/srv/shop" })).await;
        }
        let worktree = format!("/srv/shop-{name}");
        self.made("/api/v1/lanes", json!({ "name": name, "project": "shop", "worktree": worktree })).await;
    }

    /// Adds an agent to a lane; its token.
    async fn token(&self, name: &str, lane: &str) -> String {
        let issued = self.made("/api/v1/agents", json!({ "name": name, "lane": lane })).await;
        issued["token"].as_str().unwrap().to_owned()
    }

    /// Adds a pane client for some lanes; its long-lived token.
    pub async fn pane_secret(&self, name: &str, lanes: &[&str]) -> String {
        let issued = self.made("/api/v1/pane-clients", json!({ "name": name, "lanes": lanes })).await;
        issued["token"].as_str().unwrap().to_owned()
    }

    /// Adds an agent to a lane.
    pub async fn agent(&self, name: &str, lane: &str) -> Client {
        let token = self.token(name, lane).await;
        self.anonymous().with_token(&token)
    }
}
