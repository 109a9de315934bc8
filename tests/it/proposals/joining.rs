//! Joining: the same content by the same agent while pending is the same proposal; after a rejection it is a new one.

use std::collections::HashSet;

use futures_util::future::join_all;
use serde_json::json;

use crate::support::app::TestApp;
use crate::support::proposals::{change, with};

#[tokio::test]
async fn the_same_content_joins_while_it_is_pending() {
    let app = TestApp::peopled().await;
    let (coder, ask) = (app.who("coder"), change("Again"));
    let first = coder.propose(&ask).await;
    // Justification, expiry and wait are not content.
    let again = with(ask.clone(), &json!({ "justification": "really", "expires_in": 60, "wait": 0 }));
    let joined = coder.post("/api/v1/proposals", &again).await.body(200);
    assert_eq!((&joined["id"], &joined["joined"]), (&first["id"], &json!(true)));
    assert_eq!(joined["version"], 1, "joining changes nothing");
    let others = [
        json!({ "title": "Other" }),
        json!({ "action": "write" }),
        json!({ "body": "retries = 6\n" }),
        json!({ "base": "retries = 2\n" }),
        json!({ "command": "make" }),
    ];
    for other in others {
        assert_ne!(coder.propose(&with(ask.clone(), &other)).await["id"], first["id"], "{other}");
    }
    // Somebody else's same content is somebody else's proposal, in the same lane or another.
    for agent in ["tester", "painter"] {
        assert_ne!(app.who(agent).propose(&ask).await["id"], first["id"]);
    }
}

#[tokio::test]
async fn after_the_end_it_is_a_new_one_that_says_whether_it_was_rejected() {
    let app = TestApp::peopled().await;
    let (coder, ben) = (app.who("coder"), app.who("ben"));
    for (outcome, rejected) in [("approved", false), ("rejected", true)] {
        let ask = change(outcome);
        let first = coder.propose(&ask).await;
        ben.decide(&first, outcome).await.assert_status(200);
        let second = coder.propose(&ask).await;
        assert_ne!(second["id"], first["id"]);
        assert_eq!((&second["joined"], &second["previously_rejected"]), (&json!(false), &json!(rejected)));
        assert_eq!(coder.look(&second).await["previously_rejected"], rejected);
    }
    let ask = change("withdrawn");
    let first = coder.propose(&ask).await;
    coder.withdraw(&first).await.assert_status(200);
    assert_eq!(coder.propose(&ask).await["previously_rejected"], false);
}

#[tokio::test]
async fn the_same_content_from_many_at_once_is_one_proposal() {
    let app = TestApp::peopled().await;
    let (coder, ask) = (app.who("coder"), change("Crowd"));
    let answers = join_all((0..32).map(|_| coder.post("/api/v1/proposals", &ask))).await;
    let made = answers.iter().filter(|answer| answer.status == 201).count();
    let joined = answers.iter().filter(|answer| answer.json["joined"] == true).count();
    let ids: HashSet<_> = answers.iter().map(|answer| answer.json["id"].as_str().unwrap()).collect();
    assert_eq!((made, joined, ids.len()), (1, 31, 1));
}
