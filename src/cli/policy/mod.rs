//! `countersign policy`: what is answered automatically, changed here at the machine and nowhere else.

mod file;
mod history;
mod hosts;
mod set;
mod show;
mod simulate;
mod sources;

use std::path::PathBuf;

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::failure::Outcome;
use super::reach::Reach;
use super::table::text;

/// The path of all of it.
const POLICY: &str = "/api/v1/supervision";

/// The noun.
#[derive(Debug, Args)]
pub struct PolicyArgs {
    #[command(flatten)]
    reach: Reach,
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Shows the policy; with a lane, what holds there, and which of it is the lane's own.
    Show {
        /// What holds for this lane.
        #[arg(long, value_name = "NAME")]
        lane: Option<String>,
    },
    /// Changes fields: `supervision.enabled=true`, or with --lane `enabled=true classes.network_access=hold stall_mins=5`.
    /// `=null` brings back what is inherited.
    Set {
        #[command(flatten)]
        change: Change,
        /// Does not look first at what would have been answered differently lately.
        #[arg(long)]
        no_simulate: bool,
        /// Why, for the history.
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
    /// Opens the policy in $VISUAL or $EDITOR, shows what differs, and puts it in force.
    Edit {
        /// Why, for the history.
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
    /// Puts a file in force. What it does not name has its shipped value.
    Import {
        /// The file; `-` is standard input, which then cannot carry the password.
        file: PathBuf,
        /// Why, for the history.
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
    /// Prints the policy as a file.
    Export {
        /// As it was in this version [default: the one in force].
        #[arg(long, value_name = "N")]
        version: Option<i64>,
    },
    /// Lists versions: who, when, why, and what differs.
    History {
        /// At most so many.
        #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=200))]
        limit: u32,
        /// Only those before this version.
        #[arg(long, value_name = "N")]
        before: Option<i64>,
    },
    /// Makes an earlier version hold again, as a new one.
    Rollback {
        /// The version.
        version: i64,
        /// Why, for the history.
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
    /// Says which dialogs of the last days would be answered differently, and changes nothing.
    Simulate {
        /// A policy file.
        #[arg(required_unless_present = "set", conflicts_with_all = ["set", "lane"])]
        file: Option<PathBuf>,
        /// Fields to change, as for `policy set`.
        #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
        set: Vec<String>,
        /// The lane whose fields they are.
        #[arg(long, value_name = "NAME")]
        lane: Option<String>,
        /// How many days back.
        #[arg(long, default_value_t = simulate::DAYS, value_parser = clap::value_parser!(u32).range(1..=365))]
        days: u32,
    },
    /// Hosts that a request may name and still count as staying inside.
    NetworkHosts(hosts::HostsArgs),
}

#[derive(Debug, Args)]
struct Change {
    /// Changes this lane's own part.
    #[arg(long, value_name = "NAME")]
    lane: Option<String>,
    /// What to change.
    #[arg(required = true, value_name = "KEY=VALUE")]
    changes: Vec<String>,
}

/// Runs it.
pub async fn run(args: PolicyArgs) -> Outcome {
    let PolicyArgs { mut reach, what } = args;
    match what {
        What::Show { lane } => show::run(&reach, lane.as_deref()).await,
        What::Set { change, no_simulate, reason } => {
            let draft = set::draft(change.lane.as_deref(), &change.changes)?;
            set::run(&mut reach, draft, set::Manner { simulate: !no_simulate, reason }).await
        }
        What::Edit { reason } => file::edit(&mut reach, reason).await,
        What::Import { file, reason } => file::import(&mut reach, &file, reason).await,
        What::Export { version } => file::export(&reach, version).await,
        What::History { limit, before } => history::list(&reach, limit, before).await,
        What::Rollback { version, reason } => history::rollback(&mut reach, version, reason).await,
        What::Simulate { file, set, lane, days } => {
            let draft = match file {
                Some(file) => json!({ "toml": file::read(&file)? }),
                None => Value::Object(set::draft(lane.as_deref(), &set)?),
            };
            simulate::run(&reach, &draft, days).await
        }
        What::NetworkHosts(args) => hosts::run(&mut reach, args).await,
    }
}

/// One difference as a line.
fn difference(one: &Value) -> String {
    let value = |value: &Value| match value {
        Value::Null => "(inherited)".to_owned(),
        Value::Array(_) => format!("[{}]", text(value)),
        other => text(other),
    };
    format!("  {}: {} -> {}", text(&one["path"]), value(&one["from"]), value(&one["to"]))
}

/// Differences as lines.
fn differences(all: &Value) -> String {
    all.as_array().into_iter().flatten().map(difference).collect::<Vec<_>>().join("\n")
}

/// After a change: which version holds, and what differs from the one before.
async fn say_version(reach: &Reach, before: &Value, answer: &Value) -> Outcome {
    if answer["version"] == before["version"] {
        reach.say(answer, |answer| format!("Nothing differs: the policy stays at version {}.", answer["version"]));
        return Ok(());
    }
    let latest = reach.get(&format!("{POLICY}/versions?limit=1")).await?;
    reach.say(answer, |answer| {
        format!("The policy is at version {}:\n{}", answer["version"], differences(&latest["items"][0]["diff"]))
    });
    Ok(())
}
