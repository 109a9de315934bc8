//! Expire: what nobody decided in time is over, by a job or by whoever meets it first, and never counts as approved.

use chrono::TimeDelta;
use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::proposals::{change, review_at, with};

fn short(title: &str) -> Value {
    with(change(title), &json!({ "expires_in": 3600 }))
}

async fn expired_once(app: &TestApp, asked: &Value) {
    let journal = app.journal_of(asked).await;
    let ends: Vec<_> = journal.iter().filter(|(kind, _)| kind == "proposal.expired").collect();
    assert_eq!(ends, [&("proposal.expired".to_owned(), "system".to_owned())]);
    assert!(!journal.iter().any(|(kind, _)| kind == "proposal.decided"));
}

#[tokio::test]
async fn a_job_closes_what_is_due_on_every_phone() {
    let app = TestApp::peopled().await;
    let coder = app.who("coder");
    let mut phone = app.phone_of(&app.who("ben")).await;
    let asked = coder.propose(&short("Job")).await;
    assert!(asked["expires_at"].is_string());
    app.advance(TimeDelta::seconds(3590));
    assert_eq!(coder.look(&asked).await["status"], "pending");
    app.advance(TimeDelta::seconds(11));
    // Nobody touches it.
    let heard = phone.next_of("proposal.expired").await;
    assert_eq!((&heard["proposal_id"], &heard["version"]), (&asked["id"], &json!(2)));
    let over = coder.look(&asked).await;
    assert_eq!((&over["status"], &over["decision"], &over["version"]), (&json!("expired"), &json!(null), &json!(2)));
    expired_once(&app, &asked).await;
}

#[tokio::test]
async fn whoever_meets_it_first_finds_it_expired() {
    let app = TestApp::peopled().await;
    let (coder, ben) = (app.who("coder"), app.who("ben"));
    let mut asked = Vec::new();
    for title in ["check", "decide", "reject", "withdraw", "create", "list"] {
        asked.push(coder.propose(&short(title)).await);
    }
    app.advance(TimeDelta::seconds(3600));
    assert_eq!(coder.look(&asked[0]).await["status"], "expired");
    for (asked, outcome) in [(&asked[1], "approved"), (&asked[2], "rejected")] {
        let late = ben.decide(asked, outcome).await;
        late.assert_problem(410, "expired");
        assert_eq!(late.json["proposal_status"], "expired");
    }
    let late = coder.withdraw(&asked[3]).await;
    late.assert_problem(409, "already_final");
    assert_eq!(late.json["proposal"]["status"], "expired");
    // The same content is not joined to one whose time is over.
    let fresh = coder.propose(&short("create")).await;
    assert_ne!(fresh["id"], asked[4]["id"]);
    assert_eq!(fresh["previously_rejected"], false);
    for asked in &asked[..5] {
        expired_once(&app, asked).await;
        let review = ben.get(&review_at(asked)).await.body(200);
        assert_eq!((&review["status"], &review["may_decide"]), (&json!("expired"), &json!(false)));
    }
    // Late again, and by somebody else: still 410, still one end.
    app.who("ada").decide(&asked[1], "approved").await.assert_problem(410, "expired");
    expired_once(&app, &asked[1]).await;
}

#[tokio::test]
async fn a_wait_ends_when_the_time_does() {
    let app = TestApp::peopled().await;
    let coder = app.who("coder");
    let asked = coder.propose(&with(change("Soon"), &json!({ "expires_in": 1 }))).await;
    let answer = coder.wait(&asked, 30).await.body(200);
    assert_eq!(answer["status"], "expired");
    let ends = |name: &str| answer[name].as_str().unwrap().parse::<chrono::DateTime<chrono::Utc>>().unwrap();
    assert_eq!(ends("expires_at") - ends("created_at"), TimeDelta::seconds(1));
}
