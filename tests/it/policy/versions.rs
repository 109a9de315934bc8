//! Numbered versions: one at a time, each with its author, its reason and its differences, and a way back.

use countersign::domain::policy::Document;
use serde_json::{Value, json};

use super::stage::POLICY;
use crate::support::app::TestApp;
use crate::support::cluster;

#[tokio::test]
async fn a_change_is_a_new_version_with_author_reason_and_difference() {
    let app = TestApp::peopled().await;
    let shipped = app.policy().await;
    assert_eq!((&shipped["version"], &shipped["lane"], &shipped["effective"]), (&json!(1), &Value::Null, &Value::Null));
    assert_eq!(shipped["defaults"], json!(Document::default().supervision));
    let change = json!({ "lane": "api", "reason": "try it", "enabled": true, "classes": { "deletion": "auto_deny" } });
    let set = app.set_policy(&change).await;
    assert_eq!((&set["version"], &set["effective"]["classes"]["deletion"]), (&json!(2), &json!("auto_deny")));
    assert_eq!(
        (&set["effective"]["enabled"], &set["lane"]["enabled"]),
        (&json!(false), &json!(true)),
        "one key of two"
    );
    let history = app.local().get("/api/v1/supervision/versions").await.body(200);
    let latest = &history["items"][0];
    assert_eq!(
        (&latest["author"], &latest["reason"], &latest["origin"]),
        (&json!("admin:ada"), &json!("try it"), &json!("set"))
    );
    let line = |path: &str, to| json!({ "path": path, "from": null, "to": to });
    let diff = [line("lanes.api.classes.deletion", json!("auto_deny")), line("lanes.api.enabled", json!(true))];
    assert_eq!((&latest["diff"], &latest["parent"]), (&json!(diff), &json!(1)));
    let journal = app.local().get("/api/v1/audit?kind=supervision.changed").await.body(200);
    let entry = &journal["items"][0];
    assert_eq!((&entry["actor"], &entry["payload"]["diff"]), (&json!("admin:ada"), &json!(diff)));
    // What changes nothing is no version.
    let same = app.set_policy(&json!({ "lane": "api", "enabled": true })).await;
    assert_eq!(same["version"], 2);
    assert_eq!(
        app.local().get("/api/v1/audit?kind=supervision.changed").await.body(200)["items"].as_array().unwrap().len(),
        1
    );
}

#[tokio::test]
async fn of_two_admins_at_once_one_wins_and_the_other_learns_who() {
    let app = TestApp::peopled().await;
    let change = |mins: u32| json!({ "version": 1, "stall_mins": mins });
    let admin = app.machine();
    let (first, second) = (change(5), change(6));
    let (one, other) = tokio::join!(admin.patch(POLICY, &first), admin.patch(POLICY, &second));
    let (won, lost) = if one.status == 200 { (one, other) } else { (other, one) };
    lost.assert_problem(409, "version_conflict");
    assert_eq!(
        (&lost.json["version"], &lost.json["author"], &lost.json["field"]),
        (&json!(2), &json!("admin:ada"), &json!("version"))
    );
    let won = won.body(200);
    assert_eq!((&won["version"], &won["defaults"]), (&json!(2), &app.policy().await["defaults"]));
    admin.patch(POLICY, &json!({ "version": 3, "stall_mins": 7 })).await.assert_problem(409, "version_conflict");
    admin.patch(POLICY, &json!({ "stall_mins": 7 })).await.assert_problem(422, "invalid");
}

