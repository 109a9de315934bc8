//! Every route against every caller, walked from the routers themselves: what nobody declared fails.

mod doors;
mod openapi;
mod roles;

use std::collections::BTreeSet;

use countersign::http::PUBLIC_PATHS;
use reqwest::Method;

use crate::support::app::TestApp;
use crate::support::client::Client;

/// A path with its parameters filled in.
fn fill(path: &str, id: &str) -> String {
    path.replace("{id}", id)
        .replace("{name}", "api")
        .replace("{lane}", "api")
        .replace("{version}", "none")
        .replace("{key}", "main.1")
}

const SOME_ID: &str = "00000000-0000-7000-8000-000000000000";

/// Every method and path that the public router has: the router itself says which methods it takes.
async fn public_routes(app: &TestApp) -> BTreeSet<(String, &'static str)> {
    let mut found = BTreeSet::new();
    for &path in PUBLIC_PATHS {
        for method in allowed(&app.anonymous(), &fill(path, SOME_ID)).await {
            found.insert((method, path));
        }
    }
    assert!(found.len() > 30, "the routers were walked");
    found
}

async fn allowed(caller: &Client, path: &str) -> Vec<String> {
    let probe = caller.send(caller.request(Method::from_bytes(b"PROBE").unwrap(), path)).await;
    if probe.status == 404 {
        return not_hidden(caller, path).await;
    }
    probe.assert_status(405);
    let allow = probe.header("allow").split(',').map(str::to_owned);
    allow.filter(|method| method != "HEAD").collect()
}

/// Where the other methods are the local socket's, they are not even known of: whatever is there asks who calls.
async fn not_hidden(caller: &Client, path: &str) -> Vec<String> {
    let mut found = Vec::new();
    for method in [Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
        if caller.send(caller.request(method.clone(), path)).await.status != 404 {
            found.push(method.to_string());
        }
    }
    found
}
