//! Requests that another site made a browser send: told by the browser's own headers, without tokens in forms.

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, Method, header};

use crate::app::App;
use crate::error::{Code, Problem, Result};

const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// 403 for an unsafe method that comes from elsewhere, or with a cookie and from nowhere that can be told.
pub(super) fn check(app: &App, request: &Request) -> Result<()> {
    if request.method().is_safe() || may_pass(request.method(), request.headers(), &app.public_url.origin()) {
        return Ok(());
    }
    Err(Problem::new(
        Code::CrossSite,
        "A browser sent this for another site, or did not say for which. Open the page here and try again.",
    )
    .into())
}

fn may_pass(method: &Method, headers: &HeaderMap, own: &str) -> bool {
    if method.is_safe() {
        return true;
    }
    let said = |name: HeaderName| {
        let mut values = headers.get_all(name).iter().map(axum::http::HeaderValue::as_bytes);
        (values.next(), values.next().is_some())
    };
    match (said(SITE), said(header::ORIGIN)) {
        ((_, true), _) | (_, (_, true)) => false,
        ((Some(site), _), _) => site == b"same-origin",
        ((None, _), (Some(origin), _)) => origin == own.as_bytes(),
        // No browser wrote this, unless it is old enough to say nothing: then its cookie must not count.
        ((None, _), (None, _)) => !headers.contains_key(header::COOKIE),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_headers() {
        const OWN: &str = "https://review.example.org";
        type Pairs = &'static [(&'static str, &'static str)];
        let table: &[(&str, Pairs, bool)] = &[
            ("GET", &[("sec-fetch-site", "cross-site"), ("cookie", "a=b")], true),
            ("HEAD", &[("origin", "https://evil.test"), ("cookie", "a=b")], true),
            ("POST", &[("sec-fetch-site", "same-origin"), ("cookie", "a=b")], true),
            ("POST", &[("sec-fetch-site", "same-site"), ("cookie", "a=b")], false),
            ("POST", &[("sec-fetch-site", "cross-site"), ("cookie", "a=b")], false),
            ("POST", &[("sec-fetch-site", "none"), ("cookie", "a=b")], false),
            ("POST", &[("sec-fetch-site", "cross-site"), ("origin", OWN), ("cookie", "a=b")], false),
            ("POST", &[("sec-fetch-site", "same-origin"), ("origin", OWN), ("cookie", "a=b")], true),
            ("POST", &[("origin", OWN), ("cookie", "a=b")], true),
            ("POST", &[("origin", "https://evil.test"), ("cookie", "a=b")], false),
            ("POST", &[("origin", "null"), ("cookie", "a=b")], false),
            ("POST", &[("origin", "http://review.example.org"), ("cookie", "a=b")], false),
            ("POST", &[("cookie", "a=b")], false),
            ("DELETE", &[("cookie", "a=b")], false),
            ("PUT", &[("sec-fetch-site", "cross-site")], false),
            ("POST", &[("origin", "https://evil.test")], false),
            ("POST", &[("origin", OWN), ("origin", "https://evil.test")], false),
            ("POST", &[], true),
        ];
        for (method, pairs, expected) in table {
            let mut headers = HeaderMap::new();
            for (name, value) in *pairs {
                let name: HeaderName = name.parse().unwrap();
                headers.append(name, value.parse().unwrap());
            }
            let method = method.parse().unwrap();
            assert_eq!(may_pass(&method, &headers, OWN), *expected, "{method} {pairs:?}");
        }
    }
}
