//! Text that was made to mislead is shown as what it is, and never becomes markup.

use serde_json::json;

use super::scene::Scene;

const MARKUP: &str = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>";

#[tokio::test]
async fn hidden_characters_become_chips_and_markup_stays_text() {
    let scene = Scene::signed_in().await;
    let page = &scene.page;
    let ask = json!({
        "action": "edit", "title": format!("Fix \u{202e}txt.exe {MARKUP}"),
        "justification": format!("{MARKUP} \u{1b}[31mred\u{1b}[0m {}", "w".repeat(300)),
        "command": format!("git push ori\u{200b}gin \u{430}dmin \u{1b}[8mhidden\u{1b}[0m; echo '{}'", "x".repeat(300)),
        "body": format!("{MARKUP}\n\u{202d}back\u{202c}\n{}\n</textarea><p id=\"escaped\">", "y".repeat(300)),
    });
    let id = scene.asked(ask).await;
    page.wait_for_text("Not everything here is what it seems").await;
    let text = page.text("main").await;
    for chip in ["U+202E", "U+200B", "U+202D", "ESC[8m"] {
        assert!(text.contains(chip), "{chip} is missing in {text}");
    }
    assert!(text.contains(MARKUP), "{text}");
    for whole in ["w".repeat(300), "x".repeat(300), "y".repeat(300)] {
        assert!(text.contains(&whole), "a long word is shown whole");
    }
    assert_tame(&scene).await;
    for path in [format!("/p/{id}/edit"), "/".into(), "/lanes/api".into(), "/audit".into()] {
        scene.open(&path).await;
        page.wait_for_element("main").await;
        assert_tame(&scene).await;
    }
    page.assert_clean();
}

async fn assert_tame(scene: &Scene) {
    let page = &scene.page;
    assert!(!page.eval("document.title").await.as_str().unwrap().contains("owned"));
    let foreign = "document.querySelectorAll('main img, main script, #escaped, [onerror]').length";
    assert_eq!(page.eval(foreign).await, 0);
    assert_eq!(
        page.eval("document.documentElement.scrollWidth <= innerWidth").await,
        true,
        "nothing is pushed out of sight"
    );
}

#[tokio::test]
async fn five_thousand_lines_unlock_at_their_end() {
    let scene = Scene::signed_in().await;
    let page = &scene.page;
    let body: String = (0..5_001).map(|n| format!("line {n}\n")).collect::<Vec<_>>().concat();
    scene.asked(json!({ "action": "edit", "title": "A lot", "body": body })).await;
    page.wait_for_text("read to the end first").await;
    let text = page.text("main").await;
    assert!(text.contains("line 0\n") && text.contains("line 5000"), "nothing is cut");
    page.press_and_hold("#do-approve", std::time::Duration::from_secs(1)).await;
    page.wait_for_text("Approving unlocks at its end").await;
    page.eval("document.getElementById('read-end').scrollIntoView()").await;
    page.wait_for("document.getElementById('do-approve').getAttribute('aria-disabled') === 'false'").await;
    page.press_and_hold("#do-approve", std::time::Duration::from_secs(1)).await;
    page.wait_for_text("Approved by you").await;
    page.assert_clean();
}
