//! Learned rules and suggestions: made by people anywhere, confirmed at the machine alone.

use chrono::TimeDelta;
use serde_json::{Value, json};

use crate::support::app::TestApp;
use crate::support::proposals::{change, with};

const RULES: &str = "/api/v1/rules";
const SUGGESTIONS: &str = "/api/v1/suggestions";

fn rule(argv: &[&str], matching: &str) -> Value {
    json!({ "project": "shop", "argv": argv, "match": matching })
}

async fn rules(app: &TestApp) -> Vec<Value> {
    app.local().get(RULES).await.body(200)["items"].as_array().unwrap().clone()
}

async fn suggestions(app: &TestApp, state: &str) -> Vec<Value> {
    app.local().get(&format!("{SUGGESTIONS}?state={state}")).await.body(200)["items"].as_array().unwrap().clone()
}

#[tokio::test]
async fn an_admin_confirms_a_rule_with_owner_and_end() {
    let app = TestApp::peopled().await;
    let new = with(rule(&["cargo", "test", "-p", "api"], "exact"), &json!({ "reason": "asked daily" }));
    app.local().post(RULES, &new).await.assert_problem(401, "unauthenticated");
    app.machine().post(RULES, &new).await.assert_status(201);
    app.machine()
        .post(RULES, &with(rule(&["npm", "test"], "prefix"), &json!({ "never": true })))
        .await
        .assert_status(201);
    let listed = rules(&app).await;
    let by = |program: &str| listed.iter().find(|rule| rule["argv"][0] == program).unwrap().clone();
    let (cargo, npm) = (by("cargo"), by("npm"));
    assert_eq!((&cargo["owner"], &cargo["hits"], &cargo["project"]), (&json!("admin:ada"), &json!(0), &json!("shop")));
    assert_eq!((&cargo["command"], &cargo["attention"]), (&json!("cargo test -p api"), &Value::Null));
    assert_eq!((&npm["expires_at"], &npm["match"]), (&Value::Null, &json!("prefix")));
    app.advance(TimeDelta::days(80));
    assert_eq!(rules(&app).await.iter().find(|rule| rule["argv"][0] == "cargo").unwrap()["attention"], "ending");
    // Confirmed again, it lasts again, and there is still one.
    app.machine().post(RULES, &new).await.assert_status(201);
    assert_eq!(rules(&app).await.len(), 2);
    app.advance(TimeDelta::days(91));
    assert_eq!(rules(&app).await.iter().find(|rule| rule["argv"][0] == "cargo").unwrap()["attention"], "ended");
    let id = npm["id"].as_str().unwrap();
    app.machine().delete(&format!("{RULES}/{id}")).await.assert_status(204);
    app.machine().delete(&format!("{RULES}/{id}")).await.assert_problem(404, "not_found");
    assert_eq!(rules(&app).await.len(), 1);
    let journal = app.local().get("/api/v1/audit?kind=rule").await.body(200);
    let kinds: Vec<_> = journal["items"].as_array().unwrap().iter().map(|row| row["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["rule.removed", "rule.confirmed", "rule.confirmed", "rule.confirmed"]);
    assert_eq!(journal["items"][1]["payload"]["replaces"], json!([cargo["id"]]));
}

#[tokio::test]
async fn what_is_too_wide_is_refused() {
    let app = TestApp::peopled().await;
    for (new, field) in [
        (rule(&["cargo"], "prefix"), "argv"),
        (rule(&[], "exact"), "argv"),
        (rule(&["git", "push"], "prefix"), "argv"),
        (rule(&["git", "reset", "--hard"], "exact"), "argv"),
        (rule(&["ls", "a\u{202e}b"], "exact"), "argv"),
        (with(rule(&["ls"], "exact"), &json!({ "project": "nowhere" })), "project"),
        (with(rule(&["ls"], "exact"), &json!({ "days": 0 })), "days"),
        (with(rule(&["ls"], "exact"), &json!({ "days": 3, "never": true })), "days"),
    ] {
        let answer = app.machine().post(RULES, &new).await;
        answer.assert_problem(422, "invalid");
        assert_eq!(answer.json["field"], field);
    }
    app.machine()
        .post(RULES, &with(rule(&["ls"], "exact"), &json!({ "dayz": 3 })))
        .await
        .assert_problem(422, "unknown_field");
    assert_eq!(rules(&app).await.len(), 0);
}

#[tokio::test]
async fn an_approver_suggests_and_the_machine_settles() {
    let app = TestApp::peopled().await;
    let (ben, lin, vic) = (app.who("ben"), app.who("lin"), app.who("vic"));
    let asked = app.who("coder").propose(&change("in api")).await;
    let about = |text: &str| json!({ "kind": "rule", "text": text, "proposal_id": asked["id"] });
    vic.post(SUGGESTIONS, &about("let it")).await.assert_problem(403, "forbidden");
    lin.post(SUGGESTIONS, &about("let it")).await.assert_problem(404, "not_found");
    ben.post(SUGGESTIONS, &about(" ")).await.assert_problem(422, "invalid");
    let made = ben.post(SUGGESTIONS, &about("always run the tests")).await.body(201);
    assert_eq!(ben.post(SUGGESTIONS, &about("always run the tests")).await.body(201), made, "one tap, twice");
    lin.post(SUGGESTIONS, &json!({ "kind": "policy", "text": "hold file writes in web" })).await.assert_status(201);
    let open = suggestions(&app, "open").await;
    assert_eq!(open.len(), 2);
    assert_eq!(
        (&open[1]["author"], &open[1]["lane"], &open[1]["argv"]),
        (&json!("person:ben"), &json!("api"), &Value::Null)
    );
    let of = |suggestion: &Value, what: &str| format!("{SUGGESTIONS}/{}/{what}", suggestion["id"].as_str().unwrap());
    // Words alone make no rule; the admin gives the command.
    let accept = of(&open[1], "accept");
    app.local().post(&accept, &json!({})).await.assert_problem(401, "unauthenticated");
    app.machine().post(&accept, &json!({})).await.assert_problem(422, "invalid");
    let how = json!({ "argv": ["cargo", "test"], "match": "prefix", "days": 10 });
    let rule_id = app.machine().post(&accept, &how).await.body(200)["rule_id"].clone();
    assert_eq!(rules(&app).await[0]["id"], rule_id);
    let again = app.machine().post(&accept, &how).await;
    again.assert_problem(409, "already_decided");
    assert_eq!(again.json["state"], "accepted");
    // A policy's is noted with the version it led to.
    app.machine().post(&of(&open[0], "accept"), &json!({ "version": 9 })).await.assert_problem(422, "invalid");
    let set = app.set_policy(&json!({ "lane": "web", "classes": { "file_write": "hold" } })).await;
    let noted = app.machine().post(&of(&open[0], "accept"), &json!({})).await.body(200);
    assert_eq!((&noted["policy_version"], &noted["rule_id"]), (&set["version"], &Value::Null));
    ben.post(SUGGESTIONS, &about("and the linter")).await.assert_status(201);
    let third = suggestions(&app, "open").await;
    app.machine().post(&of(&third[0], "dismiss"), &json!({})).await.assert_status(204);
    assert_eq!(suggestions(&app, "open").await.len(), 0);
    let states: Vec<_> = suggestions(&app, "all").await.iter().map(|row| row["state"].clone()).collect();
    assert_eq!(states, ["dismissed", "accepted", "accepted"]);
}

#[tokio::test]
async fn nobody_floods_the_admin() {
    let app = TestApp::peopled().await;
    let ben = app.who("ben");
    for n in 0..20 {
        ben.post(SUGGESTIONS, &json!({ "kind": "policy", "text": format!("n {n}") })).await.assert_status(201);
    }
    ben.post(SUGGESTIONS, &json!({ "kind": "policy", "text": "n 20" })).await.assert_problem(429, "too_many_pending");
}
