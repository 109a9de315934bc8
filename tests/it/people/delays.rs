//! Guessing gets slow: counted before the hash, kept across restarts, and nobody else is locked out.

use std::time::Instant;

use chrono::TimeDelta;
use futures_util::future::join_all;
use serde_json::json;

use super::stage::{ADMIN, PASSWORD, Stage, credentials};
use crate::support::app::TestApp;
use crate::support::client::Answer;
use crate::support::cluster;

async fn guess(stage: &Stage, name: &str, password: &str) -> Answer {
    stage.app.anonymous().post("/api/v1/session", &credentials(name, password)).await
}

#[tokio::test]
async fn sixteen_guesses_at_once_are_four_guesses() {
    let stage = Stage::new().await;
    let answers = join_all((0..16).map(|n| {
        let wrong = format!("sixteen wrong guesses {n}");
        let stage = &stage;
        async move { guess(stage, ADMIN, &wrong).await }
    }))
    .await;
    let looked_at = answers.iter().filter(|answer| answer.status == 401).count();
    // Three are free; the fourth starts the delays. A slow machine may let one more in after a second.
    assert!((4..=6).contains(&looked_at), "{looked_at} guesses were looked at");
    let refused = answers.iter().find(|answer| answer.status == 429).unwrap();
    refused.assert_problem(429, "slow_down");
    assert!(refused.header("retry-after").parse::<u64>().unwrap() >= 1);
    assert!(stage.journal().await.contains(&"signin.throttled".to_owned()));
}

#[tokio::test]
async fn right_passwords_at_once_are_no_guesses() {
    let stage = Stage::new().await;
    let answers = join_all((0..6).map(|_| guess(&stage, ADMIN, PASSWORD))).await;
    for answer in answers {
        answer.assert_status(200);
    }
}

#[tokio::test]
async fn delays_grow_survive_a_restart_and_are_forgiven_by_the_password() {
    let database = cluster::database().await;
    let stage = Stage::on(TestApp::start_on(&database).await).await;
    for (n, delay) in [0, 0, 0, 0, 1, 2, 4, 8, 16].into_iter().enumerate() {
        stage.app.advance(TimeDelta::seconds(delay));
        guess(&stage, ADMIN, &format!("wrong guess number {n}")).await.assert_problem(401, "wrong_credentials");
    }
    guess(&stage, ADMIN, PASSWORD).await.assert_problem(429, "slow_down");
    // The local socket is another source, and so is another account.
    stage
        .admin
        .post("/api/v1/users", &super::stage::person("vera", &json!({"role": "viewer"})))
        .await
        .assert_status(201);
    guess(&stage, "vera", PASSWORD).await.assert_status(200);

    // Another process, whose clock is 31 s behind that of the one before: 32 s of delay are left, and a little.
    let again = TestApp::start_on(&database).await;
    let anyone = again.anonymous();
    let sign_in = async |password: &str| anyone.post("/api/v1/session", &credentials(ADMIN, password)).await;
    sign_in(PASSWORD).await.assert_problem(429, "slow_down");
    again.advance(TimeDelta::seconds(63));
    sign_in("wrong once more, really").await.assert_problem(401, "wrong_credentials");
    sign_in(PASSWORD).await.assert_problem(429, "slow_down");
    again.advance(TimeDelta::seconds(64));
    sign_in(PASSWORD).await.assert_status(200);
    sign_in("wrong after it was right").await.assert_status(401);
    sign_in(PASSWORD).await.assert_status(200);
}

#[tokio::test]
async fn the_local_socket_has_delays_too() {
    let stage = Stage::new().await;
    let settings = json!({"retention_days": 30});
    let wrong = stage.app.local().with_password(ADMIN, "wrong at the machine");
    for delay in [0, 0, 0, 0, 1, 2, 4, 8] {
        stage.app.advance(TimeDelta::seconds(delay));
        wrong.patch("/api/v1/settings", &settings).await.assert_problem(401, "wrong_credentials");
    }
    stage.admin.patch("/api/v1/settings", &settings).await.assert_problem(429, "slow_down");
    stage.sign_in(ADMIN).await;
}

#[tokio::test]
async fn unknown_names_cost_as_much_as_wrong_passwords() {
    let stage = Stage::new().await;
    let began = Instant::now();
    guess(&stage, ADMIN, "a wrong password it is").await.assert_problem(401, "wrong_credentials");
    let known = began.elapsed();
    let began = Instant::now();
    guess(&stage, "nobody", "a wrong password it is").await.assert_problem(401, "wrong_credentials");
    let unknown = began.elapsed();
    assert!(unknown * 3 > known, "{unknown:?} for nobody, {known:?} for somebody");
}
