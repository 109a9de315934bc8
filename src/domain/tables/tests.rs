//! The tables by example.

use super::*;
use crate::domain::shell;

fn verdict(line: &str) -> Result<Vec<Claim>, Fault> {
    let line = shell::lex(line).unwrap_or_else(|why| panic!("{line}: {why:?}"));
    let mut claims = Vec::new();
    for segment in &line.segments {
        claims.extend(read(Set::All, segment)?.claims);
    }
    Ok(claims)
}

#[test]
fn every_sample_is_accepted_by_its_own_table() {
    for table in PROGRAMS.iter().copied().chain([&special::RM, &special::CURL]) {
        assert!(!table.samples.is_empty() && !table.manual.is_empty(), "{}", table.name);
        for sample in table.samples {
            assert_eq!(sample.split(' ').next(), Some(table.name));
            verdict(sample).unwrap_or_else(|fault| panic!("{sample}: {fault:?}"));
        }
    }
}
