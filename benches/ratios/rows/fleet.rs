//! Leads that wait for their members: what two thousand blocked calls over MCP cost the database (nothing) and the processor.

use std::net::SocketAddr;
use std::time::Duration;

use futures_util::future::try_join_all;
use serde_json::{Value, json};
use tokio::time::sleep;

use super::waiters::watch;
use crate::Res;
use crate::cell::Cell;
use crate::http::Connection;
use crate::rows::Setting;
use crate::stage::Stage;
use crate::table::{Goal, Table};
use crate::world::Fleet;
use crate::{machine, requests, socket};

const DATABASE: &str = "fleet";
/// How many messages wait for one session at most.
const EACH: usize = 8;
/// How many begin to wait at a time.
const AT_ONCE: usize = 125;

pub(crate) async fn run(stage: &Stage, setting: &Setting, table: &mut Table) -> Res<()> {
    stage.database(DATABASE).await?;
    let server = stage.serve(DATABASE)?;
    let fleet = stage.fleet(DATABASE).await?;
    let count: usize = if setting.quick { 200 } else { 2_000 };
    report(server.address, &fleet, count.div_ceil(EACH)).await?;
    let alone = watch(stage, (DATABASE, &server)).await?;
    let before = machine::resident_kib(server.pid())?;
    let waiting = block_all(server.address, &fleet, count).await?;
    while usize::try_from(stage.waiters(DATABASE).await?)? < count {
        sleep(Duration::from_millis(20)).await;
    }
    let each = (machine::resident_kib(server.pid())? - before) / f64::from(u32::try_from(count)?);
    let asleep = watch(stage, (DATABASE, &server)).await?;
    drop(waiting);
    let cell = |value: f64| Cell::from_iter([value]);
    let many = format!("{count} blocked fleet_send");
    let what = format!(
        "{:.0} with, {:.0} without, in 31 s (ticks of the jobs and the tail)",
        asleep.transactions, alone.transactions
    );
    // A tick more or less falls into the window.
    let more = (asleep.transactions - alone.transactions) / 31.0;
    table.number(&format!("{many}, transactions a second"), &cell(more), Goal::AtMost(0.2), &what);
    let what = format!("{:.2} % with, {:.2} % without, over 31 s", asleep.cpu, alone.cpu);
    table.number(&format!("{many}, % of a core"), &cell(asleep.cpu - alone.cpu), Goal::AtMost(0.5), &what);
    table.number(&format!("{many}, KiB each"), &cell(each), Goal::Told, "resident memory of the server");
    Ok(())
}

/// The members' panes, which nobody can read: what is sent to them waits.
async fn report(host: SocketAddr, fleet: &Fleet, panes: usize) -> Res<()> {
    let mut connection = Connection::open(host).await?;
    let bearer = |token: &str| format!("Authorization: Bearer {token}\r\n");
    let exchange = requests::post(host, "/api/v1/pane/token", &bearer(&fleet.eyes), "{}");
    let status = connection.exchange(exchange.bytes()).await?;
    let issued: Value = serde_json::from_slice(connection.body())?;
    let token = issued["token"].as_str().ok_or_else(|| format!("no short-lived token: {status}"))?.to_owned();
    for n in 0..panes {
        let pane = json!({
            "lane": "api", "agent_kind": "claude", "session_id": format!("s-{n}"), "status": "unknown",
            "safe_to_type": false, "awaiting_input": false, "ended_turn": false, "limit": false, "external": false,
        });
        let path = format!("/api/v1/panes/p{n}");
        let status =
            connection.exchange(requests::put(host, &path, &bearer(&token), &pane.to_string()).bytes()).await?;
        if status != 204 {
            return Err(format!("a pane's report was answered {status}").into());
        }
    }
    Ok(())
}

/// One blocked call for each.
async fn block_all(host: SocketAddr, fleet: &Fleet, count: usize) -> Res<Vec<Connection>> {
    let numbers: Vec<usize> = (0..count).collect();
    let mut waiting = Vec::with_capacity(count);
    for some in numbers.chunks(AT_ONCE) {
        let begun = some.iter().map(|n| async move {
            let mut connection = Connection::open_from(host, socket::host(*n)).await?;
            connection.send(call(host, fleet, *n).bytes()).await?;
            Ok::<_, Box<dyn std::error::Error + Send + Sync>>(connection)
        });
        waiting.extend(try_join_all(begun).await?);
    }
    Ok(waiting)
}

fn call(host: SocketAddr, fleet: &Fleet, n: usize) -> requests::Request {
    let wish = json!({ "sessionId": format!("s-{}", n / EACH), "content": format!("Task {n}."), "wait": 45 });
    let params = json!({ "name": "fleet_send", "arguments": wish });
    let call = json!({ "jsonrpc": "2.0", "id": n, "method": "tools/call", "params": params });
    let headers = format!(
        "Authorization: Bearer {}\r\nAccept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2025-06-18\r\n",
        fleet.lead
    );
    requests::post(host, "/mcp", &headers, &call.to_string())
}
