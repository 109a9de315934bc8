//! `countersign settings`: what the local admin may tune.

use clap::{Args, Subcommand};
use serde_json::{Map, Value, json};

use super::failure::{Failure, Outcome};
use super::reach::Reach;
use super::socket::Call;
use super::table::text;

/// The noun.
#[derive(Debug, Args)]
pub struct SettingsArgs {
    #[command(flatten)]
    reach: Reach,
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Shows every setting.
    Show,
    /// Changes settings, e.g. `retention_days=30`; `NAME=null` brings the shipped value back. What is of high risk and what
    /// needs a reason is part of the policy: `countersign policy`. `notify_token=-` asks for the secret on the terminal.
    Set {
        /// What to change.
        #[arg(required = true, value_name = "NAME=VALUE")]
        changes: Vec<String>,
    },
    /// Sends one notice to where `notify_url` points, and says what came of it.
    TestNotice,
}

/// The setting that is a secret, which no flag may carry: every process can read them.
const TOKEN: &str = "notify_token";

/// Runs it.
pub async fn run(args: SettingsArgs) -> Outcome {
    let SettingsArgs { mut reach, what } = args;
    let answer = match what {
        What::Show => reach.get("/api/v1/settings").await?,
        What::Set { changes } => {
            let shown = reach.get("/api/v1/settings").await?;
            let mut patch = changes.iter().map(|change| parse(change, &shown)).collect::<Outcome<Map<_, _>>>()?;
            let (name, password) = reach.admin()?;
            if patch.get(TOKEN).is_some_and(Value::is_string) {
                patch.insert(TOKEN.to_owned(), reach.secret("the receiver's token")?.into());
            }
            reach.socket().ask(Call::patch("/api/v1/settings", &patch)?.signed(&name, &password)).await?
        }
        What::TestNotice => {
            let answer = reach.change(Call::post("/api/v1/settings/test-notice", &json!({}))?).await?;
            reach.say(&answer, |answer| format!("{}: {}", text(&answer["to"]), text(&answer["said"])));
            let delivered = answer["delivered"] == true;
            return if delivered { Ok(()) } else { Err(Failure::failed("the notice was not delivered")) };
        }
    };
    reach.say(&answer, |answer| {
        let lines = answer.as_object().into_iter().flatten();
        lines.map(|(name, value)| format!("{name}={}", text(value))).collect::<Vec<_>>().join("\n")
    });
    Ok(())
}

/// A list's value is written with commas; everything else as JSON, and what is no JSON is text.
fn parse(change: &str, shown: &Value) -> Outcome<(String, Value)> {
    let (name, value) =
        change.split_once('=').ok_or_else(|| Failure::usage(format!("`{change}` is not NAME=VALUE")))?;
    if name == TOKEN && !matches!(value, "-" | "null") {
        let why = "a secret is no flag: write notify_token=- and it is asked for, or notify_token=null";
        return Err(Failure::usage(why));
    }
    let parsed = match (value, &shown[name]) {
        ("null", _) => Value::Null,
        (list, Value::Array(_)) => list.split(',').filter(|item| !item.is_empty()).collect(),
        (other, _) => serde_json::from_str(other).unwrap_or_else(|_| other.into()),
    };
    Ok((name.to_owned(), parsed))
}
