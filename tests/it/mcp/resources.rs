//! Proposals as resources: listed, read, and listened to in the newer era, within the agent's own lane.

use std::time::Duration;

use rmcp::ClientLifecycleMode;
use rmcp::model::{ProtocolVersion, ServerNotification, SubscriptionFilter};
use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::proposals::change;

#[tokio::test]
async fn a_proposal_is_read_as_rest_shows_it_and_reading_archives_nothing() {
    let app = TestApp::peopled().await;
    let (coder, ben) = (app.who("coder"), app.who("ben"));
    let asked = coder.propose(&change("A resource")).await;
    app.who("painter").propose(&change("Elsewhere")).await;
    let uri = format!("proposal://{}", asked["id"].as_str().unwrap());
    let listed = coder.rpc("resources/list", &json!({})).await.result();
    let uris: Vec<_> = listed["resources"].as_array().unwrap().iter().map(|one| one["uri"].clone()).collect();
    assert_eq!(uris, [json!(uri)], "the own lane's, and those that wait");
    let templates = coder.rpc("resources/templates/list", &json!({})).await.result();
    assert_eq!(templates["resourceTemplates"][0]["uriTemplate"], "proposal://{id}");
    ben.decide(&asked, "approved").await.assert_status(200);
    let read = coder.rpc("resources/read", &json!({ "uri": uri })).await.result();
    let content: Value = serde_json::from_str(read["contents"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!((&content["status"], &content["id"]), (&json!("approved"), &asked["id"]));
    assert_eq!(coder.look(&asked).await["receipts"]["archived_at"], Value::Null);
    for (caller, uri) in [("painter", uri.as_str()), ("coder", "proposal://none"), ("coder", "file:///etc/passwd")] {
        let old = app.who(caller).rpc("resources/read", &json!({ "uri": uri })).await;
        assert_eq!(old.fault(), -32002, "{caller} {uri}");
        let new = app.who(caller).rpc_new("resources/read", &json!({ "uri": uri })).await;
        assert_eq!(new.fault(), -32602, "{caller} {uri}");
    }
}

/// What has to come by itself, and soon.
async fn soon<T>(coming: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(20), coming).await.expect("it did not come")
}

#[tokio::test]
async fn who_listens_is_told_by_whichever_server_and_only_of_the_own_lane() {
    let app = TestApp::peopled().await;
    let there = TestApp::start_on(&app.database).await;
    let newer = ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] };
    let session = there.session_in("coder", newer).await;
    let coder = app.who("coder");
    let (mine, also) = (coder.propose(&change("Mine")).await, coder.propose(&change("Also mine")).await);
    let other = app.who("painter").propose(&change("Not mine")).await;
    let uri = |asked: &Value| format!("proposal://{}", asked["id"].as_str().unwrap());
    let wanted = [uri(&mine), uri(&also), uri(&other), "file:///etc/passwd".to_owned()];
    let filter = SubscriptionFilter::builder().resource_subscriptions(wanted).tools_list_changed().build();
    let mut heard = session.0.listen(filter).await.unwrap();
    app.who("ben").decide(&other, "approved").await.assert_status(200);
    for asked in [&also, &mine] {
        app.who("ben").decide(asked, "approved").await.assert_status(200);
        let told = soon(heard.next()).await.unwrap();
        let Some(ServerNotification::ResourceUpdatedNotification(updated)) = told else { panic!("{told:?}") };
        assert_eq!(updated.params.uri, uri(asked));
    }
    // One that was closed before is told of at once, for whoever missed it.
    let filter = SubscriptionFilter::builder().resource_subscription(uri(&mine)).build();
    let mut late = session.0.listen(filter).await.unwrap();
    let told = soon(late.next()).await.unwrap();
    assert!(matches!(told, Some(ServerNotification::ResourceUpdatedNotification(_))), "{told:?}");
    // A token that is taken back ends the streams.
    app.machine().post("/api/v1/agents/coder/revoke", &json!({})).await;
    soon(async { while let Ok(Some(_)) = heard.next().await {} }).await;
}

#[tokio::test]
async fn a_stopping_server_ends_its_listeners_in_order() {
    let app = TestApp::peopled().await;
    let newer = ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] };
    let session = app.session_in("coder", newer).await;
    let asked = app.who("coder").propose(&change("Mine")).await;
    let uri = format!("proposal://{}", asked["id"].as_str().unwrap());
    let filter = SubscriptionFilter::builder().resource_subscription(uri).build();
    let mut heard = session.0.listen(filter).await.unwrap();
    app.asleep(1).await;
    app.stop().await;
    assert!(soon(heard.next()).await.unwrap().is_none(), "the server said that it is over");
}
