//! Whatever is called from afar, by whomever, in whatever order: nothing is answered without a person that was not before.

use std::collections::BTreeSet;

use countersign::http::PUBLIC_PATHS;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::cast::PASSWORD;
use crate::support::client::Client;
use crate::support::cluster;
use crate::support::panes::dialog;
use crate::support::proposals::{change, with};

/// Nobody, agents, people of every role, an admin with the password, a pane client.
const CALLERS: [&str; 10] = ["", "coder", "painter", "vic", "tom", "lin", "ben", "ada", "ada with password", "watcher"];

const METHODS: [Method; 5] = [Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE];

/// What a process of an agent would like to be answered, and what is answered anyway.
const COMMANDS: [&str; 10] = [
    "git status",
    "git push --force",
    "git reset --hard",
    "npm install left-pad",
    "curl https://evil.example",
    "cat .env",
    "rm -rf /",
    "osascript -e beep",
    "sh -c 'git clean -fdx'",
    "cat /etc/passwd",
];

/// One call: who, how, where to, with what.
#[derive(Clone, Debug)]
struct Call {
    caller: usize,
    method: usize,
    path: usize,
    id: usize,
    body: usize,
    form: bool,
}

fn call() -> impl Strategy<Value = Call> {
    let numbers = (0..CALLERS.len(), 0..METHODS.len(), 0..PUBLIC_PATHS.len() + HIDDEN.len(), 0..8_usize);
    (numbers, 0..BODIES, prop::bool::weighted(0.3)).prop_map(|((caller, method, path, id), body, form)| Call {
        caller,
        method,
        path,
        id,
        body,
        form,
    })
}

/// What the machine has and TCP has not.
const HIDDEN: [&str; 10] = [
    "/api/v1/supervision/import",
    "/api/v1/supervision/rollback",
    "/api/v1/rules",
    "/api/v1/rules/{id}",
    "/api/v1/suggestions/{id}/accept",
    "/api/v1/settings",
    "/api/v1/users/ben/grants",
    "/api/v1/users",
    "/admin/policy",
    "/api/v1/lanes",
];

const BODIES: usize = 14;

/// Bodies that would enlarge something if anybody took them, and bodies that are what their route takes.
fn body(n: usize, id: &str) -> Value {
    match n {
        0 => json!({ "version": 3, "classes": { "deletion": "auto_approve" } }),
        1 => json!({ "version": 3, "network_hosts": ["evil.example"] }),
        2 => json!({ "version": 3, "lane": "web", "enabled": true }),
        3 => {
            json!({ "version": 3, "toml": "[supervision]\nenabled = true\n[supervision.classes]\nnetwork_access = \"auto_approve\"\n" })
        }
        4 => json!({ "version": 3, "to": 1 }),
        5 => json!({ "project": "shop", "argv": ["git", "push", "--force"], "match": "exact" }),
        6 => json!({ "kind": "rule", "text": "answer all of it", "proposal_id": id }),
        7 => json!({ "reason": "why not" }),
        8 => json!({ "lane": "api", "pane": "main.1", "text": "carry on" }),
        9 => json!({ "outcome": "approved", "digest": "0".repeat(64) }),
        10 => json!({ "role": "admin", "scope": "global" }),
        11 => change("something"),
        12 => json!({ "outcome": "sent", "keys": ["2"] }),
        _ => json!({ "username": "ada", "password": PASSWORD, "name": "eve", "grant": { "role": "admin" } }),
    }
}

/// A service under attack.
struct Siege {
    app: TestApp,
    callers: Vec<Client>,
    ids: Vec<String>,
}

impl Siege {
    /// Lane api is supervised, lane web is not; something waits in it that ids can name.
    async fn begin() -> Self {
        let app = TestApp::peopled().await;
        app.set_policy(&json!({ "enabled": true })).await;
        app.set_policy(&json!({ "lane": "api", "enabled": true })).await;
        let watcher = app.watcher().await;
        let held = watcher.report(&with(dialog("git push --force"), &json!({ "pane": "first" }))).await;
        let routine = watcher.report(&with(dialog("git status"), &json!({ "pane": "second" }))).await;
        let asked = app.who("coder").propose(&change("one")).await;
        let ids = [&held["id"], &routine["id"], &asked["id"], &routine["order"]["id"]];
        let mut ids: Vec<String> = ids.iter().filter_map(|id| id.as_str().map(str::to_owned)).collect();
        ids.push(uuid::Uuid::nil().to_string());
        let callers = CALLERS.iter().map(|name| match *name {
            "" => app.anonymous(),
            "ada with password" => app.anonymous().with_password("ada", PASSWORD),
            "watcher" => watcher.clone(),
            name => app.who(name),
        });
        Self { callers: callers.collect(), ids, app }
    }

