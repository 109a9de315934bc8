//! People, their grants and their sessions, changed at the admin page.

use super::scene::Scene;
use crate::people::stage::PASSWORD;
use crate::support::browser::Screen;

#[tokio::test]
async fn somebody_is_added_granted_signed_out_and_removed() {
    let scene = Scene::inside(Screen::Desktop).await;
    let page = &scene.page;
    scene.stage.agent("api").await;
    scene.open("/admin/people").await;
    page.click_and_load("a[href='/admin/people/add']").await;
    scene.fill("name", "Berta").await;
    scene.fill("password", PASSWORD).await;
    scene.choose("scope", "project:api").await;
    page.click("[value=question]").await;
    scene.sign().await;
    page.wait_for_element("#w-name").await;
    // Every field is as it was, but the passwords.
    assert_eq!((scene.value("scope").await, scene.value("password").await), ("project:api".into(), String::new()));
    assert_eq!(page.eval("document.querySelector('[value=question]').checked").await, true);
    scene.fill("name", "berta").await;
    scene.fill("password", PASSWORD).await;
    scene.sign().await;
    page.wait_for_text("approver in project api, question").await;
    let berta = scene.stage.sign_in("berta").await;
    page.click_and_load("a[href='/admin/people/berta']").await;
    page.click_and_load("a[href*='/end']").await;
    scene.sign().await;
    page.wait_for_text("That device is signed out").await;
    berta.get("/api/v1/account").await.assert_problem(401, "unauthenticated");
    page.click_and_load("a[href$='/grant']").await;
    scene.choose("role", "auditor").await;
    scene.sign().await;
    page.wait_for_text("It counts at once").await;
    page.click_and_load("a[href*='/revoke']").await;
    scene.sign().await;
    page.wait_for_text("Taken back").await;
    page.click_and_load("a[href$='/password']").await;
    scene.fill("password", "countersign1").await;
    scene.sign().await;
    page.wait_for_element("#w-password").await;
    scene.fill("password", "seven loud herons at dawn").await;
    scene.sign().await;
    page.wait_for_text("The password is changed").await;
    page.click_and_load("a[href$='/remove']").await;
    scene.sign().await;
    page.wait_for_text("Removed. They are signed out everywhere").await;
    let journal = scene.stage.journal().await;
    assert_eq!(journal[..4], ["user.removed", "password.changed", "grant.revoked", "grant.given"]);
    scene.open("/admin/people/berta").await;
    page.wait_for_text("There is nothing here").await;
}

#[tokio::test]
async fn the_last_admin_stays() {
    let scene = Scene::inside(Screen::Desktop).await;
    scene.open("/admin/people/ada/remove").await;
    scene.sign().await;
    scene.page.wait_for_text("That would leave nobody who is an admin").await;
}
