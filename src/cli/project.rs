//! `countersign project`: the repositories.

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::failure::Outcome;
use super::reach::Reach;
use super::socket::Call;
use super::table::{rows, segment, table, text, time};

/// The noun.
#[derive(Debug, Args)]
pub struct ProjectArgs {
    #[command(flatten)]
    reach: Reach,
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Adds a project.
    Add {
        /// Its name: a-z, 0-9, '.', '_', '-'.
        name: String,
        /// The repository's folder, absolute.
        #[arg(long, value_name = "PATH")]
        repo: String,
    },
    /// Lists projects.
    List,
    /// Shows one.
    Show {
        /// Its name.
        name: String,
    },
    /// Removes a project that has no lanes left. The name stays taken.
    Remove {
        /// Its name.
        name: String,
    },
}

/// Runs it.
pub async fn run(args: ProjectArgs) -> Outcome {
    let ProjectArgs { mut reach, what } = args;
    match what {
        What::Add { name, repo } => {
            let call = Call::post("/api/v1/projects", &json!({"name": name, "repo": repo}))?;
            let made = reach.change(call).await?;
            reach.say(&made, |_| {
                format!("Added project {name}. Next: countersign lane add LANE --project {name} --worktree PATH")
            });
        }
        What::List => {
            let answer = reach.get("/api/v1/projects").await?;
            reach.say(&answer, |answer| {
                let row = |project: &Value| {
                    vec![text(&project["name"]), text(&project["repo"]), time(&project["created_at"])]
                };
                let empty = "No project yet: countersign project add NAME --repo PATH";
                table(&["NAME", "REPO", "ADDED"], &rows(answer, row), empty)
            });
        }
        What::Show { name } => {
            let answer = reach.get(&format!("/api/v1/projects/{}", segment(&name))).await?;
            reach.say(&answer, |project| {
                format!("{name}: {}, added {}", text(&project["repo"]), time(&project["created_at"]))
            });
        }
        What::Remove { name } => {
            let done = reach.change(Call::delete(&format!("/api/v1/projects/{}", segment(&name)))).await?;
            reach.say(&done, |_| format!("Removed project {name}. The name cannot be used again."));
        }
    }
    Ok(())
}
