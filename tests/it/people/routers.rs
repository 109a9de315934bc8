//! Both routers, read from their one page: what is local is nowhere else, whoever asks.

use countersign::http::{DESK_PATHS, LOCAL_PATHS, PUBLIC_PATHS};
use reqwest::Method;

use super::stage::{ADMIN, Stage};

/// The paths that both sides have, and the one method of each that TCP has.
const SHARED: &[(&str, Method)] = &[
    ("/readyz", Method::GET),
    ("/api/v1/lanes/{lane}/mail", Method::POST),
    ("/api/v1/supervision", Method::GET),
    ("/api/v1/suggestions", Method::POST),
    ("/api/v1/pause", Method::POST),
];

/// A path with its parameters filled in.
fn filled(path: &str) -> String {
    path.replace("{name}", "ada")
        .replace("{lane}", "api")
        .replace("{version}", "1")
        .replace("{id}", &uuid::Uuid::nil().to_string())
}

/// What is at the machine alone, for programs and for its pages.
fn local_paths() -> impl Iterator<Item = &'static &'static str> {
    LOCAL_PATHS.iter().chain(DESK_PATHS)
}

#[tokio::test]
async fn local_paths_are_not_there_on_tcp_for_anybody_by_any_method() {
    assert!(PUBLIC_PATHS.len() > 20 && LOCAL_PATHS.len() > 15);
    assert!(DESK_PATHS.len() > 15 && DESK_PATHS.iter().all(|path| path.starts_with("/admin")));
    let shared: Vec<&&str> = local_paths().filter(|path| PUBLIC_PATHS.contains(path)).collect();
    let declared: Vec<&&str> = SHARED.iter().map(|(path, _)| path).collect();
    assert_eq!(shared, declared, "nothing else is on both sides");
    let stage = Stage::new().await;
    let anyone = stage.app.anonymous();
    let callers = [
        anyone.clone(),
        stage.sign_in(ADMIN).await,
        anyone.with_token(&stage.agent("api").await),
        anyone.with_password(ADMIN, super::stage::PASSWORD),
    ];
    for path in local_paths() {
        let public = SHARED.iter().find(|(shared, _)| shared == path).map(|(_, method)| method);
        let path = filled(path);
        let methods = [Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE];
        for method in methods.into_iter().filter(|method| public != Some(method)) {
            if path == "/readyz" {
                continue;
            }
            for caller in &callers {
                let answer = caller.send(caller.request(method.clone(), &path)).await;
                assert_eq!(answer.status, 404, "{method} {path}: {}", answer.text);
            }
        }
    }
}

#[tokio::test]
async fn nothing_is_changed_on_the_socket_without_a_password() {
    let stage = Stage::new().await;
    let peer = stage.app.local();
    for path in local_paths().map(|path| filled(path)) {
        for method in [Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
            let answer = peer.send(peer.request(method.clone(), &path).json(&serde_json::json!({}))).await;
            assert!(matches!(answer.status, 401 | 405 | 422), "{method} {path}: {} {}", answer.status, answer.text);
        }
    }
    let mut journal = stage.journal().await;
    assert_eq!(journal.pop().as_deref(), Some("user.added"));
    assert!(journal.len() > 10 && journal.iter().all(|kind| kind == "local.refused"), "{journal:?}");
}
