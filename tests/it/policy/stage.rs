//! Short ways to change the policy at the machine and to look at it from both sides.

use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::client::Answer;
use crate::support::proposals::with;

pub const POLICY: &str = "/api/v1/supervision";

impl TestApp {
    /// The policy as the machine sees it.
    pub async fn policy(&self) -> Value {
        self.local().get(POLICY).await.body(200)
    }

    /// The policy as the machine sees it for a lane.
    pub async fn policy_of(&self, lane: &str) -> Value {
        self.local().get(&format!("{POLICY}?lane={lane}")).await.body(200)
    }

    /// Tries a change on the version in force.
    pub async fn try_policy(&self, change: &Value) -> Answer {
        let version = self.policy().await["version"].clone();
        self.machine().patch(POLICY, &with(json!({ "version": version }), change)).await
    }

    /// Makes a change on the version in force.
    pub async fn set_policy(&self, change: &Value) -> Value {
        self.try_policy(change).await.body(200)
    }
}
