//! What each program may be asked to do unasked: one table for each, and nothing that is not in a table.

mod cargo;
mod cargo_tools;
mod checks;
mod claims;
mod explain;
mod files;
mod flags;
mod git;
mod git_log;
mod globs;
mod go;
mod grammar;
mod make;
mod node_tools;
mod npm;
mod packages;
mod pytest;
mod reading;
mod search;
mod shell_words;
mod special;

#[cfg(test)]
mod tests;

pub use claims::{Claim, Use};
pub use grammar::Table;
pub use reading::{Fault, Reading};
pub use shell_words::{changes_shell, matters_to_every_program};

use super::shell::Segment;

/// Every program that may run unasked where what it touches is proven.
static PROGRAMS: &[&Table] = &[
    &cargo::CARGO,
    &npm::NPM,
    &packages::PNPM,
    &packages::YARN,
    &packages::BUN,
    &go::GO,
    &make::MAKE,
    &pytest::PYTEST,
    &pytest::PYTHON,
    &pytest::PYTHON3,
    &search::RG,
    &search::GREP,
    &files::LS,
    &files::CAT,
    &node_tools::TSC,
    &node_tools::VITEST,
    &node_tools::ESLINT,
    &files::SED,
    &git::GIT,
    &files::CD,
    &files::HEAD,
    &files::TAIL,
    &files::WC,
    &files::ECHO,
    &files::PWD,
    &files::TRUE,
];

/// Which tables apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Set {
    /// The programs that look and build.
    Programs,
    /// These, and `rm`.
    Removing,
    /// These, and `curl`.
    Fetching,
    /// All of them: to find out which paths a command names.
    All,
}

/// Reads a command by its program's table.
pub fn read(set: Set, segment: &Segment) -> Result<Reading, Fault> {
    let name = segment.name();
    let extra: &[&'static Table] = match set {
        Set::Programs => &[],
        Set::Removing => &[&special::RM],
        Set::Fetching => &[&special::CURL],
        Set::All => &[&special::RM, &special::CURL],
    };
    let table = find(name).or_else(|| extra.iter().copied().find(|table| table.name == name));
    reading::read(table.ok_or_else(|| explain::program(name))?, segment)
}

/// A program's table.
pub fn find(name: &str) -> Option<&'static Table> {
    PROGRAMS.iter().copied().find(|table| table.name == name)
}

/// Whether a program executes code of the repository.
pub fn runs(name: &str) -> bool {
    find(name).is_some_and(|table| table.runs)
}

/// Whether a variable changes what any program of the tables does.
pub fn heeded(variable: &str) -> bool {
    let extra: [&Table; 2] = [&special::RM, &special::CURL];
    matters_to_every_program(variable) || PROGRAMS.iter().chain(&extra).any(|table| table.heeds(variable))
}

impl Table {
    /// Whether a variable changes what the program does.
    pub fn heeds(&self, variable: &str) -> bool {
        shell_words::matches(self.env, variable)
    }
}
