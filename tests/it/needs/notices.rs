//! Notices to the outside: what is in them, that they come together, once, and what becomes of those that nobody takes.

use chrono::TimeDelta;
use countersign::flows::notices::deliver;
use serde_json::json;

use super::receiver::Receiver;
use crate::support::app::TestApp;
use crate::support::cluster;
use crate::support::panes::dialog;
use crate::support::proposals::{change, question};

/// Longer than things are gathered.
const GATHERED: TimeDelta = TimeDelta::seconds(3);
/// Longer than nobody is disturbed after a notice.
const QUIET: TimeDelta = TimeDelta::seconds(11);

async fn number(app: &TestApp, sql: &'static str) -> i64 {
    let mut conn = cluster::connect(&app.database).await;
    sqlx::query_scalar(sql).fetch_one(&mut conn).await.unwrap()
}

#[tokio::test]
async fn a_notice_names_the_need_and_no_word_of_the_agents() {
    let app = TestApp::peopled().await;
    let receiver = Receiver::new().await;
    app.who("coder").propose(&change("Before anybody listened")).await;
    app.notify(&receiver, "ntfy").await;
    let held = app.watcher().await.report(&dialog("cat ../secret-plan")).await;
    app.advance(GATHERED);
    let came = &receiver.wait(1).await[0];
    assert_eq!((came.path.as_str(), came.header("title")), ("/topic", "A dialog waits in lane api"));
    assert_eq!(came.header("click"), format!("{}/p/{}", app.url, held["id"].as_str().unwrap()));
    assert_eq!((came.header("priority"), came.header("authorization")), ("high", ""));
    assert_eq!(came.body, "Open it to see and to decide.");
    assert!(!format!("{came:?}").contains("secret-plan"), "{came:?}");
}

#[tokio::test]
async fn many_things_come_together_as_one_object() {
    let app = TestApp::peopled().await;
    let receiver = Receiver::new().await;
    app.notify(&receiver, "webhook").await;
    app.machine().patch("/api/v1/settings", &json!({ "notify_token": "tk_12345" })).await.assert_status(200);
    let coder = app.who("coder");
    coder.propose(&change("Agent's words")).await;
    coder.propose(&question("More of them")).await;
    app.who("painter").propose(&change("And more")).await;
    let gone = coder.propose(&change("Over before it is told")).await;
    coder.withdraw(&gone).await.assert_status(200);
    app.watcher().await.report(&dialog("cat ../secret-plan")).await;
    app.advance(GATHERED);
    let came = receiver.wait(1).await;
    let body = came[0].json();
    assert_eq!((&body["type"], &body["count"]), (&json!("needs_you"), &json!(4)));
    assert_eq!(body["title"], "4 things wait for a person");
    assert!(body["text"].as_str().unwrap().contains("1 dialog, 2 changes, 1 question in lanes api, web"), "{body}");
    assert_eq!((&body["link"], body["items"].as_array().unwrap().len()), (&json!(format!("{}/", app.url)), 4));
    assert_eq!(came[0].header("authorization"), "Bearer tk_12345");
    for word in ["words", "More", "secret", "Over"] {
        assert!(!came[0].body.contains(word), "{}", came[0].body);
    }
    settled(&app, "select count(*) from notices").await;
    app.advance(QUIET);
    deliver(&app.state).await.unwrap();
    assert_eq!(receiver.came().len(), 1, "told is told");
}

#[tokio::test]
async fn what_is_answered_at_once_is_not_told() {
    let app = TestApp::peopled().await;
    let receiver = Receiver::new().await;
    app.notify(&receiver, "ntfy").await;
    let asked = app.who("coder").propose(&change("Quick")).await;
    let held = app.watcher().await.report(&dialog("cat ../secret")).await;
    app.who("ben").decide(&asked, "approved").await.assert_status(200);
    app.who("ben").decide(&held, "rejected").await.assert_status(200);
    app.advance(GATHERED);
    deliver(&app.state).await.unwrap();
    // The next thing shows that the first two are behind it.
    app.who("coder").propose(&question("Slow")).await;
    app.advance(GATHERED);
    let came = receiver.wait(1).await;
    assert_eq!(came[0].header("title"), "A question waits in lane api");
}

