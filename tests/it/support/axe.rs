//! The accessibility judge: axe-core, run inside the page, against WCAG 2.2 level AA.

use std::fmt::Write as _;

use serde_json::Value;

use super::browser::Page;
use super::scratch::repository;

const RUN: &str = "axe.run(document, {
    runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'] },
    resultTypes: ['violations'],
}).then((result) => ({
    checked: result.passes.length,
    violations: result.violations.map((rule) => ({
        id: rule.id, help: rule.help,
        nodes: rule.nodes.map((node) => ({ at: node.target.join(' '), html: node.html, why: node.failureSummary })),
    })),
}))";

/// What is wrong with the page, one paragraph a finding; empty when nothing is.
pub async fn violations(page: &Page) -> String {
    let path = repository("tests/browser/node_modules/axe-core/axe.min.js");
    let axe = std::fs::read_to_string(&path)
        .unwrap_or_else(|_| panic!("axe-core is not installed; run: npm ci --prefix tests/browser"));
    // Apart from the page: its policy forbids foreign script, and it should not notice that it is judged.
    let result = page.eval_apart(&[&format!("{axe};0"), RUN]).await;
    assert!(result["checked"].as_u64() > Some(0), "axe looked at nothing: {result}");
    let mut report = String::new();
    for rule in result["violations"].as_array().into_iter().flatten() {
        writeln!(report, "{}: {}", word(&rule["id"]), word(&rule["help"])).unwrap();
        for node in rule["nodes"].as_array().into_iter().flatten() {
            let why = word(&node["why"]).replace('\n', "\n      ");
            writeln!(report, "  at {}\n    {}\n      {why}", word(&node["at"]), word(&node["html"])).unwrap();
        }
    }
    report
}

/// Fails with a readable list when the page has violations.
pub async fn assert_accessible(page: &Page, what: &str) {
    let report = violations(page).await;
    assert!(report.is_empty(), "{what} breaks WCAG 2.2 AA:\n{report}");
}

fn word(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
