//! Mail into a pane in which an agent rests: from the answer that it is queued to the agent's reading the line.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::time::sleep;

use crate::Res;
use crate::cell::{Cell, percentile};
use crate::desk::Desk;
use crate::http::Connection;
use crate::notes::Notes;
use crate::requests;
use crate::rows::Setting;
use crate::stage::Stage;
use crate::table::{Goal, Table};

const DATABASE: &str = "mail";

/// How often the agent's log is read while a line is awaited.
const OFTEN: Duration = Duration::from_millis(1);
/// One sender has ten mails a minute.
const APART: Duration = Duration::from_millis(6_100);
/// How long an agent works on a mail; then it rests until the next.
const WORK_MS: u32 = 800;

pub(crate) async fn run(stage: &Stage, setting: &Setting, table: &mut Table) -> Res<()> {
    let count = if setting.quick { 8 } else { 30 };
    stage.database(DATABASE).await?;
    let server = stage.serve(DATABASE)?;
    let desk = Desk::make(&stage.scratch, DATABASE)?;
    let mut notes = seat(&desk, count).await?;
    let token = stage.supervise(DATABASE, &desk.tree).await?;
    // The line that there is mail is not repeated within 25 seconds; mails in full are another text each time.
    stage.policy(DATABASE, json!({ "mail_mode": "full_body" })).await?;
    let _client = desk.watch(server.address, &token, (1, false)).await?;
    let times = send_all(stage, server.address, (&mut notes, count)).await;
    let times = times.map_err(|error| format!("{error}: {}", desk.client_said()))?;
    let at = |share| Cell::from_iter([percentile(&times, share)]);
    let spoken = format!("{count} mails in full, from the answer; the longest {:.0} ms", percentile(&times, 1.0));
    table.number("mail: queued to typed, p50 ms", &at(0.5), Goal::AtMost(3_000.0), &spoken);
    table.number("mail: queued to typed, p90 ms", &at(0.9), Goal::Told, &spoken);
    Ok(())
}

/// An agent that rests, works on each mail for a moment, and rests again.
async fn seat(desk: &Desk, count: u32) -> Res<Notes> {
    let (steps, log) = (desk.file("steps.jsonl"), desk.file("agent.jsonl"));
    let turn = format!("{{\"work_ms\":{WORK_MS}}}\n{{\"say\":\"It is read.\"}}\n{{\"idle\":true}}\n");
    std::fs::write(&steps, format!("{{\"idle\":true}}\n{}", turn.repeat(usize::try_from(count)?)))?;
    std::fs::write(&log, "")?;
    desk.agent(("desk", true), &steps, &log)?;
    let mut notes = Notes::open(&log)?;
    notes.until(OFTEN, |note| note["shown"] == "idle").await?;
    Ok(notes)
}

/// One after the other, each when the agent has rested for seconds and at another moment of the service's tick; in
/// milliseconds.
async fn send_all(stage: &Stage, host: SocketAddr, (notes, count): (&mut Notes, u32)) -> Res<Vec<f64>> {
    let mut approver = Connection::open(host).await?;
    let mut times = Vec::new();
    for n in 0..count {
        let body = json!({ "body": format!("Please look at note {n}.") }).to_string();
        let mail = requests::post(host, "/api/v1/lanes/desk/mail", &stage.world.browser(host), &body);
        let status = approver.exchange(mail.bytes()).await?;
        let queued = Instant::now();
        if status != 201 {
            return Err(format!("a mail was answered {status}").into());
        }
        notes.until(OFTEN, |note| note["typed"].is_string()).await?;
        times.push(queued.elapsed().as_secs_f64() * 1000.0);
        notes.until(OFTEN, |note| note["shown"] == "idle").await?;
        let pause = APART + Duration::from_millis(u64::from(n) * 379 % 1_900);
        sleep(pause.saturating_sub(queued.elapsed())).await;
    }
    Ok(times)
}
