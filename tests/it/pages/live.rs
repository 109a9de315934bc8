//! Pages that stay true by themselves: decided elsewhere, connection lost and back, signed out from elsewhere.

use chrono::TimeDelta;
use serde_json::json;

use super::scene::{Scene, change};
use crate::people::stage::ADMIN;
use crate::support::app::TestApp;
use crate::support::browser::Screen;

#[tokio::test]
async fn a_decision_elsewhere_names_who_and_keeps_what_was_typed() {
    let scene = Scene::signed_in().await;
    scene.stage.add("jonas", &json!({"role": "approver"})).await;
    let (page, jonas) = (&scene.page, scene.stage.sign_in("jonas").await);
    let id = scene.asked(change("Round up")).await;
    scene.live().await;
    page.click("#do-reject").await;
    page.wait_for("document.querySelector('#reject:target')").await;
    page.type_text("#reject textarea", "half a thou").await;
    let loads = page.loads();
    scene.decide_as(&jonas, &id, "rejected").await;
    page.wait_for_text("Rejected by jonas").await;
    page.wait_for_text("seen to").await;
    assert_eq!(page.eval("document.getElementById('decide')").await, json!(null), "the buttons are gone");
    assert_eq!(page.loads(), loads, "without a reload");
    page.assert_clean();
}

#[tokio::test]
async fn who_comes_second_is_told_who_was_first() {
    let scene = Scene::signed_in().await;
    scene.stage.add("jonas", &json!({"role": "approver"})).await;
    let (page, jonas) = (&scene.page, scene.stage.sign_in("jonas").await);
    let id = scene.asked(change("Round up")).await;
    // Without a live connection the page does not know yet.
    page.eval("document.querySelector('#reject textarea').value = 'no'").await;
    page.eval("delete document.body.dataset.live").await;
    let digest = page.eval("document.querySelector('#reject [name=digest]').value").await;
    scene.decide_as(&jonas, &id, "approved").await;
    let form = [("digest", digest.as_str().unwrap()), ("outcome", "rejected"), ("note", "no")];
    let ada = scene.stage.sign_in(ADMIN).await;
    let request = ada.request(reqwest::Method::POST, &format!("/p/{id}/decide")).body(encoded(&form));
    let answer = ada.send(request.header("content-type", "application/x-www-form-urlencoded")).await;
    answer.assert_status(409);
    assert!(answer.text.contains("Your answer came too late and changed nothing."), "{}", answer.text);
    assert!(answer.text.contains("Approved by jonas"), "{}", answer.text);
    let agents = scene.agent.get(&format!("/api/v1/proposals/{id}")).await.body(200);
    assert_eq!(agents["status"], "approved");
}

fn encoded(form: &[(&str, &str)]) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish()
}

#[tokio::test]
async fn a_list_says_what_became_of_what_is_gone() {
    let scene = Scene::signed_in().await;
    scene.stage.add("jonas", &json!({"role": "approver"})).await;
    let jonas = scene.stage.sign_in("jonas").await;
    let page = &scene.page;
    let (one, two) = (scene.propose(change("One")).await, scene.propose(change("Two")).await);
    scene.open("/").await;
    scene.live().await;
    scene.decide_as(&jonas, one["id"].as_str().unwrap(), "approved").await;
    page.wait_for_text("Approved by jonas").await;
    page.wait_for_text("1 waiting").await;
    assert_eq!(page.eval("document.querySelectorAll('.item').length").await, 2, "nothing moves under the finger");
    let path = format!("/api/v1/proposals/{}/withdraw", two["id"].as_str().unwrap());
    scene.agent.post(&path, &json!({"reason": "done otherwise"})).await.assert_status(200);
    page.wait_for_text("Nothing waits for you").await;
    page.assert_clean();
}

