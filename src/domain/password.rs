//! Which passwords are refused: too short, made of the user's name, or built the way that guessers try first.
//!
//! Guessers work from lists of words with digits, doubled words, leet spelling and walks over the keyboard. So the table
//! of common passwords is kept as the words and the ways to build from them, which covers far more than a list would.

use super::name::Name;

/// The fewest characters.
pub const SHORTEST: usize = 12;
/// The most characters, so that nobody makes the server hash a book.
pub const LONGEST: usize = 256;

/// Words that common passwords are made of, in plain spelling.
const WORDS: &str = "password passwort passcode pass passw word letmein let me in welcome hello admin administrator root user login \
    logon guest test tester testing default changeme change secret secure security private master super superman \
    batman spiderman qwerty qwertz azerty qwert asdf asdfgh zxcvbn zxcv abc abcd xyz iloveyou love lovely loveme \
    ilove you sunshine princess dragon monkey shadow football baseball basketball soccer hockey michael jordan \
    jennifer jessica ashley charlie daniel thomas andrew robert matthew joshua george harley hunter ranger buster \
    tigger pepper ginger summer winter spring autumn january february march april june july august september \
    october november december monday friday sunday freedom whatever trustno trust no one starwars star wars \
    pokemon matrix ninja mustang ferrari porsche mercedes corvette yamaha honda google facebook yahoo microsoft \
    windows apple samsung internet computer server database postgres oracle cisco linux ubuntu docker kubernetes \
    github gitlab jenkins claude codex agent countersign review approve approver chocolate cookie banana orange \
    cheese coffee pizza flower butterfly purple yellow silver golden diamond angel heaven jesus christ bless \
    family mother father sister brother baby babygirl girl boy forever happy lucky killer money london paris \
    berlin america england liverpool chelsea arsenal barcelona madrid company office access enter open sesame temp \
    temporary example sample demo foo bar baz my the is this new your";

/// Rows of keys and of the alphabet, which fingers walk in both directions.
const WALKS: &[&str] = &[
    "abcdefghijklmnopqrstuvwxyz",
    "01234567890",
    "qwertyuiop",
    "qwertzuiop",
    "azertyuiop",
    "asdfghjkl",
    "zxcvbnm",
    "yxcvbnm",
    "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik",
    "!@#$%^&*()",
    "!\"§$%&/()=",
];

/// What is wrong with a password for a user, in words that are said to them; nothing if it may be used.
pub fn weakness(password: &str, user: &Name) -> Option<&'static str> {
    let length = password.chars().count();
    if length < SHORTEST {
        return Some("Use at least 12 characters; a few words in a row are easy to keep in mind.");
    }
    if length > LONGEST {
        return Some("Use at most 256 characters.");
    }
    let lower = password.to_lowercase();
    if user.as_str().len() >= 3 && lower.contains(user.as_str()) {
        return Some("The password contains the user's name, which guessers try first.");
    }
    is_guessable(&lower)
        .then_some("This is one of the passwords that guessers try first: common words, digits or keys in a row.")
}

fn is_guessable(lower: &str) -> bool {
    let mut distinct: Vec<char> = lower.chars().collect();
    distinct.sort_unstable();
    distinct.dedup();
    if distinct.len() <= 3 || is_repeated(lower) || is_walked(lower) {
        return true;
    }
    is_worded(&letters(lower)) || readings(lower).any(|reading| is_worded(&reading))
}

/// One short block over and over: `abc1abc1abc1`.
fn is_repeated(text: &str) -> bool {
    let chars: Vec<char> = text.chars().collect();
    (1..=chars.len() / 2).any(|n| n <= 16 && chars.iter().zip(chars.iter().skip(n)).all(|(a, b)| a == b))
}

/// Walks of three keys or more, and at most three characters besides.
fn is_walked(text: &str) -> bool {
    let chars: Vec<char> = text.chars().collect();
    let (mut at, mut besides) = (0, 0);
    while at < chars.len() {
        match walk_from(&chars[at..]) {
            step @ 3.. => at += step,
            _ => {
                at += 1;
                besides += 1;
            }
        }
    }
    besides <= 3
}

