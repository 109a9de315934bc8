//! From a dialog on the screen to the key of the policy, and from a person's decision to its key; against bare tmux doing as much.

use std::fmt::Write as _;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::Res;
use crate::cell::{Cell, percentile};
use crate::desk::{Desk, Seat};
use crate::http::Connection;
use crate::notes::Notes;
use crate::requests;
use crate::rows::Setting;
use crate::stage::Stage;
use crate::table::{Goal, Table};

const DATABASE: &str = "pressing";

/// What the policy answers: each is proven to stay in the repository.
const ROUTINE: [&str; 5] =
    ["git status --short", "git diff --stat", "cat notes.txt", "git log --oneline -5", "ls -l notes.txt"];
/// How often the log is read: seldom where the agent's own clock measures, often where the bench's does.
const SELDOM: Duration = Duration::from_millis(20);
const OFTEN: Duration = Duration::from_millis(1);
/// The two looks before a key are so far apart (contract of `verified_send`).
const APART: Duration = Duration::from_millis(150);

/// How many times of each kind, in milliseconds.
#[derive(Default)]
struct Times {
    /// Dialog to key, by the policy.
    routine: Vec<f64>,
    /// Decision answered to key.
    decided: Vec<f64>,
    /// The decision's own request.
    request: Vec<f64>,
}

/// The agent, its log, and an idle pane beside it.
struct Scene<'a> {
    stage: &'a Stage,
    desk: Desk,
    host: SocketAddr,
    agent: Seat,
    notes: Notes,
    beside: String,
}

pub(crate) async fn run(stage: &Stage, setting: &Setting, table: &mut Table) -> Res<()> {
    let each = if setting.quick { 5 } else { 12 };
    stage.database(DATABASE).await?;
    let server = stage.serve(DATABASE)?;
    let mut scene = Scene::open(stage, server.address, script(setting.reps, each)).await?;
    let token = stage.supervise(DATABASE, &scene.desk.tree).await?;
    let _client = scene.desk.watch(server.address, &token, (1, false)).await?;
    let mut all = Times::default();
    let [mut routine, mut decided, mut two_looks, mut four_looks] = [(); 4].map(|()| Cell::default());
    for _ in 0..setting.reps {
        let times = scene.routine().await.map_err(|error| format!("{error}: {}", scene.desk.client_said()))?;
        routine.push(percentile(&times, 0.5));
        all.routine.extend(times);
        four_looks.push(scene.bare(2, each)?);
        let times = scene.held(&mut all.request).await;
        let times = times.map_err(|error| format!("{error}: {}", scene.desk.client_said()))?;
        decided.push(percentile(&times, 0.5));
        all.decided.extend(times);
        two_looks.push(scene.bare(1, each)?);
    }
    tell(table, &all, [(&routine, &four_looks), (&decided, &two_looks)]);
    Ok(())
}

fn tell(table: &mut Table, all: &Times, [routine, decided]: [(&Cell, &Cell); 2]) {
    let count = all.routine.len();
    let at = |times: &[f64], share| Cell::from_iter([percentile(times, share)]);
    let spoken = format!("{count} dialogs, from the agent's painting to its reading the key");
    table.number("policy: dialog to key, p50 ms", &at(&all.routine, 0.5), Goal::AtMost(1000.0), &spoken);
    let spoken = format!("{count} dialogs, the longest {:.0} ms", percentile(&all.routine, 1.0));
    table.number("policy: dialog to key, p99 ms", &at(&all.routine, 0.99), Goal::AtMost(2500.0), &spoken);
    table.ratio("policy: dialog to key, p50", routine, Goal::Told, "bare tmux, two times two looks and a key, p50 ms");
    let count = all.decided.len();
    let request = percentile(&all.request, 0.5);
    let spoken = format!("{count} decisions, from their answer; the request itself took {request:.1} ms");
    table.number("person: decided to key, p50 ms", &at(&all.decided, 0.5), Goal::AtMost(400.0), &spoken);
    let spoken = format!("{count} decisions, the longest {:.0} ms", percentile(&all.decided, 1.0));
    table.number("person: decided to key, p99 ms", &at(&all.decided, 0.99), Goal::Told, &spoken);
    table.ratio("person: decided to key, p50", decided, Goal::Told, "bare tmux, two looks and a key, p50 ms");
}

/// As often as there are repetitions: so many routine dialogs, a rest, so many that are held, a rest. The work between
/// them is never twice as long, so that nothing falls into step with the client.
fn script(reps: usize, each: usize) -> String {
    let options = json!(["Yes", "Yes, and don't ask again for this command", "No"]);
    let mut script = "{\"idle\":true}\n".to_owned();
    for batch in 0..2 * reps {
        for n in 0..each {
            let held = format!("head -n {} /etc/hosts", n + 1);
            let command = if batch % 2 == 0 { ROUTINE[n % ROUTINE.len()] } else { &held };
            let ask = json!({"ask": {"title": "Bash command", "command": command, "options": options}});
            let work = 600 + (batch * each + n) * 137 % 500;
            // Writing to a string cannot fail.
            let _ = writeln!(script, "{{\"work_ms\":{work}}}\n{ask}");
        }
        script.push_str("{\"idle\":true}\n");
    }
    script
}

