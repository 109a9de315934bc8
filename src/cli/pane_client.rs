//! `countersign pane-client`: the programs that watch panes, and their tokens.

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::failure::Outcome;
use super::reach::Reach;
use super::socket::Call;
use super::table::{rows, segment, table, text, time};

/// The noun.
#[derive(Debug, Args)]
pub struct PaneClientArgs {
    #[command(flatten)]
    reach: Reach,
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Adds a pane client for some lanes and prints its token, once.
    Add {
        /// Its name: a-z, 0-9, '.', '_', '-'.
        name: String,
        /// The lanes it watches, with commas between them: api,web.
        #[arg(long, value_name = "NAMES", value_delimiter = ',', required = true)]
        lanes: Vec<String>,
    },
    /// Lists pane clients.
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
    /// Ends a pane client's tokens at once, the short-lived ones too; the client stays.
    Revoke {
        /// Its name.
        name: String,
    },
    /// Removes a pane client and its tokens; what it watched is withdrawn. The name stays taken.
    Remove {
        /// Its name.
        name: String,
    },
}

/// Runs it.
pub async fn run(args: PaneClientArgs) -> Outcome {
    let PaneClientArgs { mut reach, what } = args;
    match what {
        What::Add { name, lanes } => {
            let body = json!({"name": name, "lanes": lanes});
            let made = reach.change(Call::post("/api/v1/pane-clients", &body)?).await?;
            reach.say(&made, |made| shown_once(&format!("Added pane client {name} for {}.", lanes.join(", ")), made));
        }
        What::List => list(&reach).await?,
        What::Show { name } => show(&reach, &name).await?,
        What::Rotate { name, overlap } => {
            let path = format!("/api/v1/pane-clients/{}/rotate", segment(&name));
            let made = reach.change(Call::post(&path, &json!({"overlap_secs": overlap}))?).await?;
            reach.say(&made, |made| shown_once(&format!("Pane client {name} has a new token."), made));
        }
        What::Revoke { name } => {
            let path = format!("/api/v1/pane-clients/{}/revoke", segment(&name));
            let done = reach.change(Call::post(&path, &json!({}))?).await?;
            reach.say(&done, |done| format!("{} tokens of {name} ended.", text(&done["revoked"])));
        }
        What::Remove { name } => {
            let done = reach.change(Call::delete(&format!("/api/v1/pane-clients/{}", segment(&name)))).await?;
            reach.say(&done, |_| format!("Removed pane client {name}. The name cannot be used again."));
        }
    }
    Ok(())
}

fn shown_once(what: &str, made: &Value) -> String {
    format!("{what} Its token is shown this once; only its hash is kept:\n{}", text(&made["token"]))
}

fn lanes(client: &Value) -> String {
    client["lanes"].as_array().into_iter().flatten().map(text).collect::<Vec<_>>().join(", ")
}

async fn list(reach: &Reach) -> Outcome {
    let answer = reach.get("/api/v1/pane-clients").await?;
    reach.say(&answer, |answer| {
        let row = |client: &Value| vec![text(&client["name"]), lanes(client), time(&client["last_used_at"])];
        let empty = "No pane client yet: countersign pane-client add NAME --lanes A,B";
        table(&["NAME", "LANES", "TOKEN USED"], &rows(answer, row), empty)
    });
    Ok(())
}

async fn show(reach: &Reach, name: &str) -> Outcome {
    let answer = reach.get(&format!("/api/v1/pane-clients/{}", segment(name))).await?;
    reach.say(&answer, |client| {
        let row = |token: &Value| {
            let hint = format!("…{}", text(&token["hint"]));
            vec![hint, time(&token["created_at"]), time(&token["last_used_at"]), time(&token["expires_at"])]
        };
        let tokens = json!({"items": client["tokens"]});
        let empty = format!("It has no token: countersign pane-client rotate {name}");
        let list = table(&["TOKEN", "MADE", "USED", "ENDS"], &rows(&tokens, row), &empty);
        format!("{name}: lanes {}, added {}\n{list}", lanes(client), time(&client["created_at"]))
    });
    Ok(())
}
