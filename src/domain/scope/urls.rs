//! Addresses: the whole host must be one that an admin listed.

use url::Url;

use super::ground::short;
use super::reason;
use crate::domain::verdict::Reason;

/// Hosts of this machine, which may have any port.
const LOCAL: &[&str] = &["localhost", "127.0.0.1"];

/// Only over https, whatever the list says: anyone in between could answer for it otherwise.
const ALWAYS_SECURE: &str = "github.com";

/// Every piece of a text that is, or is meant to be, an address.
pub(super) fn named_in(text: &str) -> Vec<String> {
    text.split([' ', '\n', '\t', '\'', '"', '(', ')', '<', '>', '`', '|', ';'])
        .filter(|word| word.contains("://"))
        .map(str::to_owned)
        .collect()
}

/// The host of an address that can be read in one way only.
pub(super) fn host(text: &str) -> Option<(String, bool)> {
    let plain = text.chars().all(|c| c.is_ascii_graphic() && c != '\\');
    let (scheme, rest) = text.split_once("://")?;
    // Small letters only: whoever writes it otherwise has a reason.
    let secure = match scheme {
        "https" => true,
        "http" => false,
        _ => return None,
    };
    let authority = rest.split(['/', '?', '#']).next()?;
    let (name, port) = authority.split_once(':').map_or((authority, None), |(name, port)| (name, Some(port)));
    let letters = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.');
    let name = name.to_ascii_lowercase();
    let odd = name.is_empty()
        || !name.chars().all(letters)
        || name.starts_with('.')
        || name.ends_with('.')
        || name.split('.').any(|label| label.is_empty() || label.starts_with("xn--"));
    let good_port = match port {
        None => true,
        Some(port) => LOCAL.contains(&name.as_str()) && port.parse::<u16>().is_ok_and(|port| port > 0),
    };
    let parsed = Url::parse(text).ok()?;
    // The parser that programs use must see the same host, and no user.
    let same = parsed.host_str() == Some(name.as_str()) && parsed.username().is_empty() && parsed.password().is_none();
    (plain && !odd && good_port && same).then_some((name, secure))
}

/// Why an address may not be reached unasked.
pub(super) fn refused(text: &str, hosts: &[String]) -> Option<Reason> {
    let shown = short(text);
    let Some((name, secure)) = host(text) else {
        return Some(reason("odd_address", format!("`{shown}` is not a plain http or https address of a plain host.")));
    };
    if name == ALWAYS_SECURE && !secure {
        return Some(reason("insecure_address", format!("`{shown}` must be https.")));
    }
    let listed = hosts.iter().any(|entry| {
        let entry = entry.to_ascii_lowercase();
        match entry.strip_prefix("https://") {
            Some(host) => secure && host == name,
            None => entry == name,
        }
    });
    (!listed)
        .then(|| reason("unlisted_host", format!("The host `{name}` is not on the list of hosts that may be reached.")))
}
