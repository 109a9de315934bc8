//! The table that is printed: one line a ratio, with what it should be and how sure the reading is.

use std::fmt;

use crate::cell::Cell;
use crate::rows::Setting;

/// An anchor that spreads further than this makes its row worthless.
const NOISY: f64 = 0.4;

/// What a ratio should be.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Goal {
    AtLeast(f64),
    AtMost(f64),
    /// For information.
    Told,
}

/// One line.
struct Line {
    name: String,
    value: String,
    goal: String,
    verdict: &'static str,
    anchor: String,
}

/// All lines so far.
pub(crate) struct Table {
    title: String,
    lines: Vec<Line>,
}

impl Table {
    pub(crate) fn new(setting: &Setting) -> Self {
        let Setting { reps, seconds, .. } = setting;
        let title =
            format!("{reps} repetitions in turn, {seconds} s a cell; medians, (lowest–highest), spread of the anchor");
        Self { title, lines: Vec::new() }
    }

    /// A ratio of two cells that were measured in turn; `what` is the anchor in words.
    pub(crate) fn ratio(&mut self, name: &str, cells: (&Cell, &Cell), goal: Goal, what: &str) {
        let (cell, anchor) = cells;
        let ratio = cell.over(anchor);
        let anchor_told = format!("{what} {} ±{:.0} %", short(anchor.median()), anchor.spread() * 50.0);
        let noisy = anchor.spread() > NOISY;
        self.push(name, &ratio, goal, (noisy, anchor_told));
    }

    /// A number with a goal of its own, which no anchor excuses.
    pub(crate) fn number(&mut self, name: &str, cell: &Cell, goal: Goal, what: &str) {
        self.push(name, cell, goal, (false, what.to_owned()));
    }

    fn push(&mut self, name: &str, cell: &Cell, goal: Goal, (noisy, anchor): (bool, String)) {
        let value = cell.median();
        let (goal, met) = match goal {
            Goal::AtLeast(least) => (format!(">= {}", short(least)), Some(value >= least)),
            Goal::AtMost(most) => (format!("<= {}", short(most)), Some(value <= most)),
            Goal::Told => ("-".to_owned(), None),
        };
        let verdict = match met {
            Some(_) if noisy => "noisy",
            Some(true) => "met",
            Some(false) => "MISSED",
            None => "",
        };
        let (low, high) = cell.range();
        let value = format!("{} ({}–{})", short(value), short(low), short(high));
        eprintln!("  {name}: {value} {verdict}");
        self.lines.push(Line { name: name.to_owned(), value, goal, verdict, anchor });
    }
}

/// Three digits that count.
fn short(value: f64) -> String {
    match value.abs() {
        v if v >= 1000.0 => format!("{:.1}k", value / 1000.0),
        v if v >= 100.0 => format!("{value:.0}"),
        v if v >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = |of: fn(&Line) -> usize, least: usize| self.lines.iter().map(of).fold(least, usize::max);
        let name = width(|line| line.name.chars().count(), 4);
        let value = width(|line| line.value.chars().count(), 5);
        let goal = width(|line| line.goal.chars().count(), 4);
        writeln!(f, "\n{}\n", self.title)?;
        writeln!(f, "{:name$}  {:value$}  {:goal$}  {:7} anchor", "what", "ratio", "goal", "")?;
        for line in &self.lines {
            let Line { name: said, value: read, goal: wanted, verdict, anchor } = line;
            writeln!(f, "{said:name$}  {read:value$}  {wanted:goal$}  {verdict:7} {anchor}")?;
        }
        Ok(())
    }
}
