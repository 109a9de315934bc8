//! `countersign demo`: the product to look at, and the simulated agent that plays in it.

pub mod agent;

use clap::{Args, Subcommand};

use super::failure::Outcome;

/// The verb.
#[derive(Debug, Args)]
pub struct DemoArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Draws a scripted agent's screens and reacts to keys, for the demo and for tests.
    #[command(hide = true)]
    Agent(agent::AgentArgs),
}

/// Runs it.
pub async fn run(args: DemoArgs) -> Outcome {
    match args.what {
        What::Agent(args) => agent::run(args).await,
    }
}
