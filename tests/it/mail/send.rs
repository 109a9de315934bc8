//! Who may send, what is taken, and how much of it.

use chrono::TimeDelta;
use reqwest::Method;
use serde_json::json;

use super::stage::resting;
use crate::support::app::TestApp;
use crate::support::client::{Answer, Client};
use crate::support::cluster;

const MAIL: &str = "/api/v1/lanes/api/mail";

async fn post(who: &Client, lane: &str, body: &str) -> Answer {
    who.post(&format!("/api/v1/lanes/{lane}/mail"), &json!({ "body": body })).await
}

#[tokio::test]
async fn an_approver_sends_and_nobody_else_does() {
    let app = TestApp::peopled().await;
    let sent = post(&app.who("ben"), "api", "Please look at the failing test.").await.body(201);
    assert_eq!((&sent["lane"], &sent["state"], &sent["joined"]), (&json!("api"), &json!("queued"), &json!(false)));
    post(&app.who("vic"), "api", "x").await.assert_problem(403, "forbidden");
    post(&app.who("tom"), "api", "x").await.assert_problem(403, "forbidden");
    post(&app.who("lin"), "api", "x").await.assert_problem(404, "not_found");
    post(&app.who("lin"), "web", "x").await.assert_status(201);
    post(&app.who("ben"), "nowhere", "x").await.assert_problem(404, "not_found");
    post(&app.who("coder"), "api", "x").await.assert_problem(401, "unauthenticated");
    post(&app.anonymous(), "api", "x").await.assert_problem(401, "unauthenticated");
    let told = app.told("mail.queued").await;
    assert_eq!((told.len(), &told[0]["message_id"], &told[0]["from"]), (2, &sent["id"], &json!("person:ben")));
    assert!(!told[0].to_string().contains("failing"), "no body is in the journal");
}

#[tokio::test]
async fn a_body_has_something_to_read_and_at_most_eight_kibibytes() {
    let app = TestApp::peopled().await;
    let ben = app.who("ben");
    for body in ["", " \n", "\u{200b}\u{202e}", "a\0b", &"é".repeat(4097)] {
        let refused = post(&ben, "api", body).await;
        refused.assert_problem(422, "invalid");
        assert_eq!(refused.json["field"], "body");
    }
    post(&ben, "api", &"é".repeat(4096)).await.assert_status(201);
    ben.post(MAIL, &json!({ "body": "x", "to": "web" })).await.assert_problem(422, "unknown_field");
}

#[tokio::test]
async fn ten_a_minute_of_one_sender_are_taken_and_the_next_is_told_when() {
    let app = TestApp::peopled().await;
    let ben = app.who("ben");
    for n in 0..10 {
        post(&ben, if n % 2 == 0 { "api" } else { "web" }, &format!("{n}")).await.assert_status(201);
    }
    let refused = post(&ben, "api", "one more").await;
    refused.assert_problem(429, "slow_down");
    let secs: i64 = refused.header("retry-after").parse().unwrap();
    assert!((1..=60).contains(&secs) && refused.json["retry_after"] == secs, "{}", refused.text);
    post(&app.who("ada"), "api", "others may").await.assert_status(201);
    app.advance(TimeDelta::seconds(secs));
    post(&ben, "api", "one more").await.assert_status(201);
}

#[tokio::test]
async fn the_same_words_are_one_message_while_they_wait() {
    let app = TestApp::peopled().await;
    let ben = app.who("ben");
    let (one, other) = tokio::join!(post(&ben, "api", "ping"), post(&ben, "api", "ping"));
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert_eq!((statuses, &one.json["id"]), ([200, 201], &other.json["id"]));
    assert_ne!(post(&app.who("ada"), "api", "ping").await.body(201)["id"], one.json["id"], "another sender's");
    assert_ne!(post(&ben, "web", "ping").await.body(201)["id"], one.json["id"], "another lane's");
    assert_eq!(app.told("mail.queued").await.len(), 3);
}

#[tokio::test]
async fn a_lane_whose_mail_nobody_reads_takes_no_more() {
    let app = TestApp::peopled().await;
    app.who("ben").mail("api", "the first").await;
    let mut conn = cluster::connect(&app.database).await;
    let copies = "insert into messages (id, project_id, lane_id, sender, body, created_at)
        select gen_random_uuid(), project_id, lane_id, 'agent:x', body, created_at from messages, generate_series(1, 99)";
    sqlx::query(copies).execute(&mut conn).await.unwrap();
    post(&app.who("ben"), "api", "the last").await.assert_problem(429, "queue_full");
    post(&app.who("ben"), "web", "elsewhere").await.assert_status(201);
}

