//! `countersign pause`: holds everything that policies would answer, and lets them answer again.

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::failure::Outcome;
use super::reach::Reach;
use super::socket::Call;
use super::table::{text, time};

/// The path.
const PAUSE: &str = "/api/v1/pause";

/// The noun.
#[derive(Debug, Args)]
pub struct PauseArgs {
    #[command(flatten)]
    reach: Reach,
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Holds everything: no policy answers, nudges and mail wait; what people decide still goes out.
    On {
        /// Why, for whoever lifts it.
        #[arg(default_value = "paused at the machine", value_name = "REASON")]
        reason: Vec<String>,
    },
    /// Lets policies answer again.
    Off,
    /// Says whether everything is held.
    Show,
}

/// Runs it.
pub async fn run(args: PauseArgs) -> Outcome {
    let PauseArgs { mut reach, what } = args;
    let answer = match what {
        What::On { reason } => reach.change(Call::post(PAUSE, &json!({ "reason": reason.join(" ") }))?).await?,
        What::Off => reach.change(Call::delete(PAUSE)).await?,
        What::Show => reach.get(PAUSE).await?,
    };
    reach.say(&answer, |answer| match &answer["paused"] {
        Value::Null => "Not paused: policies answer.".to_owned(),
        paused => {
            format!("Paused by {} {}: {}", text(&paused["by"]), time(&paused["at"]), text(&paused["reason"]))
        }
    });
    Ok(())
}
