//! A tmux server of a test's own, with a scripted agent in a pane that writes down every byte it is sent.

use std::fs;
use std::future::ready;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use countersign::domain::facts::PaneIdentity;
use countersign::domain::order::OutcomeReport;
use countersign::domain::screen::{self, AgentKind, Reading};
use countersign::pane::digest::digest;
use countersign::pane::send::{Decided, Errand, NotBegun, Target, verified_send};
use countersign::pane::tmux::{Pane, Tmux};
use tokio::time::{Instant, sleep};

use crate::support::scratch;

/// What the facts say in these tests, unless one says otherwise.
pub const FACTS: &str = "the facts";
/// A key that no dialog knows; when it has arrived, everything before it has.
const LAST: &str = "~";

/// What a scripted agent will do.
pub struct Script {
    kind: AgentKind,
    size: (u16, u16),
    folder: PathBuf,
    steps: String,
    options: Vec<&'static str>,
}

impl Script {
    /// An agent that paints this screen first.
    pub fn new(kind: AgentKind, size: (u16, u16), start: &str) -> Self {
        let folder = scratch::folder("agent");
        fs::write(folder.join("start"), start).unwrap();
        Self { kind, size, folder, steps: String::new(), options: vec!["plain"] }
    }

    /// When these bytes have come, in the form of printf's %b, the next screen is painted.
    pub fn on(mut self, bytes: &str, screen: &str) -> Self {
        let name = format!("screen{}", self.steps.lines().count());
        fs::write(self.folder.join(&name), screen).unwrap();
        self.steps.extend([bytes, " ", name.as_str(), "\n"]);
        self
    }

    /// It draws on the alternate screen.
    pub fn alternate(mut self) -> Self {
        self.options[0] = "alternate";
        self
    }

    /// It asks for pastes in brackets.
    pub fn brackets(mut self) -> Self {
        self.options.push("brackets");
        self
    }

    /// Starts it in a tmux server of its own, and waits until it has painted.
    pub async fn play(self) -> Stage {
        fs::write(self.folder.join("script"), &self.steps).unwrap();
        let name = self.folder.file_name().unwrap().to_str().unwrap();
        let server = format!("countersign-it-{}-{name}", std::process::id());
        let agent = scratch::repository("tests/fixtures/panes/agent.sh");
        // The program is the pane's own process; what it leaves is read by a shell that only writes down.
        let command = format!(
            "bash '{}' '{}' {}; printf '\\r\\n$ '; exec tee -a '{}'",
            agent.display(),
            self.folder.display(),
            self.options.join(" "),
            self.folder.join("keys").display()
        );
        let tmux = Tmux::new(Some(server.clone()));
        let mut stage = Stage { server, folder: self.folder, tmux, kind: self.kind, pid: 0, socket: PathBuf::new() };
        let (cols, rows) = (self.size.0.to_string(), self.size.1.to_string());
        stage.tmux(&["new-session", "-d", "-s", "main", "-x", &cols, "-y", &rows, &command]);
        stage.pid = stage.tmux(&["display-message", "-p", "#{pid}"]).parse().unwrap();
        scratch::stop_at_exit("TERM", stage.pid);
        stage.socket = stage.tmux(&["display-message", "-p", "#{socket_path}"]).into();
        until(async || stage.folder.join("painted").exists()).await;
        stage.shows(&fs::read_to_string(stage.folder.join("start")).unwrap()).await;
        stage
    }
}

/// The agent at work.
pub struct Stage {
    server: String,
    pub folder: PathBuf,
    pub tmux: Tmux,
    pub kind: AgentKind,
    pid: u32,
    socket: PathBuf,
}

impl Stage {
    /// Runs tmux by hand, as a person at the terminal would, and returns what it says.
    pub fn tmux(&self, args: &[&str]) -> String {
        let output = self.try_tmux(args);
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
    }

    fn try_tmux(&self, args: &[&str]) -> Output {
        self.program(args).stdin(Stdio::null()).output().unwrap()
    }

    /// A command of tmux that is yet to be started.
    pub fn program(&self, args: &[&str]) -> Command {
        let mut tmux = scratch::program("tmux");
        tmux.args(["-u", "-L", &self.server, "-f", "/dev/null"]).args(args).env_remove("TMUX");
        tmux
    }

    /// The pane as it is now.
    pub async fn pane(&self) -> Pane {
        self.tmux.panes().await.unwrap().remove(0)
    }

    /// The screen as it is now.
    pub fn text(&self) -> String {
        self.tmux(&["capture-pane", "-p", "-t", "%0"])
    }

    /// What the screen means now.
    pub async fn reading(&self) -> (Pane, Reading) {
        let sight = self.tmux.look(&["%0"]).await.unwrap().remove(0);
        let reading = screen::read(self.kind, &sight.screen());
        (sight.pane, reading)
    }

