//! A desk: an agent in a pane, a lane over a real repository, and the client that watches it.

use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::time::{Duration, Instant};

use countersign::domain::screen::AgentKind;
use serde_json::{Value, json};

use crate::support::agent_pane::AgentPane;
use crate::support::app::TestApp;
use crate::support::client::Client;
use crate::support::scratch;
use crate::support::server::countersign;

/// Longer than anything here takes on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(40);

/// A command of which nothing proves that it stays inside.
pub const OUTSIDE: &str = "curl https://example.org/x";

/// An agent at work in a lane, with the client that watches its pane.
pub struct Desk {
    pub app: TestApp,
    pub pane: AgentPane,
    pub ben: Client,
    pub watch: Watch,
}

/// The client's process; stopped when dropped.
pub struct Watch {
    child: Option<Child>,
    log: PathBuf,
}

/// A repository with one commit.
pub fn repository() -> PathBuf {
    let folder = scratch::folder("tree");
    let git = |words: &[&str]| {
        let done = scratch::program("git")
            .args(words)
            .current_dir(&folder)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .output()
            .unwrap();
        assert!(done.status.success(), "git {words:?}: {}", String::from_utf8_lossy(&done.stderr));
    };
    git(&["init", "-q", "-b", "main"]);
    std::fs::write(folder.join("notes.txt"), "one\n").unwrap();
    git(&["add", "."]);
    git(&["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-q", "-m", "Begin"]);
    folder
}

/// A permission dialog for a command, as a step of the agent's script.
pub fn ask(command: &str) -> String {
    let options =
        ["Yes", "Yes, and don't ask again for this command", "No, and tell Claude what to do differently (esc)"];
    json!({ "ask": { "title": "Bash command", "command": command, "options": options } }).to_string() + "\n"
}

impl Desk {
    /// An agent that plays a script, in a lane whose routine is answered by the policy.
    pub async fn open(script: &str) -> Self {
        Self::sized(script, (120, 40)).await
    }

    /// The same in a pane of another size.
    pub async fn sized(script: &str, size: (u16, u16)) -> Self {
        Self::prepare(script, size).await.watched()
    }

    /// The same, with a client that is not started yet.
    pub async fn unwatched(script: &str) -> Self {
        Self::prepare(script, (120, 40)).await
    }

    /// Starts the client.
    pub fn watched(mut self) -> Self {
        self.watch = Watch::start(&self.pane, &self.app.url);
        self
    }

    async fn prepare(script: &str, size: (u16, u16)) -> Self {
        let app = TestApp::peopled().await;
        let tree = repository();
        let folder = tree.to_str().unwrap();
        let machine = app.machine();
        machine.post("/api/v1/projects", &json!({ "name": "real", "repo": folder })).await.assert_status(201);
        let lane = json!({ "name": "desk", "project": "real", "worktree": folder });
        machine.post("/api/v1/lanes", &lane).await.assert_status(201);
        app.set_policy(&json!({ "enabled": true })).await;
        app.set_policy(&json!({ "lane": "desk", "enabled": true })).await;
        let secret = app.pane_secret("eyes", &["desk"]).await;
        let pane = AgentPane::open_in(&tree, AgentKind::Claude, script, size);
        let mut options = std::fs::File::options();
        let mut token = options.write(true).create_new(true).mode(0o600).open(pane.folder.join("token")).unwrap();
        token.write_all(secret.as_bytes()).unwrap();
        let watch = Watch { child: None, log: pane.folder.join("client.log") };
        let ben = app.who("ben");
        Self { app, pane, ben, watch }
    }

    /// Stops the client with a signal and starts it again.
    pub fn restart_client(&mut self) {
        self.watch.kill();
        self.watch = Watch::start(&self.pane, &self.app.url);
    }

    /// Waits for the one dialog that waits for a person.
    pub async fn held(&self) -> Value {
        self.until("a dialog that waits", async || {
            let items = self.inbox().await;
            items.first().cloned()
        })
        .await
    }

    /// Waits for a dialog that is another than this one.
    pub async fn other(&self, known: &Value) -> Value {
        self.until("another dialog", async || self.inbox().await.into_iter().find(|item| item["id"] != known["id"]))
            .await
    }

    /// The dialogs that wait for a person.
    pub async fn inbox(&self) -> Vec<Value> {
        self.ben.get("/api/v1/reviews?status=pending").await.body(200)["items"].as_array().unwrap().clone()
    }

    /// A proposal as a person sees it.
    pub async fn review(&self, id: &Value) -> Value {
        self.ben.get(&format!("/api/v1/reviews/{}", id.as_str().unwrap())).await.body(200)
    }

    /// Waits until supervision has acted so many times on what was ordered; the rows' payloads.
    pub async fn acted(&self, times: usize) -> Vec<Value> {
        self.until("what was done", async || {
            let rows: Vec<Value> = self.app.acted().await.into_iter().filter(|row| row["outcome"] != "held").collect();
            (rows.len() >= times).then_some(rows)
        })
        .await
    }

    /// Waits until something is there.
    pub async fn until<T>(&self, what: &str, look: impl AsyncFn() -> Option<T>) -> T {
        let began = Instant::now();
        loop {
            if let Some(found) = look().await {
                return found;
            }
            let screen = || self.pane.seen();
            assert!(began.elapsed() < PATIENCE, "no sign of {what}\n{}\n{}", screen(), self.watch.said());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Presses keys by hand.
    pub fn press(&self, keys: &[&str]) {
        self.pane.press(keys);
    }
}

impl Watch {
    /// Starts the client for a pane.
    pub fn start(pane: &AgentPane, url: &str) -> Self {
        let log = pane.folder.join("client.log");
        let file = std::fs::File::options().create(true).append(true).open(&log).unwrap();
        let mut command = countersign(&["pane", "--server", url, "--discover", "--tmux-socket", &pane.socket]);
        let child = command
            .arg("--token-file")
            .arg(pane.folder.join("token"))
            .arg("--state-dir")
            .arg(state(&pane.folder))
            .env("TMUX_TMPDIR", &pane.folder)
            .env_remove("TMUX")
            .stderr(file)
            .spawn()
            .unwrap();
        scratch::stop_at_exit("TERM", child.id());
        Self { child: Some(child), log }
    }

    /// Its process, while it runs.
    pub fn pid(&self) -> u32 {
        self.child.as_ref().expect("the client runs").id()
    }

    /// Ends it as a crash would.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().ok();
            child.wait().unwrap();
            scratch::gone(child.id());
        }
    }

    /// Waits until it has ended by itself.
    pub fn wait(&mut self) -> Option<i32> {
        let mut child = self.child.take()?;
        let code = child.wait().unwrap().code();
        scratch::gone(child.id());
        code
    }

    /// What it has logged.
    pub fn said(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap_or_default()
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Where the client of a pane keeps its files.
pub fn state(folder: &Path) -> PathBuf {
    folder.join("state")
}