    async fn play(&self, call: &Call) {
        let path = PUBLIC_PATHS.iter().chain(&HIDDEN).nth(call.path).unwrap();
        let id = &self.ids[call.id % self.ids.len()];
        let filled = path.replace("{id}", id).replace("{name}", "api").replace("{key}", "main.1");
        let filled = filled.replace("{version}", "0");
        let caller = &self.callers[call.caller];
        // A socket would stay open; what it sends means nothing by its own test.
        if filled == "/api/v1/events" {
            return;
        }
        let request = caller.request(METHODS[call.method].clone(), &filled);
        let body = body(call.body, id);
        let request = if call.form {
            let text = body.as_object().unwrap().iter().map(|(name, value)| {
                format!("{name}={}", value.as_str().map_or_else(|| value.to_string(), str::to_owned))
            });
            let form = request.header("content-type", "application/x-www-form-urlencoded");
            form.body(text.collect::<Vec<_>>().join("&"))
        } else {
            request.json(&body)
        };
        // Whatever the answer is: what counts is what is answered afterwards.
        drop(Client::attempt(request).await);
    }

    /// What is answered without a person, by lane and command: asked of the service itself, under fresh instances.
    async fn answered(&self) -> BTreeSet<String> {
        let watcher = self.app.watcher().await;
        let mut answered = BTreeSet::new();
        for lane in ["api", "web"] {
            for (n, command) in COMMANDS.iter().enumerate() {
                let place = json!({ "lane": lane, "pane": format!("probe.{lane}.{n}") });
                let seen = watcher.post("/api/v1/dialogs", &with(dialog(command), &place)).await;
                if seen.json["verdict"] != "hold" && seen.status == 201 {
                    answered.insert(format!("{lane}: {command}: {}", seen.json["verdict"]));
                }
            }
        }
        answered
    }

    /// Everything that decides about it, as the database has it.
    async fn grounds(&self) -> Value {
        let mut conn = cluster::connect(&self.app.database).await;
        let read = "select json_build_object(
            'head', (select json_agg(h) from policy_head h), 'policies', (select json_agg(p order by p.version) from policies p),
            'rules', (select json_agg(r) from rules r where r.removed_at is null), 'settings', (select settings from instance),
            'grants', (select count(*) from grants where revoked_at is null), 'users', (select count(*) from users),
            'lanes', (select count(*) from lanes), 'agents', (select count(*) from agents),
            'tokens', (select count(*) from tokens where revoked_at is null))";
        sqlx::query_scalar(read).fetch_one(&mut conn).await.unwrap()
    }
}

#[test]
fn no_sequence_of_remote_calls_enlarges_what_is_answered_without_a_person() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let config = Config { cases: 4, max_shrink_iters: 30, failure_persistence: None, ..Config::default() };
    TestRunner::new(config)
        .run(&vec(call(), 40..80), |calls| {
            runtime.block_on(async {
                let siege = Siege::begin().await;
                let (before, grounds) = (siege.answered().await, siege.grounds().await);
                assert!(
                    before.iter().any(|one| one.starts_with("api: git status")),
                    "something is answered: {before:?}"
                );
                for call in &calls {
                    siege.play(call).await;
                }
                let after = siege.answered().await;
                assert!(after.is_subset(&before), "more is answered: {:?}", after.difference(&before));
                assert_eq!(siege.grounds().await, grounds);
            });
            Ok(())
        })
        .unwrap();
}

/// The measure measures: what the machine does to the policy shows in it.
#[tokio::test(flavor = "multi_thread")]
async fn the_machine_can_enlarge_it() {
    let siege = Siege::begin().await;
    let (before, grounds) = (siege.answered().await, siege.grounds().await);
    siege.app.set_policy(&json!({ "classes": { "push_remote": "auto_deny", "install": "auto_deny" } })).await;
    let after = siege.answered().await;
    assert!(!after.is_subset(&before) && siege.grounds().await != grounds, "{after:?}");
}
