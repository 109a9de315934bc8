//! The policy for all lanes, changed at the admin page: reviewed, signed, and never over somebody else's change.

use serde_json::{Value, json};

use super::scene::{Scene, asked_in_panes};
use crate::support::browser::Screen;

/// The policy in force.
async fn policy(scene: &Scene) -> Value {
    scene.stage.app.local().get("/api/v1/supervision").await.body(200)
}

/// Somebody else changes the policy at the terminal.
async fn meanwhile(scene: &Scene, change: Value) {
    scene.stage.admin.patch("/api/v1/supervision", &change).await.assert_status(200);
}

#[tokio::test]
async fn the_master_switch_is_reviewed_signed_and_on_the_record() {
    let scene = Scene::inside(Screen::Desktop).await;
    let page = &scene.page;
    scene.open("/admin/supervision").await;
    page.click("[name=enabled]").await;
    page.click_and_load(".go-on button").await;
    page.wait_for_text("Review the change").await;
    let change = page.eval("document.querySelector('.changes > div').textContent").await;
    assert_eq!(change, "Master switchoff → becomes  on");
    assert_eq!(policy(&scene).await["version"], 1, "nothing is saved by looking");
    scene.fill("reason", "Try it out").await;
    // A wrong password keeps the reason and the change.
    scene.sign_with("nine quiet otters at noon").await;
    page.wait_for_text("Name or password is wrong").await;
    assert_eq!(scene.value("reason").await, "Try it out");
    scene.sign().await;
    page.wait_for_text("Saved. It holds from now on.").await;
    page.wait_for_text("Version 2, by ada").await;
    let now = policy(&scene).await;
    assert_eq!((&now["version"], &now["defaults"]["enabled"]), (&json!(2), &json!(true)));
    let journal = scene.stage.journal().await;
    assert_eq!(journal[..2], ["supervision.changed", "local.refused"]);
    page.click_and_load("a[href='/admin/supervision/history']").await;
    page.wait_for_text("“Try it out”").await;
    // And back, as another version.
    page.click_and_load("a[href='/admin/supervision/history/1']").await;
    page.wait_for_text("Go back to version 1").await;
    scene.sign().await;
    page.wait_for_text("back to an earlier one").await;
    let now = policy(&scene).await;
    assert_eq!((&now["version"], &now["defaults"]["enabled"]), (&json!(3), &json!(false)));
    page.assert_only_refusals(401);
}

#[tokio::test]
async fn what_cannot_be_is_said_beside_its_field_and_kept() {
    let scene = Scene::inside(Screen::Desktop).await;
    let page = &scene.page;
    scene.open("/admin/supervision").await;
    let offers = "[...document.querySelectorAll('.classes select')].filter(s => s.querySelector('[value=auto_approve]')).map(s => s.name.slice(8)).join()";
    assert_eq!(page.eval(offers).await, "network_access,deletion,file_write,command_exec");
    scene.choose("classes.install", "auto_deny").await;
    scene.fill("stall_mins", "soon").await;
    page.click_and_load(".go-on button").await;
    page.wait_for_element("#w-stall_mins").await;
    assert_eq!(
        (scene.value("stall_mins").await, scene.value("classes.install").await),
        ("soon".into(), "auto_deny".into())
    );
    scene.fill("stall_mins", "5").await;
    scene.fill("network_hosts", "localhost\n*.example.org").await;
    page.click_and_load(".go-on button").await;
    page.wait_for_text("only whole hosts are compared").await;
    scene.fill("network_hosts", "localhost\n127.0.0.1\nhttps://github.com").await;
    page.click_and_load(".go-on button").await;
    page.wait_for_text("Class install").await;
    // The way back from the review leads to the form as it was typed.
    page.click_and_load(".pair a").await;
    assert_eq!(
        (scene.value("stall_mins").await, scene.value("classes.install").await),
        ("5".into(), "auto_deny".into())
    );
    scene.choose("classes.install", "hold").await;
    scene.fill("stall_mins", "20").await;
    page.click_and_load(".go-on button").await;
    page.wait_for_text("There is nothing to save").await;
    // A request made by hand is refused like any other.
    scene.open("/admin/supervision/review?version=1&classes.install=auto_approve").await;
    page.wait_for_text("can never be proven").await;
    // What it did not say is as it was: no list shows a choice that nobody made.
    let shown = (scene.value("classes.deletion").await, scene.value("stall_mins").await);
    assert_eq!(shown, ("hold".into(), "20".into()));
    page.assert_only_refusals(422);
}

#[tokio::test]
async fn nobody_saves_over_a_change_they_have_not_seen() {
    let scene = Scene::inside(Screen::Desktop).await;
    let page = &scene.page;
    scene.open("/admin/supervision").await;
    meanwhile(&scene, json!({"version": 1, "stall_mins": 5, "classes": {"deletion": "auto_deny"}, "reason": "Quiet"}))
        .await;
    page.click("[name=enabled]").await;
    page.click_and_load(".go-on button").await;
    page.wait_for_text("Changed meanwhile by ada").await;
    for shown in ["“Quiet”", "Class deletion", "Minutes until a stall", "Master switch"] {
        page.wait_for_text(shown).await;
    }
    page.click_and_load(".pair button").await;
    page.wait_for_text("On version 2").await;
    assert_eq!(page.eval("document.querySelectorAll('.changes > div').length").await, 1, "theirs stays");
    // Once more, between the review and the signature.
    meanwhile(&scene, json!({"version": 2, "stall_mins": 6})).await;
    scene.sign().await;
    page.wait_for_text("You began with version 2; version 3").await;
    page.click_and_load(".pair button").await;
    scene.sign().await;
    page.wait_for_text("Saved").await;
    let now = policy(&scene).await;
    let defaults = &now["defaults"];
    assert_eq!((&now["version"], &defaults["enabled"], &defaults["stall_mins"]), (&json!(4), &json!(true), &json!(6)));
    assert_eq!(defaults["classes"]["deletion"], "auto_deny");
    page.assert_only_refusals(409);
}

#[tokio::test]
async fn the_review_says_what_would_have_been_answered() {
    let scene = Scene::inside(Screen::Desktop).await;
    let page = &scene.page;
    scene.stage.agent("api").await;
    asked_in_panes(&scene.stage, &["git status", "npm install left-pad"]).await;
    scene.open("/admin/supervision").await;
    page.click("[name=enabled]").await;
    page.click_and_load(".go-on button").await;
    // The lane's own key is off, so nothing would differ; with both it would.
    page.wait_for_text("Of 2 dialogs, none would have been answered differently.").await;
    meanwhile(&scene, json!({"version": 1, "lane": "api", "enabled": true})).await;
    scene.open("/admin/supervision").await;
    page.click("[name=enabled]").await;
    scene.choose("classes.install", "auto_deny").await;
    page.click_and_load(".go-on button").await;
    page.wait_for_text("Of 2 dialogs, 2 would have been answered differently").await;
    page.wait_for_text("1 command_exec: approved instead of held").await;
    assert_eq!(page.eval("document.querySelectorAll('.simulated .items > li').length").await, 2);
    page.click_and_load(".simulated h2 a:last-of-type").await;
    page.wait_for_text("In the last 30 days").await;
    scene.sign().await;
    page.wait_for_text("Saved").await;
    scene.open("/admin/supervision/history/1").await;
    page.wait_for_text("1 install: held instead of denied").await;
    page.assert_clean();
}
