//! Any text in any field ends in an answer, and nothing wild is ever proven.

use proptest::prelude::*;

use super::*;

/// Pieces of commands and paths, plain and odd.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("cd crates && ".to_owned()),
        Just("git log ".to_owned()),
        Just("cargo test ".to_owned()),
        Just("cat ".to_owned()),
        Just("rg -n ".to_owned()),
        Just("--".to_owned()),
        Just("-".to_owned()),
        Just("..".to_owned()),
        Just("/".to_owned()),
        Just("~".to_owned()),
        Just("=".to_owned()),
        Just("://".to_owned()),
        Just(" ".to_owned()),
        Just("'".to_owned()),
        Just("| ".to_owned()),
        Just("; ".to_owned()),
        "[a-z.]{1,4}",
        "\\PC{1,3}",
        any::<String>(),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn any_text_ends_in_an_answer(
        (command, file, url) in (text(), text(), text()),
        (cwd, worktree, root) in (text(), text(), text()),
        plain in any::<bool>(),
    ) {
        let subject = Subject { command: Some(command), files: vec![file], urls: vec![url], ..Subject::default() };
        let place = if plain { dialog() } else { Dialog { cwd, worktree, repo_root: root, ..Dialog::default() } };
        let place = looked_up(place, &subject, &Compact::default());
        for class in Class::ALL {
            let _ = prove(*class, &subject, &place, &hosts());
        }
        let _ = (effects(&subject, &place), seen(&subject, &place));
    }

    /// A word that a proof lets through stays inside when a program resolves it, step by step.
    #[test]
    fn what_is_proven_resolves_inside(word in "[a-c./~ -]{1,12}") {
        let subject = file(&word);
        let place = looked_up(dialog(), &subject, &Compact::default());
        if prove(Class::FileWrite, &subject, &place, &hosts()).is_ok() {
            let mut path = std::path::PathBuf::from(ROOT);
            for part in std::path::Path::new(&word).components() {
                match part {
                    std::path::Component::ParentDir => { path.pop(); }
                    std::path::Component::Normal(part) => path.push(part),
                    std::path::Component::CurDir => {}
                    other => prop_assert!(false, "{other:?}"),
                }
            }
            prop_assert!(path.starts_with(ROOT) && path != std::path::Path::new(ROOT), "{word}");
        }
    }
}
