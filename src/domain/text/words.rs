//! Words whose letters are not the ones they seem to be.

use unicode_script::{Script, UnicodeScript};
use unicode_security::{MixedScript, skeleton};

use super::{Cell, Glyph, Kind, Warning, Warnings};

/// Marks odd words and puts the name of their scripts behind them.
pub(super) fn judge(cells: Vec<Cell>, kind: Kind, warnings: &mut Warnings) -> Vec<Cell> {
    if cells.iter().all(|cell| cell.char().is_none_or(|c| c.is_ascii())) {
        return cells;
    }
    let mut out: Vec<Cell> = Vec::with_capacity(cells.len());
    let mut word = Vec::new();
    for cell in cells {
        if cell.char().is_some_and(|c| belongs(c, kind)) {
            word.push(cell);
            continue;
        }
        close(&mut word, &mut out, (kind, warnings));
        out.push(cell);
    }
    close(&mut word, &mut out, (kind, warnings));
    out
}

/// In a command a sign that stands in for an ASCII one (a dash for a hyphen) counts as well.
fn belongs(c: char, kind: Kind) -> bool {
    c.is_alphanumeric() || c == '_' || c.script() == Script::Inherited || (kind == Kind::Command && !c.is_ascii())
}

fn close(word: &mut Vec<Cell>, out: &mut Vec<Cell>, (kind, warnings): (Kind, &mut Warnings)) {
    let text: String = word.iter().filter_map(Cell::char).collect();
    let Some(scripts) = oddity(&text, kind) else {
        out.append(word);
        return;
    };
    warnings.note(Warning::Lookalike, &text, "");
    for cell in word.iter_mut() {
        cell.odd = true;
    }
    let chip = word.last().map(|last| Cell { glyph: Glyph::Chip(scripts), odd: false, ..last.clone() });
    out.append(word);
    out.extend(chip);
}

/// The scripts of a word that mixes them, or that reads as ASCII while it is not.
fn oddity(word: &str, kind: Kind) -> Option<String> {
    if word.is_ascii() {
        return None;
    }
    let mixed = !word.is_single_script();
    let reads_as_ascii = kind == Kind::Command && skeleton(word).all(|c| c.is_ascii());
    if !mixed && !reads_as_ascii {
        return None;
    }
    let mut names: Vec<&str> = Vec::new();
    for script in word.chars().filter(|c| !c.is_ascii_digit()).map(|c| c.script()) {
        let name = if script == Script::Common { "symbol" } else { script.full_name() };
        if script != Script::Inherited && name != "symbol" && !names.contains(&name) {
            names.push(name);
        }
    }
    if names.is_empty() || (names == ["Latin"] && !mixed) {
        // Such as fullwidth or mathematical letters: the numbers say it best.
        let numbers: Vec<String> = word.chars().filter(|c| !c.is_ascii()).take(4).map(super::chars::label).collect();
        return Some(numbers.join(" "));
    }
    Some(names.join("+"))
}
