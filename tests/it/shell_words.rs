//! Accepted command lines mean to real shells the words that we read in them.

use std::io::Write;
use std::process::Stdio;

use countersign::domain::shell;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use crate::support::scratch::{folder, program};

/// How many accepted lines each shell is asked about.
const LINES: usize = 1500;

/// Words of every accepted sort, side by side in one word too.
fn line() -> impl Strategy<Value = String> {
    let piece = prop_oneof!["[A-Za-z0-9_./:=,@%+^~-]{1,6}", "'[ -&(-~äΩ日]{0,6}'", "\"[ #%-\\[\\]^_a-z|~']{0,6}\"",];
    let word = prop::collection::vec(piece, 1..4).prop_map(|pieces| pieces.concat());
    prop::collection::vec(word, 1..8).prop_map(|words| format!("echo {}", words.join(" ")))
}

/// Accepted lines, the same in every run: the source of their words, and the words.
fn accepted() -> Vec<(String, Vec<String>)> {
    let mut runner = TestRunner::deterministic();
    let mut found = Vec::new();
    for _ in 0..LINES * 20 {
        let text = line().new_tree(&mut runner).unwrap().current();
        let Ok(read) = shell::lex(&text) else { continue };
        // What the shell does with an operator is not a matter of words.
        let [segment] = read.segments.as_slice() else { continue };
        let words = &segment.words[1..];
        if let (Some(first), Some(last)) = (words.first(), words.last()) {
            let source = text[first.span.start..last.span.end].to_owned();
            found.push((source, words.iter().map(|word| word.text.clone()).collect()));
        }
        if found.len() == LINES {
            break;
        }
    }
    assert_eq!(found.len(), LINES, "too few lines are accepted");
    found
}

/// What a shell prints for each line's words: one after the other, each with a NUL, each line with a record mark.
fn printed(shell: &str, lines: &[(String, Vec<String>)]) -> Vec<Vec<String>> {
    let commands = lines.iter().map(|(source, _)| format!("printf '%s\\0' {source}\nprintf '\\036'\n"));
    let script = commands.collect::<Vec<_>>().concat();
    let mut child = program(shell)
        .current_dir(folder("shell-words"))
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(script.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let words = |record: &str| record.split_terminator('\0').map(str::to_owned).collect();
    text.split_terminator('\u{1e}').map(words).collect()
}

#[test]
fn real_shells_read_the_same_words() {
    let lines = accepted();
    for shell in ["/bin/bash", "/bin/sh"] {
        let printed = printed(shell, &lines);
        assert_eq!(printed.len(), lines.len(), "{shell}");
        for ((source, words), printed) in lines.iter().zip(&printed) {
            assert_eq!(printed, words, "{shell}: {source:?}");
        }
    }
}
