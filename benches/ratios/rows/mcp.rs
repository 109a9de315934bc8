//! The same look over both surfaces: `check-proposal` over MCP against the REST GET, of pending proposals.

use std::net::SocketAddr;

use serde_json::json;

use super::read::{Pending, pending, status_of, works};
use crate::Res;
use crate::cell::Cell;
use crate::load;
use crate::requests::{self, Request};
use crate::rows::Setting;
use crate::stage::Stage;
use crate::table::{Goal, Table};

const DATABASE: &str = "mcp";

pub(crate) async fn run(stage: &Stage, setting: &Setting, table: &mut Table) -> Res<()> {
    stage.database(DATABASE).await?;
    let server = stage.serve(DATABASE)?;
    let ids = pending(stage, server.address, 1000).await?;
    let [mut rest, mut mcp] = [(); 2].map(|()| Cell::default());
    for _ in 0..setting.reps {
        let looks = works(200, |n| status_of(stage, server.address, (&ids, n), ""));
        rest.push(load::run(server.address, looks, setting.seconds).await?.rate);
        let looks = works(200, |n| check(stage, server.address, (&ids, n)));
        mcp.push(load::run(server.address, looks, setting.seconds).await?.rate);
    }
    table.ratio("check-proposal over MCP", (&mcp, &rest), Goal::AtLeast(0.5), "the same over REST, a second");
    Ok(())
}

/// As most clients send it today.
fn check(stage: &Stage, host: SocketAddr, (pending, n): (&[Pending], usize)) -> Request {
    let params = json!({ "name": "check-proposal", "arguments": { "proposal_id": pending[n % pending.len()].id } });
    let call = json!({ "jsonrpc": "2.0", "id": n, "method": "tools/call", "params": params });
    let headers = format!(
        "{}Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2025-06-18\r\n",
        stage.world.bearer(n)
    );
    requests::post(host, "/mcp", &headers, &call.to_string())
}
