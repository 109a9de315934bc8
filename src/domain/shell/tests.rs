//! The accepted language by example, by property, and against the second parser.

use proptest::prelude::*;

use super::*;

fn words(text: &str) -> Vec<Vec<String>> {
    lex(text).unwrap_or_else(|rejection| panic!("{text}: {rejection:?}")).segments.iter().map(Segment::argv).collect()
}

fn why(text: &str) -> Why {
    lex(text).expect_err(text).why
}

#[test]
fn joins_and_words_are_told_apart() {
    assert_eq!(
        words("git log -1; ls src && cat 'a b' \"c;d\"|rg -n x"),
        [vec!["git", "log", "-1"], vec!["ls", "src"], vec!["cat", "a b", "c;d"], vec!["rg", "-n", "x"],]
    );
    let line = lex("make test 2>&1 | tail -5 || true").unwrap();
    let joins: Vec<_> = line.segments.iter().map(|segment| segment.operator).collect();
    assert_eq!(joins, [Operator::First, Operator::Pipe, Operator::Or]);
    assert_eq!(line.segments[0].redirects, [Redirect::ErrorsToOutput]);
    assert_eq!(lex("grep -rn x src 2>/dev/null").unwrap().segments[0].redirects, [Redirect::ErrorsAway]);
    assert_eq!(
        lex("make >/dev/null 2>&1").unwrap().segments[0].redirects,
        [Redirect::OutputAway, Redirect::ErrorsToOutput]
    );
    let line = lex("RUST_BACKTRACE=1 cargo test").unwrap();
    assert_eq!((line.segments[0].env.len(), line.segments[0].name()), (1, "cargo"));
    assert_eq!(words("git show HEAD~1 HEAD^"), [["git", "show", "HEAD~1", "HEAD^"]]);
    assert_eq!(words("ls\ncat a;"), [vec!["ls"], vec!["cat", "a"]]);
    assert_eq!(words("git commit -m 'größer → Δ'"), [["git", "commit", "-m", "größer → Δ"]]);
    let span = &lex("cat 'a b'").unwrap().segments[0].words[1].span;
    assert_eq!(span, &(4..9));
}

const REFUSED: &[(&str, Why)] = &[
    ("", Why::Empty),
    ("   ", Why::Empty),
    ("# cargo test", Why::Comment),
    ("cargo test &&", Why::Unfinished),
    ("&& ls", Why::Unfinished),
    ("ls;;", Why::Operator),
    ("ls |& cat", Why::Operator),
    ("ls & cat", Why::Background),
    ("ls &", Why::Background),
    ("cat $HOME", Why::Expansion),
    ("cat `id`", Why::Expansion),
    ("cat \"$x\"", Why::Expansion),
    ("cat $'a'", Why::Expansion),
    ("g\\it", Why::Escape),
    ("cat \"a\\\n\"", Why::Escape),
    ("cat *", Why::Glob),
    ("cat a?", Why::Glob),
    ("cat [a]", Why::Glob),
    ("cat {a,b}", Why::Brace),
    ("(ls)", Why::Group),
    ("cat <a", Why::Redirect),
    ("cat a > b", Why::Redirect),
    ("cat a 2>b", Why::Redirect),
    ("ls >/dev/nullx", Why::Redirect),
    ("2>&1 ls", Why::Redirect),
    ("ls 2>&1>x", Why::Redirect),
    ("! ls", Why::History),
    ("ls \"!x\"", Why::History),
    ("ls ~", Why::Tilde),
    ("ls a:~/x", Why::Tilde),
    ("ls a=~/x", Why::Tilde),
    ("ls =cat", Why::EqualsCommand),
    ("ls ^a", Why::Tilde),
    ("ls 'a", Why::OpenQuote),
    ("ls \"a", Why::OpenQuote),
    ("'git' status", Why::QuotedName),
    ("gi\"\"t diff", Why::QuotedName),
    ("/bin/ls", Why::PathName),
    ("./ls", Why::PathName),
    ("FOO=1 ls", Why::Environment),
    ("CI=1", Why::Environment),
    ("CI='1' ls", Why::Environment),
    ("CI=a/b ls", Why::Environment),
    ("ls; CI=1", Why::Environment),
    ("time ls", Why::Keyword),
    ("if true", Why::Keyword),
    ("ls\ta", Why::Blank),
    ("ls\u{a0}-la", Why::Blank),
    ("git\u{200b} status", Why::Unseen),
    ("ls\r\n", Why::Unseen),
    ("ls\0 -la", Why::Unseen),
    ("ls 'a\nb'", Why::Unseen),
    ("git commit -m 'a\u{2028}b'", Why::Unseen),
    ("cat 'a\u{202e}b'", Why::Unseen),
    ("cat é", Why::Foreign),
    ("\u{1b}[8mls", Why::Unseen),
];

