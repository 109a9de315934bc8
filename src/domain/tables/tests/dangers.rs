//! Every known danger, in every spelling that a program may take for it, on every way through every table.

use super::super::grammar::{After, Danger, Flags, Node, Spelling, Table};
use super::super::{PROGRAMS, special};
use super::verdict;

/// A place in a command line where words of one part of a table are read.
struct Spot {
    /// The words before it.
    before: Vec<String>,
    /// The words behind it.
    behind: Vec<String>,
    flags: &'static Flags,
    dangers: &'static [Danger],
}

#[test]
fn each_holds_in_every_spelling() {
    let mut tried = 0;
    for table in PROGRAMS.iter().copied().chain([&special::RM, &special::CURL]) {
        for spot in table.samples.iter().flat_map(|sample| spots(table, sample)) {
            for danger in spot.dangers.iter().flat_map(|danger| danger.words) {
                for spelled in spellings(danger, spot.flags) {
                    for line in lines(&spot, &spelled) {
                        assert!(verdict(&line).is_err(), "{line}");
                        tried += 1;
                    }
                }
                let words = [spot.before.as_slice(), &[(*danger).to_owned()], &spot.behind].concat();
                let fault = verdict(&words.join(" ")).unwrap_err();
                assert!(fault.code.starts_with("dangerous"), "{words:?}: {fault:?}");
            }
        }
    }
    assert!(tried > 20_000, "{tried}");
}

/// The spots of one sample, from the program's name to its end.
fn spots(table: &'static Table, sample: &str) -> Vec<Spot> {
    let words: Vec<String> = sample.split(' ').map(str::to_owned).collect();
    let mut spots = Vec::new();
    let mut node = table.node;
    let mut at = 1;
    loop {
        match node {
            Node::Skip(_, next) => {
                at += 1;
                node = *next;
            }
            Node::Choose(choose) => {
                spots.push(spot(&words, at, (choose.flags, choose.dangers)));
                let position = |word: &String| choose.choices.iter().find(|(names, _)| names.contains(&word.as_str()));
                let Some(found) = words[at..].iter().position(|word| position(word).is_some()) else {
                    let Some((_, next)) = choose.otherwise else { return spots };
                    at += 1;
                    node = next;
                    continue;
                };
                at += found;
                node = position(&words[at]).unwrap().1;
                at += 1;
            }
            Node::Arguments(arguments) => {
                spots.push(spot(&words, at, (arguments.flags, arguments.dangers)));
                let dashes = words.iter().position(|word| word == "--");
                let end = dashes.unwrap_or(words.len());
                spots.push(spot(&words, end, (arguments.flags, arguments.dangers)));
                if let (Some(dashes), After::To(next)) = (dashes, arguments.after) {
                    spots.push(spot(&words, dashes + 1, (next.flags, next.dangers)));
                }
                return spots;
            }
        }
    }
}

fn spot(words: &[String], at: usize, (flags, dangers): (&'static Flags, &'static [Danger])) -> Spot {
    Spot { before: words[..at].to_vec(), behind: words[at..].to_vec(), flags, dangers }
}

fn lines(spot: &Spot, spelled: &str) -> Vec<String> {
    let quote = |word: &String| crate::domain::shell::quoted(word);
    let before: Vec<_> = spot.before.iter().map(quote).collect();
    let behind: Vec<_> = spot.behind.iter().map(quote).collect();
    let (before, behind) = (before.join(" "), behind.join(" "));
    let mut lines = vec![format!("{before} {spelled} {behind}")];
    if !spelled.contains([' ', '=']) {
        lines.push(format!("{before} '{spelled}' {behind}"));
    }
    lines
}

/// The spellings of a flag: alone, with its value behind, attached, after `=`, shortened, in a bundle.
fn spellings(danger: &str, flags: &Flags) -> Vec<String> {
    let long = danger.starts_with("--") || (danger.starts_with('-') && danger.len() > 2);
    let mut found = vec![danger.to_owned()];
    if !danger.starts_with('-') || danger.contains('=') {
        return found;
    }
    found.extend(["=x", " x", "=../x", " /tmp/x"].map(|value| format!("{danger}{value}")));
    if long {
        let known = |name: &&str| !is_known(flags, name);
        let shorter = (4..danger.len()).filter_map(|end| danger.get(..end)).filter(known);
        found.extend(shorter.flat_map(|name| [name.to_owned(), format!("{name}=x")]));
        return found;
    }
    found.extend(["x", "/tmp/x", "5"].map(|value| format!("{danger}{value}")));
    let letter = &danger[1..];
    let shorts = flags.plain.iter().filter(|flag| flag.len() == 2 && flags.spelling == Spelling::Gnu);
    found.extend(
        shorts.flat_map(|flag| {
            [format!("{flag}{letter}"), format!("{flag}{letter}x"), format!("{danger}{}", &flag[1..])]
        }),
    );
    found
}

fn is_known(flags: &Flags, name: &str) -> bool {
    let valued = flags.valued.iter().chain(flags.attached).flat_map(|(names, _)| *names);
    flags.plain.iter().chain(valued).any(|flag| *flag == name || flag.strip_prefix('-') == name.strip_prefix("--"))
}
