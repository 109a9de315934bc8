//! Lanes on a phone: what supervision does is told live, an admin holds everything, an approver suggests.

use serde_json::json;

use super::scene::Scene;
use crate::people::stage::ADMIN;
use crate::support::panes::dialog;

#[tokio::test]
async fn the_log_grows_by_itself_and_what_is_open_stays_open() {
    let scene = Scene::signed_in().await;
    let (page, watcher) = (&scene.page, scene.watcher().await);
    scene.open("/lanes/api").await;
    page.wait_for_text("Neither key is turned").await;
    page.wait_for_text("Nothing yet. Dialogs of this lane's panes appear here").await;
    assert_eq!(page.eval("document.querySelectorAll('.grid tbody tr').length").await, 9);
    scene.live().await;
    watcher.report(&dialog("curl https://example.org/x")).await;
    page.wait_for_text("Left to a person").await;
    page.click("#activity summary").await;
    page.wait_for_text("the screen").await;
    let loads = page.loads();
    let mut other = dialog("git push origin main");
    other["pane"] = "main.2".into();
    let held = watcher.report(&other).await;
    page.wait_for("document.querySelectorAll('#activity li').length === 2").await;
    assert!(page.text("#activity li:first-child").await.contains("git push origin main"), "the newest is on top");
    assert_eq!(page.eval("document.querySelectorAll('#activity li:last-child details[open]').length").await, 1);
    assert_eq!(page.loads(), loads, "without a reload");
    // The policy's keys are turned at the machine, and the page knows.
    scene.set_policy(json!({ "enabled": true })).await;
    page.wait_for_text("The master switch is on, this lane's key is not turned").await;
    let link = format!("#activity a[href='/p/{}']", held["id"].as_str().unwrap());
    page.click_and_load(&link).await;
    page.wait_for_text("Push to a remote").await;
    page.assert_clean();
}

#[tokio::test]
async fn panes_are_told_in_words_and_without_a_reload() {
    let scene = Scene::signed_in().await;
    let (page, watcher) = (&scene.page, scene.watcher().await);
    scene.open("/lanes").await;
    page.wait_for_text("No agent's terminal is watched yet").await;
    scene.live().await;
    let loads = page.loads();
    let put = async |status: &str, limit: bool| {
        let pane = json!({ "lane": "api", "agent_kind": "claude", "session_id": "s1", "status": status,
            "safe_to_type": false, "awaiting_input": false, "ended_turn": false, "limit": limit, "external": false,
            "client": { "version": "9.8.7", "host": "<b>build-3</b>" } });
        let put = watcher.request(reqwest::Method::PUT, "/api/v1/panes/work.3").json(&pane);
        watcher.send(put).await.assert_status(204);
    };
    put("working", false).await;
    page.wait_for_text("at work").await;
    page.wait_for_text("9.8.7 on <b>build-3</b>").await;
    assert!(!page.text("main").await.contains("No agent's terminal is watched yet"));
    put("blocked", false).await;
    page.wait_for_text("waits for an answer").await;
    put("idle", true).await;
    page.wait_for_text("stopped by a usage limit").await;
    assert_eq!(page.loads(), loads, "without a reload");
    // Half a minute without a word.
    scene.stage.app.advance(chrono::TimeDelta::seconds(31));
    scene.open("/lanes/api").await;
    page.wait_for_text("not heard of").await;
    page.assert_clean();
}

#[tokio::test]
async fn an_admin_holds_everything_from_a_phone() {
    let scene = Scene::signed_in().await;
    let page = &scene.page;
    scene.open("/lanes").await;
    page.wait_for_text("master switch off").await;
    page.click("#pause summary").await;
    page.type_text("#pause input", "Agents act oddly").await;
    page.click("#pause button").await;
    page.wait_for_text("Paused by ada").await;
    page.wait_for_text("Agents act oddly").await;
    page.wait_for_text("on the machine lifts it").await;
    assert_eq!(page.eval("document.getElementById('pause')").await, json!(null), "it is held already");
    scene.open("/").await;
    scene.live().await;
    scene.stage.admin.delete("/api/v1/pause").await.assert_status(200);
    page.wait_for("!document.querySelector('#paused .notice')").await;
    // Elsewhere somebody holds it again: this page hears of it.
    let desk = scene.stage.sign_in(ADMIN).await;
    desk.post("/api/v1/pause", &json!({ "reason": "Lunch" })).await.assert_status(200);
    page.wait_for_text("Lunch").await;
    page.assert_clean();
}

