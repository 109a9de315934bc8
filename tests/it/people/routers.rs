//! Both routers, read from their one page: what is local is nowhere else, whoever asks.

use reqwest::Method;

use super::stage::{ADMIN, Stage};
use crate::support::scratch;

/// The paths of the public and of the local router, with parameters filled in.
fn paths() -> (Vec<String>, Vec<String>) {
    let page = std::fs::read_to_string(scratch::repository("src/http/mod.rs")).unwrap();
    let (public, local) = page.split_once("pub fn local_router").unwrap();
    let of = |text: &str| {
        let found = text.split(".route(").skip(1).filter_map(|rest| rest.split('"').nth(1));
        found.map(|path| path.replace("{name}", "ada").replace("{id}", &uuid::Uuid::nil().to_string())).collect()
    };
    (of(public), of(local))
}

#[tokio::test]
async fn local_paths_are_not_there_on_tcp_for_anybody_by_any_method() {
    let (public, local) = paths();
    assert!(public.len() > 20 && local.len() > 15, "{} and {}", public.len(), local.len());
    let local: Vec<&String> = local.iter().filter(|path| *path != "/readyz").collect();
    for path in &local {
        assert!(!public.contains(path), "{path} is on both sides");
    }
    let stage = Stage::new().await;
    let anyone = stage.app.anonymous();
    let callers = [
        anyone.clone(),
        stage.sign_in(ADMIN).await,
        anyone.with_token(&stage.agent("api").await),
        anyone.with_password(ADMIN, super::stage::PASSWORD),
    ];
    for path in local {
        for method in [Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
            for caller in &callers {
                let answer = caller.send(caller.request(method.clone(), path)).await;
                assert_eq!(answer.status, 404, "{method} {path}: {}", answer.text);
            }
        }
    }
}

#[tokio::test]
async fn nothing_is_changed_on_the_socket_without_a_password() {
    let stage = Stage::new().await;
    let (_, local) = paths();
    let peer = stage.app.local();
    for path in local {
        for method in [Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
            let answer = peer.send(peer.request(method.clone(), &path).json(&serde_json::json!({}))).await;
            assert!(matches!(answer.status, 401 | 405 | 422), "{method} {path}: {} {}", answer.status, answer.text);
        }
    }
    assert_eq!(stage.journal().await, ["user.added"], "nothing happened");
}
