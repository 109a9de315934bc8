//! Who may use the bridge: one browser, let in once by the token of the printed address.

use std::time::Duration;

use subtle::ConstantTimeEq;
use tokio::time::Instant;

use crate::auth::token;
use crate::domain::secret::Secret;

/// Wrong tokens within a window, after which none is compared until the window is over.
const WRONG_MAX: u32 = 5;
const WINDOW: Duration = Duration::from_mins(1);

/// The door: its token until somebody used it, then the one session.
pub(super) struct Door {
    token: Option<[u8; 32]>,
    session: Option<Session>,
    wrong: Option<(Instant, u32)>,
}

/// Whoever came in.
struct Session {
    cookie: [u8; 32],
    /// The user whose process brought the token, where the system tells. A browser sends its cookies to every port of a
    /// host, so another user's server on this machine may get to see this one; it is of no use to that user.
    owner: Option<u32>,
}

/// What became of a token.
#[derive(Debug)]
pub(super) enum Entry {
    /// It was the right one; this is the cookie's value.
    Open(Secret),
    /// It is not the one, or somebody has used it.
    Wrong,
    /// Nothing was compared: too many were wrong.
    TooMany,
}

impl Door {
    /// A closed door, and the token that opens it.
    pub(super) fn new() -> (Self, Secret) {
        let text = token::secret_text();
        (Self { token: Some(token::hash(&text)), session: None, wrong: None }, text.into())
    }

    /// Tries a token.
    pub(super) fn enter(&mut self, said: &str, owner: Option<u32>, now: Instant) -> Entry {
        let wrong = self.wrong.filter(|(since, _)| now - *since < WINDOW);
        if wrong.is_some_and(|(_, count)| count >= WRONG_MAX) {
            return Entry::TooMany;
        }
        if !self.token.is_some_and(|token| same(&token, said)) {
            let (since, count) = wrong.unwrap_or((now, 0));
            self.wrong = Some((since, count + 1));
            return Entry::Wrong;
        }
        let cookie = token::secret_text();
        self.token = None;
        self.session = Some(Session { cookie: token::hash(&cookie), owner });
        Entry::Open(cookie.into())
    }

    /// Whether a cookie is that of the one who came in, brought by the same user.
    pub(super) fn knows(&self, cookie: &str, owner: Option<u32>) -> bool {
        self.session.as_ref().is_some_and(|session| {
            same(&session.cookie, cookie) && session.owner.is_none_or(|known| Some(known) == owner)
        })
    }

    /// Whether somebody has come in.
    pub(super) fn is_used(&self) -> bool {
        self.token.is_none()
    }
}

fn same(hash: &[u8; 32], said: &str) -> bool {
    bool::from(hash.ct_eq(&token::hash(said)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_token_opens_once_and_for_one_user() {
        let (mut door, token) = Door::new();
        let now = Instant::now();
        assert!(!door.knows("", Some(7)));
        let Entry::Open(cookie) = door.enter(token.reveal(), Some(7), now) else { panic!("it did not open") };
        assert!(door.knows(cookie.reveal(), Some(7)));
        assert!(!door.knows(cookie.reveal(), Some(8)), "the cookie of one user in the hands of another");
        assert!(!door.knows(cookie.reveal(), None));
        assert!(!door.knows(token.reveal(), Some(7)));
        assert!(matches!(door.enter(token.reveal(), Some(7), now), Entry::Wrong), "it works once");
    }

    #[tokio::test]
    async fn guesses_are_limited() {
        let (mut door, token) = Door::new();
        let now = Instant::now();
        for guess in ["", "a", "b", "c", "d"] {
            assert!(matches!(door.enter(guess, None, now), Entry::Wrong));
        }
        assert!(matches!(door.enter(token.reveal(), None, now), Entry::TooMany), "nothing is compared any more");
        assert!(matches!(door.enter(token.reveal(), None, now + WINDOW), Entry::Open(_)));
    }
}
