//! `countersign msg`: mail to a lane's agents, from the machine.

use clap::{Args, Subcommand};
use serde_json::json;

use super::failure::Outcome;
use super::reach::Reach;
use super::socket::Call;
use super::table::{segment, text};

/// The noun.
#[derive(Debug, Args)]
pub struct MsgArgs {
    #[command(flatten)]
    reach: Reach,
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Sends mail to a lane. A supervised lane's agent is told that there is mail, or has it typed, as its policy says; any
    /// other has it typed once it is idle.
    Send {
        /// The lane's name.
        lane: String,
        /// What it says: at most 8 KiB.
        #[arg(required = true, value_name = "TEXT")]
        words: Vec<String>,
    },
}

/// Runs it.
pub async fn run(args: MsgArgs) -> Outcome {
    let MsgArgs { mut reach, what } = args;
    let What::Send { lane, words } = what;
    let path = format!("/api/v1/lanes/{}/mail", segment(&lane));
    let sent = reach.change(Call::post(&path, &json!({ "body": words.join(" ") }))?).await?;
    reach.say(&sent, |sent| match sent["joined"].as_bool() {
        Some(true) => format!("The same words of yours wait in lane {lane} already, as message {}.", text(&sent["id"])),
        _ => format!("Message {} waits in lane {lane}.", text(&sent["id"])),
    });
    Ok(())
}
