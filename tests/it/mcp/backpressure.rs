//! The in-flight cap as a model meets it: it is told which ones wait, and asking the same again is no new one.

use serde_json::json;

use crate::support::app::TestApp;
use crate::support::proposals::change;

#[tokio::test]
async fn the_one_too_many_is_told_which_ones_wait() {
    let app = TestApp::peopled().await;
    let coder = app.who("coder");
    let mut ids = Vec::new();
    for n in 0..20 {
        ids.push(coder.put_forward(&change(&format!("n {n}"))).await.id().to_owned());
    }
    let full = coder.put_forward(&change("one more")).await;
    assert_eq!((full.code(), full.is_error), ("too_many_pending", true));
    assert_eq!(full.data["pending_ids"], json!(ids));
    assert!(ids.iter().all(|id| full.text.contains(id)), "{}", full.text);
    assert!(full.text.contains("check-proposal for the pending_ids"), "{}", full.text);
    // The same again joins, over either surface, and needs no room.
    let same = coder.put_forward(&change("n 3")).await;
    assert_eq!((same.id(), same.status()), (ids[3].as_str(), "pending"));
    let rest = coder.post("/api/v1/proposals", &change("n 4")).await.body(200);
    assert_eq!((&rest["id"], &rest["joined"]), (&json!(ids[4]), &json!(true)));
    // A decision makes room.
    app.who("ben").decide(&coder.look(&json!({ "id": ids[0] })).await, "approved").await.assert_status(200);
    assert_eq!(coder.put_forward(&change("one more")).await.status(), "pending");
}
