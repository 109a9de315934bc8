//! `countersign suggestions`: what people, and the service after three approvals in a row, suggest to the admin.

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::failure::Outcome;
use super::reach::Reach;
use super::rules::{Terms, one, short};
use super::socket::Call;
use super::table::{rows, table, text, time};

/// The path.
const SUGGESTIONS: &str = "/api/v1/suggestions";

/// The noun.
#[derive(Debug, Args)]
pub struct SuggestionsArgs {
    #[command(flatten)]
    reach: Reach,
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Lists those that wait.
    List {
        /// Also those that were settled.
        #[arg(long)]
        all: bool,
    },
    /// Accepts one. Of a rule: confirms the rule. Of a policy: notes that the version in force came of it; its words are for
    /// you to put into `countersign policy set` first.
    Accept {
        /// The end of its id, as the list shows it.
        id: String,
        /// The rule's project, where the suggestion names none.
        #[arg(long, value_name = "NAME")]
        project: Option<String>,
        #[command(flatten)]
        terms: Terms,
        /// The rule's command, where the suggestion has none or only its beginning is meant.
        #[arg(last = true, value_name = "WORD")]
        words: Vec<String>,
    },
    /// Dismisses one.
    Dismiss {
        /// The end of its id.
        id: String,
    },
}

/// Runs it.
pub async fn run(args: SuggestionsArgs) -> Outcome {
    let SuggestionsArgs { mut reach, what } = args;
    match what {
        What::List { all } => list(&reach, all).await,
        What::Accept { id, project, terms, words } => accept(&mut reach, &id, (project, &terms, words)).await,
        What::Dismiss { id } => {
            let open = reach.get(SUGGESTIONS).await?;
            let found = one(&open, &id, "countersign suggestions list")?;
            let path = format!("{SUGGESTIONS}/{}/dismiss", text(&found["id"]));
            let done = reach.change(Call::post(&path, &json!({}))?).await?;
            reach.say(&done, |_| format!("Dismissed: {}", text(&found["text"])));
            Ok(())
        }
    }
}

async fn list(reach: &Reach, all: bool) -> Outcome {
    let state = if all { "all" } else { "open" };
    let answer = reach.get(&format!("{SUGGESTIONS}?state={state}")).await?;
    reach.say(&answer, |answer| {
        let row = |one: &Value| {
            let place = if one["lane"].is_null() { text(&one["project"]) } else { text(&one["lane"]) };
            vec![
                short(&one["id"]),
                text(&one["kind"]),
                text(&one["author"]),
                place,
                time(&one["created_at"]),
                text(&one["state"]),
                text(&one["text"]).replace('\n', " "),
            ]
        };
        table(&["ID", "KIND", "BY", "WHERE", "WHEN", "STATE", "WORDS"], &rows(answer, row), "Nothing is suggested.")
    });
    Ok(())
}

/// Accepts a suggestion.
pub async fn accept(
    reach: &mut Reach,
    id: &str,
    (project, terms, words): (Option<String>, &Terms, Vec<String>),
) -> Outcome {
    let open = reach.get(SUGGESTIONS).await?;
    let found = one(&open, id, "countersign suggestions list")?;
    let body = if found["kind"] == "rule" {
        let mut body = terms.members()?;
        body["project"] = json!(project);
        body["argv"] = if words.is_empty() { Value::Null } else { json!(words) };
        body
    } else {
        json!({})
    };
    let path = format!("{SUGGESTIONS}/{}/accept", text(&found["id"]));
    let done = reach.change(Call::post(&path, &body)?).await?;
    reach.say(&done, |done| match &done["rule_id"] {
        Value::Null => format!(
            "Noted as done with policy version {}. Its words changed nothing by themselves: {}",
            done["policy_version"],
            text(&found["text"])
        ),
        rule => format!("Confirmed rule {}.", short(rule)),
    });
    Ok(())
}
