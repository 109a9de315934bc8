//! Dialogs on a phone: they appear by themselves, are answered with a thumb, and the page tells what became of the key.

use std::time::Duration;

use serde_json::{Value, json};

use super::scene::Scene;
use crate::support::panes::dialog;

const HELD: Duration = Duration::from_secs(1);

fn path(dialog: &Value) -> String {
    format!("/p/{}", dialog["id"].as_str().unwrap())
}

/// A choice between ways, with one row that only the terminal takes.
fn choice() -> Value {
    let mut choice = dialog("");
    choice.as_object_mut().unwrap().remove("command");
    choice["kind"] = "decision".into();
    choice["title"] = "Sign-in".into();
    choice["question"] = "Which way?".into();
    choice["options"] = json!([
        { "n": 1, "text": "Keep the cookie" },
        { "n": 2, "text": "Signed tokens, and don't ask again" },
        { "n": 3, "text": "Neither" },
    ]);
    choice
}

#[tokio::test]
async fn a_held_dialog_appears_is_approved_and_its_key_is_told() {
    let scene = Scene::signed_in().await;
    let (page, watcher) = (&scene.page, scene.watcher().await);
    scene.live().await;
    let held = watcher.report(&dialog("curl https://example.org/x")).await;
    assert_eq!((&held["class"], &held["risk"]), (&json!("network_access"), &json!("medium")));
    page.wait_for_text("Reach example.org").await;
    page.wait_for_text("curl https://example.org/x").await;
    let item = format!("[data-id='{}'] a", held["id"].as_str().unwrap());
    page.click_and_load(&item).await;
    page.wait_for_text("hold: presses 1. Yes").await;
    assert!(page.text("#do-reject").await.contains("presses 3. No"));
    let text = page.text("main").await;
    for told in [
        "Supervision is switched off",
        "not proven to stay inside",
        "example.org",
        "main.1, claude",
        "Approve presses this",
    ] {
        assert!(text.contains(told), "{told} is missing in {text}");
    }
    scene.live().await;
    page.press_and_hold("#do-approve", HELD).await;
    page.wait_for_text("Approved by you").await;
    page.wait_for_text("Waits for the pane client.").await;
    let order = watcher.order().await;
    assert_eq!((&order["option"]["n"], &order["dialog_id"]), (&json!(1), &held["id"]));
    let loads = page.loads();
    watcher.done(&order, &json!({ "outcome": "sent", "keys": ["1"] })).await.assert_status(200);
    page.wait_for_text("Pressed in the terminal.").await;
    page.wait_for("document.querySelectorAll('#receipts .done').length === 6").await;
    assert_eq!(page.loads(), loads, "without a reload");
    page.assert_clean();
}

#[tokio::test]
async fn a_proven_command_takes_a_tap_and_a_rejection_presses_no() {
    let scene = Scene::signed_in().await;
    let (page, watcher) = (&scene.page, scene.watcher().await);
    let held = watcher.report(&dialog("git status")).await;
    assert_eq!((&held["repo_scoped"], &held["risk"]), (&json!(true), &json!("low")));
    scene.open(&path(&held)).await;
    page.wait_for_text("proven to stay inside the repository").await;
    page.wait_for_text("What it runs may still do harm").await;
    page.click("#do-approve").await;
    page.wait_for_text("Approved by you").await;
    assert_eq!(watcher.order().await["deny"], false);

    let mut other = dialog("git diff");
    other["pane"] = "main.2".into();
    let held = watcher.report(&other).await;
    scene.open(&path(&held)).await;
    page.click("#do-reject").await;
    page.wait_for_text("This presses “3. No, and tell Claude what to do differently (esc)” in the terminal.").await;
    page.click("#reject button").await;
    page.wait_for_text("Rejected by you").await;
    let orders = watcher.orders().await;
    let order = orders.iter().find(|order| order["dialog_id"] == held["id"]).unwrap();
    assert_eq!((&order["deny"], &order["option"]["n"]), (&json!(true), &json!(3)));
    page.assert_clean();
}

#[tokio::test]
async fn a_choice_takes_one_of_the_rows_that_hold_once() {
    let scene = Scene::signed_in().await;
    let (page, watcher) = (&scene.page, scene.watcher().await);
    let held = watcher.report(&choice()).await;
    scene.open(&path(&held)).await;
    page.wait_for_text("Answer a choice of the agent").await;
    page.wait_for_text("choose first").await;
    page.wait_for_text("a standing permission is given at the terminal only").await;
    assert_eq!(page.eval("document.querySelector('[name=option][value=\"2\"]').disabled").await, true);
    // Who sends it all the same is told why not.
    page.eval("document.querySelector('[name=option][value=\"2\"]').disabled = false").await;
    page.click("[name=option][value='2']").await;
    // The refusal opens the sheet under the finger; lifting it there sends nothing a second time.
    page.eval("window.sent = 0; addEventListener('submit', () => { window.sent += 1; }, true)").await;
    page.hold_until("#do-approve", "document.querySelector('#approve .wrong')?.innerText.includes('terminal')").await;
    assert_eq!(page.eval("window.sent").await, 1);
    page.click("#approve a").await;
    page.click("[name=option][value='3']").await;
    page.press_and_hold("#do-approve", HELD).await;
    page.wait_for_text("Approved by you").await;
    assert_eq!(watcher.order().await["option"]["n"], 3);
    page.assert_only_refusals(422);
}

