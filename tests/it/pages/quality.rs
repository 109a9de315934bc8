//! Every real page, judged: WCAG 2.2 AA in both schemes, no complaint of the browser, no sideways scrolling, little weight.

use serde_json::json;

use super::scene::{Scene, change, risky};
use crate::support::axe;
use crate::support::panes::dialog;

/// A service with something in every list, and the addresses of all pages.
async fn furnished() -> (Scene, Vec<String>) {
    let scene = Scene::signed_in().await;
    scene.stage.add("jonas", &json!({"role": "approver", "max_risk": "medium", "expires_days": 30})).await;
    let jonas = scene.stage.sign_in("jonas").await;
    let question = json!({ "question": "Which?", "options": ["a", "b"], "free_text": true });
    let hostile =
        json!({ "action": "shell", "title": "Clean \u{202e}pu", "command": "rm -rf \u{200b}/tmp/x", "expires_in": 60 });
    let asks = [
        change("Round up"),
        risky(),
        hostile,
        json!({ "kind": "question", "action": "choose", "title": "Which?", "questions": [question] }),
        json!({ "action": "edit", "title": "A text", "body": "hello\n" }),
        change("Round down"),
        json!({ "action": "edit", "title": "Another text", "body": "bye\n" }),
    ];
    let mut ids = Vec::new();
    for ask in asks {
        ids.push(scene.propose(ask).await["id"].as_str().unwrap().to_owned());
    }
    ids.extend(dialogs(&scene).await);
    scene.decide_as(&jonas, &ids[5], "approved").await;
    scene.decide_as(&jonas, &ids[6], "rejected").await;
    let mut paths: Vec<String> = [
        "/",
        "/history",
        "/history?status=rejected",
        "/lanes",
        "/lanes/api",
        "/audit",
        "/audit?kind=session",
        "/account",
    ]
    .map(str::to_owned)
    .to_vec();
    paths.extend(ids.iter().map(|id| format!("/p/{id}")));
    paths.push(format!("/p/{}/edit", ids[0]));
    (scene, paths)
}

/// A dialog that must be held, one that takes a choice, one whose key was pressed.
async fn dialogs(scene: &Scene) -> Vec<String> {
    let watcher = scene.watcher().await;
    let seen = |pane: &str, command: &str| {
        let mut seen = dialog(command);
        seen["pane"] = pane.into();
        seen
    };
    let mut choice = seen("main.2", "git status");
    choice["kind"] = "decision".into();
    let reports = [seen("main.1", "git push --force origin main"), choice, seen("main.3", "cat ../x ../y")];
    let mut ids = Vec::new();
    for report in &reports {
        ids.push(watcher.report(report).await["id"].as_str().unwrap().to_owned());
    }
    let jonas = scene.stage.sign_in("jonas").await;
    scene.decide_as(&jonas, &ids[2], "approved").await;
    let order = watcher.order().await;
    watcher
        .done(&order, &json!({ "outcome": "failed", "reason": "interrupted", "keys": ["1"] }))
        .await
        .assert_status(200);
    ids
}

#[tokio::test]
async fn every_page_is_accessible_in_both_schemes() {
    let (scene, paths) = furnished().await;
    let page = &scene.page;
    for scheme in ["light", "dark"] {
        page.colour_scheme(scheme).await;
        for path in &paths {
            scene.open(path).await;
            page.wait_for("document.readyState === 'complete'").await;
            page.eval("document.querySelectorAll('details').forEach((part) => { part.open = true; })").await;
            axe::assert_accessible(page, &format!("{path} ({scheme})")).await;
            let wide = page.eval("document.documentElement.scrollWidth > innerWidth").await;
            assert_eq!(wide, false, "{path} is wider than a phone");
        }
    }
    page.assert_clean();
}

#[tokio::test]
async fn the_doors_are_accessible_too() {
    let scene = Scene::new(crate::support::browser::Screen::Desktop).await;
    let page = &scene.page;
    for scheme in ["light", "dark"] {
        page.colour_scheme(scheme).await;
        for path in ["/login", "/login?out=1", "/nowhere"] {
            scene.open(path).await;
            axe::assert_accessible(page, &format!("{path} ({scheme})")).await;
        }
    }
}

#[tokio::test]
async fn a_review_is_light() {
    let mut scene = Scene::signed_in().await;
    let body: String = (0..200).map(|n| format!("let step_{n} = run({n});\n")).collect::<Vec<_>>().concat();
    let base: String = (0..200).map(|n| format!("let step_{n} = walk({n});\n")).collect::<Vec<_>>().concat();
    let proposal = scene.propose(json!({ "action": "edit", "title": "Run", "base": base, "body": body })).await;
    // A browser that has never been here.
    let cookie = scene.stage.sign_in(crate::people::stage::ADMIN).await.cookie().unwrap().to_owned();
    let fresh = crate::support::browser::Profile::new().await;
    scene.page = fresh.page(crate::support::browser::Screen::Phone).await;
    scene.open("/nowhere").await;
    scene.page.set_cookie(&scene.stage.app.url, &cookie).await;
    scene.page.without_cache().await;
    scene.page.forget();
    scene.open(&format!("/p/{}", proposal["id"].as_str().unwrap())).await;
    scene.live().await;
    let traffic = scene.page.traffic().await;
    let loaded: Vec<_> = traffic.iter().filter(|request| request.kind != "WebSocket").collect();
    let bytes: u64 = loaded.iter().map(|request| request.bytes).sum();
    assert!((3..=6).contains(&loaded.len()), "{loaded:#?}");
    assert!(loaded.iter().all(|request| request.status == 200), "{loaded:#?}");
    assert!(bytes <= 50 * 1024, "{bytes} bytes: {loaded:#?}");
    let script: u64 = loaded.iter().filter(|request| request.kind == "Script").map(|request| request.bytes).sum();
    assert!((1..=15 * 1024).contains(&script), "{script} bytes of script");
}
