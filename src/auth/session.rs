//! The session cookie: how it looks, how long it counts, and how it is set and unset.

use axum::http::{HeaderMap, HeaderValue, header};
use chrono::TimeDelta;

use crate::app::App;
use crate::auth::token::{hash, secret_text};
use crate::error::{Error, Result};

/// Ends after this long without a request.
pub const IDLE: TimeDelta = TimeDelta::hours(12);
/// Ends after this long in any case.
pub const ABSOLUTE: TimeDelta = TimeDelta::days(7);
/// A request extends a session at most this often, so that reading costs no writes.
pub const EXTEND: TimeDelta = TimeDelta::minutes(1);

/// A cookie's value at the one moment when it is known in full.
pub struct FreshCookie {
    value: String,
}

impl std::fmt::Debug for FreshCookie {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("FreshCookie(…)")
    }
}

impl FreshCookie {
    /// 256 random bits.
    pub(crate) fn new() -> Self {
        Self { value: secret_text() }
    }

    /// What is stored.
    pub(crate) fn hash(&self) -> [u8; 32] {
        hash(&self.value)
    }

    /// The `Set-Cookie` header that signs the browser in.
    pub fn header(&self, app: &App) -> Result<HeaderValue> {
        set_cookie(app, &self.value, ABSOLUTE.num_seconds())
    }
}

/// The `Set-Cookie` header that makes the browser forget.
pub fn forget(app: &App) -> Result<HeaderValue> {
    set_cookie(app, "", 0)
}

/// The hash of the session cookie that a request carries. A value of another length was never ours.
pub fn carried(app: &App, headers: &HeaderMap) -> Option<[u8; 32]> {
    let name = name(app);
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(cookie::Cookie::split_parse)
        .flatten()
        .find(|cookie| cookie.name() == name)
        .filter(|cookie| cookie.value().len() == 43)
        .map(|cookie| hash(cookie.value()))
}

/// `__Host-` makes browsers insist on https, on `/` and on no other host having set it.
fn name(app: &App) -> &'static str {
    if app.public_url.is_https() { "__Host-session" } else { "session" }
}

fn set_cookie(app: &App, value: &str, max_age: i64) -> Result<HeaderValue> {
    let cookie = cookie::Cookie::build((name(app), value))
        .path("/")
        .http_only(true)
        .secure(app.public_url.is_https())
        .same_site(cookie::SameSite::Lax)
        .max_age(cookie::time::Duration::seconds(max_age));
    HeaderValue::from_str(&cookie.to_string()).map_err(|error| Error::Internal(format!("a cookie: {error}")))
}
