//! Sessions: a new id at every sign-in, an end that counts at once, and nothing readable at rest.

use chrono::TimeDelta;
use serde_json::json;

use super::stage::{ADMIN, PASSWORD, Stage, credentials};

#[tokio::test]
async fn signing_in_changes_the_cookie_and_ends_the_one_that_came_along() {
    let stage = Stage::new().await;
    let first = stage.sign_in(ADMIN).await;
    let planted = stage.app.anonymous().with_cookie("session=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
    let fixed = planted.post("/api/v1/session", &credentials(ADMIN, PASSWORD)).await;
    assert_ne!(Some(fixed.cookie().as_str()), planted.cookie(), "an id from outside is never taken over");
    planted.get("/api/v1/account").await.assert_problem(401, "unauthenticated");

    let again = first.post("/api/v1/session", &credentials(ADMIN, PASSWORD)).await;
    again.assert_status(200);
    first.get("/api/v1/account").await.assert_problem(401, "unauthenticated");
    first.with_cookie(&again.cookie()).get("/api/v1/account").await.assert_status(200);
    assert!(stage.journal().await.contains(&"session.closed".to_owned()));
}

#[tokio::test]
async fn the_cookie_is_for_this_server_and_no_script() {
    let stage = Stage::new().await;
    let answer = stage.app.anonymous().post("/api/v1/session", &credentials(ADMIN, PASSWORD)).await;
    let cookie = answer.header("set-cookie").to_owned();
    assert!(cookie.starts_with("session="), "{cookie}");
    for part in ["HttpOnly", "SameSite=Lax", "Path=/"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert!(!cookie.contains("Domain") && !cookie.contains("Secure"), "{cookie}");
}

#[tokio::test]
async fn giving_the_password_again_changes_the_cookie_and_keeps_the_session() {
    let stage = Stage::new().await;
    let before = stage.sign_in(ADMIN).await;
    let account = before.get("/api/v1/account").await.body(200);
    let wrong = before.post("/api/v1/session/reauth", &json!({"password": "wrong horse and wrong battery"})).await;
    wrong.assert_problem(401, "wrong_credentials");
    let answer = before.post("/api/v1/session/reauth", &json!({"password": PASSWORD})).await;
    answer.assert_status(204);
    before.get("/api/v1/account").await.assert_problem(401, "unauthenticated");
    let after = before.with_cookie(&answer.cookie());
    let renewed = after.get("/api/v1/account").await.body(200);
    assert_eq!(renewed["session_id"], account["session_id"]);
    assert_ne!(renewed["reauth_at"], account["reauth_at"]);
}

#[tokio::test]
async fn signing_out_ends_the_session_here_and_empties_the_browser() {
    let stage = Stage::new().await;
    let ada = stage.sign_in(ADMIN).await;
    let answer = ada.delete("/api/v1/session").await;
    answer.assert_status(204);
    assert!(answer.header("clear-site-data").contains("cookies"));
    assert!(answer.header("set-cookie").contains("Max-Age=0"));
    ada.get("/api/v1/account").await.assert_problem(401, "unauthenticated");
}

#[tokio::test]
async fn own_sessions_are_listed_and_ended_and_others_are_not_there() {
    let stage = Stage::new().await;
    stage.add("vera", &json!({"role": "viewer"})).await;
    let (phone, desk, vera) = (stage.sign_in(ADMIN).await, stage.sign_in(ADMIN).await, stage.sign_in("vera").await);
    let listed = desk.get("/api/v1/account/sessions").await.body(200);
    let items = listed["items"].as_array().unwrap();
    assert_eq!(items.len(), 2);
    let other = items.iter().find(|item| item["current"] == json!(false)).unwrap();
    let path = format!("/api/v1/account/sessions/{}", other["id"].as_str().unwrap());
    vera.delete(&path).await.assert_problem(404, "not_found");
    phone.get("/api/v1/account").await.assert_status(200);
    desk.delete(&path).await.assert_status(204);
    phone.get("/api/v1/account").await.assert_problem(401, "unauthenticated");
}

#[tokio::test]
async fn sessions_end_when_idle_and_in_any_case_after_a_week() {
    let stage = Stage::new().await;
    let ada = stage.sign_in(ADMIN).await;
    for _ in 0..15 {
        stage.app.advance(TimeDelta::hours(11));
        ada.get("/api/v1/account").await.assert_status(200);
    }
    stage.app.advance(TimeDelta::hours(4));
    ada.get("/api/v1/account").await.assert_problem(401, "unauthenticated");
    let ada = stage.sign_in(ADMIN).await;
    stage.app.advance(TimeDelta::hours(12));
    ada.get("/api/v1/account").await.assert_problem(401, "unauthenticated");
}

#[tokio::test]
async fn a_new_password_needs_the_old_one_and_signs_out_the_other_devices() {
    let stage = Stage::new().await;
    let (phone, desk) = (stage.sign_in(ADMIN).await, stage.sign_in(ADMIN).await);
    let change = |old: &str, new: &str| json!({"old_password": old, "new_password": new});
    let path = "/api/v1/account/password";
    desk.post(path, &change("not the old password", "seven loud geese at dawn"))
        .await
        .assert_problem(401, "wrong_credentials");
    desk.post(path, &change(PASSWORD, "iloveyou1234")).await.assert_problem(422, "weak_password");
    desk.post(path, &change(PASSWORD, "my name is ada, hi")).await.assert_problem(422, "weak_password");
    let answer = desk.post(path, &change(PASSWORD, "seven loud geese at dawn")).await;
    answer.assert_status(204);
    phone.get("/api/v1/account").await.assert_problem(401, "unauthenticated");
    desk.with_cookie(&answer.cookie()).get("/api/v1/account").await.assert_status(200);
    stage.app.anonymous().sign_in(ADMIN, "seven loud geese at dawn").await;
}

#[tokio::test]
async fn the_database_holds_no_cookie_and_no_token() {
    let stage = Stage::new().await;
    let ada = stage.sign_in(ADMIN).await;
    let token = stage.agent("api").await;
    let secrets = [ada.cookie().unwrap().split_once('=').unwrap().1, token.as_str(), PASSWORD];
    let export = stage.app.local().get("/api/v1/audit/export").await;
    export.assert_status(200);
    assert!(export.text.lines().count() > 5);
    for secret in secrets {
        assert!(!export.text.contains(secret));
    }
}
