//! The admin page with script off: the token is pasted, every form works.

use super::scene::Scene;
use crate::support::browser::Screen;

#[tokio::test]
async fn everything_works_without_script() {
    let scene = Scene::new(Screen::Phone).await;
    let page = &scene.page;
    page.without_script().await;
    page.goto(&scene.printed).await;
    page.wait_for_text("One-time token").await;
    // The whole address may be pasted.
    page.type_text("#token", &scene.printed).await;
    page.click_and_load("#enter button").await;
    page.wait_for_text("on this machine").await;
    scene.open("/admin/projects/add").await;
    page.type_text("[name=name]", "shop").await;
    page.type_text("[name=repo]", "/srv/shop").await;
    scene.sign().await;
    page.wait_for_text("The project is added").await;
    page.assert_clean();
}
