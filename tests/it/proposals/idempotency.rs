//! Idempotency: the same key and body are the same proposal, whatever was lost in between and however many ask at once.

use std::collections::HashSet;

use futures_util::future::join_all;
use serde_json::json;

use crate::support::app::TestApp;
use crate::support::proposals::{change, with};

#[tokio::test]
async fn a_key_and_a_body_are_one_proposal() {
    let app = TestApp::peopled().await;
    let coder = app.who("coder");
    let ask = change("Once");
    let first = coder.propose_as("k", &ask).await.body(201);
    // The hash covers all but `wait`.
    for again in [&ask, &with(ask.clone(), &json!({ "wait": 0 }))] {
        let replayed = coder.propose_as("k", again).await.body(200);
        assert_eq!((&replayed["id"], &replayed["joined"]), (&first["id"], &json!(false)));
    }
    let others = [
        change("Twice"),
        with(ask.clone(), &json!({ "justification": "because" })),
        with(ask.clone(), &json!({ "expires_in": 60 })),
    ];
    for other in others {
        let answer = coder.propose_as("k", &other).await;
        answer.assert_problem(422, "idempotency_mismatch");
        assert_eq!(answer.json["field"], "Idempotency-Key");
    }
    // A key is the agent's own.
    let theirs = app.who("tester").propose_as("k", &ask).await.body(201);
    assert_ne!(theirs["id"], first["id"]);
    // It outlives the decision: the replay carries it.
    app.who("ben").decide(&first, "rejected").await.assert_status(200);
    let replayed = coder.propose_as("k", &ask).await.body(200);
    assert_eq!((&replayed["id"], &replayed["status"]), (&first["id"], &json!("rejected")));
    for key in [String::new(), "k".repeat(201)] {
        assert_eq!(coder.propose_as(&key, &ask).await.json["field"], "Idempotency-Key");
    }
}

#[tokio::test]
async fn a_key_that_joined_stands_for_what_it_joined() {
    let app = TestApp::peopled().await;
    let (coder, ask) = (app.who("coder"), change("Same"));
    let first = coder.propose(&ask).await;
    let joined = coder.propose_as("late", &ask).await.body(200);
    assert_eq!((&joined["id"], &joined["joined"]), (&first["id"], &json!(true)));
    app.who("ben").decide(&first, "approved").await.assert_status(200);
    let replayed = coder.propose_as("late", &ask).await.body(200);
    assert_eq!((&replayed["id"], &replayed["status"]), (&first["id"], &json!("approved")));
}

#[tokio::test]
async fn the_same_key_from_many_at_once_is_one_proposal() {
    let app = TestApp::peopled().await;
    let (coder, ask) = (app.who("coder"), change("Crowd"));
    let answers = join_all((0..16).map(|_| coder.propose_as("crowd", &ask))).await;
    let made = answers.iter().filter(|answer| answer.status == 201).count();
    let ids: HashSet<_> = answers.iter().map(|answer| answer.json["id"].as_str().unwrap()).collect();
    assert_eq!((made, ids.len()), (1, 1));
    let all = coder.get("/api/v1/proposals").await.body(200);
    assert_eq!(all["items"].as_array().unwrap().len(), 1);

    // Sixteen bodies under one key: one is taken, the others are told.
    let asks: Vec<_> = (0..16).map(|n| change(&format!("Crowd {n}"))).collect();
    let answers = join_all(asks.iter().map(|ask| coder.propose_as("clash", ask))).await;
    let made = answers.iter().filter(|answer| answer.status == 201).count();
    let told = answers.iter().filter(|answer| answer.code() == "idempotency_mismatch").count();
    assert_eq!((made, told), (1, 15));
}
