//! Who sees what is needed, and who may say that they have seen to it.

use serde_json::json;

use super::{assert_balanced, causes};
use crate::support::app::TestApp;
use crate::support::client::{Answer, Client};
use crate::support::cluster;
use crate::support::panes::dialog;

async fn episode(app: &TestApp, cause: &str) -> String {
    let mut conn = cluster::connect(&app.database).await;
    let sql = "select id::text from attentions where cause = $1 and cleared_at is null";
    sqlx::query_scalar(sql).bind(cause).fetch_one(&mut conn).await.unwrap()
}

async fn see_to(who: &Client, lane: &str, id: &str) -> Answer {
    let request = who.request(reqwest::Method::POST, &format!("/lanes/{lane}/needs/{id}"));
    who.send(request.header("content-type", "application/x-www-form-urlencoded").body("")).await
}

/// A dialog whose answer has failed, and one that is held.
async fn stuck() -> TestApp {
    let app = TestApp::peopled().await;
    let (watcher, ben) = (app.watcher().await, app.who("ben"));
    let held = watcher.report(&dialog("cat ../secret")).await;
    ben.rule(&held, &json!({ "outcome": "rejected" })).await.assert_status(200);
    let order = watcher.order().await;
    watcher.done(&order, &json!({ "outcome": "failed", "reason": "still there" })).await.assert_status(200);
    let mut other = dialog("cat ../other");
    other["pane"] = "main.2".into();
    watcher.report(&other).await;
    assert_eq!(causes(&app).await, ["held", "order_failed"]);
    app
}

#[tokio::test]
async fn only_who_may_act_there_says_that_it_is_seen_to() {
    let app = stuck().await;
    let (failed, held) = (episode(&app, "order_failed").await, episode(&app, "held").await);
    see_to(&app.who("vic"), "api", &failed).await.assert_status(403);
    see_to(&app.who("lin"), "api", &failed).await.assert_status(404);
    see_to(&app.who("ben"), "web", &failed).await.assert_status(404);
    see_to(&app.who("ben"), "api", &held).await.assert_status(422);
    assert_eq!(causes(&app).await, ["held", "order_failed"], "nothing was cleared");
    let mut phone = app.phone_of(&app.who("vic")).await;
    see_to(&app.who("ben"), "api", &failed).await.assert_status(303);
    assert_eq!(phone.next_cleared("order_failed").await["data"]["attention_id"], failed.as_str());
    see_to(&app.who("ben"), "api", &failed).await.assert_status(404);
    assert_eq!(causes(&app).await, ["held"]);
    assert_balanced(&app).await;
}

#[tokio::test]
async fn the_inbox_names_what_the_reader_is_needed_for() {
    let app = stuck().await;
    let inbox = async |who: &str| app.who(who).get("/").await.text;
    let ben = inbox("ben").await;
    assert!(ben.contains("Needs you") && ben.contains("An answer may not have worked"), "{ben}");
    assert!(ben.contains("<title>(2) Inbox"), "one to decide and one to see to");
    assert_eq!(ben.matches("A dialog waits").count(), 0, "a dialog that waits is in the list already");
    for (who, title) in [("vic", "<title>Inbox"), ("tom", "<title>Inbox"), ("lin", "<title>Inbox")] {
        let page = inbox(who).await;
        assert!(page.contains(title) && !page.contains("Needs you"), "{who}: {page}");
    }
    // Who may look sees it on the lane, without a way to close it.
    let lane = app.who("vic").get("/lanes/api").await.text;
    assert!(lane.contains("An answer may not have worked") && !lane.contains("I have seen to it"), "{lane}");
    let lane = app.who("ben").get("/lanes/api").await.text;
    assert!(lane.contains("I have seen to it"), "{lane}");
}

#[tokio::test]
async fn the_count_is_of_what_the_reader_may_decide() {
    let app = TestApp::peopled().await;
    let coder = app.who("coder");
    coder.propose(&crate::support::proposals::change("One")).await;
    coder.propose(&crate::support::proposals::question("Two")).await;
    let machine = app.machine();
    machine.post("/api/v1/users/vic/grants", &json!({ "role": "approver", "classes": ["question"] })).await;
    let title = async |who: &str, path: &str| {
        let page = app.who(who).get(path).await.text;
        page.split("<title>").nth(1).unwrap().split(" ·").next().unwrap().to_owned()
    };
    assert_eq!(title("ben", "/").await, "(2) Inbox");
    assert_eq!(title("ben", "/lanes").await, "(2) Lanes");
    assert_eq!(title("vic", "/history").await, "(1) History");
    assert_eq!(title("tom", "/").await, "Inbox");
}
