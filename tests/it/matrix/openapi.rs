//! The API document agrees with the routers, and with the words that clients are written against.

use std::collections::BTreeSet;

use countersign::http::PUBLIC_PATHS;
use serde_json::Value;

use super::public_routes;
use crate::support::app::TestApp;
use crate::support::scratch::repository;

#[tokio::test]
async fn the_document_has_every_api_route_and_no_other() {
    let app = TestApp::peopled().await;
    let document = app.anonymous().get("/openapi.json").await.body(200);
    let mut documented = BTreeSet::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            documented.insert((method.to_uppercase(), path.clone()));
        }
    }
    let routes = public_routes(&app).await.into_iter().filter(|(_, path)| path.starts_with("/api/"));
    let routes: BTreeSet<_> = routes.map(|(method, path)| (method, path.to_owned())).collect();
    assert_eq!(documented, routes);
}

#[tokio::test]
async fn the_document_has_every_field_of_the_contract() {
    let app = TestApp::peopled().await;
    let document = app.anonymous().get("/openapi.json").await.body(200);
    let contract = std::fs::read_to_string(repository("tests/fixtures/contract.md")).unwrap();
    // Where the contract lists the fields, which schema has them, and what stands for others.
    let answers = [
        ("Proposal: `", "Proposal"),
        ("- `decision`: null or `", "Decision"),
        ("answers: [", "Answer"),
        ("- `receipts`: `", "Receipts"),
        ("questions?: [", "Question"),
        ("votes: ", "Votes"),
        ("`{items: [Proposal + ", "Item"),
        ("Proposal + `", "Review"),
        ("→ 201 `", "Dialog"),
        ("would: ", "Would"),
        ("Order: `", "Order"),
        ("`GET /api/v1/supervision?lane=` → `", "View"),
        ("&before=` → `", "Entries"),
        ("/supervision/status` → `", "SupervisionStatus"),
        ("paused, lanes: [", "LaneStatus"),
        ("waits ≤ 10 s → `", "NudgeOutcome"),
        ("/api/v1/attentions` | `{items: [", "Needed"),
        ("/mail {body}` | 201 `", "Sent"),
        ("Audit entry: `", "AuditEntry"),
    ];
    for (marker, schema) in answers {
        let missing: Vec<_> = listed(&contract, marker).difference(&fields(&document, schema)).cloned().collect();
        assert_eq!(missing, Vec::<String>::new(), "{schema}");
    }
    // What a client may send is exactly what is listed.
    for (marker, schema) in [
        ("`POST /api/v1/proposals` `", "Ask"),
        ("/decision ", "Ruling"),
        ("`PUT /api/v1/panes/{key}` `", "PaneReport"),
        ("turn_tail?: ", "TurnTail"),
        ("`POST /api/v1/dialogs` `", "Report"),
        ("`facts`: `", "Facts"),
        ("pane: ", "PaneIdentity"),
        ("/outcome ", "OutcomeReport"),
        ("/supervision/nudge ", "Nudge"),
        ("/api/v1/suggestions ", "Suggestion"),
    ] {
        assert_eq!(fields(&document, schema), listed(&contract, marker), "{schema}");
    }
}

#[test]
fn every_route_of_the_contract_is_on_the_router() {
    let contract = std::fs::read_to_string(repository("tests/fixtures/contract.md")).unwrap();
    let mut found = 0;
    for word in contract.split(['`', ' ', '?', ',']).filter(|word| word.starts_with("/api/v1/")) {
        assert!(PUBLIC_PATHS.contains(&word), "{word}");
        found += 1;
    }
    assert!(found >= 6, "the contract was read");
}

/// The fields of a schema, those of the schemas that it is composed of included.
fn fields(document: &Value, schema: &str) -> BTreeSet<String> {
    fn gather(document: &Value, schema: &Value, found: &mut BTreeSet<String>) {
        if let Some(properties) = schema["properties"].as_object() {
            found.extend(properties.keys().cloned());
        }
        for part in schema["allOf"].as_array().into_iter().flatten() {
            gather(document, part, found);
        }
        if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
            gather(document, &document["components"]["schemas"][name], found);
        }
    }
    let mut found = BTreeSet::new();
    gather(document, &document["components"]["schemas"][schema], &mut found);
    assert!(!found.is_empty(), "there is no schema {schema}");
    found
}

/// The names in the list that follows a marker: `{a, b?: {…}, c}` or, inside another, `a, b]`.
fn listed(contract: &str, marker: &str) -> BTreeSet<String> {
    let text = contract.split_once(marker).unwrap_or_else(|| panic!("the contract has no {marker}")).1;
    let text = text.strip_prefix('{').unwrap_or(text);
    let (mut names, mut name, mut depth, mut named) = (BTreeSet::new(), String::new(), 0_i32, false);
    for c in text.chars() {
        match c {
            '{' | '[' => depth += 1,
            '}' | ']' => depth -= 1,
            _ => {}
        }
        if depth < 0 || (depth == 0 && c == ',') {
            let words = std::mem::take(&mut name);
            // "dialog fields" stands for what comes with dialogs.
            if !words.trim().contains(' ') {
                names.insert(words.trim().to_owned());
            }
            named = false;
            if depth < 0 {
                break;
            }
        } else if c == ':' {
            named = true;
        } else if !named && (c.is_ascii_lowercase() || matches!(c, '_' | ' ')) {
            name.push(c);
        }
    }
    assert!(names.len() > 1, "{marker} lists {names:?}");
    names
}
