//! Rules, suggestions and the pause, at the admin page.

use serde_json::{Value, json};

use super::scene::Scene;
use crate::support::browser::Screen;

async fn rules(scene: &Scene) -> Vec<Value> {
    let listed = scene.stage.app.local().get("/api/v1/rules").await.body(200);
    listed["items"].as_array().unwrap().clone()
}

async fn with_project() -> Scene {
    let scene = Scene::inside(Screen::Desktop).await;
    scene.stage.agent("api").await;
    scene
}

#[tokio::test]
async fn a_rule_is_confirmed_after_a_look_at_what_it_covers() {
    let scene = with_project().await;
    let page = &scene.page;
    scene.open("/admin/rules").await;
    page.wait_for_text("No rule yet").await;
    page.click_and_load("a[href='/admin/rules/add']").await;
    scene.fill("command", "cargo test && rm x").await;
    page.click_and_load("form button").await;
    page.wait_for_text("One plain command").await;
    assert_eq!(scene.value("command").await, "cargo test && rm x");
    scene.fill("command", "cargo").await;
    scene.choose("matching", "prefix").await;
    page.click_and_load("form button").await;
    page.wait_for_text("would cover whatever cargo can do").await;
    scene.fill("command", "cargo test").await;
    scene.choose("days", "never").await;
    scene.fill("reason", "Asked all day").await;
    page.click_and_load("form button").await;
    page.wait_for_text("Every command that begins so").await;
    page.wait_for_text("Of the last 30 days it covers 0 commands").await;
    scene.sign_with("nine quiet otters at noon").await;
    page.wait_for_text("Name or password is wrong").await;
    scene.sign().await;
    page.wait_for_text("The rule is confirmed").await;
    let found = rules(&scene).await;
    assert_eq!((found[0]["argv"].clone(), &found[0]["match"]), (json!(["cargo", "test"]), &json!("prefix")));
    assert_eq!((&found[0]["expires_at"], &found[0]["reason"]), (&Value::Null, &json!("Asked all day")));
    page.click_and_load("a[href$='/remove']").await;
    scene.sign().await;
    page.wait_for_text("The rule is removed").await;
    assert!(rules(&scene).await.is_empty());
    page.assert_only_refusals_of(&[401, 422]);
}

#[tokio::test]
async fn suggestions_wait_here_and_are_settled() {
    let scene = with_project().await;
    let page = &scene.page;
    scene.stage.add("jonas", &json!({"role": "approver"})).await;
    let jonas = scene.stage.sign_in("jonas").await;
    for (kind, text) in
        [("rule", "Let it run the tests"), ("policy", "Deny \u{202e}installs"), ("policy", "Never mind")]
    {
        let suggestion = json!({"kind": kind, "text": text});
        jonas.post("/api/v1/suggestions", &suggestion).await.assert_status(201);
    }
    scene.open("/admin/suggestions").await;
    page.wait_for("document.querySelector('.menu .n')?.textContent === '3'").await;
    page.click_and_load("a[href*='/dismiss']").await;
    page.wait_for_text("Never mind").await;
    scene.sign().await;
    page.wait_for_text("Dismissed.").await;
    // What hides is shown.
    page.wait_for_text("U+202E").await;
    page.click_and_load("a[href*='/accept']").await;
    scene.sign().await;
    page.wait_for_text("Marked as done").await;
    page.click_and_load("a[href*='/admin/rules/add']").await;
    scene.fill("command", "cargo test").await;
    page.click_and_load("form button").await;
    page.wait_for_text("Exactly this command").await;
    scene.sign().await;
    page.wait_for_text("The rule is confirmed").await;
    scene.open("/admin/suggestions").await;
    page.wait_for_text("Nothing waits").await;
    page.wait_for_text("accepted by ada").await;
    assert_eq!(rules(&scene).await.len(), 1);
    let open = scene.stage.app.local().get("/api/v1/suggestions").await.body(200);
    assert_eq!(open["items"], json!([]));
    page.assert_clean();
}

#[tokio::test]
async fn a_pause_is_set_and_lifted() {
    let scene = Scene::inside(Screen::Desktop).await;
    let page = &scene.page;
    scene.open("/admin/pause").await;
    scene.fill("reason", "Something is odd").await;
    scene.sign().await;
    page.wait_for_text("Everything is held").await;
    scene.open("/admin/lanes").await;
    page.wait_for_text("Paused by ada").await;
    page.click_and_load(".strip a[href='/admin/pause']").await;
    scene.sign().await;
    page.wait_for_text("Policies answer again").await;
    let journal = scene.stage.journal().await;
    assert_eq!(journal[..2], ["supervision.resumed", "supervision.paused"]);
    page.assert_clean();
}
