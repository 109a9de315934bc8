//! Pausing from a phone, with one tap and a reason; going on at the machine alone.

use serde_json::{Value, json};

use crate::support::app::TestApp;

const PAUSE: &str = "/api/v1/pause";

#[tokio::test]
async fn an_admin_pauses_from_afar_and_only_the_machine_goes_on() {
    let app = TestApp::peopled().await;
    let (ada, ben) = (app.who("ada"), app.who("ben"));
    let mut phone = app.phone_of(&app.who("lin")).await;
    ben.post(PAUSE, &json!({ "reason": "smoke" })).await.assert_problem(403, "forbidden");
    for reason in ["", " \n", "\u{200b}"] {
        ada.post(PAUSE, &json!({ "reason": reason })).await.assert_problem(422, "reason_required");
    }
    let paused = ada.post(PAUSE, &json!({ "reason": "agents act oddly" })).await.body(200);
    assert_eq!((&paused["paused"]["by"], &paused["paused"]["reason"]), (&json!("ada"), &json!("agents act oddly")));
    assert_eq!(phone.next_of("supervision.paused").await["data"]["by"], "ada");
    // Who was first stands.
    assert_eq!(ada.post(PAUSE, &json!({ "reason": "again" })).await.body(200), paused);
    assert!(ben.get("/").await.text.contains("agents act oddly"), "every page says so");
    for path in [PAUSE, "/api/v1/pause/off"] {
        ada.delete(path).await.assert_problem(404, "not_found");
    }
    app.local().delete(PAUSE).await.assert_problem(401, "unauthenticated");
    assert_eq!(app.local().get(PAUSE).await.body(200), paused);
    assert_eq!(app.machine().delete(PAUSE).await.body(200)["paused"], Value::Null);
    assert_eq!(phone.next_of("supervision.resumed").await["data"]["paused_by"], "ada");
    assert!(!ben.get("/").await.text.contains("agents act oddly"));
    let journal = app.local().get("/api/v1/audit?kind=supervision").await.body(200);
    let rows: Vec<_> = journal["items"].as_array().unwrap().iter().map(|row| (&row["kind"], &row["actor"])).collect();
    assert_eq!(
        rows,
        [(&json!("supervision.resumed"), &json!("admin:ada")), (&json!("supervision.paused"), &json!("person:ada"))]
    );
}

#[tokio::test]
async fn a_form_pauses_too() {
    let app = TestApp::peopled().await;
    let ada = app.who("ada");
    let form = ada.request(reqwest::Method::POST, "/pause").header("content-type", "application/x-www-form-urlencoded");
    ada.send(form.body("reason=lunch")).await.assert_status(303);
    assert_eq!(app.local().get(PAUSE).await.body(200)["paused"]["reason"], "lunch");
}

#[tokio::test]
async fn who_was_removed_or_limited_to_a_lane_pauses_nothing() {
    let app = TestApp::peopled().await;
    let eve = app.person("eve", "admin", "lane:api").await;
    eve.post(PAUSE, &json!({ "reason": "mine" })).await.assert_problem(403, "forbidden");
    app.machine().delete("/api/v1/users/eve").await.assert_status(204);
    eve.post(PAUSE, &json!({ "reason": "mine" })).await.assert_problem(401, "unauthenticated");
    assert_eq!(app.local().get(PAUSE).await.body(200)["paused"], Value::Null);
}
