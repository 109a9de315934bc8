//! A command read by its table: what it claims, or the first word that the table does not accept.

use super::claims::{self, Claim, Use};
use super::explain;
use super::flags::{self, Split};
use super::grammar::{After, Arguments, Choose, Danger, Flags, Node, Table, Type, Words};
use crate::domain::shell::{Segment, Word};

/// What an accepted command touches.
#[derive(Debug)]
pub struct Reading {
    /// Its table.
    pub table: &'static Table,
    /// What must be proven, in the order of the words.
    pub claims: Vec<Claim>,
}

/// Why a command is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The stable word.
    pub code: &'static str,
    /// The sentence.
    pub text: String,
}

/// Reads a command by a table.
pub(super) fn read(table: &'static Table, segment: &Segment) -> Result<Reading, Fault> {
    let mut reader = Reader { command: table.name.to_owned(), claims: Vec::new(), piped: segment.is_piped() };
    let words: Vec<&str> = segment.arguments().iter().map(text).collect();
    reader.node(&table.node, &words)?;
    Ok(Reading { table, claims: reader.claims })
}

fn text(word: &Word) -> &str {
    &word.text
}

struct Reader {
    /// The program and its subcommands so far, for the sentences.
    command: String,
    claims: Vec<Claim>,
    /// Another command's output comes in.
    piped: bool,
}

impl Reader {
    fn node(&mut self, node: &Node, words: &[&str]) -> Result<(), Fault> {
        match node {
            Node::Arguments(arguments) => self.arguments(arguments, words),
            Node::Choose(choose) => self.choose(choose, words),
            Node::Skip(kind, next) => {
                let Some((word, rest)) = words.split_first() else { return Err(explain::missing(&self.command)) };
                self.positional(*kind, word, &[])?;
                self.node(next, rest)
            }
        }
    }

    fn choose(&mut self, choose: &Choose, words: &[&str]) -> Result<(), Fault> {
        let mut at = 0;
        let mut flags = Vec::new();
        while let Some(word) = words.get(at).copied() {
            let chosen = choose.choices.iter().find(|(names, _)| names.contains(&word));
            if let Some((_, node)) = chosen {
                self.command = format!("{} {word}", self.command);
                return self.node(node, &words[at + 1..]);
            }
            if word.starts_with('-') {
                at += self.flag((choose.flags, choose.dangers), &words[at..], &mut flags)?;
                continue;
            }
            let Some((kind, node)) = choose.otherwise else { break };
            if claims::of(kind, word).is_err() || explain::known(word, choose.dangers).is_some() {
                break;
            }
            return self.node(&node, &words[at + 1..]);
        }
        match words.get(at) {
            None if choose.alone => Ok(()),
            None => Err(explain::missing(&self.command)),
            Some(word) => Err(explain::subcommand(&self.command, word, choose.dangers)),
        }
    }

    fn arguments(&mut self, spec: &Arguments, words: &[&str]) -> Result<(), Fault> {
        let mut seen = Vec::new();
        let mut plain = Vec::new();
        let mut at = 0;
        let first_claim = self.claims.len();
        while let Some(word) = words.get(at).copied() {
            if word == "--" {
                self.after(spec, &words[at + 1..], &mut plain)?;
                break;
            }
            if word.len() > 1 && word.starts_with('-') {
                at += self.flag((spec.flags, spec.dangers), &words[at..], &mut seen)?;
                continue;
            }
            if let Some(danger) = explain::known(word, spec.dangers) {
                return Err(explain::dangerous(word, danger));
            }
            plain.push(word);
            at += 1;
        }
        self.positionals(spec, &plain, &seen)?;
        if spec.deep.iter().any(|flag| seen.contains(flag)) {
            self.deepen(first_claim);
        }
        match spec.required.iter().find(|group| !group.iter().any(|flag| seen.contains(flag))) {
            Some(group) => Err(explain::required(&self.command, group)),
            None => Ok(()),
        }
    }

    /// What stands behind `--`.
    fn after<'a>(&mut self, spec: &Arguments, rest: &[&'a str], plain: &mut Vec<&'a str>) -> Result<(), Fault> {
        match spec.after {
            After::Positionals => plain.extend_from_slice(rest),
            After::Only(kind) => {
                for word in rest {
                    self.positional(kind, word, spec.dangers)?;
                }
            }
            After::To(next) => {
                let command = format!("{} --", self.command);
                let outer = std::mem::replace(&mut self.command, command);
                self.arguments(next, rest)?;
                self.command = outer;
            }
            After::Never => return Err(explain::unknown(&self.command, "--")),
        }
        Ok(())
    }

    /// Takes the flags of one word; answers how many words they took.
    fn flag(
        &mut self,
        (flags, dangers): (&Flags, &[Danger]),
        words: &[&str],
        seen: &mut Vec<&'static str>,
    ) -> Result<usize, Fault> {
        let Some((word, rest)) = words.split_first() else { return Ok(0) };
        let (known, took_next) = match flags::split(flags, word, rest.first().copied()) {
            Split::Known(known, took_next) => (known, took_next),
            Split::Unknown(flag) => return Err(explain::flag(&self.command, word, &flag, dangers)),
            Split::BadValue(flag) => return Err(explain::value(&self.command, &flag)),
        };
        for (found, kind) in known {
            if let (Some(kind), Some(value)) = (kind, found.value) {
                self.positional(kind, value, dangers)?;
            }
            seen.push(found.flag);
        }
        Ok(1 + usize::from(took_next))
    }

    fn positionals(&mut self, spec: &Arguments, plain: &[&str], seen: &[&str]) -> Result<(), Fault> {
        let Words { first, instead, rest, least, most } = spec.words;
        let mut others = plain;
        if let Some(kind) = first.filter(|_| !instead.iter().any(|flag| seen.contains(flag))) {
            match plain.split_first() {
                Some((word, after)) => {
                    self.positional(kind, word, spec.dangers)?;
                    others = after;
                }
                None if least > 0 => return Err(explain::missing(&self.command)),
                None => {}
            }
        }
        if others.len() < least && !self.piped {
            return Err(explain::missing(&self.command));
        }
        if let Some(word) = others.get(most) {
            return Err(explain::unknown(&self.command, word));
        }
        others.iter().try_for_each(|word| self.positional(rest, word, spec.dangers))
    }

    fn positional(&mut self, kind: Type, word: &str, dangers: &[Danger]) -> Result<(), Fault> {
        // A lone dash is the terminal or a file of another program's choosing.
        let claim = if word == "-" { Err("would read from the terminal") } else { claims::of(kind, word) };
        match claim {
            Ok(claim) => {
                self.claims.extend(claim);
                Ok(())
            }
            Err(why) => Err(match explain::known(word, dangers) {
                Some(danger) => explain::dangerous(word, danger),
                None => explain::word(&self.command, word, why),
            }),
        }
    }

    fn deepen(&mut self, from: usize) {
        for claim in &mut self.claims[from..] {
            if let Claim::Path { usage, .. } = claim {
                *usage = Use::Tree;
            }
        }
    }
}
