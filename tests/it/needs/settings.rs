//! Where notices go is set at the machine alone, and its secrets are seen by nobody.

use serde_json::{Value, json};

use super::receiver::Receiver;
use crate::support::app::TestApp;
use crate::support::cluster;

#[tokio::test]
async fn secrets_are_taken_and_never_shown() {
    let app = TestApp::peopled().await;
    let receiver = Receiver::new().await;
    app.notify(&receiver, "ntfy").await;
    let (machine, local) = (app.machine(), app.local());
    assert_eq!(local.get("/api/v1/settings").await.body(200)["notify_token"], Value::Null);
    let set = machine.patch("/api/v1/settings", &json!({ "notify_token": "tk_secret_7" })).await;
    assert!(!set.text.contains("tk_secret_7"), "{}", set.text);
    assert_eq!(local.get("/api/v1/settings").await.body(200)["notify_token"], "set");
    let tried = machine.post("/api/v1/settings/test-notice", &json!({})).await.body(200);
    assert_eq!((&tried["delivered"], &tried["to"]), (&json!(true), &json!(receiver.url.trim_end_matches("/topic"))));
    let came = receiver.wait(1).await;
    assert_eq!(came[0].header("authorization"), "Bearer tk_secret_7");
    assert_eq!(came[0].header("title"), "Countersign reaches you");
    let journal = local.get("/api/v1/audit?limit=200").await.text;
    let page = local.get("/admin/settings").await.text;
    let doctor = local.get("/api/v1/doctor").await.text;
    for text in [&journal, &page, &doctor] {
        assert!(!text.contains("tk_secret_7"), "{text}");
    }
    assert!(!journal.contains("/topic") && journal.contains("/…"), "an address can be a secret by itself: {journal}");
    machine.patch("/api/v1/settings", &json!({ "notify_token": null })).await.assert_status(200);
    assert_eq!(local.get("/api/v1/settings").await.body(200)["notify_token"], Value::Null);
    machine.post("/api/v1/settings/test-notice", &json!({})).await.assert_status(200);
    assert_eq!(receiver.wait(2).await[1].header("authorization"), "");
    let mut conn = cluster::connect(&app.database).await;
    let kept = "select count(*) from events where payload::text like '%tk_secret%'";
    assert_eq!(sqlx::query_scalar::<_, i64>(kept).fetch_one(&mut conn).await.unwrap(), 0);
}

#[tokio::test]
async fn a_secret_is_not_carried_over_to_another_receiver() {
    let app = TestApp::peopled().await;
    let machine = app.machine();
    let set = async |keys: Value| {
        let set = machine.patch("/api/v1/settings", &keys).await.body(200);
        set["notify_token"].clone()
    };
    assert_eq!(set(json!({ "notify_token": "tk_secret_7" })).await, "set", "before there is an address");
    assert_eq!(set(json!({ "notify_url": "https://ntfy.sh/one" })).await, "set");
    assert_eq!(set(json!({ "notify_url": "https://ntfy.sh/two" })).await, "set", "the same receiver");
    assert_eq!(set(json!({ "notify_url": "https://ntfy.example.org/two" })).await, Value::Null);
    let both = json!({ "notify_url": "https://ntfy.sh/one", "notify_token": "tk_secret_8" });
    assert_eq!(set(both).await, "set");
    assert_eq!(set(json!({ "notify_url": null })).await, Value::Null, "nor kept for whoever comes next");
}

#[tokio::test]
async fn nobody_on_the_network_points_it_anywhere() {
    let app = TestApp::peopled().await;
    let ada = app.who("ada");
    let patch = json!({ "notify_url": "https://ntfy.sh/a" });
    ada.patch("/api/v1/settings", &patch).await.assert_problem(404, "not_found");
    ada.post("/api/v1/settings/test-notice", &json!({})).await.assert_problem(404, "not_found");
    app.local().patch("/api/v1/settings", &patch).await.assert_problem(401, "unauthenticated");
    app.local().post("/api/v1/settings/test-notice", &json!({})).await.assert_problem(401, "unauthenticated");
    let none = app.machine().post("/api/v1/settings/test-notice", &json!({})).await;
    none.assert_problem(422, "invalid");
    assert_eq!(none.json["field"], "notify_url");
}

#[tokio::test]
async fn an_address_that_is_nobody_elses_business_is_refused_when_it_is_called() {
    let app = TestApp::peopled().await;
    let receiver = Receiver::new().await;
    let (machine, port) = (app.machine(), receiver.url.rsplit(':').next().unwrap().to_owned());
    let set = async |url: &str, allow: Value| {
        machine.patch("/api/v1/settings", &json!({ "notify_url": url, "notify_allow": allow })).await
    };
    set("http://ntfy.sh/a", json!([])).await.assert_problem(422, "invalid");
    set("https://ntfy.sh/a", json!(["ntfy.sh:80"])).await.assert_problem(422, "invalid");
    // A name that leads home, written in every way; only what is resolved counts.
    let hosts = ["localhost", "127.0.0.1", "2130706433", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0"];
    for host in hosts.map(|host| format!("https://{host}:{port}")) {
        set(&host, json!([])).await.assert_status(200);
        let tried = machine.post("/api/v1/settings/test-notice", &json!({})).await.body(200);
        assert_eq!(tried["delivered"], false, "{host}");
        assert!(tried["said"].as_str().unwrap().contains("name it in notify_allow"), "{host}: {tried}");
    }
    // What is named for another host opens nothing here.
    set(&format!("http://localhost:{port}"), json!(["ntfy.lan"])).await.assert_status(200);
    let tried = machine.post("/api/v1/settings/test-notice", &json!({})).await.body(200);
    assert_eq!(tried["delivered"], false, "{tried}");
    assert_eq!(receiver.came().len(), 0, "nobody was called");
    for allow in [json!(["localhost"]), json!(["127.0.0.0/8", "::1"])] {
        set(&format!("http://localhost:{port}"), allow).await.assert_status(200);
        let tried = machine.post("/api/v1/settings/test-notice", &json!({})).await.body(200);
        assert_eq!(tried["delivered"], true, "{tried}");
    }
}

#[tokio::test]
async fn somebody_who_does_not_answer_is_not_waited_for_for_ever() {
    let app = TestApp::peopled().await;
    // It takes the connection, and says nothing that could be https.
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            drop(stream);
        }
    });
    let settings = json!({ "notify_url": url, "notify_allow": ["127.0.0.1"] });
    app.machine().patch("/api/v1/settings", &settings).await.assert_status(200);
    let tried = app.machine().post("/api/v1/settings/test-notice", &json!({})).await.body(200);
    assert_eq!(tried["delivered"], false);
    assert!(tried["said"].as_str().unwrap().contains("cannot reach https://127.0.0.1"), "{tried}");
}
