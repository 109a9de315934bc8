//! Finds what can be chosen: the lowest block of rows that looks like a menu.

use super::buttons;
use super::choose;
use super::grid::Style;
use super::line::{Line, Lines, Shape};
use super::rules::{RowShape, Rules};
use super::wrap;

/// Blank rows between two options; more is the end of the block.
const WIDEST_GAP: usize = 3;
/// More options than any dialog has; a longer list is a document.
const MOST_OPTIONS: usize = 30;

/// One option as it stands on the screen.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub n: u32,
    /// The row's own text.
    pub label: String,
    /// The column its label starts in.
    pub column: usize,
    /// Where it stands.
    pub line: usize,
    /// Further rows that belong to it.
    pub more: Vec<usize>,
    pub selected: bool,
}

/// A block of options.
#[derive(Clone, Debug)]
pub(super) struct Menu {
    pub shape: RowShape,
    pub choices: Vec<Choice>,
    /// Its first row.
    pub first: usize,
    /// The row after its last.
    pub end: usize,
    /// How many boxes it is in.
    pub boxes: usize,
}

impl Menu {
    pub(super) fn new(shape: RowShape, choices: Vec<Choice>, boxes: usize) -> Self {
        let first = choices.first().map_or(0, |choice| choice.line);
        let end = choices.last().map_or(0, |choice| choice.more.last().copied().unwrap_or(choice.line) + 1);
        Self { shape, choices, first, end, boxes }
    }
}

/// The lowest menu on the screen, in any of the shapes that the agent uses.
pub(super) fn lowest(lines: &Lines, rules: &Rules) -> Option<Menu> {
    let found = rules.shapes.iter().filter_map(|shape| match shape {
        RowShape::Numbered => numbered(lines, rules),
        RowShape::Pointed => pointed(lines, rules),
        RowShape::Keyed => keyed(lines),
        RowShape::Buttons => buttons::find(lines),
        RowShape::Inline | RowShape::Entry => None,
    });
    // Of two readings of the same rows the first shape in the table counts.
    let mut best: Option<Menu> = None;
    for menu in found {
        if best.as_ref().is_none_or(|best| menu.end > best.end) {
            best = Some(menu);
        }
    }
    best.map(|menu| with_look(lines, menu))
}

struct Numbered {
    n: u32,
    marked: bool,
    /// Column of the number.
    digits: usize,
    label: String,
    column: usize,
    /// Nothing stands between the number and the label.
    bare: bool,
}

/// Whether a row is an option with a number: text that a person types is seldom, and then it may wait.
pub(super) fn is_option(line: &Line, rules: &Rules) -> bool {
    numbered_row(line, rules).is_some()
}

fn numbered_row(line: &Line, rules: &Rules) -> Option<Numbered> {
    if !line.is_text() {
        return None;
    }
    let chars: Vec<char> = line.text.chars().collect();
    let blanks = |from: usize| chars[from..].iter().take_while(|c| **c == ' ').count();
    let marked = rules.markers.contains(chars.first()?);
    let at = if marked { 1 + blanks(1) } else { 0 };
    if marked && at == 1 {
        return None;
    }
    let digits: String = chars[at..].iter().take_while(|c| c.is_ascii_digit()).take(3).collect();
    let after = at + digits.len();
    let dotted = matches!(chars.get(after), Some('.' | ')'));
    if !matches!(digits.len(), 1 | 2) || !(dotted || rules.bare_numbers) {
        return None;
    }
    let end = after + usize::from(dotted);
    let from = end + blanks(end.min(chars.len()));
    if from == end || from >= chars.len() {
        return None;
    }
    let (label, column) = line.rest(from);
    Some(Numbered { n: digits.parse().ok()?, marked, digits: line.rest(at).1, label, column, bare: !dotted })
}

/// Options that are still being gathered.
struct Block {
    choices: Vec<Choice>,
    /// Column of the numbers.
    digits: usize,
    /// Rows without text since the last option.
    gap: usize,
    /// Nothing stands between the numbers and the labels.
    bare: bool,
}

/// Options with numbers from 1 in order; what stands deeper below one belongs to it.
fn numbered(lines: &Lines, rules: &Rules) -> Option<Menu> {
    let mut best = None;
    let mut open: Option<Block> = None;
    for (at, line) in lines.all.iter().enumerate() {
        if let Some(row) = numbered_row(line, rules) {
            let choice = Choice {
                n: row.n,
                label: row.label,
                column: row.column,
                line: at,
                more: Vec::new(),
                selected: row.marked,
            };
            match &mut open {
                Some(block) if follows(&block.choices, row.n, row.digits.abs_diff(block.digits)) => {
                    block.choices.push(choice);
                    block.gap = 0;
                }
                _ => {
                    keep(&mut best, open.take(), lines);
                    let block = Block { choices: vec![choice], digits: row.digits, gap: 0, bare: row.bare };
                    open = (row.n == 1).then_some(block);
                }
            }
        } else if open.as_mut().is_some_and(|block| !goes_on(block, line, at, lines)) {
            keep(&mut best, open.take(), lines);
        }
    }
    keep(&mut best, open, lines);
    best
}

/// The next number in the same column; two digits may begin one column further left.
fn follows(choices: &[Choice], n: u32, shift: usize) -> bool {
    let next = choices.last().is_some_and(|last| last.n + 1 == n) && choices.len() < MOST_OPTIONS;
    next && shift <= usize::from(n > 9)
}

