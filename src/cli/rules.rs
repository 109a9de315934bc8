//! `countersign rules`: commands of a project that are answered without asking, once an admin has confirmed them.

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::failure::{Failure, Outcome};
use super::out;
use super::reach::Reach;
use super::socket::Call;
use super::table::{rows, segment, table, text, time};

/// The path.
const RULES: &str = "/api/v1/rules";

/// The noun.
#[derive(Debug, Args)]
pub struct RulesArgs {
    #[command(flatten)]
    reach: Reach,
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Lists rules, with their use, their end, and what else a prefix covers.
    List {
        /// Only this project's.
        #[arg(long, value_name = "NAME")]
        project: Option<String>,
        /// Only those that somebody should look at: ended, ending soon, or long unused.
        #[arg(long)]
        review: bool,
    },
    /// Confirms a rule, e.g. `rules confirm --project shop -- cargo test -p api`. It only ever lifts a hold of a command that is
    /// proven to stay inside and that no veto names.
    Confirm {
        /// The project.
        #[arg(long, value_name = "NAME", required_unless_present = "suggestion")]
        project: Option<String>,
        /// The suggestion it is made of: the end of its id.
        #[arg(long, value_name = "ID")]
        suggestion: Option<String>,
        #[command(flatten)]
        terms: Terms,
        /// The command, word by word.
        #[arg(last = true, value_name = "WORD", required_unless_present = "suggestion")]
        words: Vec<String>,
    },
    /// Takes a rule back.
    Remove {
        /// The rule: the end of its id, as the list shows it.
        id: String,
    },
}

/// What is confirmed, and for how long.
#[derive(Clone, Debug, Args)]
pub struct Terms {
    /// Any words may follow.
    #[arg(long)]
    prefix: bool,
    /// Days until it ends, or `never`.
    #[arg(long, default_value = "90", value_name = "DAYS")]
    days: String,
    /// Why, for whoever reviews it.
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
}

impl Terms {
    /// The members of a request.
    pub fn members(&self) -> Outcome<Value> {
        let never = self.days == "never";
        let days = self.days.parse::<u32>().ok().filter(|_| !never);
        if days.is_none() && !never {
            return Err(Failure::usage("--days takes a number or `never`"));
        }
        Ok(json!({
            "match": if self.prefix { "prefix" } else { "exact" }, "days": days, "never": never, "reason": self.reason,
        }))
    }
}

/// Runs it.
pub async fn run(args: RulesArgs) -> Outcome {
    let RulesArgs { mut reach, what } = args;
    match what {
        What::List { project, review } => list(&reach, project.as_deref(), review).await,
        What::Confirm { project, suggestion: Some(id), terms, words } => {
            super::suggestions::accept(&mut reach, &id, (project, &terms, words)).await
        }
        What::Confirm { project, suggestion: None, terms, words } => {
            confirm(&mut reach, (project.as_deref(), &words), &terms).await
        }
        What::Remove { id } => {
            let all = reach.get(RULES).await?;
            let rule = one(&all, &id, "countersign rules list")?;
            let path = format!("{RULES}/{}", text(&rule["id"]));
            let done = reach.change(Call::delete(&path)).await?;
            reach.say(&done, |_| format!("Took back: {} in {}.", text(&rule["command"]), text(&rule["project"])));
            Ok(())
        }
    }
}

async fn list(reach: &Reach, project: Option<&str>, review: bool) -> Outcome {
    let path = project.map_or_else(|| RULES.to_owned(), |name| format!("{RULES}?project={}", segment(name)));
    let mut answer = reach.get(&path).await?;
    if review && let Some(items) = answer["items"].as_array_mut() {
        items.retain(|rule| !rule["attention"].is_null());
    }
    reach.say(&answer, |answer| {
        let row = |rule: &Value| {
            let ends = if rule["expires_at"].is_null() { "never".into() } else { time(&rule["expires_at"]) };
            vec![
                short(&rule["id"]),
                text(&rule["project"]),
                text(&rule["match"]),
                text(&rule["command"]),
                text(&rule["owner"]),
                format!("{} ({})", text(&rule["hits"]), time(&rule["last_used_at"])),
                ends,
                text(&rule["attention"]),
            ]
        };
        let heads = ["RULE", "PROJECT", "MATCH", "COMMAND", "OWNER", "USED", "ENDS", "LOOK AT"];
        let empty = "No rule: countersign rules confirm --project P -- COMMAND";
        let prefixes = answer["items"].as_array().into_iter().flatten().filter(|rule| rule["match"] == "prefix");
        let covers = prefixes.map(|rule| format!("{} {}", short(&rule["id"]), covered(&rule["covers"])));
        std::iter::once(table(&heads, &rows(answer, row), empty)).chain(covers).collect::<Vec<_>>().join("\n")
    });
    Ok(())
}

async fn confirm(reach: &mut Reach, (project, words): (Option<&str>, &[String]), terms: &Terms) -> Outcome {
    let mut body = terms.members()?;
    body["project"] = json!(project);
    body["argv"] = json!(words);
    let draft = json!({ "project": project, "argv": words, "match": body["match"] });
    let covers = reach.socket().ask(Call::post(&format!("{RULES}/covers"), &draft)?).await?;
    out::note(format!("The rule {}", covered(&covers)));
    let made = reach.change(Call::post(RULES, &body)?).await?;
    reach.say(&made, |made| format!("Confirmed rule {}.", short(&made["id"])));
    Ok(())
}

/// What else a rule covers, of what was seen lately.
fn covered(covers: &Value) -> String {
    let most = covers["most"].as_array().into_iter().flatten();
    let lines = most.map(|seen| format!("  {} ({}x)", text(&seen["command"]), seen["times"]));
    let head = format!("covers {} of the commands seen in the last 30 days", covers["commands"]);
    std::iter::once(head).chain(lines).collect::<Vec<_>>().join("\n")
}

/// The end of an id: ids begin with their time, so that their beginnings are alike.
pub fn short(id: &Value) -> String {
    let id = text(id);
    id.get(id.len().saturating_sub(8)..).unwrap_or(&id).to_owned()
}

/// The only one of a list that a word names.
pub fn one<'a>(list: &'a Value, word: &str, see: &str) -> Outcome<&'a Value> {
    let fits =
        |item: &&Value| item["id"].as_str().is_some_and(|id| id == word || (word.len() >= 4 && id.ends_with(word)));
    let found: Vec<&Value> = list["items"].as_array().into_iter().flatten().filter(fits).collect();
    match found.as_slice() {
        [one] => Ok(one),
        [] => Err(Failure::failed(format!("there is nothing with the id {word}; {see} shows them"))),
        _ => Err(Failure::usage(format!("{} ids end in {word}; give more of it", found.len()))),
    }
}
