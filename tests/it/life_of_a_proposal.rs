//! The story that everything else is detail of: an agent asks, a person decides on a phone, the agent has it a moment later.

use std::time::Duration;

use serde_json::json;
use tokio::time::timeout;

use crate::support::app::TestApp;
use crate::support::cast::PASSWORD;
use crate::support::proposals::{at, review_at};

#[tokio::test]
#[expect(clippy::too_many_lines, reason = "a story is told in one piece")]
async fn life_of_a_proposal() {
    let app = TestApp::start().await;

    // The link that the first start prints makes the first admin, once.
    let wish = json!({ "code": app.setup_code, "name": "ada", "password": PASSWORD });
    let signed_in = app.anonymous().post("/setup", &wish).await;
    signed_in.assert_status(201);
    let ada = app.anonymous().with_cookie(&signed_in.cookie());
    app.anonymous().post("/setup", &wish).await.assert_problem(404, "not_found");

    // At the machine, with her password, she says what there is to supervise and lets an agent in.
    let machine = app.local().with_password("ada", PASSWORD);
    let project = json!({ "name": "shop", "repo": "/srv/shop" });
    machine.post("/api/v1/projects", &project).await.assert_status(201);
    let lane = json!({ "name": "api", "project": "shop", "worktree": "/srv/shop-api" });
    machine.post("/api/v1/lanes", &lane).await.assert_status(201);
    let issued = machine.post("/api/v1/agents", &json!({ "name": "coder", "lane": "api" })).await.body(201);
    let coder = app.anonymous().with_token(issued["token"].as_str().unwrap());
    let mut phone = app.phone_of(&ada).await;

    // The agent asks, and has an id at once.
    let ask = json!({ "action": "edit", "title": "Retry payments", "justification": "They fail at night.",
        "base": "retries = 0\n", "body": "retries = 3\n" });
    let answer = coder.post("/api/v1/proposals", &ask).await;
    assert_eq!((answer.status, answer.header("etag")), (201, "\"v1\""));
    let asked = answer.json;
    assert_eq!((&asked["status"], &asked["version"]), (&json!("pending"), &json!(1)));
    assert!(asked["decision"].is_null() && asked["retry_after"].is_u64(), "{asked}");

    // It goes to sleep on it.
    let poll = tokio::spawn({
        let (coder, asked) = (coder.clone(), asked.clone());
        async move { coder.wait(&asked, 30).await }
    });
    app.asleep(1).await;

    // Her phone hears of it, and she reads it.
    let heard = phone.next_of("proposal.created").await;
    assert_eq!((&heard["proposal_id"], &heard["lane"]), (&asked["id"], &json!("api")));
    phone.next_of("proposal.notified").await;
    let review = ada.get(&review_at(&asked)).await.body(200);
    assert_eq!((&review["body"], &review["may_decide"]), (&json!("retries = 3\n"), &json!(true)));
    phone.next_of("proposal.seen").await;

    // She decides, and the agent has it within a second.
    let ruling = json!({ "outcome": "approved", "note": "Good.", "digest": review["digest"] });
    ada.post(&format!("{}/decision", at(&asked)), &ruling).await.assert_status(200);
    let woken = timeout(Duration::from_secs(1), poll).await.expect("the agent waited a second").unwrap();
    let decided = woken.body(200);
    assert_eq!(decided["status"], "approved");
    assert_eq!((&decided["decision"]["decided_by"], &decided["decision"]["note"]), (&json!("ada"), &json!("Good.")));
    phone.next_of("proposal.decided").await;
    phone.next_of("proposal.collected").await;

    // It says that it is done, twice, because it may not know whether the first one arrived.
    for _ in 0..2 {
        coder.ack(&asked).await.assert_status(204);
    }
    let done = coder.look(&asked).await;
    for receipt in ["notified_at", "seen_at", "collected_at", "archived_at"] {
        assert!(done["receipts"][receipt].is_string(), "{receipt}: {done}");
    }
    let told = [
        ("proposal.created", "agent:coder"),
        ("proposal.notified", "person:ada"),
        ("proposal.seen", "person:ada"),
        ("proposal.decided", "person:ada"),
        ("proposal.collected", "agent:coder"),
        ("proposal.archived", "agent:coder"),
    ];
    assert_eq!(app.journal_of(&asked).await, told.map(|(kind, actor)| (kind.to_owned(), actor.to_owned())));

    // The server goes away and comes back, and nothing is lost.
    let cookie = ada.cookie().unwrap().to_owned();
    let app = app.restart().await;
    let coder = app.anonymous().with_token(issued["token"].as_str().unwrap());
    let again = coder.look(&asked).await;
    assert_eq!((&again["decision"], &again["receipts"]), (&done["decision"], &done["receipts"]));
    let ada = app.anonymous().with_cookie(&cookie);
    assert_eq!(ada.get(&review_at(&asked)).await.body(200)["status"], "approved");
    assert_eq!(app.setup_code, None);
    assert_eq!(phone.close_code().await, 1012);
}
