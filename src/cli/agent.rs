//! `countersign agent`: agents and their tokens.

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::failure::Outcome;
use super::reach::Reach;
use super::socket::Call;
use super::table::{rows, segment, table, text, time};

/// The noun.
#[derive(Debug, Args)]
pub struct AgentArgs {
    #[command(flatten)]
    reach: Reach,
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Adds an agent to a lane and prints its token, once.
    Add {
        /// Its name: a-z, 0-9, '.', '_', '-'.
        name: String,
        /// The lane it is bound to.
        #[arg(long, value_name = "NAME")]
        lane: String,
        /// It leads its project: it sees and sends to the sessions of all its lanes.
        #[arg(long)]
        lead: bool,
        /// The pane it is bound to, where several agents work in one lane: its key, as `countersign pane --status` shows it.
        #[arg(long, value_name = "KEY")]
        pane: Option<String>,
    },
    /// Lists agents.
    List,
    /// Shows one with its tokens' ends.
    Show {
        /// Its name.
        name: String,
    },
    /// Makes a new token and prints it, once; the old one stops working.
    Rotate {
        /// Its name.
        name: String,
        /// The old token works this many seconds longer.
        #[arg(long, value_name = "SECONDS", default_value_t = 0)]
        overlap: u32,
    },
    /// Ends an agent's tokens at once; the agent stays.
    Revoke {
        /// Its name.
        name: String,
    },
    /// Removes an agent and its tokens. The name stays taken.
    Remove {
        /// Its name.
        name: String,
    },
}

/// Runs it.
pub async fn run(args: AgentArgs) -> Outcome {
    let AgentArgs { mut reach, what } = args;
    match what {
        What::Add { name, lane, lead, pane } => {
            let body = json!({"name": name, "lane": lane, "lead": lead, "pane": pane});
            let made = reach.change(Call::post("/api/v1/agents", &body)?).await?;
            reach.say(&made, |made| shown_once(&format!("Added agent {name} to lane {lane}."), made));
        }
        What::List => list(&reach).await?,
        What::Show { name } => show(&reach, &name).await?,
        What::Rotate { name, overlap } => {
            let path = format!("/api/v1/agents/{}/rotate", segment(&name));
            let made = reach.change(Call::post(&path, &json!({"overlap_secs": overlap}))?).await?;
            reach.say(&made, |made| shown_once(&format!("Agent {name} has a new token."), made));
        }
        What::Revoke { name } => {
            let path = format!("/api/v1/agents/{}/revoke", segment(&name));
            let done = reach.change(Call::post(&path, &json!({}))?).await?;
            reach.say(&done, |done| format!("{} tokens of {name} ended.", text(&done["revoked"])));
        }
        What::Remove { name } => {
            let done = reach.change(Call::delete(&format!("/api/v1/agents/{}", segment(&name)))).await?;
            reach.say(&done, |_| format!("Removed agent {name}. The name cannot be used again."));
        }
    }
    Ok(())
}

fn shown_once(what: &str, made: &Value) -> String {
    format!("{what} Its token is shown this once; only its hash is kept:\n{}", text(&made["token"]))
}

async fn list(reach: &Reach) -> Outcome {
    let answer = reach.get("/api/v1/agents").await?;
    reach.say(&answer, |answer| {
        let row = |agent: &Value| {
            let kind = if agent["lead"] == json!(true) { "lead" } else { "member" };
            let pending = format!("{} of {}", text(&agent["pending"]), text(&agent["cap"]));
            vec![text(&agent["name"]), text(&agent["lane"]), kind.into(), pending, time(&agent["last_used_at"])]
        };
        let empty = "No agent yet: countersign agent add NAME --lane L";
        table(&["NAME", "LANE", "KIND", "IN FLIGHT", "TOKEN USED"], &rows(answer, row), empty)
    });
    Ok(())
}

async fn show(reach: &Reach, name: &str) -> Outcome {
    let answer = reach.get(&format!("/api/v1/agents/{}", segment(name))).await?;
    reach.say(&answer, |agent| {
        let row = |token: &Value| {
            let hint = format!("…{}", text(&token["hint"]));
            vec![hint, time(&token["created_at"]), time(&token["last_used_at"]), time(&token["expires_at"])]
        };
        let tokens = json!({"items": agent["tokens"]});
        let empty = format!("It has no token: countersign agent rotate {name}");
        let list = table(&["TOKEN", "MADE", "USED", "ENDS"], &rows(&tokens, row), &empty);
        let lead = if agent["lead"] == json!(true) { "a lead, " } else { "" };
        let pane = agent["pane"].as_str().map(|pane| format!("bound to pane {pane}, ")).unwrap_or_default();
        format!("{name}: {lead}lane {}, {pane}added {}\n{list}", text(&agent["lane"]), time(&agent["created_at"]))
    });
    Ok(())
}
