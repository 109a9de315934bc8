//! The inbox of a lane: what is served, again and again, and what of it is new.

use chrono::TimeDelta;
use countersign::flows::mail::keep::keep;
use serde_json::json;

use crate::support::app::TestApp;

#[tokio::test]
async fn the_same_call_has_the_same_answer_and_marks_once() {
    let app = TestApp::peopled().await;
    let ben = app.who("ben");
    let (one, two) = (ben.mail("api", "one").await, ben.mail("api", "two").await);
    let coder = app.who("coder");
    for new in [true, false, false] {
        let read = coder.inbox().await;
        let seen: Vec<_> = read.iter().map(|served| (&served["id"], &served["new"])).collect();
        assert_eq!(seen, [(&json!(one), &json!(new)), (&json!(two), &json!(new))]);
    }
    assert_eq!(app.told("mail.read").await.len(), 1);
    assert_eq!(app.who("tester").inbox().await.len(), 2, "it is the lane's inbox");
    app.advance(TimeDelta::minutes(11));
    assert!(coder.inbox().await.is_empty());
    let three = ben.mail("api", "three").await;
    assert_eq!(coder.inbox().await[0]["id"], json!(three));
    let all = coder.call("message_inbox", &json!({ "after": one })).await;
    let ids: Vec<_> = all["items"].as_array().unwrap().iter().map(|served| &served["id"]).collect();
    assert_eq!(ids, [&json!(two), &json!(three)]);
}

#[tokio::test]
async fn more_than_fits_is_named() {
    let app = TestApp::peopled().await;
    let ben = app.who("ben");
    let mut ids = Vec::new();
    for n in 0..5 {
        ids.push(ben.mail("api", &format!("{n}")).await);
    }
    let coder = app.who("coder");
    let first = coder.call("message_inbox", &json!({ "limit": 2 })).await;
    assert_eq!((first["items"].as_array().unwrap().len(), &first["next"]), (2, &json!(ids[1])));
    assert!(!app.fate(&ids[2]).await.read, "what was not served is not read");
    let rest = coder.call("message_inbox", &json!({ "after": first["next"], "limit": 50 })).await;
    assert_eq!((rest["items"].as_array().unwrap().len(), &rest["next"]), (3, &json!(null)));
    for bad in
        [json!({ "limit": 0 }), json!({ "limit": 51 }), json!({ "after": "yesterday" }), json!({ "lane": "web" })]
    {
        let refused = coder.call("message_inbox", &bad).await;
        assert!(["invalid", "unknown_field"].contains(&refused["code"].as_str().unwrap()), "{refused}");
    }
}

#[tokio::test]
async fn another_lanes_mail_is_not_there() {
    let app = TestApp::peopled().await;
    let id = app.who("ben").mail("api", "for api").await;
    assert!(app.who("painter").inbox().await.is_empty());
    let after = json!({ "after": "00000000-0000-7000-8000-000000000000" });
    assert_eq!(app.who("painter").call("message_inbox", &after).await["items"], json!([]));
    assert!(!app.fate(&id).await.read);
}

#[tokio::test]
async fn mail_is_told_to_those_who_see_its_lane_and_never_its_words() {
    let app = TestApp::peopled().await;
    let mut ben = app.phone_of(&app.who("ben")).await;
    let mut lin = app.phone_of(&app.who("lin")).await;
    let id = app.who("ada").mail("api", "a secret word").await;
    app.who("coder").inbox().await;
    for kind in ["mail.queued", "mail.delivered", "mail.read"] {
        let heard = ben.next_of(kind).await;
        assert_eq!(heard["lane"], "api");
        assert!(!heard.to_string().contains("secret"), "{heard}");
    }
    app.who("ada").mail("web", "for web").await;
    let heard = lin.next_of("mail.queued").await;
    assert_eq!(heard["lane"], "web", "and nothing of lane api before it");
    assert!(!id.is_empty());
}

#[tokio::test]
async fn after_thirty_days_the_words_go_and_the_record_stays() {
    let app = TestApp::peopled().await;
    let watcher = app.watcher().await;
    watcher.rest(&json!({})).await;
    let ben = app.who("ben");
    let typed = ben.mail("api", "typed words").await;
    let order = watcher.awaited().await;
    watcher.typed(&order).await;
    let waits = ben.mail("web", "waiting words").await;
    app.advance(TimeDelta::days(29));
    assert_eq!(keep(&app.state).await.unwrap(), 0);
    app.advance(TimeDelta::days(2));
    assert_eq!(keep(&app.state).await.unwrap(), 1, "the hourly tick has not run yet");
    assert_eq!(app.fate(&typed).await.state, "delivered");
    let left = app.everything_kept().await;
    assert!(!left.contains("typed words") && left.contains("waiting words"), "{left}");
    assert_eq!(app.fate(&waits).await.state, "queued", "nobody was given it yet");
    assert!(app.who("coder").call("message_inbox", &json!({})).await["items"].as_array().unwrap().is_empty());
    assert_eq!(app.told("mail.redacted").await[0]["messages"], 1);
}
