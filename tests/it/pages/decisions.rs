//! Deciding with a thumb: approve, edit, reject, answer, and prove who one is; the agent has the answer at once.

use std::time::Duration;

use chrono::TimeDelta;
use serde_json::json;
use sha2::{Digest as _, Sha256};

use super::scene::{Scene, change, risky};
use crate::people::stage::{ADMIN, PASSWORD};

#[tokio::test]
async fn what_arrives_is_approved_with_a_held_button() {
    let scene = Scene::signed_in().await;
    let page = &scene.page;
    page.wait_for_text("Four steps to the first question").await;
    scene.live().await;
    // Into an empty list it comes at once, without a reload.
    let loads = page.loads();
    let id = scene.propose(change("Round up")).await["id"].as_str().unwrap().to_owned();
    page.wait_for_text("Change a file: 1 line added, 1 removed").await;
    page.wait_for_text("Round up").await;
    assert_eq!(page.loads(), loads);
    // Into a list with something in it, it waits behind the pill.
    scene.propose(change("Round down")).await;
    page.wait_for_text("1 new").await;
    assert_eq!(page.eval("document.querySelectorAll('.item').length").await, 1);
    page.click("#fresh").await;
    page.wait_for("document.querySelectorAll('.item').length === 2").await;

    page.click_and_load(&format!("[data-id='{id}'] a")).await;
    page.wait_for_text("two and a half").await;
    page.click("#do-approve").await;
    page.wait_for_text("Keep the button pressed").await;
    let status = scene.agent.get(&format!("/api/v1/proposals/{id}")).await.body(200)["status"].clone();
    assert_eq!(status, "pending", "a tap decides nothing");
    page.press_and_hold("#do-approve", Duration::from_secs(1)).await;
    page.wait_for_text("Approved by you").await;
    let decision = scene.decision(&id).await;
    assert_eq!((&decision["outcome"], &decision["decided_by"]), (&json!("approved"), &json!(ADMIN)));
    // The page learns that the agent has picked it up.
    page.wait_for_text("The agent has it.").await;
    page.click_and_load(".verdict .btn").await;
    page.wait_for_text("Round down").await;
    page.assert_clean();
}

#[tokio::test]
async fn a_change_is_approved_with_an_edit() {
    let scene = Scene::signed_in().await;
    let page = &scene.page;
    let id = scene.asked(change("Round up")).await;
    page.click_and_load("#do-edit").await;
    page.wait_for_text("Nothing is edited yet").await;
    page.eval("document.getElementById('body').setSelectionRange(0, 0)").await;
    page.eval("document.getElementById('body').focus()").await;
    page.eval("document.execCommand('insertText', false, 'zero\\n')").await;
    // What the edit changes shows up while typing.
    page.wait_for("document.querySelector('#preview .a')?.innerText.includes('zero')").await;
    page.type_text("textarea[name=note]", "with a zero").await;
    page.click("button[value=approve]").await;
    page.wait_for_text("Approved with an edit by you").await;
    page.wait_for_text("Approved with this edit").await;
    let decision = scene.decision(&id).await;
    let body = "zero\none\ntwo and a half\nthree\n";
    assert_eq!((&decision["outcome"], &decision["body"]), (&json!("modified"), &json!(body)));
    assert_eq!(decision["digest"], json!(hex::encode(Sha256::digest(body))));
    assert_eq!(decision["note"], "with a zero");
    page.assert_clean();
}

#[tokio::test]
async fn a_rejection_takes_a_reason_along() {
    let scene = Scene::signed_in().await;
    let page = &scene.page;
    let id = scene.asked(change("Round up")).await;
    page.click("#do-reject").await;
    page.wait_for("document.querySelector('#reject:target')").await;
    page.type_text("#reject textarea", "Not on a Friday.\nAsk on Monday.").await;
    page.click("#reject button").await;
    page.wait_for_text("Rejected by you").await;
    let decision = scene.decision(&id).await;
    assert_eq!(decision["outcome"], "rejected");
    assert_eq!(decision["note"], "Not on a Friday.\nAsk on Monday.");
    page.wait_for_text("Ask on Monday.").await;
    // The same again says so.
    scene.asked(change("Round up")).await;
    page.wait_for_text("asked before and rejected").await;
    page.assert_clean();
}

#[tokio::test]
async fn questions_are_answered_with_options_and_own_words() {
    let scene = Scene::signed_in().await;
    let page = &scene.page;
    let id = scene
        .asked(json!({
            "kind": "question", "action": "choose", "title": "How shall people sign in?",
            "questions": [
                { "question": "Which method?", "options": ["Sessions", "Tokens"] },
                { "question": "What may go?", "options": ["a", "b", "c"], "multi": true },
                { "question": "Anything else?", "free_text": true },
            ],
        }))
        .await;
    page.wait_for_text("3 to go").await;
    page.click("input[value=Tokens]").await;
    page.click("input[value=a]").await;
    page.click("input[value=c]").await;
    page.wait_for_text("1 to go").await;
    page.type_text("textarea[name=t2]", "Rotate them weekly").await;
    page.click("#do-approve").await;
    page.wait_for_text("Answered by you").await;
    let decision = scene.decision(&id).await;
    assert_eq!(
        decision["answers"],
        json!([
            { "question": 0, "choices": ["Tokens"] },
            { "question": 1, "choices": ["a", "c"] },
            { "question": 2, "choices": [], "text": "Rotate them weekly" },
        ])
    );
    page.assert_clean();
}

#[tokio::test]
async fn high_risk_takes_a_reason_and_after_a_while_the_password() {
    let scene = Scene::signed_in().await;
    let page = &scene.page;
    // Just signed in: a reason is enough.
    let id = scene.asked(risky()).await;
    page.click("#do-approve").await;
    page.wait_for("document.querySelector('#approve:target')").await;
    assert_eq!(page.eval("document.querySelector('#approve input[type=password]')").await, json!(null));
    page.type_text("#approve textarea", "Agreed in the meeting").await;
    page.click("#approve button").await;
    page.wait_for_text("Approved by you").await;
    assert_eq!(scene.decision(&id).await["note"], "Agreed in the meeting");

    scene.stage.app.advance(TimeDelta::minutes(6));
    let id = scene.asked(risky()).await;
    page.click("#do-approve").await;
    page.wait_for("document.querySelector('#approve:target')").await;
    page.type_text("#approve textarea", "Agreed again").await;
    page.type_text("#approve input[type=password]", "not my password").await;
    page.click("#approve button").await;
    // A wrong password costs nothing of what was written.
    page.wait_for_text("This is not your password").await;
    page.type_text("input[type=password]", PASSWORD).await;
    page.click_and_load("button.yes").await;
    page.wait_for_text("Approved by you").await;
    assert_eq!(scene.decision(&id).await["note"], "Agreed again");
    // The session goes on under its new cookie.
    scene.open("/").await;
    page.wait_for_text("Nothing waits for you").await;
    assert_eq!(page.csp_violations(), Vec::<String>::new());
}
