//! Pages that say no: signed out, not there, not allowed, broken; and nothing that was written is lost.

use chrono::TimeDelta;
use reqwest::Method;
use serde_json::json;

use super::scene::{Scene, change};
use crate::people::stage::{ADMIN, PASSWORD, Stage};
use crate::support::browser::Screen;
use crate::support::client::{Answer, Client};

const FORM: &str = "application/x-www-form-urlencoded";
/// What a browser says when somebody goes somewhere.
const BROWSER: &str = "text/html,application/xhtml+xml,*/*;q=0.8";

async fn look(who: &Client, path: &str) -> Answer {
    who.send(who.request(Method::GET, path).header("accept", BROWSER)).await
}

async fn post(who: &Client, path: &str, form: &[(&str, &str)]) -> Answer {
    let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish();
    let request = who.request(Method::POST, path).header("accept", BROWSER).header("content-type", FORM);
    // With a session the client says itself where it comes from.
    let request = if who.cookie().is_none() { request.header("sec-fetch-site", "same-origin") } else { request };
    who.send(request.body(body)).await
}

const PAGES: &[&str] =
    &["/", "/p/0192f0a0-0000-7000-8000-000000000000", "/history", "/lanes", "/lanes/api", "/audit", "/account"];

#[tokio::test]
async fn who_is_signed_out_is_led_to_the_door_and_back() {
    let stage = Stage::new().await;
    for path in PAGES {
        let answer = stage.app.anonymous().get(path).await;
        answer.assert_status(303);
        let next: String = form_urlencoded::byte_serialize(path.as_bytes()).collect();
        let door = if *path == "/" { "/login".to_owned() } else { format!("/login?next={next}") };
        assert_eq!(answer.header("location"), door);
    }
    let answer = stage.app.anonymous().get("/login?next=//evil.test").await;
    assert!(!answer.text.contains("evil.test"), "{}", answer.text);
}

#[tokio::test]
async fn words_sent_by_somebody_signed_out_are_on_the_page() {
    let stage = Stage::new().await;
    let stranger = stage.app.anonymous();
    let answer =
        post(&stranger, "/p/x/decide", &[("note", "a long\nthought"), ("digest", "ab"), ("password", "secret")]).await;
    answer.assert_status(401);
    assert!(answer.text.contains("a long\nthought") && !answer.text.contains("secret"), "{}", answer.text);
    // Nothing written, nothing to keep.
    let answer = post(&stranger, "/p/x/decide", &[("digest", "ab")]).await;
    assert_eq!((answer.status, answer.header("location")), (303, "/login?next=%2Fp%2Fx"));
    let answer = post(&stranger, "/account/zone", &[("time_zone", "Asia/Tokyo")]).await;
    assert_eq!((answer.status, answer.header("location")), (303, "/login?next=%2Faccount"));
}

#[tokio::test]
async fn errors_are_pages_for_people_and_problems_for_programs() {
    let stage = Stage::new().await;
    let ada = stage.sign_in(ADMIN).await;
    let answer = look(&ada, "/nowhere").await;
    assert_eq!((answer.status, answer.header("content-type")), (404, "text/html; charset=utf-8"));
    assert!(answer.text.contains(answer.header("x-request-id")), "{}", answer.text);
    assert!(answer.text.contains("href=\"/history\""), "the way to other pages is there");
    assert!(!answer.header("content-security-policy").is_empty());
    ada.get("/nowhere").await.assert_problem(404, "not_found");
    look(&ada, "/api/v1/nowhere").await.assert_problem(404, "not_found");
    let answer = look(&ada, "/p/no-id").await;
    assert_eq!((answer.status, answer.header("content-type")), (404, "text/html; charset=utf-8"));
    let foreign =
        ada.request(Method::POST, "/account/zone").header("accept", BROWSER).header("origin", "https://evil.test");
    let answer = ada.send(foreign.header("content-type", FORM).header("sec-fetch-site", "cross-site")).await;
    assert_eq!((answer.status, answer.header("content-type")), (403, "text/html; charset=utf-8"));
}

#[tokio::test]
async fn the_journal_is_for_those_who_may_read_it() {
    let stage = Stage::new().await;
    stage.add("vera", &json!({"role": "viewer"})).await;
    let vera = stage.sign_in("vera").await;
    let answer = look(&vera, "/audit").await;
    answer.assert_status(403);
    assert!(answer.text.contains("The journal is for auditors and admins."), "{}", answer.text);
    assert_eq!(look(&vera, "/audit/export?format=csv").await.status, 403);
    assert!(!look(&vera, "/").await.text.contains("href=\"/audit\""));

    let ada = stage.sign_in(ADMIN).await;
    let answer = look(&ada, "/audit?kind=user&actor=ada").await;
    answer.assert_status(200);
    assert!(answer.text.contains("user.added") && !answer.text.contains("session.opened</b>"), "{}", answer.text);
    let answer = look(&ada, "/audit/export?format=csv&kind=session").await;
    assert!(answer.header("content-disposition").contains("countersign-audit.csv"));
    assert!(answer.text.starts_with("id,at,kind,") && answer.text.contains("session.opened"), "{}", answer.text);
    assert!(!answer.text.contains("user.added"));
    let answer = look(&ada, "/audit/export?format=jsonl").await;
    let first: serde_json::Value = serde_json::from_str(answer.text.lines().next().unwrap()).unwrap();
    assert!(first["kind"].is_string());
    assert_eq!(look(&ada, "/audit?from=yesterday").await.status, 422);
}

