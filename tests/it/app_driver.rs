//! The in-test service judged by itself: reachable on both sides at once, and no more open than the real one.

use chrono::TimeDelta;
use countersign::store;

use crate::support::app::TestApp;
use crate::support::cluster;

#[tokio::test]
async fn a_service_is_ready_as_soon_as_it_has_started() {
    let app = TestApp::start().await;
    for caller in [app.anonymous(), app.local()] {
        let answer = caller.get("/readyz").await;
        answer.assert_status(200);
        caller.get("/nowhere").await.assert_problem(404, "not_found");
    }
}

#[tokio::test]
async fn each_service_has_a_clock_that_can_be_moved_and_may_share_a_database() {
    let database = cluster::database().await;
    let (one, other) = (TestApp::start_on(&database).await, TestApp::start_on(&database).await);
    one.advance(TimeDelta::hours(1));
    let mut conn = one.state.db.acquire().await.unwrap();
    let moved = store::now(&mut conn, one.state.clock.offset_us()).await.unwrap();
    let mut conn = other.state.db.acquire().await.unwrap();
    let still = store::now(&mut conn, other.state.clock.offset_us()).await.unwrap();
    assert!(moved - still > TimeDelta::minutes(59));
}
