//! In and out in a browser: the set-up link, signing in on the way to a page, the account, signing out.

use serde_json::json;

use super::scene::Scene;
use crate::people::stage::{ADMIN, PASSWORD};
use crate::support::app::TestApp;
use crate::support::browser::{Profile, Screen};

#[tokio::test]
async fn the_printed_link_makes_the_first_admin() {
    let app = TestApp::start().await;
    let code = app.setup_code.clone().unwrap();
    let profile = Profile::new().await;
    let mut page = profile.page(Screen::Phone).await;
    // Whoever comes without the link is led to the page that says where it is.
    page.goto(&app.url).await;
    page.wait_for_text("Set up Countersign").await;
    page.eval(&format!("location.assign('/setup#{code}')")).await;
    page.wait_for(&format!("document.getElementById('code').value === '{code}'")).await;
    assert_eq!(page.eval("location.hash").await, "", "the code is not left in the address");
    page.eval(
        "new Promise((done) => { addEventListener('hashchange', done); document.querySelector('.skip').click(); })",
    )
    .await;
    assert_eq!(page.eval("document.getElementById('code').value").await, code, "skipping to the content keeps it");
    page.type_text("input[name=username]", ADMIN).await;
    page.type_text("input[name=password]", "countersign1").await;
    page.click_and_load("button.yes").await;
    page.wait_for_element("#w-password").await;
    assert_eq!(page.eval("document.querySelector('[name=username]').value").await, ADMIN, "what was typed is kept");
    assert_eq!(page.eval("document.getElementById('code').value").await, code);
    page.assert_only_refusals(422);
    page.forget();
    page.type_text("input[name=password]", PASSWORD).await;
    page.click_and_load("button.yes").await;
    page.wait_for_text("Four steps to the first question").await;
    page.assert_clean();
    app.anonymous().get("/setup").await.assert_status(404);
}

#[tokio::test]
async fn a_wrong_password_keeps_the_name_and_the_way() {
    let scene = Scene::new(Screen::Phone).await;
    let page = &scene.page;
    scene.open("/history?lane=api").await;
    assert_eq!(page.path().await, "/login?next=%2Fhistory%3Flane%3Dapi");
    page.type_text("input[name=username]", ADMIN).await;
    page.type_text("input[name=password]", "wrong horse").await;
    page.click_and_load("button.yes").await;
    page.wait_for_text("Name or password is wrong").await;
    assert_eq!(page.eval("document.querySelector('[name=username]').value").await, ADMIN);
    page.type_text("input[name=password]", PASSWORD).await;
    page.click_and_load("button.yes").await;
    assert_eq!(page.path().await, "/history?lane=api");
}

#[tokio::test]
async fn the_account_changes_zone_password_and_sessions() {
    let scene = Scene::signed_in().await;
    let page = &scene.page;
    let desk = scene.stage.sign_in(ADMIN).await;
    scene.open("/account").await;
    page.wait_for_text("this one").await;
    page.eval("document.querySelector('[name=time_zone]').value = ''").await;
    page.type_text("[name=time_zone]", "Asia/Tokyo").await;
    page.click_and_load("form[action='/account/zone'] button").await;
    page.wait_for_text("Times are in your zone now").await;
    page.click_and_load("form[action*='/revoke'] button").await;
    page.wait_for_text("That device is signed out").await;
    desk.get("/api/v1/account").await.assert_problem(401, "unauthenticated");
    page.type_text("[name=old_password]", PASSWORD).await;
    page.type_text("[name=new_password]", "seven loud herons at dawn").await;
    page.click_and_load("form[action='/account/password'] button").await;
    page.wait_for_text("The password is changed").await;
    page.click_and_load("form[action='/logout'] button").await;
    page.wait_for_text("You are signed out").await;
    page.assert_clean();
    let body = json!({"username": ADMIN, "password": PASSWORD});
    scene.stage.app.anonymous().post("/api/v1/session", &body).await.assert_problem(401, "wrong_credentials");
}