#[tokio::test]
async fn a_lost_connection_is_told_and_mends_itself() {
    let scene = Scene::new(Screen::Phone).await;
    let app = &scene.stage.app;
    let (folder, database) = (app.folder.clone(), app.database.clone());
    let address = app.url.trim_start_matches("http://").to_owned();
    scene.sign_in("/").await;
    scene.live().await;
    let Scene { stage, agent, mut page, profile: _profile } = scene;
    stage.app.stop().await;
    page.wait_for_text("Connection lost").await;
    page.wait_for("document.getElementById('live').textContent === 'not live'").await;
    let _app = TestApp::start_in(&folder, &database, &address).await;
    // Asked while the page was blind: it is there as soon as the page sees again.
    agent.post("/api/v1/proposals", &change("While you were away")).await.assert_status(201);
    page.wait_for("document.getElementById('live').dataset.state === 'on'").await;
    page.wait_for_text("While you were away").await;
    page.wait_for("document.getElementById('lost').hidden").await;
    // The browser itself complains about the connections that failed; what comes after is clean.
    page.forget();
    page.reload().await;
    page.assert_clean();
}

#[tokio::test]
async fn what_was_written_outlives_a_server_that_is_away() {
    let scene = Scene::signed_in().await;
    let id = scene.asked(change("Round up")).await;
    scene.live().await;
    let Scene { stage, agent, page, profile: _profile } = scene;
    let (folder, database) = (stage.app.folder.clone(), stage.app.database.clone());
    let address = stage.app.url.trim_start_matches("http://").to_owned();
    page.click("#do-reject").await;
    page.wait_for("document.querySelector('#reject:target')").await;
    page.type_text("#reject textarea", "Not on a Friday").await;
    stage.app.stop().await;
    page.click("#reject button").await;
    page.wait_for_text("No answer from the server. What you wrote is kept").await;
    let _app = TestApp::start_in(&folder, &database, &address).await;
    page.click("#reject button").await;
    page.wait_for_text("Rejected by you").await;
    let answer = agent.get(&format!("/api/v1/proposals/{id}")).await.body(200);
    assert_eq!(answer["decision"]["note"], "Not on a Friday");
}

#[tokio::test]
async fn what_was_written_outlives_a_session() {
    let scene = Scene::signed_in().await;
    let page = &scene.page;
    let id = scene.asked(change("Round up")).await;
    page.click("#do-reject").await;
    page.wait_for("document.querySelector('#reject:target')").await;
    page.type_text("#reject textarea", "Not on a Friday").await;
    scene.stage.app.advance(TimeDelta::hours(13));
    page.click("#reject button").await;
    page.wait_for_text("What you wrote is kept here").await;
    assert_eq!(page.eval("document.querySelector('textarea[name=note]').value").await, "Not on a Friday");
    // Signed in again, it is in its field, too.
    scene.open("/login").await;
    super::scene::sign_in(page).await;
    scene.open(&format!("/p/{id}")).await;
    page.wait_for("document.querySelector('#reject textarea').value === 'Not on a Friday'").await;
}

#[tokio::test]
async fn time_that_runs_out_takes_the_buttons_away() {
    let scene = Scene::signed_in().await;
    let page = &scene.page;
    let mut ask = change("Round up");
    ask["expires_in"] = 600.into();
    scene.asked(ask).await;
    scene.live().await;
    page.wait_for_text("9 min left").await;
    scene.stage.app.advance(TimeDelta::minutes(11));
    page.wait_for_text("Expired").await;
    page.wait_for("!document.getElementById('decide')").await;
    page.assert_clean();
}

#[tokio::test]
async fn a_revoked_session_closes_its_page() {
    let scene = Scene::signed_in().await;
    let page = &scene.page;
    let id = scene.asked(change("Round up")).await;
    scene.live().await;
    // Signed out from another device.
    let desk = scene.stage.sign_in(ADMIN).await;
    let sessions = desk.get("/api/v1/account/sessions").await.body(200);
    let phone = sessions["items"].as_array().unwrap().iter().find(|session| session["current"] == false).unwrap();
    let before = page.loads();
    desk.delete(&format!("/api/v1/account/sessions/{}", phone["id"].as_str().unwrap())).await.assert_status(204);
    page.wait_for_load_after(before).await;
    page.wait_for_text("Agents ask. You answer.").await;
    assert_eq!(page.path().await, format!("/login?next=%2Fp%2F{id}"));
    super::scene::sign_in(page).await;
    assert_eq!(page.path().await, format!("/p/{id}"));
}
