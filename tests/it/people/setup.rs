//! The first person: the printed code, or the first `user add`, and never both.

use chrono::TimeDelta;
use countersign::flows;
use serde_json::{Value, json};

use super::stage::{ADMIN, PASSWORD, Stage, person};
use crate::support::app::TestApp;

fn set_up(code: &str) -> Value {
    json!({"code": code, "name": ADMIN, "password": PASSWORD})
}

async fn code(app: &TestApp) -> String {
    flows::people::renew_setup_code(&app.state).await.unwrap().unwrap()
}

#[tokio::test]
async fn the_code_makes_one_admin_and_the_page_is_gone() {
    let app = TestApp::start().await;
    let old = code(&app).await;
    let code = code(&app).await;
    let anyone = app.anonymous();
    anyone.post("/setup", &set_up(&old)).await.assert_problem(401, "wrong_credentials");
    anyone.post("/setup", &set_up("")).await.assert_problem(401, "wrong_credentials");
    let weak = json!({"code": code, "name": ADMIN, "password": "password1234"});
    anyone.post("/setup", &weak).await.assert_problem(422, "weak_password");

    let answer = anyone.post("/setup", &set_up(&code)).await;
    answer.assert_status(201);
    let ada = anyone.with_cookie(&answer.cookie());
    assert_eq!(ada.get("/api/v1/account").await.body(200)["grants"][0]["role"], "admin");

    anyone.post("/setup", &set_up(&code)).await.assert_problem(404, "not_found");
    assert_eq!(flows::people::renew_setup_code(&app.state).await.unwrap(), None);
}

#[tokio::test]
async fn the_code_ends_after_half_an_hour() {
    let app = TestApp::start().await;
    let code = code(&app).await;
    app.advance(TimeDelta::minutes(31));
    app.anonymous().post("/setup", &set_up(&code)).await.assert_problem(401, "wrong_credentials");
}

#[tokio::test]
async fn set_up_and_the_first_user_add_cannot_both_win() {
    let app = TestApp::start().await;
    let code = code(&app).await;
    let (local, anyone) = (app.local(), app.anonymous());
    let first = person("berta", &json!({"role": "admin"}));
    let wish = set_up(&code);
    let (by_link, by_socket) = tokio::join!(anyone.post("/setup", &wish), local.post("/api/v1/users", &first));
    let statuses = [by_link.status, by_socket.status];
    assert!(matches!(statuses, [201, 401] | [404, 201]), "{statuses:?}");
    let people = local.get("/api/v1/users").await.body(200);
    assert_eq!(people["items"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn only_the_first_person_is_added_without_an_admin_and_only_as_one() {
    let app = TestApp::start().await;
    let local = app.local();
    for grant in [json!({"role": "viewer"}), json!({"role": "admin", "expires_days": 1})] {
        local.post("/api/v1/users", &person("vera", &grant)).await.assert_problem(422, "invalid");
    }
    let stage = Stage::on(app).await;
    let second = person("berta", &json!({"role": "admin"}));
    stage.app.local().post("/api/v1/users", &second).await.assert_problem(401, "unauthenticated");
}
