//! Every diagram of the manual is drawn, by the browser that also judges the pages and by mermaid itself.

use std::fs;

use serde_json::{Value, json};

use crate::support::browser::{Page, Profile, Screen};
use crate::support::pages_of_docs::{fenced, pages};
use crate::support::scratch::repository;

/// Draws in a page, and says how many texts and lines are in the drawing.
const DRAW: &str = "(async (source) => {
    const { svg } = await mermaid.render('drawn', source);
    // As HTML: a line break in a label is none of XML's.
    const drawing = new DOMParser().parseFromString(svg, 'text/html').querySelector('svg');
    return {
        words: drawing.textContent,
        lines: drawing.querySelectorAll('line, path').length,
        wide: drawing.viewBox.baseVal.width,
    };
})";

/// A page in which mermaid is at home.
async fn studio() -> (Profile, Page) {
    let path = repository("tests/browser/node_modules/@mermaid-js/tiny/dist/mermaid.tiny.js");
    let mermaid = fs::read_to_string(&path)
        .unwrap_or_else(|_| panic!("mermaid is not installed; run: npm ci --prefix tests/browser"));
    let profile = Profile::new().await;
    let page = profile.page(Screen::Desktop).await;
    page.eval(&format!("{mermaid};0")).await;
    // As where the pages are read: nothing in a drawing is a script or a link.
    page.eval("mermaid.initialize({ startOnLoad: false, securityLevel: 'strict' })").await;
    (profile, page)
}

async fn draw(page: &Page, source: &str) -> Result<Value, String> {
    page.try_eval(&format!("{DRAW}({})", json!(source))).await
}

/// What is written in a diagram and must be seen in its drawing: who takes part, and the words on each arrow.
fn written(source: &str) -> Vec<String> {
    let names = source.lines().filter_map(|line| line.trim().strip_prefix("participant ")?.split_once(" as "));
    let arrows = source.lines().filter(|line| line.contains("->")).filter_map(|line| line.split_once(": "));
    names.chain(arrows).map(|(_, words)| words.trim().to_owned()).collect()
}

#[tokio::test]
async fn every_diagram_of_the_manual_is_drawn() {
    let (_profile, page) = studio().await;
    let mut drawn = 0;
    for doc in pages() {
        for source in fenced(&doc.text, "mermaid") {
            let path = &doc.path;
            let drawing = draw(&page, &source).await.unwrap_or_else(|error| panic!("{path}: {error}\nin:\n{source}"));
            let seen = drawing["words"].as_str().unwrap().split_whitespace().collect::<String>();
            let written = written(&source);
            assert!(!written.is_empty(), "{path}: nothing is written in:\n{source}");
            for words in written {
                let tight = words.split_whitespace().collect::<String>();
                assert!(seen.contains(&tight), "{path}: {words:?} is not in the drawing of:\n{source}");
            }
            assert!(drawing["lines"].as_u64() > Some(1) && drawing["wide"].as_f64() > Some(100.0), "{path}: {drawing}");
            drawn += 1;
        }
    }
    assert!(drawn > 8, "the manual has more than {drawn} diagrams");
}

#[tokio::test]
async fn a_broken_diagram_is_not_drawn() {
    let (_profile, page) = studio().await;
    let good = "sequenceDiagram\n    participant A as Agent\n    A->>A: works\n";
    assert_eq!(written(good), ["Agent", "works"]);
    draw(&page, good).await.unwrap();
    for bad in [
        good.replace("A->>A: works", "A->>: works"),
        good.replace("A->>A: works", "alt never closed\n    A->>A: works"),
        good.replace("sequenceDiagram", "sequenceDrawing"),
        "stateDiagram-v2\n    A --> : again\n".to_owned(),
        String::new(),
    ] {
        assert!(draw(&page, &bad).await.is_err(), "this was drawn:\n{bad}");
    }
}
