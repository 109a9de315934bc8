//! kill -9 between a lease and its report: nothing is pressed twice, nothing is lost, and each order has its one row.

use serde_json::{Value, json};

use super::OUTSIDE;
use crate::support::app::TestApp;
use crate::support::panes::dialog;
use crate::support::server::Server;
use crate::support::{cluster, scratch};

#[tokio::test]
async fn a_server_killed_between_lease_and_report_keeps_both() {
    let app = TestApp::peopled().await;
    let (database, watcher_secret, ben) = (app.database.clone(), app.who("watcher"), app.who("ben"));
    app.stop().await;
    let folder = scratch::folder("killed");
    let serve = || Server::start(&folder, &["--database-url", &database]);
    let exchanged = async |server: &Server| {
        let issued = watcher_secret.at(&server.url).post("/api/v1/pane/token", &json!({})).await.body(200);
        server.anonymous().with_token(issued["token"].as_str().unwrap())
    };

    let server = serve();
    let watcher = exchanged(&server).await;
    let seen = dialog(OUTSIDE);
    let held = watcher.report(&seen).await;
    server.kill();

    let server = serve();
    let watcher = exchanged(&server).await;
    assert_eq!(watcher.report_again(&seen).await["id"], held["id"], "what was reported is there");
    ben.at(&server.url).rule(&held, &json!({ "outcome": "rejected" })).await.assert_status(200);
    server.kill();

    let server = serve();
    let watcher = exchanged(&server).await;
    let order = watcher.order().await;
    assert_eq!((&order["dialog_id"], &order["taken"]), (&held["id"], &json!(false)));
    server.kill();

    let server = serve();
    let watcher = exchanged(&server).await;
    let again = watcher.order().await;
    assert_eq!(
        (&again["id"], &again["taken"]),
        (&order["id"], &json!(true)),
        "the client knows that it may have pressed"
    );
    watcher.done(&again, &json!({ "outcome": "failed", "reason": "interrupted" })).await.assert_status(200);
    server.kill();

    let server = serve();
    let watcher = exchanged(&server).await;
    assert_eq!(watcher.orders().await, Vec::<Value>::new());
    let mut conn = cluster::connect(&database).await;
    let rows: i64 = sqlx::query_scalar(
        "select count(*) from events where kind = 'supervision.acted' and payload ->> 'order_id' is not null",
    )
    .fetch_one(&mut conn)
    .await
    .unwrap();
    assert_eq!(rows, 1);
    assert!(server.stop().success());
}
