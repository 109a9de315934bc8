//! An idle WebSocket: how much memory the server's process holds for each.

use std::time::Duration;

use crate::Res;
use crate::cell::Cell;
use crate::machine;
use crate::rows::Setting;
use crate::socket;
use crate::stage::Stage;
use crate::table::{Goal, Table};

const DATABASE: &str = "listening";

pub(crate) async fn run(stage: &Stage, setting: &Setting, table: &mut Table) -> Res<()> {
    stage.database(DATABASE).await?;
    let count: u32 = if setting.quick { 500 } else { 5000 };
    let mut each = Cell::default();
    for _ in 0..setting.reps {
        // A fresh process each time: what an allocator was given once it does not give back.
        let server = stage.serve(DATABASE)?;
        let warm = socket::open(&stage.world, server.address, 100).await?;
        let before = machine::resident_kib(server.pid())?;
        let sockets = socket::open(&stage.world, server.address, usize::try_from(count)?).await?;
        tokio::time::sleep(Duration::from_secs(1)).await;
        each.push((machine::resident_kib(server.pid())? - before) / f64::from(count));
        drop((warm, sockets));
    }
    let what = format!("resident memory of the server, {count} sockets");
    table.number("idle WebSocket, KiB", &each, Goal::AtMost(6.0), &what);
    Ok(())
}
