//! Agents that ask, a person who decides and an agent that waits. All of them try again until they are answered, and all
//! that they were told is kept, to be compared with what is there in the end.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::stage::{AGENTS, Stage};
use crate::support::client::{Answer, Client};
use crate::support::proposals::{change, with};

/// How long one who was not answered waits before trying again.
const PAUSE: Duration = Duration::from_millis(20);
/// Longer than any fault lasts.
const PATIENCE: Duration = Duration::from_mins(1);

/// A proposal whose id an agent was given.
pub struct Asked {
    pub agent: usize,
    /// The idempotency key, which is the title too.
    pub key: String,
    pub id: String,
}

/// What the callers were told.
#[derive(Default)]
pub struct Told {
    pub asked: Mutex<Vec<Asked>>,
    /// Id and outcome, for which a person read that it is recorded.
    pub decided: Mutex<Vec<(String, String)>>,
    /// Id and final status and decision, as an agent read it.
    pub collected: Mutex<Vec<(String, Value)>>,
    acknowledged: watch::Sender<usize>,
    refused: watch::Sender<usize>,
    cut: AtomicUsize,
}

impl Told {
    fn acknowledge(&self) {
        self.acknowledged.send_modify(|count| *count += 1);
    }

    /// How it went, in a line.
    pub fn summary(&self) -> String {
        format!(
            "{} asked, {} decided, {} collected; {} times `unavailable`, {} connections cut",
            self.asked.lock().unwrap().len(),
            self.decided.lock().unwrap().len(),
            self.collected.lock().unwrap().len(),
            *self.refused.borrow(),
            self.cut.load(Ordering::Relaxed),
        )
    }
}

/// The request of a key: every fourth one will expire soon, so that some decisions come too late.
pub fn ask(key: &str) -> Value {
    let hurried = key.ends_with(['3', '7']);
    let more = if hurried { json!({ "expires_in": 1 }) } else { json!({}) };
    with(change(key), &more)
}

/// What an agent reads of a proposal that must never change once it is final.
pub fn verdict(proposal: &Value) -> Value {
    json!({ "status": proposal["status"], "decision": proposal["decision"] })
}

/// The callers at work.
pub struct Load {
    told: Arc<Told>,
    stop: Arc<AtomicBool>,
    agents: JoinSet<()>,
    waiting: JoinSet<()>,
    deciding: JoinSet<()>,
    done: Arc<AtomicBool>,
}

impl Load {
    /// Sets them to work on whatever server `url` names at the time.
    pub fn start(stage: &Stage, url: &watch::Receiver<String>) -> Self {
        let told = Arc::new(Told::default());
        let (stop, done) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let line = |who: Client| Line { who, url: url.clone(), told: told.clone() };
        let mut load = Self {
            told: told.clone(),
            stop: stop.clone(),
            done: done.clone(),
            agents: JoinSet::new(),
            waiting: JoinSet::new(),
            deciding: JoinSet::new(),
        };
        for number in 0..AGENTS.len() {
            load.agents.spawn(line(stage.agent(number, "")).asks(number, stop.clone()));
        }
        load.waiting.spawn(line(stage.agent(0, "")).waits(stop));
        load.deciding.spawn(line(stage.approver("")).decides(done));
        load
    }

    /// Returns once so many more requests were acknowledged.
    pub async fn more(&self, count: usize) {
        reach(&self.told.acknowledged, count).await;
    }

    /// Returns once one more request was refused as `unavailable`.
    pub async fn refused(&self) {
        reach(&self.told.refused, 1).await;
    }

    /// Lets everybody finish what they have begun; all that was asked is answered then.
    pub async fn finish(self) -> Arc<Told> {
        let Self { told, stop, agents, waiting, deciding, done } = self;
        stop.store(true, Ordering::Relaxed);
        for set in [agents, waiting] {
            timeout(PATIENCE, set.join_all()).await.expect("somebody was never answered");
        }
        done.store(true, Ordering::Relaxed);
        timeout(PATIENCE, deciding.join_all()).await.expect("the approver was never answered");
        told
    }
}