#[tokio::test]
async fn a_dialog_that_was_answered_at_the_terminal_says_so() {
    let scene = Scene::signed_in().await;
    let (page, watcher) = (&scene.page, scene.watcher().await);
    let held = watcher.report(&dialog("curl https://example.org/x")).await;
    scene.open(&path(&held)).await;
    scene.live().await;
    watcher.gone(&held, "answered_locally").await.assert_status(200);
    page.wait_for_text("It was answered at the terminal.").await;
    page.wait_for("!document.getElementById('decide')").await;
    page.assert_clean();
}

#[tokio::test]
async fn what_the_policy_answered_is_not_in_the_inbox_but_in_the_history() {
    let scene = Scene::signed_in().await;
    let (page, watcher) = (&scene.page, scene.watcher().await);
    scene.set_policy(json!({ "enabled": true })).await;
    scene.set_policy(json!({ "lane": "api", "enabled": true })).await;
    let done = watcher.report(&dialog("git status")).await;
    assert_eq!(done["verdict"], "auto_approve", "{done}");
    scene.open("/").await;
    page.wait_for_text("Nothing waits for you").await;
    scene.open("/history").await;
    page.wait_for_text("by the policy, version 3").await;
    page.wait_for_text("git status").await;
    page.click_and_load(".done-row a").await;
    page.wait_for_text("Approved by the policy, version 3").await;
    page.wait_for_text("The policy approves this class where it is proven to stay inside.").await;
    page.assert_clean();
}

#[tokio::test]
async fn hostile_words_of_a_screen_stay_words() {
    const MARKUP: &str = "<img src=x onerror=\"document.title='owned'\">";
    let scene = Scene::signed_in().await;
    let (page, watcher) = (&scene.page, scene.watcher().await);
    let mut hostile = dialog("echo \u{202e}txt");
    hostile["title"] = format!("Approved by your admin {MARKUP}").into();
    hostile["context"] = format!("{MARKUP}\u{1b}[31m red").into();
    hostile["pane_excerpt"] = format!("{MARKUP}\u{1b}[8mhidden\u{1b}[0m").into();
    hostile["options"][0]["text"] = format!("Yes {MARKUP}").into();
    hostile["cwd"] = "/srv/\u{200b}shop-api".into();
    let held = watcher.report(&hostile).await;
    for path in [path(&held), "/".into(), "/lanes/api".into(), "/audit".into()] {
        scene.open(&path).await;
        page.wait_for_element("main").await;
        page.eval("document.querySelectorAll('details').forEach((part) => { part.open = true; })").await;
        assert_eq!(page.eval("document.querySelectorAll('main img, [onerror]').length").await, 0, "{path}");
        assert!(!page.eval("document.title").await.as_str().unwrap().contains("owned"));
        assert_eq!(page.eval("document.documentElement.scrollWidth <= innerWidth").await, true, "{path}");
    }
    scene.open(&path(&held)).await;
    page.wait_for_text("Not everything here is what it seems").await;
    let text = page.text("main").await;
    assert!(text.contains("U+202E") && text.contains("U+200B") && text.contains(MARKUP), "{text}");
    page.assert_clean();
}

#[tokio::test]
async fn a_choice_works_without_script() {
    let scene = Scene::new(crate::support::browser::Screen::Phone).await;
    scene.page.without_script().await;
    scene.sign_in("/").await;
    let (page, watcher) = (&scene.page, scene.watcher().await);
    let held = watcher.report(&choice()).await;
    scene.open(&path(&held)).await;
    page.click("#do-approve").await;
    page.wait_for("document.querySelector('#approve:target')").await;
    page.click_and_load("#approve button").await;
    page.wait_for_text("Choose the row to press first").await;
    page.click("#approve a").await;
    page.click("[name=option][value='1']").await;
    page.click("#do-approve").await;
    page.wait_for("document.querySelector('#approve:target')").await;
    page.click_and_load("#approve button").await;
    page.wait_for_text("Approved by you").await;
    assert_eq!(watcher.order().await["option"]["n"], 1);
}
