//! What every row plays on: the cluster, a database with the people in it that is copied for each server, and servers.

use std::path::{Path, PathBuf};

use countersign::cli::failure::Failure;
use countersign::cli::socket::{Call, Socket};
use http_body_util::BodyExt;
use serde_json::Value;

use crate::Res;
use crate::database::Databases;
use crate::pgbench;
use crate::process::{Process, program};
use crate::scratch::Scratch;
use crate::world::{Fleet, World};

/// The database that is copied.
const ORIGIN: &str = "origin";

/// The stage of a run.
pub(crate) struct Stage {
    pub(crate) world: World,
    // Before `scratch`, so that Postgres has ended when its files go.
    pub(crate) databases: Databases,
    pub(crate) scratch: Scratch,
}

/// What a child of the bench does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part {
    /// The service without tail and bell.
    Quiet,
    /// The service with them.
    Telling,
    /// Nothing but an answer.
    Hello,
}

impl Part {
    /// The word on the command line.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Quiet => "quiet",
            Self::Telling => "telling",
            Self::Hello => "hello",
        }
    }
}

impl Stage {
    pub(crate) async fn build() -> Res<Self> {
        let scratch = Scratch::new()?;
        let databases = Databases::start(&scratch)?;
        pgbench::prepare(&databases, &scratch).await?;
        databases.make(ORIGIN).await?;
        let server = serve(&scratch, &databases, ORIGIN)?;
        let world = World::make(&data_dir(&scratch, ORIGIN), server.address).await?;
        drop(server);
        Ok(Self { world, databases, scratch })
    }

    /// Makes a database with the people in it.
    pub(crate) async fn database(&self, name: &str) -> Res<()> {
        self.databases.copy(name, ORIGIN).await
    }

    /// Starts `countersign serve`, as a user would, over a database of its own.
    pub(crate) fn serve(&self, name: &str) -> Res<Process> {
        serve(&self.scratch, &self.databases, name)
    }

    /// Adds a supervised lane over a repository to the server over this database; the token of its pane client.
    pub(crate) async fn supervise(&self, name: &str, tree: &Path) -> Res<String> {
        World::supervise(&data_dir(&self.scratch, name), tree).await
    }

    /// Changes the policy of the server over this database.
    pub(crate) async fn policy(&self, name: &str, keys: Value) -> Res<()> {
        World::policy(&data_dir(&self.scratch, name), keys).await
    }

    /// Adds a lead and a pane client to the server over this database.
    pub(crate) async fn fleet(&self, name: &str) -> Res<Fleet> {
        World::fleet(&data_dir(&self.scratch, name)).await
    }

    /// How many long polls sleep in the server over this database.
    pub(crate) async fn waiters(&self, name: &str) -> Res<u32> {
        let said = |failure: Failure| failure.text;
        let socket = Socket::in_dir(data_dir(&self.scratch, name));
        let answer = socket.send(Call::get("/metrics")).await.map_err(said)?;
        let text = String::from_utf8(answer.into_body().collect().await?.to_bytes().to_vec())?;
        let count = text.lines().find_map(|line| line.strip_prefix("countersign_waiters "));
        Ok(count.ok_or("no count of waiters")?.parse()?)
    }

    /// Starts this program again to play a part.
    pub(crate) fn play(&self, part: Part, name: &str) -> Res<Process> {
        let mut command = program(std::env::current_exe()?);
        command.args(["--as", part.word(), &self.databases.url(name)]).arg(data_dir(&self.scratch, name));
        Process::start(command, &self.scratch.path().join(format!("{name}.log")))
    }
}

fn data_dir(scratch: &Scratch, name: &str) -> PathBuf {
    scratch.path().join(format!("data-{name}"))
}

fn serve(scratch: &Scratch, databases: &Databases, name: &str) -> Res<Process> {
    let mut command = program(env!("CARGO_BIN_EXE_countersign"));
    command
        .args(["serve", "--listen", "127.0.0.1:0"])
        .arg("--data-dir")
        .arg(data_dir(scratch, name))
        .env("DATABASE_URL", databases.url(name));
    Process::start(command, &scratch.path().join(format!("{name}.log")))
}
