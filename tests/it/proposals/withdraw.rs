//! Withdraw: the agent moved on, and the proposal closes on every phone.

use chrono::TimeDelta;
use serde_json::json;

use crate::support::app::TestApp;
use crate::support::proposals::{at, change, review_at, with};

#[tokio::test]
async fn a_withdrawn_proposal_closes_on_every_phone() {
    let app = TestApp::peopled().await;
    let (coder, ben) = (app.who("coder"), app.who("ben"));
    let mut phones = [app.phone_of(&ben).await, app.phone_of(&app.who("vic")).await];
    let asked = coder.propose(&change("Never mind")).await;
    let reason = json!({ "reason": "found another way" });
    let answer = coder.post(&format!("{}/withdraw", at(&asked)), &reason).await;
    assert_eq!((answer.status, answer.header("etag")), (200, "\"v2\""));
    assert_eq!((&answer.json["status"], &answer.json["decision"]), (&json!("withdrawn"), &json!(null)));
    for phone in &mut phones {
        let heard = phone.next_of("proposal.withdrawn").await;
        assert_eq!((&heard["proposal_id"], &heard["version"]), (&asked["id"], &json!(2)));
        assert_eq!(heard["data"]["reason"], "found another way");
    }
    let late = ben.decide(&asked, "approved").await;
    late.assert_problem(409, "already_final");
    assert_eq!(
        (&late.json["proposal_status"], &late.json["reason"]),
        (&json!("withdrawn"), &json!("found another way"))
    );
    let review = ben.get(&review_at(&asked)).await.body(200);
    assert_eq!((&review["may_decide"], &review["decision"]), (&json!(false), &json!(null)));
}

#[tokio::test]
async fn what_is_final_stays_and_is_shown() {
    let app = TestApp::peopled().await;
    let (coder, ben) = (app.who("coder"), app.who("ben"));
    let decided = coder.propose(&change("Decided")).await;
    ben.decide(&decided, "rejected").await.assert_status(200);
    let withdrawn = coder.propose(&change("Withdrawn")).await;
    coder.withdraw(&withdrawn).await.assert_status(200);
    let expired = coder.propose(&with(change("Expired"), &json!({ "expires_in": 60 }))).await;
    app.advance(TimeDelta::seconds(61));
    for (asked, status) in [(&decided, "rejected"), (&withdrawn, "withdrawn"), (&expired, "expired")] {
        let answer = coder.withdraw(asked).await;
        answer.assert_problem(409, "already_final");
        assert_eq!(
            (&answer.json["proposal"]["id"], &answer.json["proposal"]["status"]),
            (&asked["id"], &json!(status))
        );
    }
    let journal = app.journal_of(&expired).await;
    assert_eq!(journal.last().unwrap(), &("proposal.expired".into(), "system".into()));
    let long = json!({ "reason": "r".repeat(1001) });
    let answer = coder.post(&format!("{}/withdraw", at(&decided)), &long).await;
    answer.assert_problem(422, "invalid");
    assert_eq!(answer.json["field"], "reason");
}

#[tokio::test]
async fn only_the_agent_that_asked_withdraws() {
    let app = TestApp::peopled().await;
    let asked = app.who("coder").propose(&change("Mine")).await;
    for other in ["tester", "painter"] {
        app.who(other).withdraw(&asked).await.assert_problem(404, "not_found");
    }
    app.who("ada").withdraw(&asked).await.assert_problem(401, "unauthenticated");
    assert_eq!(app.who("coder").look(&asked).await["status"], "pending");
}