    /// Waits until the last row of a text is the last row of the screen.
    pub async fn shows(&self, text: &str) {
        let last = plain(text.trim_end().lines().next_back().unwrap());
        until(async || self.text().lines().next_back().is_some_and(|row| row.trim_end().ends_with(&last))).await;
    }

    /// Paints another screen.
    pub async fn paint(&self, text: &str) {
        fs::write(self.folder.join("painting"), text).unwrap();
        fs::rename(self.folder.join("painting"), self.folder.join("paint")).unwrap();
        until(async || !self.folder.join("paint").exists()).await;
        self.shows(text).await;
    }

    /// Decides on the dialog that is on the screen.
    pub async fn decide(&self, option: u32) -> (PaneIdentity, Decided) {
        let (pane, reading) = self.reading().await;
        let Some(found) = reading.dialog else { panic!("no dialog in\n{}", self.text()) };
        let option_text = found.options.iter().find(|offer| offer.n == option).unwrap().text.clone();
        let screen = digest(self.kind, &pane.identity, &found);
        (pane.identity, Decided { screen, facts: FACTS.to_owned(), option, option_text })
    }

    /// Sends the answer; what was decided on is still there, and nothing stands in the way.
    pub async fn answer(&self, decided: &(PaneIdentity, Decided)) -> OutcomeReport {
        self.answer_while(decided, ready(())).await
    }

    /// Sends the answer; something happens in the moment before the key.
    pub async fn answer_while(
        &self,
        decided: &(PaneIdentity, Decided),
        meanwhile: impl Future<Output = ()>,
    ) -> OutcomeReport {
        let facts = ready(Some(FACTS.to_owned()));
        self.send(&decided.0, Errand::Answer(&decided.1), facts, noted(meanwhile)).await
    }

    /// Sends a text.
    pub async fn deliver(&self, text: &str) -> OutcomeReport {
        self.deliver_while(text, ready(())).await
    }

    /// Sends a text; something happens in the moment before it is pasted.
    pub async fn deliver_while(&self, text: &str, meanwhile: impl Future<Output = ()>) -> OutcomeReport {
        let pane = self.pane().await.identity;
        self.send(&pane, Errand::Text(text), ready(None), noted(meanwhile)).await
    }

    /// Sends anything. Every report must be one that the server takes.
    pub async fn send(
        &self,
        pane: &PaneIdentity,
        errand: Errand<'_>,
        facts: impl Future<Output = Option<String>>,
        before_key: impl Future<Output = Result<(), NotBegun>>,
    ) -> OutcomeReport {
        let target = Target { tmux: &self.tmux, pane, agent: self.kind };
        let report = verified_send(target, errand, facts, before_key).await;
        report.check().unwrap();
        assert!(report.pane_excerpt.as_deref().is_none_or(|text| !text.contains('\u{1b}')));
        report
    }

    /// All that the agent was ever sent. A last key of the test's own shows that nothing is still under way.
    pub async fn typed(&self) -> String {
        let keys = || fs::read_to_string(self.folder.join("keys")).unwrap();
        let lasts = || keys().matches(LAST).count();
        let before = lasts();
        self.tmux(&["send-keys", "-t", "%0", "-l", LAST]);
        until(async || lasts() > before).await;
        keys().strip_suffix(LAST).unwrap().to_owned()
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        // A test may have ended its server already.
        self.try_tmux(&["kill-server"]);
        scratch::gone(self.pid);
        // tmux leaves it behind.
        let _ = fs::remove_file(&self.socket);
    }
}

async fn noted(meanwhile: impl Future<Output = ()>) -> Result<(), NotBegun> {
    meanwhile.await;
    Ok(())
}

/// Waits for something that comes by itself.
pub async fn until(holds: impl AsyncFn() -> bool) {
    let end = Instant::now() + Duration::from_secs(20);
    while !holds().await {
        assert!(Instant::now() < end, "it did not come within 20 seconds");
        sleep(Duration::from_millis(10)).await;
    }
}

/// A row without its colours, as tmux shows it.
fn plain(row: &str) -> String {
    let mut parts = row.split('\u{1b}');
    let mut text = parts.next().unwrap().to_owned();
    for part in parts {
        text.push_str(part.split_once('m').map_or(part, |(_, rest)| rest));
    }
    text.trim_end().to_owned()
}

/// Outcome, reason and keys of a report, for one comparison.
pub fn told(report: &OutcomeReport) -> (&str, Option<&str>, Vec<&str>) {
    (report.outcome.as_str(), report.reason.as_deref(), report.keys.iter().map(String::as_str).collect())
}