#[test]
fn everything_else_is_refused_with_its_reason() {
    for (text, expected) in REFUSED {
        assert_eq!(why(text), *expected, "{text:?}");
    }
}

#[test]
fn limits_hold() {
    assert_eq!(why(&format!("echo {}", "a".repeat(MAX_BYTES))), Why::TooLong);
    assert_eq!(why(&format!("echo{}", " a".repeat(MAX_WORDS))), Why::TooManyWords);
    assert_eq!(words(&format!("echo{}", " a".repeat(MAX_WORDS - 1)))[0].len(), MAX_WORDS);
    assert_eq!(why(&vec!["ls"; MAX_SEGMENTS + 1].join(";")), Why::TooManySegments);
    assert_eq!(words(&vec!["ls"; MAX_SEGMENTS].join(" && ")).len(), MAX_SEGMENTS);
}

#[test]
fn shells_are_known_by_name() {
    for shell in ["bash", "-zsh", "/usr/bin/dash", "sh"] {
        assert!(is_known_shell(shell), "{shell}");
    }
    for shell in ["", "fish", "nu", "pwsh", "python3", "bash5", "/bin/bash/"] {
        assert!(!is_known_shell(shell), "{shell}");
    }
}

/// Pieces of which lines are made: most are accepted, some are not.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[A-Za-z0-9_./:=,@%+^~-]{1,8}",
        2 => "'[ -&(-~äΩ日]{0,8}'",
        2 => "\"[ #%-\\[\\]^_a-z|~]{0,8}\"",
        1 => Just(" 2>&1".to_owned()),
        1 => Just("CI=1 ".to_owned()),
        1 => Just(" if ".to_owned()),
        6 => Just(" ".to_owned()),
        1 => Just(" && ".to_owned()),
        1 => Just("|".to_owned()),
        1 => Just("; ".to_owned()),
        1 => Just("\n".to_owned()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn requoted_lines_read_the_same(pieces in prop::collection::vec(piece(), 1..24)) {
        let text = pieces.concat();
        if let Ok(line) = strict::read(&text) {
            // The other parser has no quarrel with anything that ours accepts.
            prop_assert!(second::agrees(&text, &line), "{text:?} {line:?}");
            let again: Vec<String> = line.segments.iter().map(rebuilt).collect();
            let again = lex(&again.concat()).unwrap();
            for (one, other) in line.segments.iter().zip(&again.segments) {
                prop_assert_eq!(one.operator, other.operator);
                prop_assert_eq!(one.argv(), other.argv());
                prop_assert_eq!(&one.redirects, &other.redirects);
            }
            prop_assert_eq!(line.segments.len(), again.segments.len());
        }
    }

    #[test]
    fn any_text_ends_in_an_answer(text in any::<String>()) {
        let _ = lex(&text);
    }
}

fn rebuilt(segment: &Segment) -> String {
    let env = segment.env.iter().map(|set| format!("{}={}", set.name, set.value));
    let words = segment.words.iter().map(|word| if word.quoted { quoted(&word.text) } else { word.text.clone() });
    let redirects = segment.redirects.iter().map(|redirect| redirect.as_str().to_owned());
    let parts: Vec<_> = env.chain(words).chain(redirects).collect();
    format!("{} {}", segment.operator.as_str(), parts.join(" "))
}