/// Whether a row without a number can still be inside the block; if it is text, it is added to the last option.
fn goes_on(block: &mut Block, line: &Line, at: usize, lines: &Lines) -> bool {
    let Some(last) = block.choices.last_mut() else {
        return false;
    };
    let same = lines.all[last.line].boxes == line.boxes;
    match line.shape {
        Shape::Blank | Shape::Rule | Shape::Dashes => {
            block.gap += 1;
            same && block.gap <= WIDEST_GAP
        }
        Shape::Text if same && block.gap == 0 => {
            // Below a box to tick the description may be as far left as the number.
            let deep = line.start > block.digits + 1 || last.label.starts_with('[') && line.start >= block.digits;
            if deep {
                last.more.push(at);
            }
            deep
        }
        Shape::Text | Shape::Top | Shape::Bottom => false,
    }
}

/// Bare numbers stand in many a text; only with a marker among them they are options.
fn keep(best: &mut Option<Menu>, block: Option<Block>, lines: &Lines) {
    let real = |block: &Block| !block.bare || block.choices.iter().any(|choice| choice.selected);
    let Some(block) = block.filter(|block| block.choices.len() > 1 && real(block)) else {
        return;
    };
    let boxes = lines.all[block.choices[0].line].boxes;
    *best = Some(Menu::new(RowShape::Numbered, block.choices, boxes));
}

/// Options without numbers around the one that carries the marker.
fn pointed(lines: &Lines, rules: &Rules) -> Option<Menu> {
    lines.all.iter().enumerate().rev().find_map(|(at, line)| {
        let marked = line.is_text() && line.text.starts_with(rules.markers);
        let skip = 1 + line.text.chars().skip(1).take_while(|c| *c == ' ').count();
        let (label, column) = line.rest(skip);
        if !marked || skip == 1 || label.is_empty() {
            return None;
        }
        let beside = |near: &Line| near.is_text() && near.boxes == line.boxes && near.start >= column;
        let from = (0..at).rev().take_while(|near| beside(&lines.all[*near])).last().unwrap_or(at);
        let to = (at + 1..lines.all.len()).take_while(|near| beside(&lines.all[*near])).last().unwrap_or(at);
        let mut choices: Vec<Choice> = Vec::new();
        for near in from..=to {
            let own = near == at;
            // What a narrow pane breaks may go on in the labels' own column; behind its key a row is whole.
            let row = &lines.all[near];
            let answers = choose::positive(rules.agent, &row.text) || choose::negative(rules.agent, &row.text);
            let open = near > from && !lines.all[near - 1].text.ends_with(')');
            let broken = open && !answers && wrap::flows(&lines.all[near - 1], row);
            match choices.last_mut() {
                Some(last) if !own && (row.start > column || broken) => last.more.push(near),
                _ => {
                    let text = if own { label.clone() } else { lines.all[near].text.clone() };
                    choices.push(choice(choices.len(), text, column, near));
                }
            }
        }
        for choice in &mut choices {
            choice.selected = choice.line == at;
        }
        let known = choices.iter().all(|choice| choose::known(rules.agent, &whole(lines, choice)));
        (choices.len() > 1 && known).then(|| Menu::new(RowShape::Pointed, choices, line.boxes))
    })
}

/// An option's text with the rows that belong to it.
fn whole(lines: &Lines, choice: &Choice) -> String {
    let more = choice.more.iter().map(|at| lines.all[*at].text.as_str());
    std::iter::once(choice.label.as_str()).chain(more).collect::<Vec<_>>().join(" ")
}

/// An option that is told by its place alone.
pub(super) fn choice(before: usize, label: String, column: usize, line: usize) -> Choice {
    let n = u32::try_from(before + 1).unwrap_or(u32::MAX);
    Choice { n, label, column, line, more: Vec::new(), selected: false }
}

/// Options with their key in square brackets in front.
fn keyed(lines: &Lines) -> Option<Menu> {
    let key = |line: &Line| -> Option<(char, bool)> {
        let text = line.text.trim_start_matches(['▶', '→', '❯']).trim_start();
        let inner = text.strip_prefix('[')?;
        let key = inner.chars().next().filter(char::is_ascii_alphanumeric)?;
        inner[1..].strip_prefix("] ").map(|_| (key, text.len() < line.text.len()))
    };
    let last = lines.all.iter().rposition(|line| line.is_text() && key(line).is_some())?;
    let boxes = lines.all[last].boxes;
    let first =
        (0..=last).rev().take_while(|at| lines.all[*at].boxes == boxes && key(&lines.all[*at]).is_some()).last()?;
    let mut choices: Vec<Choice> = Vec::new();
    for at in first..=last {
        let line = &lines.all[at];
        let text = line.text.trim_start_matches(['▶', '→', '❯']).trim_start().to_owned();
        let mut found = choice(choices.len(), text, line.start, at);
        found.selected = key(line).is_some_and(|(_, marked)| marked);
        choices.push(found);
    }
    (choices.len() > 1).then(|| Menu::new(RowShape::Keyed, choices, boxes))
}

/// Where no marker is drawn, the one option that looks different from all others is the chosen one.
fn with_look(lines: &Lines, mut menu: Menu) -> Menu {
    if menu.choices.iter().any(|choice| choice.selected) {
        return menu;
    }
    let looks: Vec<Option<Style>> =
        menu.choices.iter().map(|choice| look(&lines.all[choice.line], choice.column)).collect();
    let filled = |style: &Style| (style.inverse, style.bg);
    let plain = lines.all[menu.first].looks.last().map(filled);
    let lit: Vec<usize> =
        (0..looks.len()).filter(|at| looks[*at].as_ref().is_some_and(|style| Some(filled(style)) != plain)).collect();
    if let [only] = lit[..] {
        menu.choices[only].selected = true;
    }
    menu
}

fn look(line: &Line, column: usize) -> Option<Style> {
    line.looks.get(column.checked_sub(line.start)?).copied()
}
