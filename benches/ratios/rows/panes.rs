//! Watching panes in which nothing happens: the processor time of the client, of tmux and of the service, the client's memory.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::time::sleep;

use crate::Res;
use crate::cell::Cell;
use crate::desk::{Desk, STILL, Seat};
use crate::machine::{self, Spent};
use crate::notes::Notes;
use crate::rows::Setting;
use crate::stage::Stage;
use crate::table::{Goal, Table};

const DATABASE: &str = "watching";

/// How many windows a session has.
const WINDOWS: usize = 10;

/// What was used while somebody looked, in percent of a core.
struct Used {
    /// The client's own threads.
    client: f64,
    /// The calls of tmux that it made and saw end.
    calls: f64,
    /// Its children that stay: the listeners.
    listeners: f64,
    /// The tmux server.
    tmux: f64,
    /// The service.
    service: f64,
}

pub(crate) async fn run(stage: &Stage, setting: &Setting, table: &mut Table) -> Res<()> {
    let (panes, look) = if setting.quick { (12, 5) } else { (50, 40) };
    let look = Duration::from_secs(look);
    stage.database(DATABASE).await?;
    let server = stage.serve(DATABASE)?;
    let desk = Desk::make(&stage.scratch, DATABASE)?;
    let seat = seats(&desk, panes).await?;
    let token = stage.supervise(DATABASE, &desk.tree).await?;
    sleep(STILL).await;
    let alone = machine::spent(seat.server)?.own;
    sleep(look).await;
    let alone = (machine::spent(seat.server)?.own - alone) / look.as_secs_f64() * 100.0;

    let client = desk.watch(server.address, &token, (panes, false)).await?;
    let used = watch([client.pid(), seat.server, server.pid()], look).await?;
    let memory = machine::resident_kib(client.pid())? / 1024.0;
    let listeners = machine::children(client.pid())?;
    let mut beside = 0.0;
    for listener in &listeners {
        // A call that has just ended is no listener.
        beside += machine::resident_kib(*listener).unwrap_or_default() / 1024.0;
    }
    drop(client);

    // Counting costs a shell for each call, so nothing else is measured meanwhile.
    let client = desk.watch(server.address, &token, (panes, true)).await?;
    let calls = desk.calls()?;
    sleep(look).await;
    let calls = desk.calls()? - calls;
    drop(client);

    let seconds = look.as_secs();
    let cell = |value: f64| Cell::from_iter([value]);
    let Used { client, calls: forks, listeners: listening, tmux, service } = used;
    let what =
        format!("itself {client:.2}, its calls of tmux {forks:.2}, its listeners {listening:.2}, over {seconds} s");
    let name = |what: &str| format!("{panes} idle panes, {what}");
    table.number(&name("client, % of a core"), &cell(client + forks + listening), Goal::AtMost(3.0), &what);
    let what = format!("{alone:.2} without the client");
    table.number(&name("tmux server, % of a core"), &cell(tmux), Goal::Told, &what);
    table.number(&name("service, % of a core"), &cell(service), Goal::Told, "all that it does meanwhile");
    let what = format!("resident; beside it {} listeners of tmux with {beside:.1} in all", listeners.len());
    table.number(&name("client, MiB"), &cell(memory), Goal::AtMost(30.0), &what);
    let what = format!("{calls} calls in {seconds} s");
    #[expect(clippy::cast_precision_loss, reason = "a handful")]
    let rate = calls as f64 / panes as f64 / look.as_secs_f64() * 60.0;
    table.number(&name("tmux started, a pane and minute"), &cell(rate), Goal::Told, &what);
    Ok(())
}

/// Agents at rest, ten windows to a session; the answer is the last.
async fn seats(desk: &Desk, count: usize) -> Res<Seat> {
    let steps = desk.file("steps.jsonl");
    std::fs::write(&steps, "{\"say\":\"The work is done; I rest.\"}\n{\"idle\":true}\n")?;
    let mut seats = Vec::new();
    for n in 0..count {
        let log = desk.file(&format!("agent-{n}.jsonl"));
        std::fs::write(&log, "")?;
        seats.push(desk.agent((&format!("desk-{}", n / WINDOWS), n % WINDOWS == 0), &steps, &log)?);
        Notes::open(&log)?.until(Duration::from_millis(5), |note| note["shown"] == "idle").await?;
    }
    seats.pop().ok_or_else(|| "no panes".into())
}

async fn watch([client, tmux, service]: [u32; 3], look: Duration) -> Res<Used> {
    let read = || -> Res<[Spent; 3]> { Ok([machine::spent(client)?, machine::spent(tmux)?, machine::spent(service)?]) };
    let (before, listening) = (read()?, children(client)?);
    sleep(look).await;
    let (after, listened) = (read()?, children(client)?);
    let share = |seconds: f64| seconds / look.as_secs_f64() * 100.0;
    let own = |n: usize| share(after[n].own - before[n].own);
    let lived = listened.iter().filter_map(|(pid, after)| Some(after - listening.get(pid)?));
    Ok(Used {
        client: own(0),
        calls: share(after[0].children - before[0].children),
        listeners: share(lived.sum()),
        tmux: own(1),
        service: own(2),
    })
}

/// What the children that run now have used.
fn children(pid: u32) -> Res<BTreeMap<u32, f64>> {
    let pids = machine::children(pid)?;
    // One that has ended meanwhile is in its parent's account.
    Ok(pids.into_iter().filter_map(|pid| Some((pid, machine::spent(pid).ok()?.own))).collect())
}