#[tokio::test]
async fn who_may_not_pause_is_not_asked_and_is_refused() {
    let scene = Scene::signed_in().await;
    scene.stage.add("jonas", &json!({"role": "approver"})).await;
    let jonas = scene.stage.sign_in("jonas").await;
    let lanes = jonas.get("/lanes").await;
    assert!(!lanes.text.contains("Pause everything"), "{}", lanes.text);
    let request = jonas.request(reqwest::Method::POST, "/pause").body("reason=mine");
    jonas.send(request.header("content-type", "application/x-www-form-urlencoded")).await.assert_status(403);
    let ada = scene.stage.sign_in(ADMIN).await;
    let request = ada.request(reqwest::Method::POST, "/pause").body("reason=+");
    let answer = ada.send(request.header("content-type", "application/x-www-form-urlencoded")).await;
    answer.assert_status(422);
    assert!(answer.text.contains("Say why: whoever lifts the pause has to know."), "{}", answer.text);
}

#[tokio::test]
async fn an_approver_suggests_and_it_waits_for_the_admin() {
    let scene = Scene::signed_in().await;
    let (page, watcher) = (&scene.page, scene.watcher().await);
    let held = watcher.report(&dialog("cargo test")).await;
    scene.open(&format!("/p/{}", held["id"].as_str().unwrap())).await;
    page.click("#suggest summary").await;
    page.type_text("#suggest textarea", "It runs twenty times a day").await;
    page.click("#suggest button").await;
    page.wait_for_text("Your suggestion waits for the admin at the machine").await;
    page.wait_for("document.getElementById('decide')").await;

    scene.open("/lanes/api").await;
    page.click("#suggest summary").await;
    page.type_text("#suggest textarea", "Let it write files").await;
    page.click("#suggest button").await;
    page.wait_for_text("Your suggestion waits for the admin at the machine").await;
    page.assert_clean();
    let waiting = scene.stage.app.local().get("/api/v1/suggestions").await.body(200);
    let told: Vec<_> =
        waiting["items"].as_array().unwrap().iter().map(|one| (one["kind"].clone(), one["text"].clone())).collect();
    assert!(told.contains(&(json!("rule"), json!("It runs twenty times a day"))), "{waiting}");
    assert!(told.contains(&(json!("policy"), json!("Lane api: Let it write files"))), "{waiting}");

    scene.stage.add("vera", &json!({"role": "viewer"})).await;
    let vera = scene.stage.sign_in("vera").await;
    assert!(!vera.get("/lanes/api").await.text.contains("Suggest a change"));
}

#[tokio::test]
async fn an_approver_has_a_line_typed() {
    let scene = Scene::signed_in().await;
    let (page, watcher) = (&scene.page, scene.watcher().await);
    scene.open("/lanes/api").await;
    page.wait_for_text("No pane is watched.").await;
    let pane = json!({ "lane": "api", "agent_kind": "claude", "session_id": "s1", "status": "idle", "safe_to_type": true,
        "awaiting_input": false, "ended_turn": true, "limit": false, "external": false });
    let put = watcher.request(reqwest::Method::PUT, "/api/v1/panes/main.1").json(&pane);
    watcher.send(put).await.assert_status(204);
    scene.open("/lanes/api").await;
    page.wait_for_text("main.1").await;
    page.click("#nudge summary").await;
    page.type_text("#nudge textarea", "Please go on").await;
    page.click("#nudge button").await;
    let orders = watcher.get("/api/v1/orders?wait=10").await.body(200);
    let order = orders["items"][0].clone();
    assert_eq!((&order["kind"], &order["text"]), (&json!("nudge"), &json!("Please go on")));
    watcher.done(&order, &json!({ "outcome": "sent", "keys": ["Enter"] })).await.assert_status(200);
    page.wait_for_text("The line was typed.").await;
    page.wait_for_text("Nudged").await;
    page.assert_clean();
}
