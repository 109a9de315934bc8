//! Learned rules: commands of a project that an admin confirmed, word for word or from the front.

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::class::{self, Class};
use super::digest::Encoder;
use super::text::is_unseen;
use super::verdict::{Judgement, words};
use super::{reading, veto};

/// Most words of a rule, and the longest of them.
const WORDS_MAX: usize = 64;
const WORD_MAX: usize = 1_024;
/// A rule that ends within so many days is to be looked at.
const ENDING: TimeDelta = TimeDelta::days(14);
/// So is one that was not used for so many.
const UNUSED: TimeDelta = TimeDelta::days(30);

/// Approvals in a row of the same words in a project after which a rule is suggested.
const APPROVALS: i32 = 3;

words! {
    /// How a rule's words are compared.
    Match {
        /// All words, no more.
        Exact "exact",
        /// The first words; any may follow.
        Prefix "prefix",
    }
}

words! {
    /// What is suggested to the local admin.
    SuggestionKind {
        /// To answer a command from now on.
        Rule "rule",
        /// To change the policy.
        Policy "policy",
    }
}

/// A confirmed rule that is still in force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its id; none in a policy given to `classify`.
    pub id: Option<Uuid>,
    /// The words.
    pub argv: Vec<String>,
    /// How they are compared.
    pub matching: Match,
}

impl Rule {
    /// Whether the rule covers a command's words. An empty rule covers nothing.
    pub fn covers(&self, argv: &[String]) -> bool {
        !self.argv.is_empty()
            && match self.matching {
                Match::Exact => self.argv == argv,
                Match::Prefix => argv.starts_with(&self.argv),
            }
    }
}

words! {
    /// Why somebody should look at a rule.
    Attention {
        /// It has ended.
        Ended "ended",
        /// It ends soon.
        Ending "ending",
        /// It was not used for long.
        Unused "unused",
    }
}

/// Why somebody should look at a rule that ends then and was last used, or made, then.
pub fn attention(ends: Option<DateTime<Utc>>, used: DateTime<Utc>, now: DateTime<Utc>) -> Option<Attention> {
    match ends {
        Some(end) if end <= now => Some(Attention::Ended),
        Some(end) if end - now <= ENDING => Some(Attention::Ending),
        _ => (now - used >= UNUSED).then_some(Attention::Unused),
    }
}

/// Whether these words can be a rule; the error says why not.
pub fn check(argv: &[String], matching: Match) -> Result<(), String> {
    let Some(program) = argv.first().filter(|word| !word.is_empty()) else {
        return Err("A rule takes a command, one word an entry.".to_owned());
    };
    if argv.len() > WORDS_MAX || argv.iter().any(|word| word.chars().count() > WORD_MAX) {
        return Err(format!("A rule takes at most {WORDS_MAX} words of at most {WORD_MAX} characters."));
    }
    if argv.iter().flat_map(|word| word.chars()).any(|c| c.is_control() || is_unseen(c)) {
        return Err("A rule takes no characters that cannot be seen.".to_owned());
    }
    if matching == Match::Prefix && argv.len() == 1 {
        return Err(format!(
            "A prefix of one word would cover whatever {program} can do: give at least what it is to do, e.g. its subcommand."
        ));
    }
    Ok(())
}

/// Whether a rule of these words could ever lift a hold; the error says why it could not: an admin who confirms it would
/// believe that something is answered which never is.
pub fn could_lift(argv: &[String]) -> Result<(), String> {
    let reading = reading::read(&spelled(argv));
    if veto::find(&reading).is_some() {
        return Err("A rule of this would never be used: a veto that beats every rule holds it, always.".to_owned());
    }
    match class::of_command(&reading) {
        Class::CommandExec => Ok(()),
        other => Err(format!(
            "A rule of this would never be used: rules lift plain commands (command_exec), and this is {}.",
            other.as_str()
        )),
    }
}

/// The words that a rule could be learned of: only those that a rule could ever lift, one simple command that is proven
/// to stay inside and that no veto names.
pub fn learnable(judgement: &Judgement) -> Option<&[String]> {
    let fits = judgement.class == Class::CommandExec && judgement.repo_scoped && !judgement.veto;
    judgement.argv.as_deref().filter(|argv| fits && !argv.is_empty())
}

