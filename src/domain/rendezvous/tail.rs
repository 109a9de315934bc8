//! What a turn came to whose member never answered, read off the end of its screen: a hint, and never the lead's own words.

use super::Outcome;
use crate::domain::screen::names_limit;

/// Fewer letters in a row that also stand in the message are chance, not an echo.
const ECHO_MIN: usize = 24;
/// A longer text is a report, whatever it begins with.
const EXCUSE_MAX: usize = 600;
/// How programs say that their provider serves them no more, in letters and digits only.
const SPENT: &[&str] = &[
    "creditbalanceistoolow",
    "yourcreditbalanceistoolow",
    "insufficientcredits",
    "insufficientquota",
    "insufficientfunds",
    "youexceededyourcurrentquota",
    "quotaexceeded",
    "exceededyourcurrentquota",
    "resourceexhausted",
    "invalidapikey",
    "incorrectapikey",
    "missingapikey",
    "apikeynotvalid",
    "apierror401",
    "apierror402",
    "apierror403",
    "apierror429",
    "401unauthorized",
    "authenticationerror",
    "oauthtokenhasexpired",
    "oauthtokenrevoked",
    "yoursessionhasexpired",
    "pleaserunlogin",
    "notloggedin",
    "402paymentrequired",
    "ratelimitexceeded",
];

/// What a turn came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// `turn_done` or `exhausted`.
    pub outcome: Outcome,
    /// What the member said last, and whether its beginning is missing.
    pub said: Option<(String, bool)>,
    /// Why there is nothing, or what stopped it.
    pub reason: Option<&'static str>,
}

/// Reads the end of a turn. `message` is what was typed, frame and all; `tail` what stood on the screen at the end and
/// whether it was clipped; `limit` says that the provider's banner is on the screen.
pub fn read_turn(message: &str, tail: Option<(&str, bool)>, limit: bool) -> Turn {
    if limit {
        return Turn { outcome: Outcome::Exhausted, said: None, reason: Some("usage_limit") };
    }
    let nothing = |reason| Turn { outcome: Outcome::TurnDone, said: None, reason: Some(reason) };
    let Some((text, clipped)) = tail else { return nothing("no_text") };
    let Some((said, echoed)) = below_echo(message, text) else { return nothing("echoed_brief") };
    if let Some(why) = excuse(said) {
        return Turn { outcome: Outcome::Exhausted, said: None, reason: Some(why) };
    }
    // Below its own brief nothing of what the member said can be missing.
    Turn { outcome: Outcome::TurnDone, said: Some((said.to_owned(), clipped && !echoed)), reason: None }
}

/// The provider's own words instead of a report: short, and one of its lines begins so.
fn excuse(said: &str) -> Option<&'static str> {
    if said.len() > EXCUSE_MAX {
        return None;
    }
    let spent = |line: &str| {
        let line = letters(line).0;
        let line = line.strip_prefix("error").unwrap_or(&line);
        SPENT.iter().any(|opening| line.starts_with(opening))
    };
    if said.lines().any(names_limit) {
        return Some("usage_limit");
    }
    said.lines().any(spent).then_some("spent_credential")
}

/// What stands below the echo of the message, and whether there was one; none when there is nothing but the echo.
fn below_echo<'a>(message: &str, tail: &'a str) -> Option<(&'a str, bool)> {
    let (brief, (shown, ends)) = (letters(message).0, letters(tail));
    if shown.is_empty() || (shown.len() >= ECHO_MIN.min(brief.len()) && brief.contains(&shown)) {
        return None;
    }
    let Some(upto) = echo_end(&brief, &shown) else { return Some((tail.trim(), false)) };
    let from = ends.get(upto.checked_sub(1)?).copied()?;
    let said =
        tail[from..].trim_start_matches(|c: char| !c.is_alphanumeric() && !"[(<{\"'`#*-/~$".contains(c)).trim_end();
    (!letters(said).0.is_empty()).then_some((said, true))
}

/// Where the echo ends in the tail's letters: behind the message's last ones, or behind what the tail begins with.
fn echo_end(brief: &str, shown: &str) -> Option<usize> {
    // The frame's end and the words behind it are ours alone, so they mark an echo wherever they stand.
    let last: String = brief.chars().skip(brief.chars().count().saturating_sub(ECHO_MIN)).collect();
    if last.chars().count() == ECHO_MIN
        && let Some(at) = shown.rfind(&last)
    {
        return Some(at + last.len());
    }
    // Without its end: as much as the tail has of it from its first letter on.
    let bounds: Vec<usize> = shown.char_indices().map(|(at, c)| at + c.len_utf8()).collect();
    let kept = bounds.partition_point(|end| brief.contains(&shown[..*end]));
    bounds[..kept].last().copied().filter(|end| *end >= ECHO_MIN)
}

