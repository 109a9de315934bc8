//! Tells a command from what is written around it.

use super::line::Line;
use super::phrase::fold;
use super::wrap::{self, Joined};

/// A command under its title, deeper than it, and the description that may follow as its last sentence. Returns the
/// command and how many rows it and the description took, which leaves the description to the body.
pub(super) fn described(lines: &[Line], base: usize, styled: bool) -> (Option<Joined>, usize) {
    let told = |line: &Line| !line.is_blank();
    let from = lines.iter().position(told).unwrap_or(lines.len());
    let inside = |line: &Line| line.is_blank() || line.start > base + 1;
    let block = lines[from..].iter().take_while(|line| inside(line)).count();
    let end = from + lines[from..from + block].iter().rposition(told).map_or(0, |last| last + 1);
    if from == end {
        // Nothing is deeper than the title: what there is counts as the command as a whole.
        let found = wrap::text(lines);
        return (Some(found).filter(|found| !found.text.is_empty()), lines.len());
    }
    let split = from + description(&lines[from..end], styled);
    let mut command = wrap::text(&lines[from..split]);
    let shown = &lines[split..end];
    let told = styled && shown.iter().any(is_faint);
    command.guessed |= !told && !shown.is_empty() && may_run(&wrap::sentence(shown));
    (Some(command), split)
}

fn is_faint(line: &Line) -> bool {
    !line.looks.is_empty() && line.looks.iter().all(|look| look.dim)
}

/// Programs whose names are no English words, and ones whose names are: where capitals do not matter to the file system,
/// a last row that begins with one may be a command of its own.
const PROGRAMS: &[&str] = &[
    "awk", "bash", "cargo", "chmod", "chown", "cp", "curl", "dd", "docker", "eval", "git", "go", "kubectl", "mv", "nc",
    "node", "npm", "npx", "perl", "pip", "pnpm", "python", "python3", "rm", "rsync", "ruby", "scp", "sed", "sh", "ssh",
    "su", "sudo", "tee", "wget", "xargs", "yarn", "zsh",
];
const PROGRAMS_AND_VERBS: &[&str] =
    &["export", "find", "install", "kill", "link", "make", "open", "patch", "sort", "source", "split", "touch"];

/// Whether what reads like a description could run as well.
fn may_run(text: &str) -> bool {
    let folded = fold(text);
    let mut words = folded.split(' ');
    let first = words.next().unwrap_or_default();
    let rest: Vec<&str> = words.collect();
    let argument = rest.len() < 2 || rest.iter().any(|word| word.starts_with(['-', '/', '.', '~']));
    PROGRAMS.contains(&first) || PROGRAMS_AND_VERBS.contains(&first) && argument
}

/// Where the description begins: faint text where the look is known, else the last sentence if it reads like prose.
fn description(block: &[Line], styled: bool) -> usize {
    if styled && block.iter().any(is_faint) {
        let last = block.iter().rposition(|line| !line.is_blank() && !is_faint(line)).map_or(0, |at| at + 1);
        return if last == 0 { block.len() } else { last };
    }
    let mut start = block.len() - 1;
    while start > 1
        && !block[start - 1].is_blank()
        && wrap::flows(&block[start - 1], &block[start])
        && !prose(&block[start].text)
    {
        start -= 1;
    }
    let text = wrap::sentence(&block[start..]);
    if start > 0 && prose(&text) { start } else { block.len() }
}

/// Programs whose names begin like a sentence.
const CAPITAL_PROGRAMS: &[&str] = &["Rscript", "Xvfb", "Xorg"];

/// Whether a text is a description: a capitalised word, more words, and nothing that means something to a shell.
fn prose(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let Some(first) = words.next() else {
        return false;
    };
    let capital = first.chars().next().is_some_and(char::is_uppercase) && first.chars().skip(1).all(char::is_lowercase);
    let shell = ['|', ';', '&', '$', '<', '>', '`', '\\', '{', '}', '='];
    capital && words.next().is_some() && !text.contains(shell) && !CAPITAL_PROGRAMS.contains(&first)
}

/// A command behind `$ `, up to the end of the rows.
pub(super) fn prompted(lines: &[Line]) -> Joined {
    let mut found = wrap::text(lines);
    if let Some(rest) = found.text.strip_prefix("$ ") {
        found.text = rest.to_owned();
    }
    found
}

/// Cursor names the folder behind the command: ` in .`. The command, and whether it would run where the agent stands;
/// another folder stays with it, for people to see.
pub(super) fn without_place(command: &str) -> (&str, bool) {
    match command.rsplit_once(" in ") {
        Some((before, ".")) => (before, true),
        Some((_, place)) => (command, !place.starts_with(['.', '/', '~'])),
        None => (command, true),
    }
}

#[cfg(test)]
mod tests {
    use super::super::grid::Screen;
    use super::super::line::Lines;
    use super::super::{AgentKind, rules};
    use super::*;

    fn split(text: &str) -> (String, usize) {
        let lines = Lines::of(&Screen::plain(text, 80), rules::of(AgentKind::Claude)).all;
        let (command, taken) = described(&lines, 1, false);
        (command.map(|found| found.text).unwrap_or_default(), taken)
    }

    #[test]
    fn the_description_is_the_last_sentence() {
        assert_eq!(split("\n   cargo test\n   Run the tests\n"), ("cargo test".to_owned(), 2));
        assert_eq!(split("\n   cargo test\n"), ("cargo test".to_owned(), 2));
        assert_eq!(split("\n   set -e\n   rm -rf target\n").0, "set -e\nrm -rf target");
        assert_eq!(split("   ls\n   Rscript evil.R\n").0, "ls\nRscript evil.R");
        assert_eq!(split("   rm -r out\n   Remove scratch output\n").0, "rm -r out");
    }

    #[test]
    fn a_description_that_could_run_leaves_the_command_in_doubt() {
        for (text, guessed) in [
            ("   ls\n   Git push origin main", true),
            ("   ls\n   Find . -delete", true),
            ("   ls\n   Make install", true),
            ("   ls\n   Find unused helpers", false),
            ("   ls\n   List the folder", false),
            ("   ls", false),
        ] {
            let lines = Lines::of(&Screen::plain(text, 80), rules::of(AgentKind::Claude)).all;
            assert_eq!(described(&lines, 1, false).0.unwrap().guessed, guessed, "{text}");
        }
    }

    #[test]
    fn a_place_behind_the_command_is_not_part_of_it() {
        assert_eq!(without_place("ss -ltnp in ."), ("ss -ltnp", true));
        assert_eq!(without_place("grep x in"), ("grep x in", true));
        assert_eq!(without_place("cat notes in ~/other"), ("cat notes in ~/other", false));
        assert_eq!(without_place("cat notes in /srv/my other"), ("cat notes in /srv/my other", false));
    }
}
