//! The grace window: a decision in time is the answer, and meanwhile nobody takes the silence for a failure.

use std::time::{Duration, Instant};

use futures_util::StreamExt;
use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::mcp::{OLD, Told, message};
use crate::support::proposals::{change, with};

#[tokio::test]
async fn a_decision_within_the_window_is_the_answer_and_archives() {
    let app = TestApp::peopled().await;
    let (coder, ben) = (app.who("coder"), app.who("ben"));
    let mut phone = app.phone_of(&ben).await;
    let call = tokio::spawn(async move { coder.tool("propose", &change("Quick")).await });
    let id = phone.next_of("proposal.created").await["proposal_id"].clone();
    app.asleep(1).await;
    let review = ben.get(&format!("/api/v1/reviews/{}", id.as_str().unwrap())).await.body(200);
    ben.decide(&review, "approved").await.assert_status(200);
    let told = call.await.unwrap();
    assert_eq!((told.status(), json!(told.id())), ("approved", id));
    let seen = app.who("coder").look(&json!({ "id": told.id() })).await;
    assert_ne!(seen["receipts"]["archived_at"], Value::Null);
    assert_eq!(app.who("coder").check(told.id()).await.data, told.data);
}

#[tokio::test]
async fn the_window_is_the_machines_to_set_and_the_call_may_say_otherwise() {
    let app = TestApp::peopled().await;
    let settings = app.local().get("/api/v1/settings").await.body(200);
    assert_eq!((&settings["grace_secs"], &settings["redelivery_secs"]), (&json!(30), &json!(600)));
    let set = async |body: Value| app.machine().patch("/api/v1/settings", &body).await;
    set(json!({ "grace_secs": 46 })).await.assert_problem(422, "invalid");
    set(json!({ "redelivery_secs": 86_401 })).await.assert_problem(422, "invalid");
    set(json!({ "grace_secs": 0 })).await.assert_status(200);
    let told = app.who("coder").tool("propose", &change("At once")).await;
    assert_eq!(told.status(), "pending");
    set(json!({ "grace_secs": 45 })).await.assert_status(200);
    let began = Instant::now();
    let told = app.who("coder").tool("propose", &with(change("A second"), &json!({ "wait": 1 }))).await;
    assert_eq!(told.status(), "pending");
    assert!(began.elapsed() >= Duration::from_secs(1) && began.elapsed() < Duration::from_secs(20));
}

/// Opens a call and reads its head.
async fn begin(app: &TestApp, new: bool, params: &Value) -> reqwest::Response {
    let coder = app.who("coder");
    let request = if new {
        coder.mcp_new("tools/call", params)
    } else {
        coder.mcp(&message("tools/call", params)).header("mcp-protocol-version", OLD)
    };
    request.header("accept-encoding", "gzip").send().await.unwrap()
}

#[tokio::test]
async fn the_stream_is_open_long_before_the_answer_and_is_not_packed() {
    let app = TestApp::peopled().await;
    for new in [false, true] {
        let ask = with(change(&format!("Open {new}")), &json!({ "wait": 45 }));
        let began = Instant::now();
        let mut answer = begin(&app, new, &json!({ "name": "propose", "arguments": ask })).await;
        let first = answer.chunk().await.unwrap().unwrap();
        assert!(began.elapsed() < Duration::from_secs(10), "the head and a first line came at once");
        let header = |name: &str| answer.headers().get(name).map(|value| value.to_str().unwrap().to_owned());
        assert_eq!(answer.status(), 200);
        assert_eq!(header("content-type").as_deref(), Some("text/event-stream"));
        assert_eq!(header("content-encoding"), None, "a packed stream would wait for more");
        assert_eq!(&first[..], b": still here\n\n");
        app.asleep(1).await;
        drop(answer);
        // Who hangs up is waited for by nobody, and what was asked stays asked.
        app.nobody_asleep().await;
        let told = app.who("coder").put_forward(&change(&format!("Open {new}"))).await;
        assert_eq!(told.status(), "pending");
    }
    let all = app.who("coder").get("/api/v1/proposals").await.body(200);
    assert_eq!(all["items"].as_array().unwrap().len(), 2, "asking again joined");
}

#[tokio::test]
async fn progress_comes_every_five_seconds_to_whoever_asked_for_it() {
    let app = TestApp::peopled().await;
    let calls = [false, true].map(|new| {
        let app = &app;
        async move {
            let ask = with(change(&format!("Progress {new}")), &json!({ "wait": 12 }));
            let params = json!({ "name": "propose", "arguments": ask, "_meta": { "progressToken": "t-1" } });
            let body = begin(app, new, &params).await.bytes_stream();
            let text = body.map(|part| String::from_utf8(part.unwrap().to_vec()).unwrap()).collect::<String>().await;
            let events = text.lines().filter_map(|line| line.strip_prefix("data: "));
            events.map(|data| serde_json::from_str(data).unwrap()).collect::<Vec<Value>>()
        }
    });
    for mut events in futures_util::future::join_all(calls).await {
        let last = events.pop().unwrap();
        assert_eq!(Told::read(&last["result"]).status(), "pending");
        let told: Vec<_> = events.iter().map(|event| (&event["method"], &event["params"]["progress"])).collect();
        let method = json!("notifications/progress");
        let (five, ten) = (json!(5.0), json!(10.0));
        assert_eq!(told, [(&method, &five), (&method, &ten)], "{events:?}");
        assert!(events.iter().all(|event| event["params"]["progressToken"] == "t-1"));
    }
}

#[tokio::test]
async fn the_longest_wait_passes_every_limit_of_ours() {
    let app = TestApp::peopled().await;
    let began = Instant::now();
    let told = app.who("coder").tool("propose", &with(change("Longest"), &json!({ "wait": 45 }))).await;
    assert_eq!(told.status(), "pending");
    assert!(began.elapsed() >= Duration::from_secs(45), "{:?}", began.elapsed());
}

#[tokio::test]
async fn a_server_that_stops_answers_whoever_waits() {
    let app = TestApp::peopled().await;
    let coder = app.who("coder");
    let call = tokio::spawn(async move { coder.tool("propose", &with(change("Stop"), &json!({ "wait": 45 }))).await });
    app.asleep(1).await;
    app.stop().await;
    assert_eq!(call.await.unwrap().status(), "pending");
}
