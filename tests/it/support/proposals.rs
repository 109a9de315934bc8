//! Asking, looking and deciding as most tests do it; what a test is about it spells out itself.

use std::time::Duration;

use countersign::app::AppState;
use reqwest::Method;
use reqwest::header::IF_NONE_MATCH;
use serde_json::{Value, json};

use super::app::TestApp;
use super::client::{Answer, Client};
use super::cluster;
use super::socket::Socket;

/// A change with a body and what it replaces: medium risk.
pub fn change(title: &str) -> Value {
    json!({ "action": "edit", "title": title, "base": "retries = 3\n", "body": "retries = 5\n" })
}

/// A change of high risk by its action.
pub fn risky(title: &str) -> Value {
    json!({ "action": "deploy.production", "title": title, "body": "v1.4.0\n" })
}

/// One question with two options.
pub fn question(title: &str) -> Value {
    let questions = json!([{ "question": "Which one?", "options": ["left", "right"] }]);
    json!({ "kind": "question", "action": "choose", "title": title, "questions": questions })
}

/// The same request with further members.
pub fn with(mut request: Value, more: &Value) -> Value {
    let more = more.as_object().unwrap().clone();
    request.as_object_mut().unwrap().extend(more);
    request
}

/// The address of a proposal, for its agent.
pub fn at(proposal: &Value) -> String {
    format!("/api/v1/proposals/{}", proposal["id"].as_str().unwrap())
}

/// The address of a proposal, for approvers.
pub fn review_at(proposal: &Value) -> String {
    format!("/api/v1/reviews/{}", proposal["id"].as_str().unwrap())
}

impl Client {
    /// Proposes something new.
    pub async fn propose(&self, ask: &Value) -> Value {
        self.post("/api/v1/proposals", ask).await.body(201)
    }

    /// Proposes with an idempotency key.
    pub async fn propose_as(&self, key: &str, ask: &Value) -> Answer {
        let request = self.request(Method::POST, "/api/v1/proposals").header("Idempotency-Key", key);
        self.send(request.json(ask)).await
    }

    /// Looks at a proposal.
    pub async fn look(&self, proposal: &Value) -> Value {
        self.get(&at(proposal)).await.body(200)
    }

    /// Looks again, knowing this version of it, and waits up to `secs` for another.
    pub async fn wait(&self, proposal: &Value, secs: u32) -> Answer {
        let etag = format!("\"v{}\"", proposal["version"]);
        let request = self.request(Method::GET, &format!("{}?wait={secs}", at(proposal)));
        self.send(request.header(IF_NONE_MATCH, etag)).await
    }

    /// Decides, with the digest that the proposal has.
    pub async fn decide(&self, proposal: &Value, outcome: &str) -> Answer {
        self.rule(proposal, &json!({ "outcome": outcome })).await
    }

    /// Decides with further members; the digest is the proposal's unless the ruling names one.
    pub async fn rule(&self, proposal: &Value, ruling: &Value) -> Answer {
        let ruling = with(json!({ "digest": proposal["digest"] }), ruling);
        self.post(&format!("{}/decision", at(proposal)), &ruling).await
    }

    /// Withdraws without a reason.
    pub async fn withdraw(&self, proposal: &Value) -> Answer {
        self.post(&format!("{}/withdraw", at(proposal)), &json!({})).await
    }

    /// Says that it is done with a proposal.
    pub async fn ack(&self, proposal: &Value) -> Answer {
        self.send(self.request(Method::POST, &format!("{}/ack", at(proposal)))).await
    }
}

impl TestApp {
    /// A person's page, listening.
    pub async fn phone_of(&self, person: &Client) -> Socket {
        let headers = [("cookie", person.cookie().unwrap()), ("origin", self.url.as_str())];
        Socket::open(&self.url, "/api/v1/events", &headers).await.unwrap()
    }

    /// What the journal says of a proposal, in its order: kind and actor.
    pub async fn journal_of(&self, proposal: &Value) -> Vec<(String, String)> {
        let id: uuid::Uuid = proposal["id"].as_str().unwrap().parse().unwrap();
        let mut conn = cluster::connect(&self.database).await;
        sqlx::query_as("select kind, actor from events where proposal_id = $1 order by epoch, xid, id")
            .bind(id)
            .fetch_all(&mut conn)
            .await
            .unwrap()
    }

    /// Returns once so many long polls are asleep.
    pub async fn asleep(&self, polls: usize) {
        until(&self.state, |state| state.hub.waiters.count().1 >= polls).await;
    }

    /// Returns once no long poll is asleep.
    pub async fn nobody_asleep(&self) {
        until(&self.state, |state| state.hub.waiters.count() == (0, 0)).await;
    }
}

/// Looks at the service from inside until something is so: what no answer and no event tells.
async fn until(state: &AppState, so: impl Fn(&AppState) -> bool) {
    let looking = async {
        while !so(state) {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), looking).await.expect("it never came to be so");
}
