//! Deciding: from an approver's decision on its way to the waiting agent's answer in hand, against one commit.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use super::read::Pending;
use crate::Res;
use crate::cell::{Cell, percentile};
use crate::http::Connection;
use crate::load;
use crate::pgbench::{self, Script};
use crate::requests::{self, Request};
use crate::rows::Setting;
use crate::stage::Stage;
use crate::table::{Goal, Table};

const DATABASE: &str = "deciding";

/// How long the agent gets to fall asleep before the decision is sent.
const ASLEEP: Duration = Duration::from_millis(3);

pub(crate) async fn run(stage: &Stage, setting: &Setting, table: &mut Table) -> Res<()> {
    stage.database(DATABASE).await?;
    let server = stage.serve(DATABASE)?;
    let [mut commit, mut rows, mut middle, mut worst] = [(); 4].map(|()| Cell::default());
    for _ in 0..setting.reps {
        let single = |script| pgbench::run(&stage.databases, &stage.scratch, script, (1, setting.seconds));
        commit.push(single(Script::Commit)?.p50_ms);
        rows.push(single(Script::Create)?.p50_ms);
        let times = decide_for(stage, server.address, setting.seconds * 1.5).await?;
        middle.push(percentile(&times, 0.5));
        worst.push(percentile(&times, 0.99));
    }
    table.ratio("decide to agent, p50", (&middle, &commit), Goal::AtMost(1.4), "pgbench, one row's commit, p50 ms");
    table.ratio("decide to agent, p99", (&worst, &commit), Goal::AtMost(4.0), "pgbench, one row's commit, p50 ms");
    table.ratio("decide to agent, p50", (&middle, &rows), Goal::Told, "pgbench, a create's commit, p50 ms");
    Ok(())
}

/// One after the other for so long; each time in milliseconds.
async fn decide_for(stage: &Stage, host: SocketAddr, seconds: f64) -> Res<Vec<f64>> {
    let mut agent = Connection::open(host).await?;
    let mut approver = Connection::open(host).await?;
    let mut create = requests::create(&stage.world, host, 0);
    let mut times = Vec::new();
    let began = Instant::now();
    while began.elapsed().as_secs_f64() < seconds {
        let status = agent.exchange(create.number(load::number())).await?;
        let proposal = Pending::read(status, agent.body())?;
        times.push(decide(stage, host, (&mut agent, &mut approver), &proposal).await?);
    }
    Ok(times)
}

/// The approver approves it.
pub(crate) fn ruling(stage: &Stage, host: SocketAddr, proposal: &Pending) -> Request {
    let ruling = serde_json::json!({"outcome": "approved", "digest": proposal.digest}).to_string();
    let path = format!("/api/v1/proposals/{}/decision", proposal.id);
    requests::post(host, &path, &stage.world.browser(host), &ruling)
}

async fn decide(
    stage: &Stage,
    host: SocketAddr,
    (agent, approver): (&mut Connection, &mut Connection),
    proposal: &Pending,
) -> Res<f64> {
    let headers = format!("{}If-None-Match: \"v1\"\r\n", stage.world.bearer(0));
    let wait = requests::get(host, &format!("/api/v1/proposals/{}?wait=45", proposal.id), &headers);
    let ruling = ruling(stage, host, proposal);
    agent.send(wait.bytes()).await?;
    tokio::time::sleep(ASLEEP).await;
    let sent = Instant::now();
    approver.send(ruling.bytes()).await?;
    let status = agent.receive().await?;
    let took = sent.elapsed();
    let told: serde_json::Value = serde_json::from_slice(agent.body())?;
    let decided = approver.receive().await?;
    if (status, decided) != (200, 200) || told["status"] != "approved" {
        return Err(format!("the agent got {status} {told}, the approver {decided}").into());
    }
    Ok(took.as_secs_f64() * 1000.0)
}
