//! Every stable code, provoked by a request: the list is the code's own, so a code that nothing provokes does not compile.

use chrono::TimeDelta;
use countersign::error::Code;
use reqwest::Method;
use reqwest::header::{CONTENT_TYPE, COOKIE, HOST, ORIGIN};
use serde_json::{Value, json};
use sqlx::{Connection, Executor};

use crate::support::app::TestApp;
use crate::support::cast::PASSWORD;
use crate::support::client::{Answer, Client};
use crate::support::cluster;
use crate::support::panes::{dialog, dialog_at};
use crate::support::proposals::{at, change, question, review_at, risky, with};

#[tokio::test]
async fn every_code_is_provoked_and_every_answer_has_one_shape() {
    let stage = Stage::new().await;
    for &code in Code::ALL.iter().filter(|code| !OF_TOOLS.contains(code)) {
        let answer = stage.provoke(code).await;
        answer.assert_problem(code.status(), code.as_str());
        let body = &answer.json;
        assert_eq!(body["type"], format!("urn:countersign:problem:{}", code.as_str()));
        assert_eq!((&body["title"], &body["status"]), (&json!(code.title()), &json!(code.status())));
        assert_eq!(body["request_id"], answer.header("x-request-id"), "{code:?}");
        assert_eq!(answer.header("x-request-id").len(), 32);
        let field = body.get("field").map_or("", |field| field.as_str().unwrap());
        assert_eq!(field, field_of(code), "{code:?}: {}", answer.text);
        let detail = body["detail"].as_str().unwrap();
        assert!(!detail.is_empty() && !detail.contains("proposal_content"), "causes stay in the log: {detail}");
        if let Some(secs) = body.get("retry_after") {
            assert_eq!(answer.header("retry-after"), secs.to_string(), "{code:?}");
        }
    }
}

/// The field that the answer blames; empty when it blames none.
fn field_of(code: Code) -> &'static str {
    match code {
        Code::UnknownField => "urgent",
        Code::Invalid => "title",
        Code::IdempotencyMismatch => "Idempotency-Key",
        Code::NotModifiable | Code::OutcomeDiffers => "outcome",
        Code::ReasonRequired => "note",
        Code::WeakPassword => "password",
        Code::NameTaken => "name",
        Code::Changed => "digest",
        Code::VersionConflict => "version",
        Code::ClassNeverScoped => "classes.install",
        Code::InstanceChanged => "instance",
        Code::StandingOption => "option",
        _ => "",
    }
}

/// What only tools refuse with, over MCP: `fleet::doors` provokes these.
const OF_TOOLS: &[Code] = &[Code::AmbiguousSession, Code::NoOpenTicket];

struct Stage {
    app: TestApp,
    coder: Client,
    ben: Client,
}

impl Stage {
    async fn new() -> Self {
        let app = TestApp::peopled().await;
        Self { coder: app.who("coder"), ben: app.who("ben"), app }
    }

