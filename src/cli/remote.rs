//! A connection to a server by its public address, http or https, for the commands that work from anywhere.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::body::Body;
use axum::http::{Request, Response};
use hyper::body::Incoming;
use hyper_util::rt::TokioIo;
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, ServerName};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};
use tokio_util::either::Either;

use super::failure::{Failure, Outcome};
use crate::config::PublicUrl;

/// Where systems keep the certificates they trust.
const SYSTEM: &[&str] =
    &["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"];

/// Plain or encrypted.
pub type Stream = Either<TcpStream, TlsStream<TcpStream>>;

/// A server by its public address.
pub struct Remote {
    url: PublicUrl,
    tls: Option<TlsConnector>,
}

impl Remote {
    /// Reads the trusted certificates where https needs them; `ca` is trusted instead of the system's.
    pub fn new(url: PublicUrl, ca: Option<PathBuf>) -> Outcome<Self> {
        let tls = if url.is_https() { Some(connector(ca)?) } else { None };
        Ok(Self { url, tls })
    }

    /// The address.
    pub fn url(&self) -> &PublicUrl {
        &self.url
    }

    /// Opens a connection.
    pub async fn connect(&self) -> Outcome<Stream> {
        let unreachable = |error: std::io::Error| Failure::failed(format!("cannot reach {}: {error}", self.url));
        let authority = self.url.host();
        let port = if self.url.is_https() { 443 } else { 80 };
        let (name, address) = match authority.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|c| c.is_ascii_digit()) => (name, authority.to_owned()),
            _ => (authority, format!("{authority}:{port}")),
        };
        let tcp = TcpStream::connect(&address).await.map_err(unreachable)?;
        let Some(tls) = &self.tls else { return Ok(Either::Left(tcp)) };
        let name = ServerName::try_from(name.trim_matches(['[', ']']).to_owned())
            .map_err(|_| Failure::usage(format!("`{name}` is no host name")))?;
        Ok(Either::Right(tls.connect(name, tcp).await.map_err(unreachable)?))
    }

    /// Sends one request on a connection of its own.
    pub async fn send(&self, request: Request<Body>) -> Outcome<Response<Incoming>> {
        let lost = |error: hyper::Error| Failure::failed(format!("{} hung up: {error}", self.url));
        let io = TokioIo::new(self.connect().await?);
        let (mut sender, connection) = hyper::client::conn::http1::handshake(io).await.map_err(lost)?;
        tokio::spawn(connection);
        sender.send_request(request).await.map_err(lost)
    }
}

fn connector(ca: Option<PathBuf>) -> Outcome<TlsConnector> {
    let file = match ca {
        Some(file) => file,
        None => SYSTEM
            .iter()
            .map(|file| Path::new(file).to_path_buf())
            .find(|file| file.is_file())
            .ok_or_else(|| Failure::usage("this system has no list of trusted certificates; give one with --ca"))?,
    };
    let unreadable = |error| Failure::failed(format!("cannot read certificates from {}: {error}", file.display()));
    let found: Vec<CertificateDer<'static>> =
        CertificateDer::pem_file_iter(&file).and_then(Iterator::collect).map_err(unreadable)?;
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(found);
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| Failure::failed(error.to_string()))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(TlsConnector::from(Arc::new(config)))
}
