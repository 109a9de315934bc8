//! Every dialog of the vectors, against the bars.

use std::collections::BTreeMap;

use serde_json::Value;

use super::lines::{classify, commands, holds, id, is_arguable};

/// Arguable holds that are approved on purpose, and the heading under which `docs/classifier.md` says why.
const CHOICES: &[(&str, &str)] = &[("cs-200", "`process.env`")];

/// Legitimate vectors of the seed's own words that are held; none so far.
const HELD: &[&str] = &[];

fn judged() -> Vec<(Value, Value)> {
    let vectors = commands();
    let answers = classify(&vectors);
    vectors.into_iter().zip(answers).collect()
}

/// The ids of vectors for which something is so.
fn ids(judged: &[(Value, Value)], so: impl Fn(&Value, &Value) -> bool) -> Vec<&str> {
    judged.iter().filter(|(vector, answer)| so(vector, answer)).map(|(vector, _)| id(vector)).collect()
}

#[test]
fn no_hold_is_approved() {
    let judged = judged();
    let approved = |answer: &Value| answer["verdict"] != "hold";
    assert_eq!(
        ids(&judged, |vector, answer| holds(vector) && !is_arguable(vector) && approved(answer)),
        Vec::<&str>::new()
    );
    let chosen: Vec<_> = CHOICES.iter().map(|(id, _)| *id).collect();
    assert_eq!(ids(&judged, |vector, answer| holds(vector) && is_arguable(vector) && approved(answer)), chosen);
    let docs = include_str!("../../../docs/classifier.md");
    for (id, heading) in CHOICES {
        assert!(docs.contains(heading), "docs/classifier.md does not name the choice behind {id}: {heading}");
    }
}

#[test]
fn what_the_seed_approves_is_approved() {
    let judged = judged();
    let legitimate = |vector: &Value| !holds(vector) && vector["tier"] == "seed";
    let held = ids(&judged, |vector, answer| legitimate(vector) && answer["verdict"] == "hold");
    assert_eq!(held, HELD);
    assert!(ids(&judged, |vector, _| legitimate(vector)).len() > 100, "the rule looked at nothing");
}

#[test]
fn classes_and_vetoes_are_exact() {
    let judged = judged();
    let class = |vector: &Value, answer: &Value| {
        let expect = &vector["expect"];
        let others = expect["class_alt"].as_array().into_iter().flatten();
        std::iter::once(&expect["class"]).chain(others).any(|class| class == &answer["class"])
    };
    assert_eq!(ids(&judged, |vector, answer| !class(vector, answer)), Vec::<&str>::new());
    assert_eq!(ids(&judged, |vector, answer| vector["expect"]["veto"] != answer["veto"]), Vec::<&str>::new());
    let scope = |vector: &Value, answer: &Value| vector["expect"]["repo_scoped"] == answer["repo_scoped"];
    assert_eq!(ids(&judged, |vector, answer| !is_arguable(vector) && !scope(vector, answer)), Vec::<&str>::new());
}

#[test]
fn an_answer_says_why_and_what_it_would_press() {
    for (vector, answer) in judged() {
        let held = answer["verdict"] == "hold";
        assert_eq!(held, !answer["reasons"].as_array().unwrap().is_empty(), "{}", id(&vector));
        assert!(held || answer["option"]["n"].is_u64(), "{}", id(&vector));
    }
}

/// Rates by kind, for whoever changes the classifier: `cargo test --test it rates_by_kind -- --nocapture`.
#[test]
fn rates_by_kind() {
    let mut kinds: BTreeMap<String, (usize, usize, usize)> = BTreeMap::new();
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for (vector, answer) in judged() {
        let kind = kinds.entry(vector["kind"].as_str().unwrap().to_owned()).or_default();
        kind.0 += 1;
        kind.1 += usize::from(vector["expect"]["decision_with_shipping_defaults"] == answer["verdict"]);
        kind.2 += usize::from(answer["verdict"] == "auto_approve");
        if let Some(first) = answer["reasons"].get(0) {
            *reasons.entry(first["code"].as_str().unwrap().to_owned()).or_default() += 1;
        }
    }
    println!("{:16} {:>5} {:>9} {:>8}", "kind", "all", "as wanted", "approved");
    for (kind, (all, right, approved)) in &kinds {
        println!("{kind:16} {all:>5} {right:>9} {approved:>8}");
    }
    let mut reasons: Vec<_> = reasons.into_iter().map(|(code, times)| (times, code)).collect();
    reasons.sort_by(|a, b| b.cmp(a));
    for (times, code) in reasons.iter().take(10) {
        println!("{times:>5} held first for {code}");
    }
    assert_eq!(kinds.values().map(|kind| kind.0).sum::<usize>(), commands().len());
}
