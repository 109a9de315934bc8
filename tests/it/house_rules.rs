//! The house rules that no compiler knows, checked by reading the tree; each check also shows that it can fail.

mod rules;
mod source;

use self::source::Source;
pub use self::source::files;

type Rule = fn(&Source) -> Vec<String>;

/// Applies a rule to files, of which there must be some.
fn hold(rule: Rule, sources: &[Source]) {
    assert!(!sources.is_empty(), "the rule looked at nothing");
    let broken: Vec<String> = sources.iter().flat_map(rule).collect();
    assert!(broken.is_empty(), "\n{}\n", broken.join("\n"));
}

/// How often a rule finds fault with a file of this name and text.
fn faults(rule: Rule, path: &str, text: &str) -> usize {
    rule(&Source::new(path, text)).len()
}

fn rust(folders: &[&str]) -> Vec<Source> {
    let found: Vec<_> = folders.iter().flat_map(|folder| files(folder, ".rs")).collect();
    for folder in folders {
        assert!(found.iter().any(|source| source.path.starts_with(folder)), "{folder} has no Rust files");
    }
    found
}

#[test]
fn domain_is_pure() {
    hold(rules::impure, &rust(&["src/domain"]));
    assert_eq!(faults(rules::impure, "src/domain/a.rs", "use std::{fmt, fs::read};"), 1);
    assert_eq!(faults(rules::impure, "src/domain/a.rs", "let now = chrono::Utc::now();"), 1);
    assert_eq!(faults(rules::impure, "src/domain/a.rs", "async fn f() {}"), 1);
    assert_eq!(
        faults(rules::impure, "src/domain/a.rs", "use std::fmt; // tokio, std::fs\nlet a = \"sqlx::query\";"),
        0
    );
}

#[test]
fn names_point_one_way() {
    let sources = rust(&["src"]);
    hold(rules::layers, &sources);
    for module in ["domain", "store", "flows", "http", "cli"] {
        assert!(sources.iter().any(|source| source.module().first() == Some(&module)), "no module {module}");
    }
    assert_eq!(faults(rules::layers, "src/domain/a.rs", "use crate::{domain::b, store::c};"), 1);
    assert_eq!(faults(rules::layers, "src/store/a.rs", "use super::super::flows::b;"), 1);
    assert_eq!(
        faults(rules::layers, "src/store/a.rs", "use super::b; use crate::domain::c; use crate::error::Error;"),
        0
    );
    assert_eq!(faults(rules::layers, "src/http/a.rs", "fn f() { crate::jobs::run() }"), 1);
    assert_eq!(faults(rules::layers, "src/drawer/a.rs", ""), 1);
}

#[test]
fn sql_is_in_store_and_checked() {
    hold(rules::sql, &rust(&["src"]));
    assert_eq!(faults(rules::sql, "src/flows/a.rs", "sqlx::query!(\"select 1\")"), 1);
    assert_eq!(faults(rules::sql, "src/flows/a.rs", "use sqlx::query_as; query_as!(A, \"select 1\")"), 2);
    assert_eq!(faults(rules::sql, "src/http/a.rs", "use axum::extract::Query; fn query() {}"), 0);
    assert_eq!(faults(rules::sql, "src/store/a.rs", "sqlx::query!(\"select 1\")"), 0);
    assert_eq!(faults(rules::sql, "src/store/a.rs", "sqlx::query(\"select 1\")"), 1);
    assert_eq!(faults(rules::sql, "src/store/a.rs", "sqlx::raw_sql(&text)"), 1);
}

#[test]
fn files_are_small() {
    hold(rules::length, &rust(&["src", "tests"]));
    assert_eq!(faults(rules::length, "src/a.rs", &"x\n".repeat(301)), 1);
    assert_eq!(faults(rules::length, "src/a.rs", &"x\n".repeat(300)), 0);
}

#[test]
fn every_file_opens_with_a_sentence() {
    hold(rules::opening, &rust(&["src", "tests"]));
    assert_eq!(faults(rules::opening, "src/a.rs", "use b;"), 1);
}

#[test]
fn modules_are_named_for_what_they_hold() {
    hold(rules::vague_name, &rust(&["src", "tests"]));
    assert_eq!(faults(rules::vague_name, "src/http/utils.rs", ""), 1);
    assert_eq!(faults(rules::vague_name, "src/service/mod.rs", ""), 1);
}

#[test]
fn nothing_is_left_for_later() {
    hold(rules::unkept_promise, &rust(&["src"]));
    assert_eq!(faults(rules::unkept_promise, "src/a.rs", concat!("// TO", "DO")), 1);
}

#[test]
fn templates_escape_everything_and_carry_no_script() {
    hold(rules::inline, &files("templates", ".html"));
    for bad in [
        "{{ body | safe }}",
        "<style>a{}</style>",
        "<script>a()</script>",
        "<p style=\"a\">",
        "<a\n onclick='b'>",
        "<a href=\"javascript:b\">",
    ] {
        assert_eq!(faults(rules::inline, "templates/a.html", bad), 1, "{bad}");
    }
    assert_eq!(
        faults(rules::inline, "templates/a.html", "<script src=\"/static/app.js\" defer></script><p>{{ a }}"),
        0
    );
}
