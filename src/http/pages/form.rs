//! A browser's form, read whole: what was typed is at hand for the page that has to show it again.

use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, header};

use crate::error::{Code, Error, Problem, Result};
use crate::http::extract::bytes;

/// Fields by name, in the order sent. Line ends are `\n`, whatever the browser made of them.
#[derive(Clone, Default)]
pub struct Form(Vec<(String, String)>);

/// The names alone: passwords and people's words are no matter of a log.
impl std::fmt::Debug for Form {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.0.iter().map(|(name, _)| name)).finish()
    }
}

impl<S: Send + Sync> FromRequest<S> for Form {
    type Rejection = Error;

    async fn from_request(request: Request, state: &S) -> Result<Self> {
        if !is_form(request.headers()) {
            return Err(Problem::new(Code::UnsupportedMedia, "This address takes the form of its page.").into());
        }
        bytes(request, state).await.map(|bytes| Self::read(&bytes))
    }
}

/// Whether a request carries a form.
pub(super) fn is_form(headers: &HeaderMap) -> bool {
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    value.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/x-www-form-urlencoded")
}

impl Form {
    /// Reads a form's body.
    pub(in crate::http) fn read(bytes: &[u8]) -> Self {
        let unix = |text: std::borrow::Cow<'_, str>| text.replace("\r\n", "\n");
        Self(form_urlencoded::parse(bytes).map(|(name, value)| (name.into_owned(), unix(value))).collect())
    }

    /// A form filled in by us.
    pub fn of(fields: &[(&str, &str)]) -> Self {
        Self(fields.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect())
    }

    /// The first value of a field; empty when it was not sent.
    pub fn get(&self, name: &str) -> &str {
        self.0.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }

    /// Whether a field was sent, empty or not.
    pub fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(known, _)| known == name)
    }

    /// Every value of a field.
    pub fn all(&self, name: &str) -> Vec<String> {
        self.0.iter().filter(|(known, _)| known == name).map(|(_, value)| value.clone()).collect()
    }

    /// The value of a field unless it is blank.
    pub fn given(&self, name: &str) -> Option<&str> {
        Some(self.get(name)).filter(|value| !value.trim().is_empty())
    }

    /// Everything but secrets, to be carried along in another form.
    pub fn carried(&self) -> Vec<(String, String)> {
        self.0.iter().filter(|(name, _)| !name.contains("password") && name != "username").cloned().collect()
    }

    /// Whether somebody wrote words that would be a pity to lose.
    pub fn has_words(&self) -> bool {
        self.0.iter().any(|(name, value)| is_words(name) && !value.trim().is_empty())
    }
}

/// Whether a field takes somebody's own words: a note, an edited text, or `t` and the number of a question.
pub fn is_words(name: &str) -> bool {
    let numbered = |number: &str| !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit());
    matches!(name, "note" | "body" | "reason") || name.strip_prefix('t').is_some_and(numbered)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_that_somebody_wrote() {
        assert!(["note", "body", "reason", "t0", "t12"].iter().all(|name| is_words(name)));
        assert!(!["time_zone", "t", "t1x", "digest", "c0", ""].iter().any(|name| is_words(name)));
        assert!(Form::read(b"digest=ab&t3=own+words").has_words());
        assert_eq!(format!("{:?}", Form::read(b"password=secret")), "[\"password\"]");
        assert!(!Form::read(b"time_zone=Asia%2FTokyo&note=+").has_words());
    }
}
