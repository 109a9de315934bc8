//! In a browser: what is needed appears by itself, moves nothing under a finger, and is counted in the title.

use serde_json::json;

use crate::pages::scene::{Scene, change};
use crate::support::panes::dialog;

/// A dialog whose answer has failed.
async fn fail(scene: &Scene) {
    let watcher = scene.watcher().await;
    let held = watcher.report(&dialog("cat ../secret")).await;
    let ada = scene.stage.sign_in(crate::people::stage::ADMIN).await;
    ada.rule(&held, &json!({ "outcome": "rejected" })).await.assert_status(200);
    let order = watcher.order().await;
    watcher.done(&order, &json!({ "outcome": "failed", "reason": "still there" })).await.assert_status(200);
}

#[tokio::test]
async fn the_inbox_says_what_else_is_needed_without_a_reload() {
    let scene = Scene::signed_in().await;
    let page = &scene.page;
    scene.live().await;
    let loads = page.loads();
    fail(&scene).await;
    page.wait_for_text("Needs you").await;
    page.wait_for_text("An answer may not have worked").await;
    page.wait_for("document.title.startsWith('(1) Inbox')").await;
    assert_eq!(page.loads(), loads, "without a reload");
    // With something under the finger, more waits behind the pill.
    scene.propose(change("One")).await;
    page.wait_for_text("1 new").await;
    page.wait_for("document.title.startsWith('(2) Inbox')").await;
    page.click("#fresh").await;
    page.wait_for("document.querySelectorAll('#list .item').length === 2").await;
    page.click_and_load(".item.need a").await;
    page.wait_for_text("Rejected by").await;
    page.assert_clean();
}

#[tokio::test]
async fn a_lane_says_it_too_and_somebody_sees_to_it() {
    let scene = Scene::signed_in().await;
    let page = &scene.page;
    scene.open("/lanes/api").await;
    scene.live().await;
    fail(&scene).await;
    page.wait_for_text("Needs somebody").await;
    page.wait_for("document.title.startsWith('(1) api')").await;
    page.click("#needs button").await;
    page.wait_for("!document.querySelector('#needs .need-row')").await;
    page.wait_for("!document.title.startsWith('(')").await;
    page.assert_clean();
}

#[tokio::test]
async fn every_page_counts_what_waits() {
    let scene = Scene::signed_in().await;
    let page = &scene.page;
    scene.open("/history").await;
    scene.live().await;
    let asked = scene.propose(change("One")).await;
    page.wait_for("document.title.startsWith('(1) History')").await;
    assert_eq!(page.text("#waiting").await, "1");
    let ada = scene.stage.sign_in(crate::people::stage::ADMIN).await;
    scene.decide_as(&ada, asked["id"].as_str().unwrap(), "approved").await;
    page.wait_for("document.title.startsWith('History')").await;
    assert_eq!(page.eval("document.getElementById('waiting').hidden").await, true);
    page.assert_clean();
}

#[tokio::test]
async fn without_script_it_is_all_there() {
    let scene = Scene::signed_in().await;
    fail(&scene).await;
    let ada = scene.stage.sign_in(crate::people::stage::ADMIN).await;
    let lane = ada.get("/lanes/api").await.text;
    let action = lane.split("action=\"").find(|part| part.starts_with("/lanes/api/needs/")).unwrap();
    let request = ada.request(reqwest::Method::POST, action.split('"').next().unwrap());
    let answer = ada.send(request.header("content-type", "application/x-www-form-urlencoded").body("")).await;
    answer.assert_status(303);
    assert_eq!(answer.header("location"), "/lanes/api");
    assert!(!ada.get("/lanes/api").await.text.contains("I have seen to it"));
}
