//! Telling: creates while tail and bell run and pages listen, against creates that nobody is told of. The journal row is in both.

use super::create::creates;
use crate::Res;
use crate::cell::Cell;
use crate::rows::Setting;
use crate::socket;
use crate::stage::{Part, Stage};
use crate::table::{Goal, Table};

const TELLING: &str = "telling";
const QUIET: &str = "quiet";

/// How many pages are open.
const PAGES: usize = 20;
const CONNECTIONS: usize = 32;

pub(crate) async fn run(stage: &Stage, setting: &Setting, table: &mut Table) -> Res<()> {
    stage.database(TELLING).await?;
    stage.database(QUIET).await?;
    let telling = stage.play(Part::Telling, TELLING)?;
    let quiet = stage.play(Part::Quiet, QUIET)?;
    let pages = socket::open(&stage.world, telling.address, PAGES).await?;
    let listening: Vec<_> = pages.into_iter().map(socket::listen).collect();
    let (mut on, mut off) = (Cell::default(), Cell::default());
    for rep in 0..setting.reps {
        // By turns the first, so that neither always comes after the other's leftovers.
        for turn in [rep % 2, (rep + 1) % 2] {
            let (server, name, cell) = if turn == 0 { (&quiet, QUIET, &mut off) } else { (&telling, TELLING, &mut on) };
            cell.push(creates(stage, server.address, (CONNECTIONS, setting.seconds)).await?.rate);
            stage.databases.reset(name).await?;
        }
    }
    listening.iter().for_each(tokio::task::JoinHandle::abort);
    let name = format!("create with tail, bell, {PAGES} sockets");
    table.ratio(&name, (&on, &off), Goal::AtLeast(0.95), "without them, creates a second");
    Ok(())
}
