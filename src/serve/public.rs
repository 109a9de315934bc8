//! What the public side looks like from outside: address, certificate, and what people type.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use tokio_rustls::rustls::ServerConfig;

use super::{Error, lan, tls};
use crate::config::{PublicUrl, ServeArgs};

/// The public side, decided from the flags before anything listens.
pub(super) struct Public {
    /// Where to listen.
    pub(super) listen: SocketAddr,
    /// Certificate and key.
    pub(super) tls: Option<Arc<ServerConfig>>,
    named: Option<PublicUrl>,
    lan: Option<Lan>,
}

struct Lan {
    address: Option<IpAddr>,
    fingerprint: String,
}

impl Public {
    /// Reads certificates, or makes one for `--lan`.
    pub(super) fn new(args: &ServeArgs, keys: &Path, now: DateTime<Utc>) -> Result<Self, Error> {
        let named = args.public_url.clone();
        if args.lan {
            let addresses = lan::addresses();
            let certificate = lan::certificate(keys, &lan::names(&addresses, &lan::hostname()), now)?;
            let tls = Some(tls::server_config(&certificate, &certificate)?);
            let fingerprint = lan::fingerprint(&certificate)?;
            let lan = Some(Lan { address: addresses.first().copied(), fingerprint });
            return Ok(Self { listen: lan::listen_address(args.listen), tls, named, lan });
        }
        let tls = match (&args.tls_cert, &args.tls_key) {
            (Some(chain), Some(key)) => Some(tls::server_config(chain, key)?),
            _ => None,
        };
        Ok(Self { listen: args.listen, tls, named, lan: None })
    }

    /// The address people type, once the port is known.
    pub(super) fn url(&self, bound: SocketAddr) -> PublicUrl {
        if let Some(named) = &self.named {
            return named.clone();
        }
        let lan = self.lan.as_ref().and_then(|lan| lan.address);
        // Nobody can type 0.0.0.0.
        let any = || lan::addresses().first().copied().unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
        let ip = lan.unwrap_or_else(|| if bound.ip().is_unspecified() { any() } else { bound.ip() });
        let reached = SocketAddr::new(ip, bound.port());
        if self.tls.is_some() { PublicUrl::https(reached.to_string()) } else { PublicUrl::of_listener(reached) }
    }

    /// What else a person at the terminal needs: the QR code for a phone, and how to trust the certificate.
    pub(super) fn note(&self, origin: &str) -> Option<String> {
        let lan = self.lan.as_ref()?;
        let code = lan::qr(origin).unwrap_or_default();
        Some(format!(
            "{code}The phone will not know this certificate; before accepting it, compare its SHA-256:\n{}",
            lan.fingerprint
        ))
    }
}
