//! The whole way with script off: sign in, inbox, review, reject, approve, answer, edit, password, sign out.

use chrono::TimeDelta;
use serde_json::json;

use super::scene::{Scene, change, risky};
use crate::people::stage::PASSWORD;
use crate::support::browser::Screen;

async fn plain() -> Scene {
    let scene = Scene::new(Screen::Phone).await;
    scene.page.without_script().await;
    scene.sign_in("/").await;
    scene
}

#[tokio::test]
async fn everything_works_without_script() {
    let scene = plain().await;
    let page = &scene.page;
    let one = scene.propose(change("One")).await["id"].as_str().unwrap().to_owned();
    let two = scene.propose(change("Two")).await["id"].as_str().unwrap().to_owned();
    scene.open("/").await;
    page.wait_for_text("2 waiting").await;
    page.click_and_load(&format!("[data-id='{one}'] a")).await;
    page.click("#do-reject").await;
    page.wait_for("document.querySelector('#reject:target')").await;
    page.type_text("#reject textarea", "Not today").await;
    page.click_and_load("#reject button").await;
    assert_eq!(page.path().await, format!("/p/{one}"));
    page.wait_for_text("Rejected by you").await;
    assert_eq!(scene.decision(&one).await["note"], "Not today");
    page.click_and_load(".verdict .btn").await;
    // Medium risk asks once more, instead of a held button.
    page.click("#do-approve").await;
    page.wait_for("document.querySelector('#approve:target')").await;
    page.click_and_load("#approve button").await;
    page.wait_for_text("Approved by you").await;
    assert_eq!(scene.decision(&two).await["outcome"], "approved");
    scene.open("/account").await;
    page.click_and_load("form[action='/logout'] button").await;
    page.wait_for_text("You are signed out").await;
    scene.open("/history").await;
    assert_eq!(page.path().await, "/login?next=%2Fhistory");
    page.assert_clean();
}

#[tokio::test]
async fn questions_edits_and_passwords_work_without_script() {
    let scene = plain().await;
    let page = &scene.page;
    let question = json!({ "question": "Which?", "options": ["a", "b"], "free_text": true });
    let ask = json!({ "kind": "question", "action": "choose", "title": "Which?", "questions": [question] });
    let id = scene.asked(ask).await;
    // Nothing chosen: the page comes back and says so.
    page.click_and_load("#do-approve").await;
    page.wait_for_text("Answer every question").await;
    page.click("#approve a").await;
    page.click("input[value=b]").await;
    page.type_text("textarea[name=t0]", "but soon").await;
    page.click_and_load("#do-approve").await;
    page.wait_for_text("Answered by you").await;
    let answer = json!([{ "question": 0, "choices": ["b"], "text": "but soon" }]);
    assert_eq!(scene.decision(&id).await["answers"], answer);

    let id = scene.asked(change("Edit me")).await;
    page.click_and_load("#do-edit").await;
    page.type_text("#body", "zero").await;
    page.click_and_load("#do-preview").await;
    page.wait_for_text("Your edit of the proposed text").await;
    page.click_and_load("button[value=approve]").await;
    page.wait_for_text("Approved with an edit by you").await;
    assert!(scene.decision(&id).await["body"].as_str().unwrap().contains("zero"));

    scene.stage.app.advance(TimeDelta::minutes(6));
    let id = scene.asked(risky()).await;
    page.click("#do-approve").await;
    page.wait_for("document.querySelector('#approve:target')").await;
    page.type_text("#approve textarea", "Agreed").await;
    page.type_text("#approve input[type=password]", PASSWORD).await;
    page.click_and_load("#approve button").await;
    page.wait_for_text("Approved by you").await;
    assert_eq!(scene.decision(&id).await["note"], "Agreed");
    page.assert_only_refusals(422);
}
