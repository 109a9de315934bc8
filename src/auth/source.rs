//! Where a request comes from: for delays and the journal, never as a proof of anything.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use ipnet::IpNet;

use crate::app::{App, AppState};

/// The source of everything on the local socket.
pub const LOCAL: &str = "local";

/// The address at the other end of a TCP connection; the listener puts it on every request.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub IpAddr);

/// Who is at the other end, as far as that can be told.
#[derive(Clone, Debug)]
pub struct Client {
    /// The address delays are counted by, as text.
    pub source: String,
    /// What the browser calls itself, cut to a line.
    pub device: String,
}

impl FromRequestParts<AppState> for Client {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, Infallible> {
        let source = source(app, parts.extensions.get::<Peer>().copied(), &parts.headers);
        Ok(Self { source, device: device(&parts.headers) })
    }
}

/// Where a request with these headers came from.
pub fn source(app: &App, peer: Option<Peer>, headers: &HeaderMap) -> String {
    peer.map_or_else(|| LOCAL.to_owned(), |peer| source_text(client_address(peer.0, headers, &app.trusted_proxies)))
}

/// The right-most address of `X-Forwarded-For` that no trusted proxy has; everything left of it may be made up.
fn client_address(peer: IpAddr, headers: &HeaderMap, trusted: &[IpNet]) -> IpAddr {
    let is_trusted = |ip: IpAddr| trusted.iter().any(|net| net.contains(&ip.to_canonical()));
    let forwarded: Vec<&str> = headers
        .get_all("x-forwarded-for")
        .iter()
        .flat_map(|value| value.to_str().unwrap_or_default().split(','))
        .collect();
    let mut nearest = peer;
    for hop in forwarded.into_iter().rev() {
        if !is_trusted(nearest) {
            break;
        }
        let hop = hop.trim();
        // Some proxies add the port.
        let Some(ip) = hop.parse().ok().or_else(|| hop.parse().ok().map(|with: SocketAddr| with.ip())) else {
            break;
        };
        nearest = ip;
    }
    nearest.to_canonical()
}

/// One source a household: a /64 of IPv6 is handed to a single line.
fn source_text(ip: IpAddr) -> String {
    match ip {
        IpAddr::V4(ip) => ip.to_string(),
        IpAddr::V6(ip) if ip.is_loopback() => Ipv4Addr::LOCALHOST.to_string(),
        IpAddr::V6(ip) => {
            let net = u128::from(ip) & (u128::MAX << 64);
            format!("{}/64", Ipv6Addr::from(net))
        }
    }
}

fn device(headers: &HeaderMap) -> String {
    let said = headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let line: String = said.chars().filter(|c| !c.is_control()).take(200).collect();
    if line.is_empty() { "unknown".into() } else { line }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_trusted_proxy_says_where_a_request_comes_from() {
        let trusted = ["10.0.0.0/8".parse().unwrap()];
        let table: &[(&str, &[IpNet], &[&str], &str)] = &[
            ("10.0.0.2", &trusted, &["203.0.113.7"], "203.0.113.7"),
            ("10.0.0.2", &trusted, &["1.1.1.1, 203.0.113.7"], "203.0.113.7"),
            ("10.0.0.2", &trusted, &["1.1.1.1", "203.0.113.7"], "203.0.113.7"),
            ("10.0.0.2", &trusted, &["203.0.113.7, 10.1.1.1"], "203.0.113.7"),
            ("10.0.0.2", &trusted, &["203.0.113.7:4711"], "203.0.113.7"),
            ("10.0.0.2", &trusted, &["nonsense"], "10.0.0.2"),
            ("10.0.0.2", &trusted, &["203.0.113.7, nonsense"], "10.0.0.2"),
            ("10.0.0.2", &trusted, &[], "10.0.0.2"),
            ("10.0.0.2", &[], &["203.0.113.7"], "10.0.0.2"),
            ("198.51.100.1", &trusted, &["203.0.113.7"], "198.51.100.1"),
            ("10.0.0.2", &trusted, &["2001:db8::7"], "2001:db8::/64"),
        ];
        for (peer, trusted, forwarded, expected) in table {
            let mut headers = HeaderMap::new();
            for value in *forwarded {
                headers.append("x-forwarded-for", value.parse().unwrap());
            }
            let found = client_address(peer.parse().unwrap(), &headers, trusted);
            assert_eq!(&source_text(found), expected, "{peer} {forwarded:?}");
        }
    }
}
