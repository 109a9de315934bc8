//! Pages for people: whole without script. A page is a plain view struct beside its handlers, and a template of its name.

pub mod account;
pub mod assets;
pub mod audit;
pub mod device;
pub mod edit;
pub mod error;
pub mod form;
pub mod frame;
pub mod glance;
pub mod history;
pub mod inbox;
pub mod lane;
pub mod lanes;
pub mod login;
pub mod mail;
pub mod needs;
pub mod nudge;
pub mod pause;
pub mod reauth;
pub mod review;
pub mod sentence;
pub mod setup;
pub mod suggest;
pub mod visit;
pub mod when;
pub mod words;

use askama::Template;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::error::Error;

/// A page as an answer.
#[derive(Debug)]
pub struct Page<T>(pub T);

impl<T: Template> IntoResponse for Page<T> {
    fn into_response(self) -> Response {
        match self.0.render() {
            Ok(html) => (StatusCode::OK, [(header::CONTENT_TYPE, "text/html; charset=utf-8")], html).into_response(),
            Err(cause) => Error::Internal(format!("a page does not render: {cause}")).into_response(),
        }
    }
}

/// 303: after a form was taken, the browser fetches a page, and a reload sends nothing twice.
pub fn see_other(path: &str) -> Response {
    match HeaderValue::from_str(path) {
        Ok(location) => (StatusCode::SEE_OTHER, [(header::LOCATION, location)]).into_response(),
        Err(_) => Error::not_found().into_response(),
    }
}

/// An address of this server to go on to, or the inbox: what came in a link must not lead to another site.
pub fn local_path(next: &str) -> &str {
    let inside = next.starts_with('/') && !next.starts_with("//");
    let plain = next.bytes().all(|c| c.is_ascii_graphic() && c != b'\\');
    let door = ["/login", "/logout", "/setup"].iter().any(|door| next.starts_with(door));
    if inside && plain && !door { next } else { "/" }
}

#[cfg(test)]
mod tests {
    use super::local_path;

    #[test]
    fn a_link_to_sign_in_leads_nowhere_else() {
        for good in ["/", "/p/1?a=b", "/history?before=x#y"] {
            assert_eq!(local_path(good), good);
        }
        for bad in
            ["", "//evil.test", "/\\evil.test", "https://evil.test", "p/1", "/a\tb", "/a b", "/login?next=/", "/ä"]
        {
            assert_eq!(local_path(bad), "/", "{bad}");
        }
    }
}
