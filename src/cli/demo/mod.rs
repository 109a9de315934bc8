//! `countersign demo`: a throw-away server with an agent that plays in it, so that the product can be tried in a minute.

pub mod agent;
mod janitor;
mod people;
mod program;
mod repository;
mod requests;
mod session;
mod show;
mod stage;

use clap::{Args, Subcommand};

use super::failure::Outcome;

/// The verb.
#[derive(Debug, Args)]
#[command(after_help = "Needs Postgres, tmux and git. Ctrl-C stops everything and removes what it made.")]
pub struct DemoArgs {
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Draws a scripted agent's screens and reacts to keys, for the demo and for tests.
    #[command(hide = true)]
    Agent(agent::AgentArgs),
    /// Waits for the end of its standard input, then stops what it was told of and removes the demo's folder.
    #[command(hide = true)]
    Janitor(janitor::JanitorArgs),
}

/// Runs it.
pub async fn run(args: DemoArgs) -> Outcome {
    match args.what {
        Some(What::Agent(args)) => agent::run(args).await,
        Some(What::Janitor(args)) => janitor::run(&args),
        None => show::run().await,
    }
}
