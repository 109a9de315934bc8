//! What is under way in a lane appears on its page by itself: mail, messages between agents, an agent that has stalled.

use chrono::TimeDelta;
use serde_json::json;

use crate::pages::scene::Scene;
use crate::people::stage::ADMIN;

fn resting(session: &str) -> serde_json::Value {
    json!({
        "lane": "api", "agent_kind": "claude", "session_id": session, "status": "idle", "safe_to_type": true,
        "awaiting_input": false, "ended_turn": true, "limit": false, "external": false,
        "client": { "version": "1", "host": "here" },
    })
}

#[tokio::test]
async fn mail_and_messages_between_agents_appear_by_themselves() {
    let scene = Scene::signed_in().await;
    let (page, watcher) = (&scene.page, scene.watcher().await);
    let ada = scene.stage.sign_in(ADMIN).await;
    scene.open("/lanes/api").await;
    scene.live().await;
    let loads = page.loads();
    let body = json!({ "body": "Look at the <b>flaky</b> test first." });
    ada.post("/api/v1/lanes/api/mail", &body).await.assert_status(201);
    page.wait_for("document.querySelector('#queue')?.textContent.includes('waits')").await;
    page.wait_for_text("Look at the <b>flaky</b> test first.").await;

    watcher.pane("work.1", &resting("s1")).await;
    let lane = json!({ "name": "plan", "project": "api", "worktree": "/srv/shop-plan" });
    scene.stage.admin.post("/api/v1/lanes", &lane).await.assert_status(201);
    let lead = json!({ "name": "chief", "lane": "plan", "lead": true });
    let made = scene.stage.admin.post("/api/v1/agents", &lead).await.body(201);
    let chief = scene.stage.app.anonymous().with_token(made["token"].as_str().unwrap());
    let sent = chief.call("fleet_send", &json!({ "sessionId": "s1", "content": "Build it", "wait": 0 })).await;
    assert!(sent.to_string().contains("ticket"), "{sent}");
    let lane = ada.get("/lanes/api").await.text;
    assert!(lane.contains("waits for its turn"), "{lane}");
    page.wait_for("document.querySelector('#tickets')?.textContent.includes('waits for')").await;
    let told = page.text("#tickets").await;
    assert!(told.contains("chief") && told.contains("work.1") && !told.contains("Build it"), "{told}");
    assert_eq!(page.loads(), loads, "without a reload");
    page.assert_clean();
}

#[tokio::test]
async fn a_stall_appears_with_what_was_tried() {
    let scene = Scene::signed_in().await;
    let (page, watcher) = (&scene.page, scene.watcher().await);
    scene.set_policy(json!({ "enabled": true })).await;
    scene.set_policy(json!({ "lane": "api", "enabled": true, "expect_work": true, "stall_mins": 1 })).await;
    let still = scene.stage.app.state.clock.now();
    let mut pane = resting("s1");
    pane["quiet_since"] = json!(still);
    pane["last_activity_at"] = json!(still);
    scene.open("/lanes/api").await;
    scene.live().await;
    let loads = page.loads();
    for _ in 0..5 {
        watcher.pane("work.1", &pane).await;
        scene.stage.app.advance(TimeDelta::seconds(25));
    }
    watcher.pane("work.1", &pane).await;
    let nudge = watcher.awaited().await;
    watcher.typed(&nudge).await;
    page.wait_for("document.querySelector('#stalls')?.textContent.includes('1 nudge typed')").await;
    assert_eq!(page.loads(), loads, "without a reload");
    page.assert_clean();
}
