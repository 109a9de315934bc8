//! Every admin page, judged: WCAG 2.2 AA in both schemes, on a desk and on a phone, no complaint, no sideways scrolling.

use std::path::PathBuf;

use serde_json::json;

use super::scene::{Scene, asked_in_panes};
use crate::support::axe;
use crate::support::browser::Screen;

/// A service with something in every list, and the addresses of all pages.
async fn furnish(scene: &Scene) -> Vec<String> {
    let stage = &scene.stage;
    stage.agent("api").await;
    let jonas = json!({"role": "approver", "scope": "lane:api", "classes": ["change", "file_write"], "max_risk": "medium", "expires_days": 30});
    stage.add("jonas", &jonas).await;
    let on = json!({"version": 1, "enabled": true, "reason": "A week on trial", "classes": {"deletion": "auto_deny"}});
    stage.admin.patch("/api/v1/supervision", &on).await.assert_status(200);
    let own = json!({"version": 2, "lane": "api", "enabled": true, "classes": {"file_write": "hold"}, "stall_mins": 5});
    stage.admin.patch("/api/v1/supervision", &own).await.assert_status(200);
    asked_in_panes(stage, &["git status", "npm install left-pad", "cargo test -p api"]).await;
    let rule = json!({"project": "api", "argv": ["cargo", "test"], "match": "prefix", "reason": "Asked all day"});
    stage.admin.post("/api/v1/rules", &rule).await.assert_status(201);
    let jonas = stage.sign_in("jonas").await;
    for (kind, text) in [("rule", "Let it run the tests"), ("policy", "Deny installs in api")] {
        let suggestion = json!({"kind": kind, "text": text});
        jonas.post("/api/v1/suggestions", &suggestion).await.assert_status(201);
    }
    let paths = [
        "/admin/rules",
        "/admin/rules/add",
        "/admin/rules/review?command=cargo+test&matching=prefix&project=api&days=90",
        "/admin/suggestions",
        "/admin/pause",
        "/admin/pane-clients",
        "/admin/pane-clients/add",
        "/admin/supervision",
        "/admin/supervision?version=3&stall_mins=soon&nudge_text=go",
        "/admin/supervision/review?version=3&stall_mins=soon&nudge_text=go",
        "/admin/supervision/review?version=3&stall_mins=7&classes.install=auto_deny",
        "/admin/supervision/review?version=1&stall_mins=7&classes.install=auto_deny",
        "/admin/supervision/history",
        "/admin/supervision/history/1",
        "/admin/lanes",
        "/admin/lanes/api",
        "/admin/lanes/api/review?version=3&reset=classes.file_write",
        "/admin/lanes/add",
        "/admin/lanes/api/remove",
        "/admin/projects/add",
        "/admin/people",
        "/admin/people/add",
        "/admin/people/jonas",
        "/admin/people/jonas/grant",
        "/admin/people/jonas/remove",
        "/admin/agents",
        "/admin/agents/add",
        "/admin/agents/api/rotate",
        "/admin/settings",
        "/admin/nowhere",
    ];
    paths.map(str::to_owned).to_vec()
}

/// With `GALLERY` set, pictures of the pages are left in that folder to be looked at.
#[expect(clippy::disallowed_methods, reason = "a folder for a person who looks, not a setting of the program")]
fn gallery() -> Option<PathBuf> {
    let folder = PathBuf::from(std::env::var_os("GALLERY")?);
    std::fs::create_dir_all(&folder).unwrap();
    Some(folder)
}

async fn judge(screen: Screen) {
    let scene = Scene::inside(screen).await;
    let empty = ["/admin/lanes", "/admin/agents", "/admin/supervision", "/admin/rules", "/admin/suggestions"]
        .map(str::to_owned)
        .to_vec();
    look(&scene, &empty, "empty", screen).await;
    let paths = furnish(&scene).await;
    look(&scene, &paths, "full", screen).await;
    assert!(scene.page.csp_violations().is_empty());
}

async fn look(scene: &Scene, paths: &[String], state: &str, screen: Screen) {
    let page = &scene.page;
    let folder = gallery();
    for scheme in ["light", "dark"] {
        page.colour_scheme(scheme).await;
        for path in paths {
            scene.open(path).await;
            let what = format!("{path} ({state}, {scheme}, {screen:?})");
            axe::assert_accessible(page, &what).await;
            assert_eq!(
                page.eval("document.documentElement.scrollWidth > innerWidth").await,
                false,
                "{what} is too wide"
            );
            if let Some(folder) = &folder {
                let name = path.trim_matches('/').replace(['/', '?', '=', '&'], "-");
                page.whole_screenshot(&folder.join(format!("{name}-{state}-{screen:?}-{scheme}.png"))).await;
            }
        }
    }
}

#[tokio::test]
async fn every_page_is_accessible_at_a_desk() {
    judge(Screen::Desktop).await;
}

#[tokio::test]
async fn every_page_is_accessible_on_a_phone() {
    judge(Screen::Phone).await;
}

#[tokio::test]
async fn the_door_is_accessible_too() {
    let scene = Scene::new(Screen::Desktop).await;
    for scheme in ["light", "dark"] {
        scene.page.colour_scheme(scheme).await;
        scene.open("/").await;
        axe::assert_accessible(&scene.page, scheme).await;
    }
}
