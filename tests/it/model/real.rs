//! The real service under the model: every act is a request, and every answer and every row is compared.

use std::path::PathBuf;

use chrono::TimeDelta;
use proptest_state_machine::StateMachineTest;
use serde_json::{Value, json};
use sqlx::Executor;
use tokio::runtime::Runtime;

use super::machine::{AGENTS, Act, Answer, CAP, PEOPLE, Proposal, World};
use crate::support::app::TestApp;
use crate::support::client::{self, Client};
use crate::support::cluster;
use crate::support::proposals::{change, with};

const LIFE: TimeDelta = TimeDelta::minutes(10);

/// A service that can be killed: everything it runs on ends with its runtime.
pub struct Service {
    runtime: Runtime,
    app: TestApp,
    agents: Vec<Client>,
    people: Vec<Client>,
    /// How far time was moved; a service that comes back does not live earlier.
    moved: TimeDelta,
    /// What was created, in the model's order.
    asked: Vec<Value>,
}

impl Service {
    fn start(runtime: Runtime, app: TestApp) -> Self {
        let agents = AGENTS.map(|name| app.who(name)).to_vec();
        let people = PEOPLE.map(|name| app.who(name)).to_vec();
        Self { runtime, app, agents, people, moved: TimeDelta::zero(), asked: Vec::new() }
    }

    fn kill(self) -> Self {
        let (folder, database): (PathBuf, String) = (self.app.folder.clone(), self.app.database.clone());
        let before = (self.moved, self.asked);
        // Nothing is told, drained or closed.
        self.runtime.shutdown_background();
        let runtime = Runtime::new().unwrap();
        let app = runtime.block_on(TestApp::start_in(&folder, &database, "127.0.0.1:0"));
        let mut again = Self::start(runtime, app);
        (again.moved, again.asked) = before;
        again.app.advance(again.moved);
        again
    }

    async fn send(&self, act: &Act) -> Option<client::Answer> {
        Some(match *act {
            Act::Create { agent, content, expires, key } => {
                let ask = change(&format!("content {content}"));
                let life = if expires { json!(LIFE.num_seconds()) } else { json!(null) };
                let ask = with(ask, &json!({ "expires_in": life }));
                match key {
                    Some(key) => self.agents[agent].propose_as(&format!("key {key}"), &ask).await,
                    None => self.agents[agent].post("/api/v1/proposals", &ask).await,
                }
            }
            Act::Decide { person, proposal, outcome, stale } => {
                let mut ruling = json!({ "outcome": outcome });
                if outcome == "modified" {
                    ruling["body"] = json!("edited\n");
                }
                if stale {
                    ruling["digest"] = json!("0".repeat(64));
                }
                self.people[person].rule(&self.asked[proposal], &ruling).await
            }
            Act::Withdraw { agent, proposal } => self.agents[agent].withdraw(&self.asked[proposal]).await,
            Act::Check { agent, proposal } => {
                self.agents[agent].wait(&json!({ "version": 0, "id": self.asked[proposal]["id"] }), 0).await
            }
            Act::Ack { agent, proposal } => self.agents[agent].ack(&self.asked[proposal]).await,
            Act::Expire | Act::Kill => return None,
        })
    }

    /// Time passes, and the first to look finds what is over.
    async fn expire(&mut self, world: &World) {
        self.moved += LIFE;
        self.app.advance(LIFE);
        for (asked, expected) in self.asked.iter().zip(&world.proposals) {
            self.colleague_of(expected).look(asked).await;
        }
    }

    /// The other agent of the lane, whose looking collects nothing.
    fn colleague_of(&self, proposal: &Proposal) -> &Client {
        &self.agents[1 - proposal.agent]
    }

    /// Every proposal as its agent reads it, and every counter, is as the model has it.
    async fn compare(&self, world: &World) {
        for (asked, expected) in self.asked.iter().zip(&world.proposals) {
            same(&self.colleague_of(expected).look(asked).await, expected);
        }
        let mut conn = cluster::connect(&self.app.database).await;
        for (agent, name) in AGENTS.iter().enumerate() {
            let pending: i32 = sqlx::query_scalar("select pending from agents where name = $1")
                .bind(name)
                .fetch_one(&mut conn)
                .await
                .unwrap();
            assert_eq!(usize::try_from(pending).unwrap(), world.in_flight(agent), "in flight of {name}");
        }
    }
}

fn same(is: &Value, expected: &Proposal) {
    assert_eq!(is["status"], expected.status, "{is}");
    assert_eq!(is["version"], expected.version, "{is}");
    assert_eq!(is["title"], format!("content {}", expected.content));
    assert_eq!(is["previously_rejected"], expected.previously_rejected, "{is}");
    let by = expected.decided_by.map(|person| PEOPLE[person]);
    assert_eq!(is["decision"]["decided_by"], json!(by), "{is}");
    let outcome = by.map(|_| expected.status);
    assert_eq!(is["decision"]["outcome"], json!(outcome), "{is}");
    let edit = (expected.status == "modified").then_some("edited\n");
    assert_eq!(is["decision"]["body"], json!(edit), "{is}");
    let approvals = by.filter(|_| expected.status != "rejected");
    assert_eq!(is["votes"]["by"], json!(approvals.into_iter().collect::<Vec<_>>()), "{is}");
    assert_eq!(is["receipts"]["archived_at"].is_string(), expected.archived, "{is}");
    // A receipt may be late or lost, and never made up.
    assert!(expected.told || is["receipts"]["collected_at"].is_null(), "{is}");
}

impl StateMachineTest for Service {
    type SystemUnderTest = Self;
    type Reference = World;

    fn init_test(_: &World) -> Self {
        let runtime = Runtime::new().unwrap();
        let app = runtime.block_on(async {
            let app = TestApp::peopled().await;
            let mut conn = cluster::connect(&app.database).await;
            conn.execute(sqlx::query("update agents set cap = $1").bind(i32::try_from(CAP).unwrap())).await.unwrap();
            app
        });
        Self::start(runtime, app)
    }

    fn apply(mut service: Self, world: &World, act: Act) -> Self {
        let runtime = service.runtime.handle().clone();
        match act {
            Act::Kill => return service.kill(),
            Act::Expire => runtime.block_on(service.expire(world)),
            _ => {}
        }
        let Some(answer) = runtime.block_on(service.send(&act)) else { return service };
        match world.answer {
            Answer::Problem(status, code) => answer.assert_problem(status, code),
            Answer::Empty(status) => answer.assert_status(status),
            Answer::Proposal(status, at) => {
                answer.assert_status(status);
                if status == 201 {
                    service.asked.push(answer.json.clone());
                }
                assert_eq!(answer.json["id"], service.asked[at]["id"], "{act:?}");
                same(&answer.json, &world.proposals[at]);
            }
            Answer::Nothing => {}
        }
        service
    }

    fn teardown(service: Self, world: World) {
        service.runtime.block_on(service.compare(&world));
        let Self { runtime, app, .. } = service;
        runtime.block_on(app.stop());
    }
}
