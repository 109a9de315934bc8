//! Sockets and long polls end when their reason does: a revoked session, a removed person, a stopping server.

use std::time::{Duration, Instant};

use serde_json::json;

use super::stage::{ADMIN, Stage};
use crate::support::client::Client;
use crate::support::socket::Socket;

async fn listen(stage: &Stage, who: &Client) -> Socket {
    let headers = [("origin", stage.app.url.as_str()), ("cookie", who.cookie().unwrap())];
    Socket::open(&stage.app.url, "/api/v1/events", &headers).await.unwrap()
}

#[tokio::test]
async fn a_revoked_sessions_socket_closes_within_a_second() {
    let stage = Stage::new().await;
    let (phone, desk) = (stage.sign_in(ADMIN).await, stage.sign_in(ADMIN).await);
    let mut socket = listen(&stage, &phone).await;
    let other = phone.get("/api/v1/account").await.body(200)["session_id"].as_str().unwrap().to_owned();
    desk.delete(&format!("/api/v1/account/sessions/{other}")).await.assert_status(204);
    let began = Instant::now();
    assert_eq!(socket.close_code().await, 4401);
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
}

#[tokio::test]
async fn a_removed_persons_socket_closes_too() {
    let stage = Stage::new().await;
    stage.add("vera", &json!({"role": "viewer"})).await;
    let vera = stage.sign_in("vera").await;
    let mut socket = listen(&stage, &vera).await;
    stage.admin.delete("/api/v1/users/vera").await.assert_status(204);
    assert_eq!(socket.close_code().await, 4401);
}

#[tokio::test]
async fn a_stopping_server_sends_sockets_away_and_answers_who_waits() {
    let stage = Stage::new().await;
    let token = stage.agent("api").await;
    let agent = stage.app.anonymous().with_token(&token);
    let ask = json!({"action": "edit", "title": "wait for it"});
    let made = agent.post("/api/v1/proposals", &ask).await.body(201);
    let ada = stage.sign_in(ADMIN).await;
    let mut socket = listen(&stage, &ada).await;
    let path = format!("/api/v1/proposals/{}?wait=45", made["id"].as_str().unwrap());
    let state = stage.app.state.clone();
    let poll = tokio::spawn(async move { agent.get(&path).await });
    while state.hub.waiters.count().1 == 0 {
        tokio::task::yield_now().await;
    }
    let began = Instant::now();
    let stopped = tokio::spawn(stage.app.stop());
    assert_eq!(socket.close_code().await, 1012);
    assert_eq!(poll.await.unwrap().body(200)["status"], "pending");
    stopped.await.unwrap();
    assert!(began.elapsed() < Duration::from_secs(8), "{:?}", began.elapsed());
}