async fn reach(count: &watch::Sender<usize>, more: usize) {
    let goal = *count.borrow() + more;
    let mut seen = count.subscribe();
    let reached = seen.wait_for(|count| *count >= goal);
    timeout(PATIENCE, reached).await.expect("nothing goes on any more").unwrap();
}

/// One caller, who calls again until somebody answers.
struct Line {
    who: Client,
    url: watch::Receiver<String>,
    told: Arc<Told>,
}

impl Line {
    /// The first answer that is not "try again". Such a refusal has the contract's shape, and nothing else goes wrong.
    async fn answer(&self, request: impl Fn(&Client) -> RequestBuilder) -> Answer {
        loop {
            let url = self.url.borrow().clone();
            let request = request(&self.who.at(&url)).timeout(PATIENCE);
            match Client::attempt(request).await {
                Ok(answer) if answer.status == 503 => {
                    answer.assert_problem(503, "unavailable");
                    self.told.refused.send_modify(|count| *count += 1);
                }
                Ok(answer) => return answer,
                Err(_) => drop(self.told.cut.fetch_add(1, Ordering::Relaxed)),
            }
            sleep(PAUSE).await;
        }
    }

    /// An agent: asks one thing after the other, each with a key, and waits where too much is pending.
    async fn asks(self, agent: usize, stop: Arc<AtomicBool>) {
        for n in 0.. {
            if stop.load(Ordering::Relaxed) {
                return;
            }
            let key = format!("{}-{n}", AGENTS[agent]);
            let ask = ask(&key);
            let id = loop {
                let post = |who: &Client| who.request(Method::POST, "/api/v1/proposals");
                let answer = self.answer(|who| post(who).header("Idempotency-Key", &key).json(&ask)).await;
                match answer.status {
                    200 | 201 => break answer.json["id"].as_str().unwrap().to_owned(),
                    429 => self.waits_for(answer.json["pending_ids"][0].as_str().unwrap()).await,
                    _ => panic!("{key}: {}", answer.text),
                }
            };
            self.told.asked.lock().unwrap().push(Asked { agent, key, id });
            self.told.acknowledge();
        }
    }

    async fn waits_for(&self, id: &str) {
        let path = format!("/api/v1/proposals/{id}?wait=5");
        self.answer(|who| who.request(Method::GET, &path)).await.assert_status(200);
    }

    /// An agent of the same lane: waits for each proposal's end, in the order in which they were asked.
    async fn waits(self, stop: Arc<AtomicBool>) {
        let mut next = 0;
        while !stop.load(Ordering::Relaxed) {
            let asked = self.told.asked.lock().unwrap().get(next).map(|asked| asked.id.clone());
            let Some(id) = asked else {
                sleep(PAUSE).await;
                continue;
            };
            let path = format!("/api/v1/proposals/{id}?wait=20");
            let proposal = self.answer(|who| who.request(Method::GET, &path)).await.body(200);
            if proposal["status"] != "pending" {
                self.told.collected.lock().unwrap().push((id, verdict(&proposal)));
                next += 1;
            }
        }
    }

    /// The approver: decides what is pending, by the last digit of its id.
    async fn decides(self, done: Arc<AtomicBool>) {
        while !done.load(Ordering::Relaxed) {
            let page = self.answer(|who| who.request(Method::GET, "/api/v1/reviews?limit=20")).await.body(200);
            for review in page["items"].as_array().unwrap() {
                self.decide(review).await;
            }
            sleep(PAUSE).await;
        }
    }

    async fn decide(&self, review: &Value) {
        let id = review["id"].as_str().unwrap();
        let outcome = if id.ends_with(['0', '2', '4', '6', '8', 'a', 'c', 'e']) { "approved" } else { "rejected" };
        let path = format!("/api/v1/proposals/{id}/decision");
        let ruling = json!({ "outcome": outcome, "digest": review["digest"] });
        let answer = self.answer(|who| who.request(Method::POST, &path).json(&ruling)).await;
        match answer.status {
            200 => {
                self.told.decided.lock().unwrap().push((id.to_owned(), outcome.to_owned()));
                self.told.acknowledge();
            }
            410 => answer.assert_problem(410, "expired"),
            _ => panic!("{id}: {}", answer.text),
        }
    }
}