/// A text's letters and digits in lower case, and for each of their bytes the end of its character in the text: how a
/// screen breaks, frames and marks a text is no part of it.
fn letters(text: &str) -> (String, Vec<usize>) {
    let (mut kept, mut ends) = (String::new(), Vec::new());
    for (at, c) in text.char_indices().filter(|(_, c)| c.is_alphanumeric()) {
        kept.extend(c.to_lowercase());
        ends.resize(kept.len(), at + c.len_utf8());
    }
    (kept, ends)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::super::framed;
    use super::*;

    const BRIEF: &str = "Find out why the parser drops the last line, and mend it.\nRun the tests.";

    fn message() -> String {
        framed(Uuid::from_u128(1), "boss", BRIEF)
    }

    fn read(tail: &str) -> Turn {
        read_turn(&message(), Some((tail, false)), false)
    }

    fn content(turn: &Turn) -> Option<&str> {
        turn.said.as_ref().map(|(said, _)| said.as_str())
    }

    #[test]
    fn row_report_longer_than_the_window_is_marked_partial() {
        let turn = read_turn(&message(), Some(("…mended. 12 tests pass.", true)), false);
        assert_eq!((turn.outcome, turn.reason), (Outcome::TurnDone, None));
        assert_eq!(turn.said, Some(("…mended. 12 tests pass.".into(), true)));
        let whole = read("The loop stopped one early. Mended, 12 tests pass.");
        assert_eq!(whole.said.map(|(_, partial)| partial), Some(false));
    }

    #[test]
    fn row_echoed_brief_is_never_content() {
        let framed = message();
        let wrapped = framed.replace(" the ", "\n  │ the ").replace("[COUNTERSIGN", "> [COUNTERSIGN");
        let lower: String = framed.lines().skip(1).collect::<Vec<_>>().join("\n");
        let upper: String = framed.lines().take(3).collect::<Vec<_>>().join("\n");
        for echo in [&framed, BRIEF, &wrapped, &lower, &upper, "Run the tests.\n[END COUNTERSIGN MESSAGE]\n❯"] {
            let turn = read(echo);
            assert_eq!((turn.outcome, content(&turn)), (Outcome::TurnDone, None), "{echo}");
            assert_eq!(turn.reason, Some("echoed_brief"), "{echo}");
        }
    }

    #[test]
    fn what_stands_below_the_echo_is_the_members() {
        let turn = read(&format!("earlier words\n> {}\n\n● Mended: the loop stopped one early.", message()));
        assert_eq!(content(&turn), Some("Mended: the loop stopped one early."));
        let unframed = read(&format!("{BRIEF}\n\n- it was the loop"));
        assert_eq!(content(&unframed), Some("- it was the loop"));
        let clipped = read_turn(&message(), Some((&format!("{}\nDone.", message()), true)), false);
        assert_eq!(clipped.said, Some(("Done.".into(), false)), "its beginning is there");
    }

    #[test]
    fn words_that_also_stand_in_the_brief_are_no_echo() {
        for said in ["The parser.", "Run the tests: done.", "Tests"] {
            assert_eq!(content(&read(said)), Some(said));
        }
        let quoting = "You asked why the parser drops the last line. It is the loop.";
        assert_eq!(content(&read(quoting)), Some(quoting));
    }

    #[test]
    fn row_spent_credential_is_exhausted_and_named() {
        let echo_and_error = format!("{}\n● API Error: 401 invalid x-api-key", message());
        for tail in [
            "Credit balance is too low",
            "⎿ API Error: 401 {\"type\":\"error\"}",
            "● Invalid API key · Please run /login",
            "Error: You exceeded your current quota, please check your plan.",
            "OAuth token has expired. Please obtain a new one.",
            &echo_and_error,
        ] {
            let turn = read(tail);
            assert_eq!((turn.outcome, turn.reason), (Outcome::Exhausted, Some("spent_credential")), "{tail}");
            assert_eq!(turn.said, None);
        }
    }

    #[test]
    fn row_usage_limit_is_exhausted_and_named() {
        let limit = |turn: Turn| (turn.outcome, turn.reason) == (Outcome::Exhausted, Some("usage_limit"));
        assert!(limit(read_turn(&message(), Some(("I mended it.", false)), true)), "the pane says so");
        assert!(limit(read("You've hit your usage limit. Try again at 5pm.")));
        assert!(limit(read("⎿ Claude usage limit reached. Resets 3pm.")));
    }

    #[test]
    fn a_report_about_limits_and_keys_is_a_report() {
        let long =
            format!("Rate limit exceeded is what it said before.\n{}", "Every route asks for a token. ".repeat(30));
        for said in [
            "Mended. The old code answered 401 unauthorized when the API key was missing.",
            "The usage limit is shown on the page now.",
            &long,
        ] {
            assert_eq!(read(said).outcome, Outcome::TurnDone, "{said}");
            assert_eq!(content(&read(said)), Some(said.trim()));
        }
    }

    #[test]
    fn nothing_on_the_screen_is_said_to_be_nothing() {
        assert_eq!(read_turn(&message(), None, false).reason, Some("no_text"));
        for tail in ["", "❯ ", "──── │"] {
            assert_eq!(content(&read(tail)), None);
        }
    }

    #[test]
    fn letters_know_where_they_stand() {
        for text in ["", "İx", "│ Äß ⎿", "a\u{301}b"] {
            let (kept, ends) = letters(text);
            assert_eq!(kept.len(), ends.len());
            assert!(ends.iter().all(|end| text.is_char_boundary(*end)));
        }
    }
}
