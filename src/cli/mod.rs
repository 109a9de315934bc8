//! The command line: one module a noun; all but `serve` talk to the running server through its local socket.

pub mod admin;
pub mod agent;
pub mod audit;
pub mod classify;
pub mod demo;
pub mod detect;
pub mod doctor;
pub mod failure;
pub mod lane;
pub mod msg;
pub mod openapi;
pub mod out;
pub mod pane;
pub mod pane_client;
pub mod pause;
pub mod pg;
pub mod policy;
pub mod project;
pub mod reach;
pub mod rules;
pub mod secret;
pub mod settings;
pub mod socket;
pub mod suggestions;
pub mod table;
pub mod user;
pub mod watch;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use self::failure::{Failure, Outcome};
use crate::config::ServeArgs;

/// Countersign: agents ask, people answer from their phones, and everything is on the record.
#[derive(Debug, Parser)]
#[command(version, arg_required_else_help = true, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "Examples:
  countersign serve                                        start; prints a link for the first admin
  countersign project add shop --repo /srv/shop            then a lane of it, and an agent in it
  countersign lane add api --project shop --worktree /srv/shop-api
  countersign agent add coder --lane api                   prints the agent's token, once
  countersign pane-client add desk --lanes api             prints the token of `countersign pane`, once
  countersign msg send api \"Rebase first.\"                mail to a lane's agents
  countersign user add berta --role approver --scope project:shop

Exit codes: 0 ok, 1 failed, 2 wrong usage, 3 a needed program is missing.";

#[derive(Debug, Subcommand)]
enum Command {
    /// Runs the service.
    Serve(ServeArgs),
    /// People: who signs in, and what they may.
    User(user::UserArgs),
    /// Projects: the repositories.
    Project(project::ProjectArgs),
    /// Lanes: a worktree of a project with its agents.
    Lane(lane::LaneArgs),
    /// Agents and their tokens.
    Agent(agent::AgentArgs),
    /// The local admin page: supervision, people, lanes, agents, settings.
    Admin(admin::AdminArgs),
    /// Watches agents' terminals, and presses the one key that was decided on.
    Pane(pane::PaneArgs),
    /// Pane clients: the programs that watch agents' terminals, and their tokens.
    PaneClient(pane_client::PaneClientArgs),
    /// What is answered automatically: shown, changed, tried out, taken back.
    Policy(policy::PolicyArgs),
    /// Commands that are answered without asking, once an admin has confirmed them.
    Rules(rules::RulesArgs),
    /// What people would have answered otherwise from now on.
    Suggestions(suggestions::SuggestionsArgs),
    /// Mail to a lane's agents.
    Msg(msg::MsgArgs),
    /// Holds everything that policies would answer.
    Pause(pause::PauseArgs),
    /// The journal: list it, export it, prove it.
    Audit(audit::AuditArgs),
    /// Looks whether everything is as it should be, and says what to do.
    Doctor(doctor::DoctorArgs),
    /// What the local admin may tune.
    Settings(settings::SettingsArgs),
    /// Shows what happens, as it happens.
    Watch(watch::WatchArgs),
    /// Judges dialogs from JSON lines, without a server.
    Classify(classify::ClassifyArgs),
    /// Reads an agent's screen on standard input and prints what it means, as JSON.
    Detect(detect::DetectArgs),
    /// The product to try out: a throw-away server with simulated agents.
    Demo(demo::DemoArgs),
    /// Prints the description of the API.
    Openapi,
    /// The private Postgres.
    Pg(pg::PgArgs),
}

/// Runs the command that was typed.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    match run(cli.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure { code, text }) => {
            eprintln!("countersign: {}", out::visible(&text));
            ExitCode::from(code)
        }
    }
}

fn run(command: Command) -> Outcome {
    match command {
        Command::Serve(args) => served(args),
        Command::Pg(args) => pg::run(args),
        Command::Openapi => openapi::run(),
        Command::Classify(args) => classify::run(&args),
        Command::Detect(args) => detect::run(&args),
        Command::Demo(args) => alone(demo::run(args)),
        Command::Watch(args) => alone(watch::run(args)),
        Command::Admin(args) => alone(admin::run(args)),
        Command::User(args) => alone(user::run(args)),
        Command::Project(args) => alone(project::run(args)),
        Command::Lane(args) => alone(lane::run(args)),
        Command::Agent(args) => alone(agent::run(args)),
        Command::Pane(args) => alone(pane::run(args)),
        Command::PaneClient(args) => alone(pane_client::run(args)),
        Command::Policy(args) => alone(policy::run(args)),
        Command::Rules(args) => alone(rules::run(args)),
        Command::Suggestions(args) => alone(suggestions::run(args)),
        Command::Msg(args) => alone(msg::run(args)),
        Command::Pause(args) => alone(pause::run(args)),
        Command::Audit(args) => alone(audit::run(args)),
        Command::Doctor(args) => alone(doctor::run(args)),
        Command::Settings(args) => alone(settings::run(args)),
    }
}

fn served(args: ServeArgs) -> Outcome {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(crate::serve::run(args))?;
    Ok(())
}

/// A command that only asks needs no threads.
fn alone(work: impl Future<Output = Outcome>) -> Outcome {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(work)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn every_command_can_be_parsed() {
        super::Cli::command().debug_assert();
    }
}
