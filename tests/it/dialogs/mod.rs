//! A dialog's life, from the pane it was read off to the key that answers it, against the running service.

mod auto;
mod close;
mod decisions;
mod keeping;
mod kills;
mod learning;
mod life;
mod orders;
mod panes;
mod races;
mod taints;
mod tokens;

use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::client::Client;
use crate::support::panes::dialog;

/// A command that the policy approves when both keys are on.
const ROUTINE: &str = "git status";
/// A command that is never approved by itself.
const OUTSIDE: &str = "curl https://example.org/x";

/// The usual cast with both keys of lane api turned.
async fn supervised() -> TestApp {
    let app = TestApp::peopled().await;
    app.set_policy(&json!({ "enabled": true })).await;
    app.set_policy(&json!({ "lane": "api", "enabled": true })).await;
    app
}

/// A held dialog that ben has refused, and the order for it, not taken yet.
async fn refused(app: &TestApp, watcher: &Client) -> (Value, Value) {
    let seen = dialog(OUTSIDE);
    let held = watcher.report(&seen).await;
    app.who("ben").rule(&held, &json!({ "outcome": "rejected" })).await.assert_status(200);
    (seen, held)
}
