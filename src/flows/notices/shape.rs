//! A notice in the shape that its receiver takes.

use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, HeaderName, HeaderValue};
use serde_json::json;

use super::target::Target;
use crate::domain::notice::Notice;
use crate::domain::settings::NotifyFormat;
use crate::error::{Error, Result};
use crate::outbound::Parcel;

/// The request that carries a notice.
pub(super) fn parcel<'a>(target: &'a Target, token: Option<&str>, notice: &Notice) -> Result<Parcel<'a>> {
    let (mut headers, body) = match target.format {
        NotifyFormat::Ntfy => ntfy(notice)?,
        NotifyFormat::Webhook => webhook(notice),
    };
    if let Some(token) = token {
        let mut bearer = value(&format!("Bearer {token}"))?;
        bearer.set_sensitive(true);
        headers.push((AUTHORIZATION, bearer));
    }
    Ok(Parcel { url: &target.url, headers, body, allowed: &target.allowed })
}

/// What ntfy shows: a title, a line, and a tap that opens the page.
fn ntfy(notice: &Notice) -> Result<(Vec<(HeaderName, HeaderValue)>, String)> {
    let headers = vec![
        (HeaderName::from_static("title"), value(&notice.title)?),
        (HeaderName::from_static("click"), value(&notice.link)?),
        // Somebody is waited for: above what merely informs, below what breaks a phone's silence.
        (HeaderName::from_static("priority"), HeaderValue::from_static("high")),
        (HeaderName::from_static("tags"), HeaderValue::from_static("raised_hand")),
        (CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8")),
    ];
    Ok((headers, notice.text.clone()))
}

/// A plain object. `text` alone is what chat services show.
fn webhook(notice: &Notice) -> (Vec<(HeaderName, HeaderValue)>, String) {
    let text = format!("{}. {} {}", notice.title, notice.text, notice.link);
    let body = json!({
        "type": "needs_you", "count": notice.count, "title": notice.title, "text": text, "link": notice.link,
        "items": notice.items,
    });
    (vec![(CONTENT_TYPE, HeaderValue::from_static("application/json"))], body.to_string())
}

fn value(text: &str) -> Result<HeaderValue> {
    HeaderValue::from_str(text).map_err(|_| Error::Internal("a notice has a line that is no header".to_owned()))
}
