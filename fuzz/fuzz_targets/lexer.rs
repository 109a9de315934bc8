//! Any text is read or refused; what is read means the same when it is written again.

#![no_main]

use countersign_fuzz::domain::reading;
use countersign_fuzz::domain::shell::{lex, quoted};
use countersign_fuzz::in_time;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    in_time(text.len(), || drop(lex(text)));
    in_time(text.len(), || drop(reading::read(text)));
    let Ok(line) = lex(text) else { return };
    for segment in &line.segments {
        let argv = segment.argv();
        // The name is never quoted, so that only the arguments are written again.
        let again = std::iter::once(argv[0].clone()).chain(argv[1..].iter().map(|word| quoted(word)));
        let again = again.collect::<Vec<_>>().join(" ");
        if again.len() <= 4096 {
            let same = lex(&again).map(|line| line.segments.iter().map(|one| one.argv()).collect::<Vec<_>>());
            assert_eq!(same.ok(), Some(vec![argv]), "{text:?} and {again:?}");
        }
    }
});
