//! `docs/flows.md` has shapes and no reference, and names no tool, field or route that is not there.

use countersign::http::{LOCAL_PATHS, PUBLIC_PATHS};
use countersign::mcp::tools::TOOLS;

use super::names::Known;
use crate::support::pages_of_docs::{fenced, page};

const PAGE: &str = "docs/flows.md";

/// The page says what it is not, and who knows better: without that somebody adds the table of tools again.
const DISCLAIMER: [&str; 2] = ["This page is not a reference.", "The live MCP schema is the authority"];

/// What is wrong with such a page, in words.
fn faults(text: &str, known: &Known) -> Vec<String> {
    let names = known.named_in(text);
    let mut found = known.missing(&names);
    let empty = [
        ("there is no tool to name", known.tools.is_empty()),
        ("there is no route to name", known.routes.is_empty()),
        ("it names no tool", names.tools.is_empty()),
        ("it names no route", names.routes.is_empty()),
    ];
    found.extend(empty.iter().filter(|fault| fault.1).map(|fault| fault.0.to_owned()));
    found.extend(
        DISCLAIMER.iter().filter(|words| !text.contains(*words)).map(|words| format!("it does not say: {words}")),
    );
    for line in text.lines() {
        let listed = line.trim_start().strip_prefix("- `").and_then(|rest| rest.split_once('`'));
        if line.trim_start().starts_with('|') || listed.is_some_and(|(name, _)| known.tools.contains(name)) {
            found.push(format!("it has a catalogue: {line}"));
        }
    }
    for flow in text.split("\n## ").skip(1) {
        let title = flow.lines().next().unwrap_or_default();
        let drawn = fenced(flow, "mermaid").len();
        if drawn != 1 {
            found.push(format!("{title:?} has {drawn} diagrams"));
        }
    }
    found
}

fn tools() -> Vec<&'static str> {
    TOOLS.iter().map(|tool| tool.name).collect()
}

fn routes() -> Vec<&'static str> {
    PUBLIC_PATHS.iter().chain(LOCAL_PATHS).copied().collect()
}

#[test]
fn the_page_of_flows_names_only_what_is_there() {
    let text = page(PAGE).text;
    let found = faults(&text, &Known::of(&tools(), &routes()));
    assert!(found.is_empty(), "{PAGE}:\n{}", found.join("\n"));
    assert!(text.split("\n## ").count() > 9, "nine flows are told");
}

#[test]
fn a_page_that_drifts_is_found() {
    let text = page(PAGE).text;
    let known = Known::of(&tools(), &routes());
    let spoilt = [
        (text.replace("fleet_poll", "fleet_read"), "no tool fleet_read"),
        (text.replace("A->>C: propose(", "A->>C: approve("), "no tool approve"),
        (format!("{text}\nLook with `read-proposal`.\n"), "no tool read-proposal"),
        (text.replace("turnId", "turnNumber"), "no word turnNumber"),
        (text.replace("`/mcp`", "`/sse`"), "no route /sse"),
        (text.replace(DISCLAIMER[0], ""), "it does not say: This page"),
        (text.replace(DISCLAIMER[1], ""), "it does not say: The live"),
        (format!("{text}\n| tool | does |\n"), "a catalogue: | tool"),
        (format!("{text}\n- `fleet_poll` reads a ticket\n"), "a catalogue: - `fleet_poll`"),
        (format!("{text}\n## Another\n\nwords\n"), "\"Another\" has 0 diagrams"),
        (String::new(), "it names no tool"),
    ];
    for (spoilt, fault) in spoilt {
        let found = faults(&spoilt, &known);
        assert!(found.iter().any(|said| said.contains(fault)), "{fault:?} is not among {found:#?}");
    }
}

/// The page is compared with what is there, so what goes from there is found too; and nothing compares with nothing.
#[test]
fn a_server_that_drifts_is_found() {
    let text = page(PAGE).text;
    let fewer: Vec<_> = tools().into_iter().filter(|name| *name != "fleet_ask").collect();
    let cases = [
        (Known::of(&fewer, &routes()), "no tool fleet_ask"),
        (Known::of(&[], &routes()), "there is no tool to name"),
        (Known::of(&tools(), &[]), "there is no route to name"),
        (Known::of(&tools(), &["/other"]), "no route /mcp"),
    ];
    for (known, fault) in cases {
        let found = faults(&text, &known);
        assert!(found.iter().any(|said| said.contains(fault)), "{fault:?} is not among {found:#?}");
    }
}