    #[expect(clippy::too_many_lines, reason = "one arm a code")]
    async fn provoke(&self, code: Code) -> Answer {
        let Self { app, coder, ben } = self;
        let nobody = app.anonymous();
        match code {
            Code::Malformed => self.send_body("application/json", "{").await,
            Code::Unauthenticated => nobody.get("/api/v1/reviews").await,
            Code::WrongCredentials => sign_in(&nobody, "ben").await,
            Code::Forbidden => app.who("vic").decide(&self.asked("forbidden").await, "approved").await,
            Code::CrossSite => {
                let request = nobody.request(Method::DELETE, "/api/v1/session").header(COOKIE, ben.cookie().unwrap());
                nobody.send(request.header(ORIGIN, "https://evil.example")).await
            }
            Code::ReauthRequired => self.approve_risky(json!("go")).await,
            Code::Proxied => {
                let request = app.local().request(Method::GET, "/api/v1/users").header("x-forwarded-for", "192.0.2.1");
                app.local().send(request).await
            }
            Code::NotFound => nobody.get("/api/v1/nowhere").await,
            Code::MethodNotAllowed => coder.delete("/api/v1/proposals").await,
            Code::NotFinal => coder.ack(&self.asked("not final").await).await,
            Code::AlreadyFinal => {
                let asked = self.asked("final").await;
                coder.withdraw(&asked).await;
                coder.withdraw(&asked).await
            }
            Code::AlreadyDecided => {
                let asked = self.asked("decided").await;
                ben.decide(&asked, "approved").await;
                app.who("ada").decide(&asked, "approved").await
            }
            Code::Changed => ben.rule(&self.asked("changed").await, &decision("approved", &"0".repeat(64))).await,
            Code::InstanceChanged => {
                let (watcher, seen) = (app.watcher().await, dialog("ls"));
                watcher.report(&seen).await;
                watcher.post("/api/v1/dialogs", &with(seen, &json!({ "title": "Other" }))).await
            }
            Code::AmbiguousSession | Code::NoOpenTicket => unreachable!("no request outside MCP is refused with it"),
            Code::OutcomeDiffers => {
                let watcher = app.watcher().await;
                let order = self.ordered(&watcher).await;
                watcher.get("/api/v1/orders").await.assert_status(200);
                watcher.done(&order, &json!({ "outcome": "sent", "keys": ["3"] })).await.assert_status(200);
                watcher.done(&order, &json!({ "outcome": "failed", "reason": "interrupted" })).await
            }
            Code::NotTaken => {
                let watcher = app.watcher().await;
                let order = self.ordered(&watcher).await;
                watcher.done(&order, &json!({ "outcome": "sent" })).await
            }
            Code::StandingOption => {
                let held = app.watcher().await.report(&dialog("curl https://example.org")).await;
                ben.rule(&held, &json!({ "outcome": "rejected", "option": 2 })).await
            }
            Code::NameTaken => self.add("/api/v1/projects", json!({ "name": "shop", "repo": "/srv/shop" })).await,
            Code::InUse => app.machine().delete("/api/v1/projects/shop").await,
            Code::VersionConflict => app.machine().patch("/api/v1/supervision", &json!({ "version": 7 })).await,
            Code::ClassNeverScoped => {
                let change = json!({ "version": 1, "classes": { "install": "auto_approve" } });
                app.machine().patch("/api/v1/supervision", &change).await
            }
            Code::LastAdmin => app.machine().delete("/api/v1/users/ada").await,
            Code::Expired => {
                let asked = coder.propose(&with(change("late"), &json!({ "expires_in": 60 }))).await;
                app.advance(TimeDelta::minutes(1));
                ben.decide(&asked, "approved").await
            }
            Code::TooLarge => self.send_body("application/json", &format!("\"{}\"", "a".repeat(256 * 1024))).await,
            Code::UnsupportedMedia => self.send_body("text/plain", "{}").await,
            Code::WrongHost => {
                nobody.send(nobody.request(Method::GET, "/api/v1/reviews").header(HOST, "evil.example")).await
            }
            Code::UnknownField => self.ask(&with(change("a"), &json!({ "urgent": true }))).await,
            Code::Invalid => self.ask(&with(change("a"), &json!({ "title": "" }))).await,
            Code::IdempotencyMismatch => {
                coder.propose_as("k", &change("one")).await;
                coder.propose_as("k", &change("other")).await
            }
            Code::NotModifiable => {
                let asked = coder.propose(&question("edit")).await;
                ben.rule(&asked, &json!({ "outcome": "modified", "body": "b" })).await
            }
            Code::ReasonRequired => {
                let fresh = ben.post("/api/v1/session/reauth", &json!({ "password": PASSWORD })).await;
                let asked = coder.propose(&risky("reason")).await;
                ben.with_cookie(&fresh.cookie()).decide(&asked, "approved").await
            }
            Code::WeakPassword => {
                let grant = json!({ "role": "viewer" });
                self.add("/api/v1/users", json!({ "name": "weak", "password": "1234", "grant": grant })).await
            }
            Code::TooManyPending => until_refused(async |n| self.ask(&change(&format!("n {n}"))).await).await,
            Code::QueueFull => self.crowded().await,
            Code::SlowDown => until_refused(async |_| sign_in(&nobody, "nobody").await).await,
            Code::Internal => self.broken().await,
            Code::Unavailable => self.locked().await,
        }
    }

