//! Long polls asleep: what they cost the database (nothing), the processor (nothing) and memory.

use std::net::SocketAddr;
use std::time::Duration;

use futures_util::future::try_join_all;
use tokio::time::sleep;

use super::read::{Pending, pending};
use crate::Res;
use crate::cell::Cell;
use crate::http::Connection;
use crate::process::Process;
use crate::rows::Setting;
use crate::stage::Stage;
use crate::table::{Goal, Table};
use crate::{machine, requests, socket};

const DATABASE: &str = "waiting";

/// Postgres tells what a connection did up to ten seconds late.
const TOLD: Duration = Duration::from_secs(11);
/// How long is looked at; with the above less than a long poll's longest.
const LOOK: Duration = Duration::from_secs(20);
/// How many begin to wait at a time.
const AT_ONCE: usize = 250;

pub(crate) async fn run(stage: &Stage, setting: &Setting, table: &mut Table) -> Res<()> {
    stage.database(DATABASE).await?;
    let server = stage.serve(DATABASE)?;
    let count: u32 = if setting.quick { 500 } else { 10_000 };
    let proposals = pending(stage, server.address, usize::try_from(count)?).await?;
    let alone = watch(stage, (DATABASE, &server)).await?;
    let before = machine::resident_kib(server.pid())?;
    let waiting = wait_all(stage, server.address, &proposals).await?;
    while stage.waiters(DATABASE).await? < count {
        sleep(Duration::from_millis(20)).await;
    }
    let each = (machine::resident_kib(server.pid())? - before) / f64::from(count);
    let asleep = watch(stage, (DATABASE, &server)).await?;
    drop(waiting);
    let cell = |value: f64| Cell::from_iter([value]);
    let many = format!("{count} waiters");
    let what = format!(
        "{:.0} with, {:.0} without, in 31 s (ticks of the jobs and the tail)",
        asleep.transactions, alone.transactions
    );
    // A tick more or less falls into the window.
    table.number(
        &format!("{many}, transactions a second"),
        &cell((asleep.transactions - alone.transactions) / 31.0),
        Goal::AtMost(0.2),
        &what,
    );
    let what = format!("{:.2} % with, {:.2} % without, over 31 s", asleep.cpu, alone.cpu);
    table.number(&format!("{many}, % of a core"), &cell(asleep.cpu - alone.cpu), Goal::AtMost(0.5), &what);
    table.number(&format!("{many}, KiB each"), &cell(each), Goal::Told, "resident memory of the server");
    Ok(())
}

/// What a server did while it was watched.
pub(super) struct Watched {
    pub(super) transactions: f64,
    /// Percent of a core.
    pub(super) cpu: f64,
}

/// Watches a server over this database for half a minute.
pub(super) async fn watch(stage: &Stage, (database, server): (&str, &Process)) -> Res<Watched> {
    let cpu = machine::spent(server.pid())?.own;
    sleep(TOLD).await;
    let transactions = stage.databases.transactions(database).await?;
    sleep(LOOK).await;
    let transactions = stage.databases.transactions(database).await? - transactions;
    let cpu = (machine::spent(server.pid())?.own - cpu) / (TOLD + LOOK).as_secs_f64() * 100.0;
    Ok(Watched { transactions, cpu })
}

/// One long poll for each.
async fn wait_all(stage: &Stage, host: SocketAddr, proposals: &[Pending]) -> Res<Vec<Connection>> {
    let mut waiting = Vec::with_capacity(proposals.len());
    for (nth, some) in proposals.chunks(AT_ONCE).enumerate() {
        let begun = some.iter().enumerate().map(|(n, proposal)| async move {
            let n = nth * AT_ONCE + n;
            let mut connection = Connection::open_from(host, socket::host(n)).await?;
            let headers = format!("{}If-None-Match: \"v1\"\r\n", stage.world.bearer(n));
            // Once without waiting: then memory knows it, and the second request asks no database.
            let path = format!("/api/v1/proposals/{}", proposal.id);
            let status = connection.exchange(requests::get(host, &path, &headers).bytes()).await?;
            if status != 304 {
                return Err(format!("{status} instead of 304").into());
            }
            connection.send(requests::get(host, &format!("{path}?wait=45"), &headers).bytes()).await?;
            Ok::<_, Box<dyn std::error::Error + Send + Sync>>(connection)
        });
        waiting.extend(try_join_all(begun).await?);
    }
    Ok(waiting)
}
