//! Projects, lanes, agents and settings, changed at the admin page.

use super::scene::Scene;
use crate::support::browser::Screen;

#[tokio::test]
async fn a_project_a_lane_and_an_agent_are_added_and_removed() {
    let scene = Scene::inside(Screen::Desktop).await;
    let page = &scene.page;
    scene.open("/admin/lanes").await;
    page.wait_for_text("No project yet").await;
    page.click_and_load(".empty a.btn").await;
    scene.fill("name", "shop").await;
    scene.fill("repo", "/srv/shop").await;
    scene.sign().await;
    page.wait_for_text("Now name a worktree of it").await;
    page.click_and_load("a[href*='/admin/lanes/add']").await;
    assert_eq!(scene.value("project").await, "shop");
    scene.fill("name", "api").await;
    scene.fill("worktree", "/srv/shop-api").await;
    scene.sign().await;
    page.wait_for_text("The lane is added").await;
    scene.open("/admin/agents/add").await;
    scene.fill("name", "coder").await;
    page.click("[name=lead]").await;
    scene.sign().await;
    page.wait_for_text("The token of coder").await;
    let token = page.eval("document.querySelector('.secret input').value").await;
    let agent = scene.stage.app.anonymous().with_token(token.as_str().unwrap());
    agent.get("/api/v1/proposals").await.assert_status(200);
    page.click_and_load("a.btn.yes").await;
    page.wait_for_text("leads its project").await;
    // A lane with an agent stays, and says why.
    scene.open("/admin/lanes/api/remove").await;
    scene.sign().await;
    page.wait_for_text("Remove its agents first: coder.").await;
    scene.open("/admin/agents/coder/rotate").await;
    scene.sign().await;
    page.wait_for_text("The token of coder").await;
    agent.get("/api/v1/proposals").await.assert_problem(401, "unauthenticated");
    for path in [
        "/admin/agents/coder/revoke",
        "/admin/agents/coder/remove",
        "/admin/lanes/api/remove",
        "/admin/projects/shop/remove",
    ] {
        scene.open(path).await;
        scene.sign().await;
        page.wait_for_element(".ok").await;
    }
    let journal = scene.stage.journal().await;
    assert_eq!(journal[..3], ["project.removed", "lane.removed", "agent.removed"]);
}

#[tokio::test]
async fn a_wrong_password_keeps_what_was_typed() {
    let scene = Scene::inside(Screen::Desktop).await;
    let page = &scene.page;
    scene.open("/admin/projects/add").await;
    scene.fill("name", "shop").await;
    scene.fill("repo", "srv/shop").await;
    scene.sign_with("nine quiet otters at noon").await;
    page.wait_for_text("Name or password is wrong").await;
    assert_eq!((scene.value("name").await, scene.value("repo").await), ("shop".into(), "srv/shop".into()));
    assert_eq!((scene.value("admin").await, scene.value("admin_password").await), ("ada".into(), String::new()));
    // Then what is wrong with the rest, beside the field.
    scene.sign().await;
    page.wait_for_element("#w-repo").await;
    assert_eq!(page.text("#w-repo").await, "Give an absolute path.");
    assert_eq!(page.path().await, "/admin/projects/add");
    assert_eq!(scene.stage.journal().await[0], "local.refused");
    let log = scene.stage.app.local().get("/api/v1/audit?limit=5").await.text;
    assert!(!log.contains("otters"), "{log}");
}

#[tokio::test]
async fn settings_are_changed() {
    let scene = Scene::inside(Screen::Desktop).await;
    scene.open("/admin/settings").await;
    scene.fill("retention_days", "0").await;
    scene.sign().await;
    scene.page.wait_for_element("#w-retention_days").await;
    scene.fill("retention_days", "30").await;
    scene.sign().await;
    scene.page.wait_for_text("Saved.").await;
    assert_eq!(scene.value("retention_days").await, "30");
    let settings = scene.stage.app.local().get("/api/v1/settings").await.body(200);
    assert_eq!(settings["retention_days"], 30);
}

#[tokio::test]
async fn a_pane_client_gets_a_token_once() {
    let scene = Scene::inside(Screen::Desktop).await;
    let page = &scene.page;
    scene.stage.agent("api").await;
    scene.open("/admin/pane-clients").await;
    page.click_and_load(".empty a.btn").await;
    scene.fill("name", "watcher").await;
    scene.sign().await;
    page.wait_for_text("watches at least one lane").await;
    page.click("[value=api]").await;
    scene.sign().await;
    page.wait_for_text("The token of watcher").await;
    let token = page.eval("document.querySelector('.secret input').value").await;
    let client = scene.stage.app.anonymous().with_token(token.as_str().unwrap());
    client.post("/api/v1/pane/token", &serde_json::json!({})).await.assert_status(200);
    for (path, said) in
        [("rotate", "The token of watcher"), ("revoke", "Its tokens have ended"), ("remove", "is removed")]
    {
        scene.open(&format!("/admin/pane-clients/watcher/{path}")).await;
        scene.sign().await;
        page.wait_for_text(said).await;
    }
    client.post("/api/v1/pane/token", &serde_json::json!({})).await.assert_problem(401, "unauthenticated");
}
