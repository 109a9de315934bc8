//! A real client, as agents build them, in both eras: it knows an address and a token, and the rest it finds.

use rmcp::ClientLifecycleMode;
use rmcp::model::ProtocolVersion;
use serde_json::json;

use crate::support::app::TestApp;
use crate::support::proposals::{change, with};

#[tokio::test]
async fn a_client_finds_the_tools_proposes_goes_on_and_is_told() {
    let app = TestApp::peopled().await;
    let there = TestApp::start_on(&app.database).await;
    let newer = vec![ProtocolVersion::V_2026_07_28];
    let lifecycles = [
        ClientLifecycleMode::Initialize,
        ClientLifecycleMode::Discover { preferred_versions: newer.clone() },
        ClientLifecycleMode::Auto { preferred_versions: newer, legacy_version: None },
    ];
    for (n, lifecycle) in lifecycles.into_iter().enumerate() {
        let session = app.session_in("coder", lifecycle.clone()).await;
        let tools = session.0.list_all_tools().await.unwrap();
        assert!(tools.iter().any(|tool| tool.name == "propose"));
        let ask = with(change(&format!("By a client {n}")), &json!({ "wait": 0 }));
        let told = session.tool("propose", ask).await;
        assert_eq!((told.status(), told.is_error), ("pending", false), "{lifecycle:?}");
        let review = app.who("coder").look(&json!({ "id": told.id() })).await;
        app.who("ben").decide(&review, "rejected").await.assert_status(200);
        // The other server was never greeted by this client, and knows as much.
        let other = there.session_in("coder", lifecycle).await;
        for session in [&session, &other] {
            let said = session.tool("check-proposal", json!({ "proposal_id": told.id() })).await;
            assert_eq!((said.status(), said.is_error), ("rejected", true));
        }
    }
}
