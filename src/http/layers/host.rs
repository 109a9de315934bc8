//! The right host: a name that rebinds to this machine, or a proxy nobody configured, finds nobody home.

use axum::extract::Request;
use axum::http::{HeaderMap, Uri, header};

use crate::app::App;
use crate::auth::extract::has_bearer;
use crate::error::{Code, Error, Problem, Result};

/// 421 unless `Host` is the public one. Health checks come by any name; bearers also by the listen address.
pub(super) fn check(app: &App, request: &Request) -> Result<()> {
    let free = matches!(request.uri().path(), "/healthz" | "/readyz");
    if free || is_right(app, request.headers(), request.uri()) { Ok(()) } else { Err(wrong(app)) }
}

fn is_right(app: &App, headers: &HeaderMap, uri: &Uri) -> bool {
    let mut hosts = headers.get_all(header::HOST).iter();
    let (Some(host), None) = (hosts.next(), hosts.next()) else {
        return false;
    };
    let Ok(host) = host.to_str() else {
        return false;
    };
    // An absolute request line names the host too, and must not name another.
    if uri.authority().is_some_and(|named| named.as_str() != host) {
        return false;
    }
    app.public_url.is_host(host) || (has_bearer(headers) && is_listener(&app.listen_host, host))
}

/// Whether an agent on this machine may call the listener by this name.
fn is_listener(listen: &str, host: &str) -> bool {
    if host == listen {
        return true;
    }
    // Somebody who listens on every address is reached by loopback's names from here.
    let port = |text: &str, names: &[&str]| {
        let (name, port) = text.rsplit_once(':')?;
        names.contains(&name).then(|| port.to_owned())
    };
    let listening = port(listen, &["0.0.0.0", "[::]", "127.0.0.1", "[::1]"]);
    listening.is_some() && listening == port(host, &["127.0.0.1", "[::1]", "localhost"])
}

fn wrong(app: &App) -> Error {
    Problem::new(
        Code::WrongHost,
        format!("This server answers at {}; if that is wrong, start it with --public-url.", app.public_url),
    )
    .into()
}

#[cfg(test)]
mod tests {
    use super::is_listener;

    #[test]
    fn a_listener_is_called_by_its_address() {
        assert!(is_listener("192.0.2.1:7440", "192.0.2.1:7440"));
        assert!(is_listener("127.0.0.1:7440", "localhost:7440"));
        assert!(is_listener("0.0.0.0:7440", "127.0.0.1:7440"));
        assert!(!is_listener("0.0.0.0:7440", "127.0.0.1:7441"));
        assert!(!is_listener("0.0.0.0:7440", "evil.test:7440"));
        assert!(!is_listener("192.0.2.1:7440", "127.0.0.1:7440"));
    }
}