impl<'a> Scene<'a> {
    async fn open(stage: &'a Stage, host: SocketAddr, script: String) -> Res<Self> {
        let desk = Desk::make(&stage.scratch, DATABASE)?;
        let (steps, log) = (desk.file("steps.jsonl"), desk.file("agent.jsonl"));
        std::fs::write(&steps, script)?;
        std::fs::write(&log, "")?;
        let agent = desk.agent(("desk", true), &steps, &log)?;
        let beside = desk.seat(("desk", false), [std::ffi::OsStr::new("cat")].into_iter())?.pane;
        let mut notes = Notes::open(&log)?;
        notes.until(SELDOM, |note| note["shown"] == "idle").await?;
        Ok(Self { stage, desk, host, agent, notes, beside })
    }

    /// The agent stops resting.
    fn go_on(&self) -> Res<()> {
        let pid = i32::try_from(self.agent.pid).ok().and_then(Pid::from_raw).ok_or("no agent")?;
        Ok(kill_process(pid, Signal::USR1)?)
    }

    /// A batch that the policy answers; dialog to key by the agent's own clock.
    async fn routine(&mut self) -> Res<Vec<f64>> {
        self.go_on()?;
        let (mut times, mut shown) = (Vec::new(), 0.0);
        loop {
            let note = self.notes.next(SELDOM).await?;
            let at = note["ms"].as_f64().ok_or("a note without its time")?;
            if note["shown"] == "idle" {
                return Ok(times);
            } else if note["shown"] == "dialog" {
                shown = at;
            } else if note["key"].is_string() {
                times.push(at - shown);
            } else if note["chose"].is_object() && note["chose"]["n"] != 1 {
                return Err(format!("another row than Yes was chosen: {note}").into());
            }
        }
    }

    /// A batch that is held, and decided by the approver: yes and no in turn.
    async fn held(&mut self, requests: &mut Vec<f64>) -> Res<Vec<f64>> {
        let mut approver = Connection::open(self.host).await?;
        self.go_on()?;
        let mut times = Vec::new();
        loop {
            let note = self.notes.until(SELDOM, |note| note["shown"] == "dialog" || note["shown"] == "idle").await?;
            if note["shown"] == "idle" {
                return Ok(times);
            }
            let proposal = self.waiting(&mut approver).await?;
            let (outcome, row) = if times.len() % 2 == 0 { ("approved", 1) } else { ("rejected", 3) };
            let ruling = json!({"outcome": outcome, "digest": proposal["digest"]}).to_string();
            let path = format!("/api/v1/proposals/{}/decision", proposal["id"].as_str().unwrap_or_default());
            let ruling = requests::post(self.host, &path, &self.stage.world.browser(self.host), &ruling);
            // A person looks first; not always equally long.
            let pause = 150 + times.len() as u64 * 61 % 200;
            tokio::time::sleep(Duration::from_millis(pause)).await;
            let sent = Instant::now();
            let status = approver.exchange(ruling.bytes()).await?;
            let answered = Instant::now();
            if status != 200 {
                return Err(format!("deciding was answered {status}").into());
            }
            self.notes.until(OFTEN, |note| note["key"].is_string()).await?;
            times.push(answered.elapsed().as_secs_f64() * 1000.0);
            requests.push((answered - sent).as_secs_f64() * 1000.0);
            let chose = self.notes.until(SELDOM, |note| note["chose"].is_object()).await?;
            if chose["chose"]["n"] != row {
                return Err(format!("{outcome}, and another row than {row} was chosen: {chose}").into());
            }
        }
    }

    /// The one dialog that waits for a person.
    async fn waiting(&self, approver: &mut Connection) -> Res<Value> {
        let list = requests::get(self.host, "/api/v1/reviews?status=pending", &self.stage.world.browser(self.host));
        let began = Instant::now();
        while began.elapsed() < Duration::from_secs(20) {
            let status = approver.exchange(list.bytes()).await?;
            let mut listed: Value = serde_json::from_slice(approver.body())?;
            if status != 200 {
                return Err(format!("the inbox was answered {status}").into());
            }
            if listed["items"][0].is_object() {
                return Ok(listed["items"][0].take());
            }
            tokio::time::sleep(SELDOM).await;
        }
        Err("no dialog came to the inbox".into())
    }

    /// What bare tmux needs for as many looks and one key, in milliseconds: the least for anybody who looks twice.
    fn bare(&self, pairs: usize, times: usize) -> Res<f64> {
        let look = ["list-panes", "-a", "-F", "#{pane_id} #{pane_pid}", ";", "capture-pane", "-p", "-e", "-t"];
        let look: Vec<&str> = look.into_iter().chain([self.beside.as_str()]).collect();
        let mut took = Vec::new();
        for _ in 0..times {
            let began = Instant::now();
            for _ in 0..pairs {
                self.desk.call(&look)?;
                std::thread::sleep(APART);
                self.desk.call(&look)?;
            }
            self.desk.call(&["send-keys", "-t", &self.beside, "-l", "1"])?;
            took.push(began.elapsed().as_secs_f64() * 1000.0);
        }
        Ok(percentile(&took, 0.5))
    }
}
