//! One lane's own part of the policy: the second key, what it sets itself, and what it lets go again.

use serde_json::{Value, json};

use super::scene::Scene;
use crate::support::browser::Screen;

async fn own(scene: &Scene) -> Value {
    scene.stage.app.local().get("/api/v1/supervision?lane=api").await.body(200)
}

async fn with_lane(master: bool) -> Scene {
    let scene = Scene::inside(Screen::Desktop).await;
    scene.stage.agent("api").await;
    if master {
        let on = json!({"version": 1, "enabled": true});
        scene.stage.admin.patch("/api/v1/supervision", &on).await.assert_status(200);
    }
    scene
}

#[tokio::test]
async fn the_lane_switch_waits_for_the_master_switch() {
    let scene = with_lane(false).await;
    let page = &scene.page;
    scene.open("/admin/lanes").await;
    page.wait_for_text("The master switch is off").await;
    page.click_and_load("strong a").await;
    assert_eq!(page.eval("document.querySelector('[name=enabled]').disabled").await, true);
    page.click_and_load("#master-off a").await;
    assert_eq!(page.path().await, "/admin/supervision");
    // Other fields can be prepared meanwhile; the switch stays as it was.
    scene.open("/admin/lanes/api").await;
    scene.fill("stall_mins", "3").await;
    page.click_and_load(".go-on button").await;
    assert_eq!(page.eval("document.querySelectorAll('.changes > div').length").await, 1);
    scene.sign().await;
    page.wait_for_text("Saved").await;
    assert_eq!(own(&scene).await["lane"], json!({"stall_mins": 3}));
}

#[tokio::test]
async fn an_overridden_row_shows_a_dot_and_a_reset() {
    let scene = with_lane(true).await;
    let page = &scene.page;
    scene.open("/admin/lanes/api").await;
    assert_eq!(page.eval("document.querySelectorAll('.dot').length").await, 0);
    page.click("[name=enabled]").await;
    page.click("[name=expect_work]").await;
    scene.choose("classes.deletion", "auto_deny").await;
    scene.choose("classes.file_write", "hold").await;
    scene.choose("mail_mode", "full_body").await;
    page.click_and_load(".go-on button").await;
    page.wait_for_text("Lane api: class deletion").await;
    scene.sign().await;
    page.wait_for_text("Both are on: the policy answers here").await;
    let now = own(&scene).await;
    let expected = json!({
        "enabled": true, "expect_work": true, "mail_mode": "full_body",
        "classes": {"deletion": "auto_deny", "file_write": "hold"},
    });
    assert_eq!((&now["lane"], &now["effective"]["enabled"]), (&expected, &json!(true)));
    assert_eq!(page.eval("document.querySelectorAll('.classes .own .dot').length").await, 2);
    // With script the choice goes back in place.
    page.click("[data-reset='classes.deletion']").await;
    assert_eq!(scene.value("classes.deletion").await, "");
    page.click_and_load(".go-on button").await;
    scene.sign().await;
    page.wait_for_text("Saved").await;
    assert_eq!(own(&scene).await["lane"]["classes"], json!({"file_write": "hold"}));
    scene.open("/admin/lanes").await;
    page.wait_for_text("supervised · 3 fields of its own").await;
    page.assert_clean();
    // Without script it leads to the review of that one field.
    page.without_script().await;
    scene.open("/admin/lanes/api").await;
    page.click_and_load("[data-reset='classes.file_write']").await;
    page.wait_for_text("Lane api: class file_write").await;
    scene.sign().await;
    page.wait_for_text("Saved").await;
    let now = own(&scene).await;
    assert_eq!((&now["lane"]["classes"], &now["lane"]["enabled"]), (&Value::Null, &json!(true)));
}
