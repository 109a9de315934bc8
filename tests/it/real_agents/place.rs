//! Where an agent works: a repository with one file to edit and one script to run, and a home of its own.

use std::fs;
use std::path::{Path, PathBuf};

use super::agent::{Agent, BEFORE, EDITED};
use super::connection::Connection;
use super::terminal::Terminal;
use crate::support::llm::{Call, FakeModel};
use crate::support::scratch;

/// A command that no policy lets run by itself: what the script does nobody has proven.
pub const MEASURE: &str = "sh measure.sh";
/// What it says.
pub const MEASURED: &str = "seventeen wagons";
/// A command that stays inside, and that all agents ask about; Gemini CLI runs those that only read unasked.
pub const STAGE: &str = "git add greeting.txt";

/// The folders.
pub struct Place {
    home: PathBuf,
    /// The repository.
    pub work: PathBuf,
}

impl Place {
    pub fn new() -> Self {
        let place = Self { home: scratch::folder("home"), work: scratch::folder("work") };
        fs::write(place.work.join(EDITED), BEFORE).unwrap();
        fs::write(place.work.join("measure.sh"), format!("echo run >>{}\necho {MEASURED}\n", place.runs().display()))
            .unwrap();
        place.git(&["init", "-q"]);
        place
    }

    /// An agent at work on a task here, with a model that makes these calls and maybe with a server of tools.
    pub async fn start(
        &self,
        agent: Agent,
        script: Vec<Call>,
        connection: Option<&Connection>,
    ) -> (FakeModel, Terminal) {
        let model = FakeModel::start(script).await;
        agent.settle(&self.home, &self.work, &model.url);
        let mut variables = agent.variables(&model.url);
        if let Some(connection) = connection {
            connection.settle(agent, &self.home);
            variables.push(connection.variable());
        }
        let terminal = Terminal::open(agent.kind(), [&self.home, &self.work], &variables, &agent.commands());
        terminal.enter(&agent.command_line("Tidy up here."));
        (model, terminal)
    }

    /// A command that reads a file outside the repository, and what is in it.
    pub fn peek(&self) -> (String, &'static str) {
        let outside = self.home.join("note");
        fs::write(&outside, "the kettle is on\n").unwrap();
        (format!("cat {}", outside.display()), "the kettle is on")
    }

    /// What the edited file says now.
    pub fn greeting(&self) -> String {
        fs::read_to_string(self.work.join(EDITED)).unwrap()
    }

    /// How often the script ran.
    pub fn measurements(&self) -> usize {
        fs::read_to_string(self.runs()).unwrap_or_default().lines().count()
    }

    /// The files that were staged, one a line.
    pub fn staged(&self) -> String {
        self.git(&["ls-files"])
    }

    fn runs(&self) -> PathBuf {
        self.home.join("runs")
    }

    fn git(&self, words: &[&str]) -> String {
        let done = scratch::program("git").arg("-C").arg(&self.work as &Path).args(words).output().unwrap();
        assert!(done.status.success(), "git: {}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap()
    }
}
