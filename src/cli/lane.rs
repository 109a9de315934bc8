//! `countersign lane`: a worktree of a project with its agents.

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::failure::Outcome;
use super::reach::Reach;
use super::socket::Call;
use super::table::{rows, segment, table, text, time};

/// The noun.
#[derive(Debug, Args)]
pub struct LaneArgs {
    #[command(flatten)]
    reach: Reach,
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Adds a lane.
    Add {
        /// Its name: a-z, 0-9, '.', '_', '-'.
        name: String,
        /// The project it belongs to.
        #[arg(long, value_name = "NAME")]
        project: String,
        /// The worktree's folder, absolute.
        #[arg(long, value_name = "PATH")]
        worktree: String,
        /// The profile its agents run with.
        #[arg(long, value_name = "NAME")]
        profile: Option<String>,
    },
    /// Lists lanes.
    List,
    /// Shows one.
    Show {
        /// Its name.
        name: String,
    },
    /// Removes a lane that has no agents left. The name stays taken.
    Remove {
        /// Its name.
        name: String,
    },
}

/// Runs it.
pub async fn run(args: LaneArgs) -> Outcome {
    let LaneArgs { mut reach, what } = args;
    match what {
        What::Add { name, project, worktree, profile } => {
            let body = json!({"name": name, "project": project, "worktree": worktree, "profile": profile});
            let made = reach.change(Call::post("/api/v1/lanes", &body)?).await?;
            reach.say(&made, |_| format!("Added lane {name}. Next: countersign agent add AGENT --lane {name}"));
        }
        What::List => {
            let answer = reach.get("/api/v1/lanes").await?;
            reach.say(&answer, |answer| {
                let row = |lane: &Value| {
                    vec![
                        text(&lane["name"]),
                        text(&lane["project"]),
                        text(&lane["worktree"]),
                        text(&lane["profile"]),
                        time(&lane["created_at"]),
                    ]
                };
                let empty = "No lane yet: countersign lane add NAME --project P --worktree PATH";
                table(&["NAME", "PROJECT", "WORKTREE", "PROFILE", "ADDED"], &rows(answer, row), empty)
            });
        }
        What::Show { name } => {
            let answer = reach.get(&format!("/api/v1/lanes/{}", segment(&name))).await?;
            reach.say(&answer, |lane| {
                let (project, worktree) = (text(&lane["project"]), text(&lane["worktree"]));
                format!("{name}: {worktree} of project {project}, added {}", time(&lane["created_at"]))
            });
        }
        What::Remove { name } => {
            let done = reach.change(Call::delete(&format!("/api/v1/lanes/{}", segment(&name)))).await?;
            reach.say(&done, |_| format!("Removed lane {name}. The name cannot be used again."));
        }
    }
    Ok(())
}