    /// An order to refuse a dialog that was held; the hint of it.
    async fn ordered(&self, watcher: &Client) -> Value {
        let held = watcher.report(&dialog("curl https://example.org")).await;
        self.ben.rule(&held, &json!({ "outcome": "rejected", "option": 3 })).await.assert_status(200);
        watcher.get(&dialog_at(&held)).await.body(200)["order"].clone()
    }

    async fn asked(&self, title: &str) -> Value {
        self.coder.propose(&change(title)).await
    }

    async fn ask(&self, ask: &Value) -> Answer {
        self.coder.post("/api/v1/proposals", ask).await
    }

    async fn add(&self, path: &str, body: Value) -> Answer {
        self.app.machine().post(path, &body).await
    }

    async fn send_body(&self, media: &str, body: &str) -> Answer {
        let request = self.coder.request(Method::POST, "/api/v1/proposals").header(CONTENT_TYPE, media);
        self.coder.send(request.body(body.to_owned())).await
    }

    async fn approve_risky(&self, note: Value) -> Answer {
        let asked = self.coder.propose(&risky("deploy")).await;
        self.app.advance(TimeDelta::minutes(6));
        self.ben.rule(&asked, &json!({ "outcome": "approved", "note": note })).await
    }

    /// A lane in which nobody reads the mail.
    async fn crowded(&self) -> Answer {
        let (path, ada) = ("/api/v1/lanes/web/mail", self.app.who("ada"));
        ada.post(path, &json!({ "body": "read this" })).await.assert_status(201);
        let mut conn = cluster::connect(&self.app.database).await;
        let more = "insert into messages (id, project_id, lane_id, sender, body, created_at)
            select gen_random_uuid(), project_id, lane_id, 'agent:x', body, created_at from messages, generate_series(1, 99)";
        conn.execute(more).await.unwrap();
        ada.post(path, &json!({ "body": "and this" })).await
    }

    /// A table that the program knows is gone: a fault of ours.
    async fn broken(&self) -> Answer {
        let asked = self.app.who("tester").propose(&change("broken")).await;
        let mut conn = cluster::connect(&self.app.database).await;
        conn.execute("alter table proposal_content rename to away").await.unwrap();
        let answer = self.app.who("ada").get(&review_at(&asked)).await;
        conn.execute("alter table away rename to proposal_content").await.unwrap();
        answer
    }

    /// Somebody holds a table for longer than a statement waits: a fault of the moment.
    async fn locked(&self) -> Answer {
        let asked = self.app.who("tester").propose(&change("locked")).await;
        let mut conn = cluster::connect(&self.app.database).await;
        let mut holding = conn.begin().await.unwrap();
        holding.execute("lock table proposals in access exclusive mode").await.unwrap();
        let answer = self.app.who("tester").get(&at(&asked)).await;
        holding.rollback().await.unwrap();
        answer
    }
}

fn decision(outcome: &str, digest: &str) -> Value {
    json!({ "outcome": outcome, "digest": digest })
}

async fn sign_in(nobody: &Client, name: &str) -> Answer {
    nobody.post("/api/v1/session", &json!({ "username": name, "password": "not the password" })).await
}

/// Does it until it is too much.
async fn until_refused(again: impl AsyncFn(u32) -> Answer) -> Answer {
    for n in 0..30 {
        let answer = again(n).await;
        if answer.status == 429 {
            return answer;
        }
    }
    panic!("never refused");
}