#[tokio::test]
async fn an_earlier_version_holds_again_as_a_new_one() {
    let app = TestApp::peopled().await;
    app.set_policy(&json!({ "enabled": true, "stall_mins": 5 })).await;
    app.set_policy(&json!({ "lane": "web", "mail_mode": "full_body" })).await;
    let back = |version: i64, to: i64| json!({ "version": version, "to": to, "reason": "too early" });
    let path = "/api/v1/supervision/rollback";
    app.machine().post(path, &back(2, 1)).await.assert_problem(409, "version_conflict");
    let answer = app.machine().post(path, &back(3, 9)).await;
    answer.assert_problem(422, "invalid");
    assert_eq!(answer.json["field"], "to");
    let held = app.machine().post(path, &back(3, 1)).await.body(200);
    assert_eq!((&held["version"], &held["defaults"]), (&json!(4), &json!(Document::default().supervision)));
    assert_eq!(app.policy_of("web").await["lane"], Value::Null);
    let page = app.local().get("/api/v1/supervision/versions?limit=3").await.body(200);
    let numbers: Vec<_> = page["items"].as_array().unwrap().iter().map(|row| row["version"].clone()).collect();
    assert_eq!((numbers, &page["next"]), (vec![json!(4), json!(3), json!(2)], &json!(2)));
    assert_eq!((&page["items"][0]["origin"], &page["items"][0]["reason"]), (&json!("rollback"), &json!("too early")));
    let last = app.local().get("/api/v1/supervision/versions?limit=3&before=2").await.body(200);
    assert_eq!((&last["items"][0]["origin"], &last["next"]), (&json!("shipped"), &Value::Null));
}

#[tokio::test]
async fn a_file_goes_out_and_comes_in_and_a_bad_one_changes_nothing() {
    let app = TestApp::peopled().await;
    app.set_policy(
        &json!({ "enabled": true, "network_hosts": ["localhost"], "classes": { "deletion": "auto_approve" } }),
    )
    .await;
    app.set_policy(&json!({ "lane": "api", "enabled": true, "nudge_text": "say \"now\"" })).await;
    let file = app.local().get("/api/v1/supervision/export").await.body(200);
    let toml = file["toml"].as_str().unwrap();
    let import = |version: i64, toml: &str| json!({ "version": version, "toml": toml });
    let path = "/api/v1/supervision/import";
    assert_eq!(app.machine().post(path, &import(3, toml)).await.body(200)["version"], 3, "it is what it is");
    let shipped = app.local().get("/api/v1/supervision/export?version=1").await.body(200);
    app.machine().post(path, &import(3, shipped["toml"].as_str().unwrap())).await.assert_status(200);
    assert_eq!(app.policy().await["defaults"]["enabled"], false);
    let again = app.machine().post(path, &import(4, toml)).await.body(200);
    assert_eq!((&again["version"], &again["defaults"]["enabled"]), (&json!(5), &json!(true)));
    assert_eq!(app.local().get("/api/v1/supervision/export").await.body(200)["toml"], toml);
    for (bad, line, code) in [
        (toml.replace("stall_mins = 20", "stall_mins = 0"), "stall_mins", "invalid"),
        (toml.replace("install = \"hold\"", "install = \"auto_approve\""), "install = ", "class_never_scoped"),
        (toml.replace("nudge_retries", "nudge_tries"), "nudge_tries", "unknown_field"),
        (toml.replace("[lanes.api]", "[lanes.nowhere]"), "", "invalid"),
        (format!("{toml}\nthis is no TOML"), "this is no", "invalid"),
    ] {
        let answer = app.machine().post(path, &import(5, &bad)).await;
        answer.assert_problem(422, code);
        if !line.is_empty() {
            let at = bad.lines().position(|text| text.contains(line)).unwrap() + 1;
            assert_eq!(answer.json["line"], at, "{}", answer.text);
        }
    }
    assert_eq!(app.policy().await["version"], 5);
}

#[tokio::test]
async fn a_version_is_never_changed() {
    let app = TestApp::peopled().await;
    app.set_policy(&json!({ "stall_mins": 5 })).await;
    let mut conn = cluster::connect(&app.database).await;
    for attempt in ["update policies set author = 'nobody'", "delete from policies", "truncate policies cascade"] {
        let refused = sqlx::query(attempt).execute(&mut conn).await.unwrap_err();
        assert!(refused.to_string().contains("never changed"), "{attempt}: {refused}");
    }
}
