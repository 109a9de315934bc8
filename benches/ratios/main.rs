//! `make bench`: what the service does, as ratios to what the same machine does without it, measured side by side in one run.
//!
//! A disk's flush takes 1 ms now and 4 ms a minute later, so mostly ratios: a number stands by itself only where it is
//! far above that, as seconds at a terminal and memory are. Every row repeats its cells in turn and compares neighbours;
//! when what is compared with spreads too far, the row says "noisy".

mod cell;
mod child;
mod database;
mod desk;
mod http;
mod load;
mod machine;
mod notes;
mod pgbench;
mod process;
mod requests;
mod rows;
mod scratch;
mod socket;
mod stage;
mod table;
mod world;

use std::process::ExitCode;

use crate::rows::{ROWS, Setting};
use crate::stage::Stage;
use crate::table::Table;

/// What goes wrong ends the run and is said.
type Res<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

const HELP: &str = "make bench [ARGS=\"[--quick] [--reps N] [ROW…]\"]";

fn main() -> ExitCode {
    // Cargo adds this one.
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let done = match args.first().map(String::as_str) {
        Some("--as") => child::run(&args[1..]),
        Some("--help") => {
            println!("{HELP}\n\nRows:");
            for row in ROWS {
                println!("  {:8} {}", row.name, row.about);
            }
            Ok(())
        }
        _ => bench(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench: {error}");
            ExitCode::FAILURE
        }
    }
}

fn bench(args: &[String]) -> Res<()> {
    let (setting, names) = Setting::read(args)?;
    if let Some(unknown) = names.iter().find(|name| ROWS.iter().all(|row| row.name != *name)) {
        return Err(format!("there is no row {unknown}\n{HELP}").into());
    }
    machine::raise_file_limit();
    // One thread makes the load, so that the server has what is left of the machine.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let stage = Stage::build().await?;
        let mut table = Table::new(&setting);
        for row in ROWS {
            let chosen = if names.is_empty() { row.usual } else { names.iter().any(|name| name == row.name) };
            if chosen {
                eprintln!("{}: {}", row.name, row.about);
                (row.run)(&stage, &setting, &mut table).await.map_err(|error| format!("{}: {error}", row.name))?;
            }
        }
        println!("{table}");
        Ok(())
    })
}