#[tokio::test]
async fn a_reader_sees_and_is_told_why_not_more() {
    let scene = Scene::new(Screen::Phone).await;
    scene.stage.add("vera", &json!({"role": "viewer"})).await;
    scene.stage.add("far", &json!({"role": "approver", "scope": "lane:api", "classes": ["question"]})).await;
    let id = scene.propose(change("Round up")).await["id"].as_str().unwrap().to_owned();
    for (name, why) in [("vera", "only an approver or an admin decides"), ("far", "does not cover the class change")] {
        let who = scene.stage.sign_in(name).await;
        let answer = look(&who, &format!("/p/{id}")).await;
        answer.assert_status(200);
        assert!(answer.text.contains(why) && !answer.text.contains("do-approve"), "{name}: {}", answer.text);
        assert_eq!(look(&who, &format!("/p/{id}/edit")).await.status, 303);
        let digest = who.get(&format!("/api/v1/reviews/{id}")).await.body(200)["digest"].as_str().unwrap().to_owned();
        let answer = post(&who, &format!("/p/{id}/decide"), &[("digest", &digest), ("outcome", "approved")]).await;
        answer.assert_status(403);
        assert!(answer.text.contains(why), "{name}: {}", answer.text);
    }
    let none = scene.stage.agent("elsewhere").await;
    drop(none);
    scene.stage.add("away", &json!({"role": "approver", "scope": "lane:elsewhere"})).await;
    let away = scene.stage.sign_in("away").await;
    for path in [format!("/p/{id}"), format!("/p/{id}/edit"), "/lanes/api".into()] {
        assert_eq!(look(&away, &path).await.status, 404, "{path}");
    }
    assert!(!look(&away, "/lanes").await.text.contains("/lanes/api"));
}

#[tokio::test]
async fn an_answer_that_is_not_taken_comes_back_with_all_that_was_typed() {
    let scene = Scene::new(Screen::Phone).await;
    let ada = scene.stage.sign_in(ADMIN).await;
    let proposal = scene.propose(change("Round up")).await;
    let (id, digest) = (proposal["id"].as_str().unwrap(), proposal["digest"].as_str().unwrap());
    let stale = "ab".repeat(32);
    let answer =
        post(&ada, &format!("/p/{id}/decide"), &[("digest", &stale), ("outcome", "rejected"), ("note", "words")]).await;
    answer.assert_status(409);
    assert!(answer.text.contains(">words</textarea>") && answer.text.contains("not what you read"), "{}", answer.text);
    // The same text is no edit.
    let same =
        [("digest", digest), ("body", "one\r\ntwo and a half\r\nthree\r\n"), ("note", "words"), ("step", "approve")];
    let answer = post(&ada, &format!("/p/{id}/edit"), &same).await;
    answer.assert_status(422);
    assert!(answer.text.contains("changed nothing") && answer.text.contains(">words</textarea>"), "{}", answer.text);
    // A reload of a form's address leads back to its page.
    let answer = look(&ada, &format!("/p/{id}/decide")).await;
    assert_eq!((answer.status, answer.header("location")), (303, format!("/p/{id}").as_str()));
}

#[tokio::test]
async fn files_are_kept_for_good_under_their_version_alone() {
    let stage = Stage::new().await;
    let stranger = stage.app.anonymous();
    let url = countersign::http::pages::assets::url("app.css");
    let answer = stranger.get(&url).await;
    answer.assert_status(200);
    assert_eq!(answer.header("cache-control"), "public, max-age=31536000, immutable");
    assert_eq!(answer.header("content-type"), "text/css; charset=utf-8");
    for path in ["/static/0/app.css", "/static/0/../app.css", &url.replace("app.css", "app.js")] {
        stranger.get(path).await.assert_problem(404, "not_found");
    }
    assert_eq!(stranger.get("/login").await.header("cache-control"), "no-store");
}

#[tokio::test]
async fn a_password_given_with_a_form_is_not_asked_for_again() {
    let stage = Stage::new().await;
    let agent = stage.app.anonymous().with_token(&stage.agent("api").await);
    let ada = stage.sign_in(ADMIN).await;
    stage.app.advance(TimeDelta::minutes(6));
    let ask = json!({ "action": "deploy.push", "title": "Ship it", "body": "one\n" });
    let made = agent.post("/api/v1/proposals", &ask).await.body(201);
    let (id, digest) = (made["id"].as_str().unwrap(), made["digest"].as_str().unwrap());
    assert!(look(&ada, &format!("/p/{id}")).await.text.contains("type=\"password\""));
    // The reason is missing, the password is not.
    let form = [("outcome", "approved"), ("digest", digest), ("password", PASSWORD)];
    let answer = post(&ada, &format!("/p/{id}/reauth"), &form).await;
    answer.assert_status(422);
    assert!(answer.text.contains("Give a reason.") && !answer.text.contains("type=\"password\""), "{}", answer.text);
    stage.app.advance(TimeDelta::minutes(6));
    let ada = ada.with_cookie(&answer.cookie());
    let form = [("step", "approve"), ("digest", digest), ("body", "two\n"), ("password", PASSWORD)];
    let answer = post(&ada, &format!("/p/{id}/edit"), &form).await;
    answer.assert_status(422);
    assert!(answer.text.contains("Give a reason.") && !answer.text.contains("type=\"password\""), "{}", answer.text);
}
