//! Growth: creating, listing what is pending and deciding, beside two million closed proposals against beside none.

use super::create::creates;
use super::decide::ruling;
use super::read::pending;
use crate::Res;
use crate::cell::Cell;
use crate::load::{self, Work};
use crate::process::Process;
use crate::requests;
use crate::rows::Setting;
use crate::stage::Stage;
use crate::table::{Goal, Table};

const FULL: &str = "grown";
const EMPTY: &str = "young";

const CONNECTIONS: usize = 32;
/// Connections of approvers: twice what the decisions' pool has.
const APPROVERS: usize = 4;

/// Closes what a cell has made, so that every cell begins with the same few pending ones.
const CLOSE: &str =
    "update proposals set status = 'withdrawn', version = 2, closed_at = clock_timestamp() where status = 'pending';
    update agents set pending = 0";

/// Creates, lists and decisions a second.
#[derive(Default)]
struct Cells {
    create: Cell,
    list: Cell,
    decide: Cell,
}

pub(crate) async fn run(stage: &Stage, setting: &Setting, table: &mut Table) -> Res<()> {
    stage.database(FULL).await?;
    stage.database(EMPTY).await?;
    let count = if setting.quick { "20000" } else { "2000000" };
    stage.databases.run(FULL, &include_str!("growth.sql").replace("COUNT", count)).await?;
    for name in [FULL, EMPTY] {
        stage.databases.run(name, "vacuum analyze").await?;
        stage.databases.run(name, "checkpoint").await?;
    }
    let servers = [(FULL, stage.serve(FULL)?), (EMPTY, stage.serve(EMPTY)?)];
    let mut cells = [Cells::default(), Cells::default()];
    for rep in 0..setting.reps {
        for turn in [rep % 2, (rep + 1) % 2] {
            measure(stage, &servers[turn], setting.seconds, &mut cells[turn]).await?;
        }
    }
    let [full, empty] = &cells;
    let closed = format!("beside {count} closed");
    for (what, full, empty) in [
        ("create", &full.create, &empty.create),
        ("list pending", &full.list, &empty.list),
        ("decide", &full.decide, &empty.decide),
    ] {
        table.ratio(&format!("{what} {closed}"), (full, empty), Goal::AtLeast(0.95), "beside none, a second");
    }
    Ok(())
}

async fn measure(stage: &Stage, (name, server): &(&str, Process), seconds: f64, cells: &mut Cells) -> Res<()> {
    let host = server.address;
    cells.create.push(creates(stage, host, (CONNECTIONS, seconds)).await?.rate);
    stage.databases.run(name, CLOSE).await?;
    let proposals = pending(stage, host, 600).await?;
    let browser = stage.world.browser(host);
    let list = requests::get(host, "/api/v1/reviews?status=pending", &browser);
    let lists = (0..APPROVERS).map(|_| Work::new(vec![list.clone()], 200)).collect();
    cells.list.push(load::run(host, lists, seconds).await?.rate);
    let rulings = (0..APPROVERS).map(|n| {
        let some = proposals.iter().skip(n).step_by(APPROVERS);
        Work::new(some.map(|proposal| ruling(stage, host, proposal)).collect(), 200)
    });
    cells.decide.push(load::each(host, rulings.collect()).await?.rate);
    stage.databases.run(name, CLOSE).await
}
