//! Lost replies: a connection that breaks before the answer arrives costs nothing; asking again gives what there is.

use std::fmt::Write;

use reqwest::Method;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::support::app::TestApp;
use crate::support::client::Client;
use crate::support::proposals::{at, change, with};

/// Sends a request whose answer nobody will read. Dropping the connection hangs up, as a phone in a tunnel does.
async fn send(app: &TestApp, caller: &Client, path: &str, body: &Value) -> TcpStream {
    let request = caller.request(Method::POST, path).json(body).build().unwrap();
    let host = app.url.trim_start_matches("http://");
    let mut text = format!("POST {path} HTTP/1.1\r\nhost: {host}\r\n");
    let body = request.body().unwrap().as_bytes().unwrap();
    for (name, value) in request.headers() {
        write!(text, "{name}: {}\r\n", value.to_str().unwrap()).unwrap();
    }
    write!(text, "content-length: {}\r\nidempotency-key: lost\r\n\r\n", body.len()).unwrap();
    let mut stream = TcpStream::connect(host).await.unwrap();
    stream.write_all(text.as_bytes()).await.unwrap();
    stream.write_all(body).await.unwrap();
    stream
}

#[tokio::test]
async fn a_lost_create_is_found_by_its_key_and_by_its_content() {
    let app = TestApp::peopled().await;
    let coder = app.who("coder");
    let mut phone = app.phone_of(&app.who("ben")).await;
    let ask = with(change("Lost"), &json!({ "wait": 30 }));
    let lost = send(&app, &coder, "/api/v1/proposals", &ask).await;
    let id = phone.next_of("proposal.created").await["proposal_id"].clone();
    drop(lost);
    app.nobody_asleep().await;
    let ask = with(ask, &json!({ "wait": 0 }));
    let replayed = coder.propose_as("lost", &ask).await.body(200);
    let joined = coder.post("/api/v1/proposals", &ask).await.body(200);
    assert_eq!((&replayed["id"], &joined["id"]), (&id, &id));
    let all = coder.get("/api/v1/proposals").await.body(200);
    assert_eq!(all["items"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_lost_decision_is_given_again_to_whoever_asks() {
    let app = TestApp::peopled().await;
    let (coder, ben) = (app.who("coder"), app.who("ben"));
    let mut phone = app.phone_of(&ben).await;
    let asked = coder.propose(&change("Lost")).await;
    // The person's own reply is lost.
    let ruling = json!({ "outcome": "approved", "digest": asked["digest"], "note": "go" });
    let lost = send(&app, &ben, &format!("{}/decision", at(&asked)), &ruling).await;
    phone.next_of("proposal.decided").await;
    drop(lost);
    let again = ben.rule(&asked, &ruling).await.body(200);
    assert_eq!((&again["decision"]["note"], &again["version"]), (&json!("go"), &json!(2)));
    // The agent's reply is lost, before and after it said that it is done.
    let decision = coder.look(&asked).await["decision"].clone();
    assert_eq!(coder.look(&asked).await["decision"], decision);
    drop(send(&app, &coder, &format!("{}/ack", at(&asked)), &json!({})).await);
    coder.ack(&asked).await.assert_status(204);
    assert_eq!(coder.look(&asked).await["decision"], decision);
}

#[tokio::test]
async fn a_dropped_wait_leaves_no_waiter_and_takes_no_answer_with_it() {
    let app = TestApp::peopled().await;
    let (coder, ben) = (app.who("coder"), app.who("ben"));
    let asked = coder.propose(&change("Dropped")).await;
    let wait = tokio::spawn({
        let (coder, asked) = (coder.clone(), asked.clone());
        async move { coder.wait(&asked, 40).await }
    });
    app.asleep(1).await;
    wait.abort();
    app.nobody_asleep().await;
    ben.decide(&asked, "approved").await.assert_status(200);
    assert_eq!(coder.wait(&asked, 40).await.body(200)["status"], "approved");
}