#[tokio::test]
async fn an_agent_sends_within_its_project_and_sees_nothing_beyond() {
    let app = TestApp::peopled().await;
    let machine = app.machine();
    machine.post("/api/v1/projects", &json!({ "name": "other", "repo": "/srv/other" })).await.assert_status(201);
    let lane = json!({ "name": "far", "project": "other", "worktree": "/srv/other-far" });
    machine.post("/api/v1/lanes", &lane).await.assert_status(201);
    let coder = app.who("coder");
    let sent = coder.call("message_send", &json!({ "to_lane": "web", "body": "The API has changed." })).await;
    assert_eq!((&sent["status"], &sent["to_lane"]), (&json!("queued"), &json!("web")), "{sent}");
    // Asking for no lane first hides nothing: it is not journaled, and does not count as the minute's one.
    for lane in ["nowhere", "far", "far"] {
        let refused = coder.call("message_send", &json!({ "to_lane": lane, "body": "x" })).await;
        assert_eq!((&refused["code"], &refused["field"]), (&json!("not_found"), &json!("to_lane")), "{lane}");
        assert!(refused["detail"].as_str().is_some_and(|why| why.contains("in your project")), "{refused}");
    }
    let crossed = app.told("access.refused").await;
    assert_eq!((crossed.len(), &crossed[0]["lane"]), (1, &json!("far")), "one a minute");
    let read = app.who("painter").call("message_inbox", &json!({})).await;
    let served = &read["items"][0];
    assert_eq!(
        (&served["from"], &served["from_lane"], &served["body"]),
        (&json!("agent:coder"), &json!("api"), &json!("The API has changed."))
    );
    let answer = json!({ "to_lane": "api", "body": "Seen.", "reply_to": served["id"] });
    assert_eq!(app.who("painter").call("message_send", &answer).await["status"], "queued");
    let back = coder.call("message_inbox", &json!({})).await;
    assert_eq!(back["items"][0]["reply_to"], served["id"]);
    let stolen = coder.call("message_send", &answer).await;
    assert_eq!((&stolen["code"], &stolen["field"]), (&json!("invalid"), &json!("reply_to")), "not its lane's mail");
}

#[tokio::test]
async fn the_machine_sends_with_an_admins_password() {
    let app = TestApp::peopled().await;
    let local = app.local();
    local.post(MAIL, &json!({ "body": "x" })).await.assert_problem(401, "unauthenticated");
    let done = app.as_admin("msg send api go on").await;
    assert!(done.good().contains("waits in lane api"), "{}", done.out);
    let wrong = app.type_in("msg send api stop --as ada --password-stdin", "not the password\n", &[]).await;
    assert_eq!(wrong.code, 1, "{}{}", wrong.out, wrong.err);
    let told = app.told("mail.queued").await;
    assert_eq!((told.len(), &told[0]["from"]), (1, &json!("admin:ada")));
    let read = app.who("coder").call("message_inbox", &json!({})).await;
    assert_eq!(read["items"][0]["body"], "go on");
}

#[tokio::test]
async fn the_lane_page_has_a_form_for_those_who_may() {
    let app = TestApp::peopled().await;
    let ben = app.who("ben");
    app.watcher().await.pane("main.1", &resting()).await;
    assert!(ben.get("/lanes/api").await.text.contains("action=\"/lanes/api/mail\""));
    assert!(!app.who("vic").get("/lanes/api").await.text.contains("/lanes/api/mail"));
    let form = async |who: &Client, note: &str| {
        let request = who.request(Method::POST, "/lanes/api/mail");
        let form = form_urlencoded::Serializer::new(String::new()).append_pair("note", note).finish();
        who.send(request.header("content-type", "application/x-www-form-urlencoded").body(form)).await
    };
    let taken = form(&ben, "Look at <this>.").await;
    assert_eq!((taken.status, taken.header("location")), (303, "/lanes/api?done=mailed"));
    assert!(ben.get("/lanes/api?done=mailed").await.text.contains("Your mail waits"));
    let refused = form(&ben, " ").await;
    refused.assert_status(422);
    assert!(refused.text.contains("Write what the agent should read"));
    form(&app.who("vic"), "x").await.assert_status(403);
    form(&app.who("lin"), "x").await.assert_status(404);
    assert_eq!(app.told("mail.queued").await.len(), 1);
    let page = ben.get("/lanes/api").await.text;
    assert!(!page.contains("<this>"));
}