/// Whether so many approvals in a row are enough to suggest a rule.
pub const fn worth_suggesting(approvals: i32) -> bool {
    approvals >= APPROVALS
}

/// Words as one value to count them by: no two lists of words have the same.
pub fn argv_hash(argv: &[String]) -> [u8; 32] {
    let mut encoder = Encoder::new("countersign/argv/1");
    for word in argv {
        encoder.text(word);
    }
    encoder.finish().0
}

/// Words as a person would type them: what a shell would take apart is quoted.
pub fn spelled(argv: &[String]) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=+@%,^".contains(c);
    let word = |word: &String| {
        if !word.is_empty() && word.chars().all(plain) {
            word.clone()
        } else {
            format!("'{}'", word.replace('\'', r"'\''"))
        }
    };
    argv.iter().map(word).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn a_rule_covers_its_words_and_nothing_like_them() {
        let rule = |line, matching| Rule { id: None, argv: words(line), matching };
        let exact = rule("cargo test", Match::Exact);
        let prefix = rule("cargo test", Match::Prefix);
        for (line, by_exact, by_prefix) in [
            ("cargo test", true, true),
            ("cargo test -p api", false, true),
            ("cargo testing", false, false),
            ("cargo", false, false),
            ("sudo cargo test", false, false),
        ] {
            assert_eq!((exact.covers(&words(line)), prefix.covers(&words(line))), (by_exact, by_prefix), "{line}");
        }
        assert!(!Rule { id: None, argv: Vec::new(), matching: Match::Prefix }.covers(&words("ls")));
    }

    #[test]
    fn what_is_too_wide_or_cannot_be_seen_is_no_rule() {
        for (line, matching, fits) in [
            ("cargo test -p api", Match::Exact, true),
            ("pytest", Match::Exact, true),
            ("cargo test", Match::Prefix, true),
            ("cargo", Match::Prefix, false),
            ("", Match::Exact, false),
            ("ls \u{200b}", Match::Exact, false),
            ("ls a\nb", Match::Exact, false),
        ] {
            assert_eq!(check(&words(line), matching).is_ok(), fits, "{line:?}");
        }
        assert!(check(&[], Match::Exact).is_err());
        assert!(check(&vec!["a".to_owned(); 65], Match::Exact).is_err());
        assert!(check(&["a".repeat(1_025)], Match::Exact).is_err());
    }

    #[test]
    fn what_no_rule_ever_lifts_is_none() {
        for (line, lifts) in [
            ("cargo test -p api", true),
            ("npm run lint", true),
            ("pytest", true),
            ("git push", false),
            ("git push --force", false),
            ("git reset --hard", false),
            ("npm install left-pad", false),
            ("curl https://a.example", false),
            ("rm -r build", false),
            ("cat .env", false),
        ] {
            assert_eq!(could_lift(&words(line)).is_ok(), lifts, "{line}");
        }
    }

    #[test]
    fn three_in_a_row_are_enough() {
        assert_eq!([0, 1, 2, 3, 4].map(worth_suggesting), [false, false, false, true, true]);
        assert_ne!(argv_hash(&words("a b")), argv_hash(&["a b".to_owned()]));
        assert_eq!(
            spelled(&[words("cargo test"), vec!["it's".into(), String::new()]].concat()),
            r"cargo test 'it'\''s' ''"
        );
    }

    #[test]
    fn who_reviews_sees_what_ends_and_what_nobody_uses() {
        let now = DateTime::from_timestamp(1_800_000_000, 0).unwrap();
        let days = |n| now + TimeDelta::days(n);
        for (ends, used, seen) in [
            (None, days(-1), None),
            (None, days(-30), Some(Attention::Unused)),
            (Some(days(0)), days(-1), Some(Attention::Ended)),
            (Some(days(14)), days(-1), Some(Attention::Ending)),
            (Some(days(15)), days(-1), None),
            (Some(days(15)), days(-40), Some(Attention::Unused)),
        ] {
            assert_eq!(attention(ends, used, now), seen, "{ends:?} {used}");
        }
    }
}