#[tokio::test]
async fn two_servers_tell_once() {
    let here = TestApp::peopled().await;
    let there = TestApp::start_on(&here.database).await;
    let receiver = Receiver::new().await;
    here.notify(&receiver, "webhook").await;
    let coder = here.who("coder");
    let asks: Vec<_> = (0..6).map(|n| change(&format!("n {n}"))).collect();
    futures_util::future::join_all(asks.iter().map(|ask| coder.propose(ask))).await;
    there.advance(GATHERED);
    here.advance(GATHERED);
    let tries = (0..8).map(|n| if n % 2 == 0 { deliver(&here.state) } else { deliver(&there.state) });
    for tried in futures_util::future::join_all(tries).await {
        tried.unwrap();
    }
    receiver.wait(1).await;
    settled(&here, "select count(*) from notices").await;
    for app in [&here, &there] {
        app.advance(QUIET);
        deliver(&app.state).await.unwrap();
    }
    let told: Vec<_> = receiver.came().iter().map(|came| came.json()["count"].clone()).collect();
    assert_eq!(told, [json!(6)]);
}

#[tokio::test]
async fn what_nobody_takes_is_tried_three_times_and_given_up() {
    let app = TestApp::peopled().await;
    let receiver = Receiver::new().await;
    receiver.answer(503);
    app.notify(&receiver, "ntfy").await;
    app.who("coder").propose(&change("Untold")).await;
    app.advance(GATHERED);
    receiver.wait(1).await;
    settled(&app, "select count(*) from notices where tries < 1").await;
    for (wait, tries, untried) in
        [(11, 2, "select count(*) from notices where tries < 2"), (61, 3, "select count(*) from notices")]
    {
        // Not before its time.
        app.advance(TimeDelta::seconds(1));
        deliver(&app.state).await.unwrap();
        assert_eq!(receiver.came().len(), tries - 1);
        app.advance(TimeDelta::seconds(wait));
        receiver.wait(tries).await;
        settled(&app, untried).await;
    }
    let doctor = app.local().get("/api/v1/doctor").await.body(200);
    let found = doctor["items"].as_array().unwrap().iter().find(|check| check["name"] == "notices").unwrap().clone();
    assert_eq!(found["level"], "warn");
    assert!(found["found"].as_str().unwrap().contains("answered 503"), "{found}");
    assert!(!found.to_string().contains("topic"), "the address may be a secret: {found}");
    let metrics = app.local().get("/metrics").await.text;
    assert!(metrics.contains("countersign_notices_total{outcome=\"failed\"} 3"), "{metrics}");
    assert!(metrics.contains("countersign_notices_total{outcome=\"given_up\"} 1"), "{metrics}");
    // Whoever comes back gets what comes next.
    receiver.answer(200);
    app.advance(QUIET);
    app.who("coder").propose(&question("Told")).await;
    app.advance(GATHERED);
    assert_eq!(receiver.wait(4).await[3].header("title"), "A question waits in lane api");
}

#[tokio::test]
async fn a_server_that_died_between_taking_and_telling_leaves_it_to_the_next() {
    let app = TestApp::peopled().await;
    let receiver = Receiver::new().await;
    app.notify(&receiver, "ntfy").await;
    let mut conn = cluster::connect(&app.database).await;
    // What such a server leaves behind: the desk is taken for a minute.
    let leased = "update notice_desk set next_at = clock_timestamp() + interval '60 seconds'";
    sqlx::query(leased).execute(&mut conn).await.unwrap();
    app.who("coder").propose(&change("Left over")).await;
    app.advance(GATHERED);
    assert!(!deliver(&app.state).await.unwrap());
    let app = app.restart().await;
    app.advance(TimeDelta::seconds(64));
    assert_eq!(receiver.wait(1).await[0].header("title"), "A change waits in lane api");
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let app = TestApp::peopled().await;
    let receiver = Receiver::new().await;
    receiver.answer(307);
    app.notify(&receiver, "ntfy").await;
    let tried = app.machine().post("/api/v1/settings/test-notice", &json!({})).await.body(200);
    assert_eq!(tried["delivered"], false);
    assert!(tried["said"].as_str().unwrap().contains("redirects are not followed"), "{tried}");
    assert_eq!(receiver.came().len(), 1);
}

/// Waits until a count is zero: what a tick writes after its POST has ended.
async fn settled(app: &TestApp, sql: &'static str) {
    let settling = async {
        while number(app, sql).await > 0 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(10), settling).await.expect("it never came to be so");
}
