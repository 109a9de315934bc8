//! Creating: with token, JSON and idempotency key over HTTP, against pgbench writing the same rows in statements of their own.

use std::net::SocketAddr;

use crate::Res;
use crate::cell::Cell;
use crate::load::{self, Tally, Work};
use crate::pgbench::{self, ANCHOR, Script};
use crate::requests;
use crate::rows::Setting;
use crate::stage::Stage;
use crate::table::{Goal, Table};

const DATABASE: &str = "creating";

/// Creates over `connections`, each an agent of its own as far as they go.
pub(crate) async fn creates(stage: &Stage, host: SocketAddr, (connections, seconds): (usize, f64)) -> Res<Tally> {
    let works = (0..connections).map(|n| Work::new(vec![requests::create(&stage.world, host, n)], 201)).collect();
    load::run(host, works, seconds).await
}

pub(crate) async fn run(stage: &Stage, setting: &Setting, table: &mut Table) -> Res<()> {
    stage.database(DATABASE).await?;
    let server = stage.serve(DATABASE)?;
    let seconds = setting.seconds;
    let [mut many, mut one, mut at_32, mut at_128, mut at_1] = [(); 5].map(|()| Cell::default());
    for _ in 0..setting.reps {
        let rows = |clients| pgbench::run(&stage.databases, &stage.scratch, Script::Create, (clients, seconds));
        many.push(rows(32)?.tps);
        at_32.push(creates(stage, server.address, (32, seconds)).await?.rate);
        stage.databases.reset(DATABASE).await?;
        at_128.push(creates(stage, server.address, (128, seconds)).await?.rate);
        stage.databases.reset(DATABASE).await?;
        one.push(rows(1)?.p50_ms);
        at_1.push(creates(stage, server.address, (1, seconds)).await?.p50_ms());
        stage.databases.reset(DATABASE).await?;
        stage.databases.reset(ANCHOR).await?;
    }
    table.ratio("create, 32 connections", (&at_32, &many), Goal::AtLeast(0.9), "pgbench c=32, tps");
    table.ratio("create, 128 connections", (&at_128, &many), Goal::AtLeast(2.0), "pgbench c=32, tps");
    table.ratio("create, 1 connection, p50", (&at_1, &one), Goal::Told, "pgbench c=1, p50 ms");
    Ok(())
}
