//! What the machine's admin changes: each needs the password of somebody who is an admin at that moment.

use serde_json::json;

use super::stage::{ADMIN, PASSWORD, Stage, person};

#[tokio::test]
async fn a_change_needs_an_admin_of_everything() {
    let stage = Stage::new().await;
    stage.agent("api").await;
    stage.add("vera", &json!({"role": "viewer"})).await;
    stage.add("paul", &json!({"role": "admin", "scope": "project:api"})).await;
    for name in ["vera", "paul"] {
        let somebody = stage.app.local().with_password(name, PASSWORD);
        somebody.patch("/api/v1/settings", &json!({"agent_cap": 5})).await.assert_problem(403, "forbidden");
    }
    stage.app.local().patch("/api/v1/settings", &json!({"agent_cap": 5})).await.assert_problem(401, "unauthenticated");
    stage.admin.patch("/api/v1/settings", &json!({"agent_cap": 5})).await.assert_status(200);
    assert_eq!(stage.app.local().get("/api/v1/settings").await.body(200)["agent_cap"], 5);
    stage.admin.patch("/api/v1/settings", &json!({"agent_cap": null})).await.assert_status(200);
    stage.admin.patch("/api/v1/settings", &json!({"agent_cap": 0})).await.assert_problem(422, "invalid");
    stage.admin.patch("/api/v1/settings", &json!({"agent_hat": 1})).await.assert_problem(422, "unknown_field");
    assert_eq!(stage.app.local().get("/api/v1/settings").await.body(200)["agent_cap"], 20);
}

#[tokio::test]
async fn the_last_admin_stays() {
    let stage = Stage::new().await;
    stage.add("berta", &json!({"role": "admin", "expires_days": 1})).await;
    let ada = stage.app.local().get("/api/v1/users/ada").await.body(200);
    let grant = format!("/api/v1/grants/{}", ada["grants"][0]["id"].as_str().unwrap());
    stage.admin.delete(&grant).await.assert_problem(409, "last_admin");
    stage.admin.delete("/api/v1/users/ada").await.assert_problem(409, "last_admin");
    stage.admin.post("/api/v1/users/berta/grants", &json!({"role": "admin"})).await.assert_status(201);
    stage.admin.delete("/api/v1/users/ada").await.assert_status(204);
    // Who is no admin any more changes nothing any more.
    stage.admin.delete("/api/v1/users/berta").await.assert_problem(401, "wrong_credentials");
}

#[tokio::test]
async fn two_admins_cannot_take_each_others_grant_at_once() {
    let stage = Stage::new().await;
    stage.add("berta", &json!({"role": "admin"})).await;
    let berta = stage.app.local().with_password("berta", PASSWORD);
    let (one, other) = tokio::join!(stage.admin.delete("/api/v1/users/berta"), berta.delete("/api/v1/users/ada"));
    let statuses = [one.status, other.status];
    assert!(statuses.contains(&204) && statuses.iter().any(|status| *status != 204), "{statuses:?}");
    let people = stage.app.local().get("/api/v1/users").await.body(200);
    let left = people["items"].as_array().unwrap().iter().filter(|person| person["disabled_at"].is_null());
    assert_eq!(left.count(), 1);
}

#[tokio::test]
async fn removing_somebody_signs_them_out_and_keeps_the_name() {
    let stage = Stage::new().await;
    stage.add("vera", &json!({"role": "viewer"})).await;
    let vera = stage.sign_in("vera").await;
    stage.admin.delete("/api/v1/users/vera").await.assert_status(204);
    vera.get("/api/v1/account").await.assert_problem(401, "unauthenticated");
    let again = stage.app.anonymous();
    let body = super::stage::credentials("vera", PASSWORD);
    again.post("/api/v1/session", &body).await.assert_problem(401, "wrong_credentials");
    let taken = person("vera", &json!({"role": "viewer"}));
    stage.admin.post("/api/v1/users", &taken).await.assert_problem(409, "name_taken");
    let journal = stage.journal().await;
    for kind in ["user.removed", "session.closed", "user.added", "session.opened"] {
        assert!(journal.contains(&kind.to_owned()), "{kind} in {journal:?}");
    }
}

#[tokio::test]
async fn an_admin_resets_a_password_and_ends_sessions() {
    let stage = Stage::new().await;
    stage.add("vera", &json!({"role": "viewer"})).await;
    let vera = stage.sign_in("vera").await;
    let new = json!({"password": "seven loud geese at dawn"});
    stage.admin.post("/api/v1/users/vera/password", &new).await.assert_status(204);
    vera.get("/api/v1/account").await.assert_problem(401, "unauthenticated");
    let vera = stage.app.anonymous().sign_in("vera", "seven loud geese at dawn").await;
    let open = stage.app.local().get("/api/v1/users/vera/sessions").await.body(200);
    let session = open["items"][0]["id"].as_str().unwrap().to_owned();
    stage.admin.delete(&format!("/api/v1/sessions/{session}")).await.assert_status(204);
    vera.get("/api/v1/account").await.assert_problem(401, "unauthenticated");
}

#[tokio::test]
async fn grants_say_where_for_what_and_until_when() {
    let stage = Stage::new().await;
    stage.agent("api").await;
    let grant = json!({"role": "approver", "scope": "lane:api", "classes": ["change"], "max_risk": "medium", "expires_days": 3});
    stage.add("berta", &grant).await;
    let berta = stage.app.local().get("/api/v1/users/berta").await.body(200);
    let held = &berta["grants"][0];
    assert_eq!((&held["scope"], &held["max_risk"]), (&json!("lane:api"), &json!("medium")));
    assert_eq!((&held["classes"], &held["granted_by"]), (&json!(["change"]), &json!(format!("admin:{ADMIN}"))));
    assert!(held["expires_at"].is_string());
    let wrong = [
        ("scope", json!({"role": "viewer", "scope": "lane:nowhere"})),
        ("scope", json!({"role": "viewer", "scope": "everywhere"})),
        ("classes", json!({"role": "approver", "classes": ["everything"]})),
        ("classes", json!({"role": "approver", "classes": []})),
        ("expires_days", json!({"role": "viewer", "expires_days": 0})),
        ("role", json!({"role": "king"})),
    ];
    for (field, grant) in wrong {
        let answer = stage.admin.post("/api/v1/users/berta/grants", &grant).await;
        answer.assert_problem(422, "invalid");
        assert_eq!(answer.json["field"], field);
    }
}

#[tokio::test]
async fn places_go_in_the_order_they_came() {
    let stage = Stage::new().await;
    stage.agent("api").await;
    stage.admin.delete("/api/v1/projects/api").await.assert_problem(409, "in_use");
    stage.admin.delete("/api/v1/lanes/api").await.assert_problem(409, "in_use");
    for path in ["/api/v1/agents/api", "/api/v1/lanes/api", "/api/v1/projects/api"] {
        stage.admin.delete(path).await.assert_status(204);
        stage.admin.delete(path).await.assert_problem(404, "not_found");
    }
    let again = json!({"name": "api", "repo": "/srv/repo"});
    stage.admin.post("/api/v1/projects", &again).await.assert_problem(409, "name_taken");
    let relative = json!({"name": "other", "repo": "srv/repo"});
    stage.admin.post("/api/v1/projects", &relative).await.assert_problem(422, "invalid");
}