/// How many of the first characters lie next to each other in a row of keys, or are the same.
fn walk_from(chars: &[char]) -> usize {
    let same = chars.iter().take_while(|c| **c == chars[0]).count();
    WALKS
        .iter()
        .flat_map(|row| [row.chars().collect::<Vec<_>>(), row.chars().rev().collect()])
        .map(|row| {
            let starts = row.iter().enumerate().filter(|(_, c)| **c == chars[0]);
            starts.map(|(at, _)| chars.iter().zip(&row[at..]).take_while(|(a, b)| a == b).count()).max().unwrap_or(0)
        })
        .max()
        .unwrap_or(0)
        .max(same)
}

/// Leet spelling undone, letters alone. Digits and marks at the end are decoration far more often than letters,
/// but the first few of them may belong to the word: so there are three readings.
fn readings(text: &str) -> impl Iterator<Item = String> {
    let letter = |c| match c {
        '0' => 'o',
        '1' | '!' | '|' => 'i',
        '3' | '€' => 'e',
        '4' | '@' => 'a',
        '5' | '$' => 's',
        '7' | '+' => 't',
        '8' => 'b',
        other => other,
    };
    let core = text.trim_end_matches(|c: char| !c.is_alphabetic()).chars().count();
    (0..3).map(move |more| letters(&text.chars().take(core + more).map(letter).collect::<String>()))
}

/// The letters alone.
fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphabetic()).collect()
}

/// Whether the letters are at most three common words (a word twice counts once), or hardly any letters at all.
/// Long ones are not tried: the ways to split grow with the length, and somebody could make the server try them all.
fn is_worded(letters: &str) -> bool {
    match letters.chars().count() {
        0..4 => true,
        4..=48 => splits(letters, &mut Vec::new()),
        _ => false,
    }
}

fn splits<'a>(rest: &'a str, used: &mut Vec<&'a str>) -> bool {
    if rest.is_empty() {
        return true;
    }
    WORDS.split_whitespace().any(|word| {
        let Some(tail) = rest.strip_prefix(word) else {
            return false;
        };
        let known = used.contains(&word);
        if !known && used.len() == 3 {
            return false;
        }
        if !known {
            used.push(word);
        }
        let done = splits(tail, used);
        if !known {
            used.pop();
        }
        done
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(password: &str) -> bool {
        weakness(password, &Name::parse("anna").unwrap()).is_some()
    }

    #[test]
    fn thousands_of_common_passwords_are_refused() {
        let mut count = 0;
        for word in WORDS.split_whitespace().filter(|word| word.len() >= 4) {
            for tail in [".123456789012", "-2024!!!!!!!!", "_1234512345!!"] {
                let capital = word[..1].to_uppercase() + &word[1..];
                for made in [
                    format!("{word}{tail}"),
                    format!("{capital}{tail}"),
                    format!("{tail}{word}"),
                    format!("{word}{word}{word}"),
                    format!("{word}-{word}-{word}{tail}"),
                    format!("{}{tail}", word.replace('o', "0").replace('a', "@").replace('s', "$")),
                    format!("password{word}{tail}"),
                ] {
                    assert!(refused(&made), "{made}");
                    count += 1;
                }
            }
        }
        assert!(count > 3000, "{count}");
    }

    #[test]
    fn well_known_ones_by_name() {
        for bad in [
            "short",
            "password1234",
            "P@ssw0rd1234",
            "passwordpassword",
            "qwertyuiop12",
            "qwertyuiopasdfghjkl",
            "123456789012",
            "aaaaaaaaaaaa",
            "1qaz2wsx3edc",
            "abcdefghijkl",
            "iloveyou1234!",
            "letmeinletmein",
            "administrator1",
            "trustno1trustno1",
            "Welcome2024!!",
            "abc1abc1abc1",
            "myname-is-Anna-7",
            "111122223333",
            "summer2025summer",
        ] {
            assert!(refused(bad), "{bad}");
        }
    }

    #[test]
    fn passphrases_and_random_ones_pass() {
        for good in [
            "correct horse battery staple",
            "Tr4nquil-otter-42",
            "k9#mQz!w7Lp2",
            "mein Hund frisst gern Kuchen",
            "vier grüne Regenschirme",
            "rainy-lantern-seventeen",
            "first-password-of-the-day-51",
        ] {
            assert!(!refused(good), "{good}");
        }
        assert!(refused(&"x7!".repeat(90)), "over 256 characters");
    }
}
