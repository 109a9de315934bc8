//! What the tolerant reading makes of odd lines, and that no line is too odd.

use proptest::prelude::*;

use super::{read, starts};

fn words(text: &str) -> Vec<Vec<String>> {
    let reading = read(text);
    let certain = reading.commands.into_iter().filter(|command| command.certain);
    certain.map(|command| command.words.into_iter().map(|word| word.text).collect()).collect()
}

#[test]
fn structure_is_found() {
    assert_eq!(words("a b && c | d; e"), [vec!["a", "b"], vec!["c"], vec!["d"], vec!["e"]]);
    assert_eq!(words("A=1 b 2>&1 >c"), [vec!["b"]]);
    assert_eq!(words("a 'b c' \"d\\\"e\" f\\ g ''"), [vec!["a", "b c", "d\"e", "f g", ""]]);
    assert_eq!(words("a <<E b\n$(c)\nE\nd"), [vec!["a", "b"], vec!["d"], vec!["c"]]);
    assert_eq!(words("a <<'E'\n$(c)\nE\nd")[..2], [vec!["a"], vec!["d"]]);
    assert_eq!(words("a{b,c}d"), [vec!["abd", "acd"]]);
    assert_eq!(words("$'\\x63at' x"), [vec!["cat", "x"]]);
}

#[test]
fn wrappers_are_looked_behind() {
    for (text, want) in [
        ("sudo -u bob rm x", vec![0, 2, 3]),
        ("timeout 60 rm", vec![0, 2]),
        ("xargs -I{} node {}", vec![0, 2, 3]),
        ("env A=b rm", vec![0, 2]),
        ("if rm x", vec![1]),
        ("find . -exec rm {}", vec![0, 3]),
        ("git rm", vec![0]),
    ] {
        assert_eq!(starts(&read(text).commands[0].words), want, "{text}");
    }
}

proptest! {
    #[test]
    fn any_text_is_read(text in "\\PC{0,200}") {
        let _ = read(&text);
    }

    #[test]
    fn any_shell_like_text_is_read(text in "[a-c '\"$`(){}<>&|;\\\\\n!#=*\u{200b}é]{0,120}") {
        let _ = read(&text);
    }
}
