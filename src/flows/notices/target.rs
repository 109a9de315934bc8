//! Where notices go, as the local settings say it; what of that may be shown, and to whom.

use axum::http::HeaderValue;
use serde_json::Value;
use url::Url;

use crate::domain::settings::{NotifyFormat, Settings};
use crate::error::{Error, Result};
use crate::outbound::Allowed;
use crate::outbound::address::{host_of, origin_of};

/// The setting that is a secret: taken, used, and never shown.
pub(in crate::flows) const TOKEN: &str = "notify_token";

/// Where a notice goes.
#[derive(Debug)]
pub(super) struct Target {
    pub url: Url,
    pub format: NotifyFormat,
    pub allowed: Allowed,
}

/// Where notices go; nowhere unless an admin said so.
pub(super) fn target(settings: &Settings) -> Result<Option<Target>> {
    let allowed = Allowed::read(&settings.notify_allow).map_err(|bad| {
        let detail =
            format!("`{bad}` is no host name, address or network: write ntfy.lan, 192.168.1.7 or 192.168.1.0/24.");
        Error::invalid("notify_allow", detail)
    })?;
    let Some(text) = &settings.notify_url else { return Ok(None) };
    let invalid = |detail: &'static str| Error::invalid("notify_url", detail);
    let url = Url::parse(text).map_err(|_| invalid("Give a whole address, as https://ntfy.sh/your-topic."))?;
    if !matches!(url.scheme(), "https" | "http") || host_of(&url).is_none() {
        return Err(invalid("It starts with https:// and a host."));
    }
    if !url.username().is_empty() || url.password().is_some() || url.fragment().is_some() {
        return Err(invalid("It has no user, no password and no fragment: a secret goes into notify_token."));
    }
    if url.scheme() == "http" && allowed.is_empty() {
        return Err(invalid("Use https. Plain http is for a host of your own that notify_allow names first."));
    }
    Ok(Some(Target { url, format: settings.notify_format, allowed }))
}

/// Refuses settings from which no notice could go out.
pub(in crate::flows) fn check(settings: &Settings) -> Result<()> {
    target(settings).map(drop)
}

/// A secret that can be sent; `None` takes it away.
pub(in crate::flows) fn token(value: &Value) -> Result<Option<String>> {
    let invalid = || Error::invalid(TOKEN, "It is one line of 1 to 1024 visible characters.");
    match value {
        Value::Null => Ok(None),
        Value::String(text) => {
            let visible = (1..=1024).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
            if visible && HeaderValue::from_str(text).is_ok() { Ok(Some(text.clone())) } else { Err(invalid()) }
        }
        _ => Err(invalid()),
    }
}

/// Settings as the journal may have them: the address of a push service can be a secret by itself.
pub(in crate::flows) fn masked(mut settings: Value) -> Value {
    if let Some(Value::String(text)) = settings.get_mut("notify_url") {
        *text = Url::parse(text).map_or_else(|_| "(no address)".to_owned(), |url| format!("{}/…", origin_of(&url)));
    }
    settings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(url: &str, allow: &[&str]) -> Result<Option<Target>> {
        let allow = allow.iter().map(|&entry| entry.to_owned()).collect();
        target(&Settings { notify_url: Some(url.to_owned()), notify_allow: allow, ..Settings::default() })
    }

    #[test]
    fn only_an_address_that_can_be_posted_to_is_taken() {
        assert!(target(&Settings::default()).unwrap().is_none());
        assert!(with("https://ntfy.sh/topic", &[]).unwrap().is_some());
        assert!(with("http://ntfy.lan/topic", &["ntfy.lan"]).unwrap().is_some());
        let bad =
            ["ntfy.sh/topic", "ftp://ntfy.sh/a", "http://ntfy.sh/a", "https://a:b@ntfy.sh/", "https://ntfy.sh/#a", ""];
        for bad in bad {
            assert!(with(bad, &[]).is_err(), "{bad}");
        }
        assert!(with("https://ntfy.sh/topic", &["not a host"]).is_err());
    }

    #[test]
    fn the_journal_has_no_secret() {
        let settings = serde_json::json!({ "notify_url": "https://ntfy.sh/secret", "agent_cap": 3 });
        assert_eq!(masked(settings), serde_json::json!({ "notify_url": "https://ntfy.sh/…", "agent_cap": 3 }));
    }

    #[test]
    fn a_token_is_one_visible_line() {
        assert_eq!(token(&Value::Null).unwrap(), None);
        assert_eq!(token(&"tk_abc".into()).unwrap().as_deref(), Some("tk_abc"));
        for bad in [Value::from(""), "a b".into(), "a\nb".into(), "é".into(), 7.into(), "x".repeat(1025).into()] {
            assert!(token(&bad).is_err(), "{bad}");
        }
    }
}
