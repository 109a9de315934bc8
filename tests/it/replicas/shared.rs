//! What is one for all replicas: keys, contents, counters, decisions, sessions.

use futures_util::future::join_all;
use serde_json::json;

use crate::support::app::TestApp;
use crate::support::proposals::{change, review_at};

#[tokio::test]
async fn keys_contents_and_counters_are_one_for_all_replicas() {
    let here = TestApp::peopled().await;
    let there = TestApp::start_on(&here.database).await;
    let (one, other) = (here.who("coder"), there.who("coder"));
    let ask = change("Same");
    let both =
        join_all((0..8).map(|n| if n % 2 == 0 { &one } else { &other }).map(|agent| agent.propose_as("k", &ask)));
    let answers = both.await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 201).count(), 1);
    assert!(answers.iter().all(|answer| answer.json["id"] == answers[0].json["id"]));

    let asks: Vec<_> = (0..40).map(|n| change(&format!("n {n}"))).collect();
    let agents = (0..40).map(|n| if n % 2 == 0 { &one } else { &other });
    let answers = join_all(agents.zip(&asks).map(|(agent, ask)| agent.post("/api/v1/proposals", ask))).await;
    let count = |code: u16| answers.iter().filter(|answer| answer.status == code).count();
    assert_eq!((count(201), count(429)), (19, 21), "twenty with the one before");
}

#[tokio::test]
async fn a_decision_and_a_sign_out_count_on_every_replica() {
    let here = TestApp::peopled().await;
    let there = TestApp::start_on(&here.database).await;
    let asked = here.who("coder").propose(&change("Two phones")).await;
    let (ben, ada) = (here.who("ben"), there.who("ada"));
    let (one, other) = tokio::join!(ben.decide(&asked, "approved"), ada.decide(&asked, "rejected"));
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
    let reviews = [ben.get(&review_at(&asked)).await, ada.get(&review_at(&asked)).await];
    assert_eq!(reviews[0].json["decision"], reviews[1].json["decision"]);

    let mut phone = there.phone_of(&there.who("ben")).await;
    ben.send(ben.request(reqwest::Method::DELETE, "/api/v1/session").json(&json!({}))).await.assert_status(204);
    assert_eq!(phone.close_code().await, 4401);
    there.who("ben").get("/api/v1/reviews").await.assert_problem(401, "unauthenticated");
}
