//! A connection to a server by its public address, http or https, for the commands that work from anywhere.

use std::path::PathBuf;

use axum::body::Body;
use axum::http::{Request, Response};
use hyper::body::Incoming;
use hyper::client::conn::http1::SendRequest;
use hyper_util::rt::TokioIo;
use rustls_pki_types::ServerName;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_util::either::Either;

use crate::config::PublicUrl;
use crate::outbound::trust::{TrustError, connector};

/// Why a server cannot be spoken to.
#[derive(Debug, thiserror::Error)]
pub enum RemoteError {
    /// It is not there, or not now.
    #[error("cannot reach {url}: {why}")]
    Unreachable {
        /// Its address.
        url: String,
        /// What the system says.
        why: String,
    },
    /// The connection ended in the middle.
    #[error("{url} hung up: {why}")]
    HungUp {
        /// Its address.
        url: String,
        /// What was seen.
        why: String,
    },
    /// What was given cannot be used.
    #[error("{0}")]
    Usage(String),
    /// The certificates to trust cannot be read.
    #[error("{0}")]
    Certificates(String),
}

/// Plain or encrypted.
pub type Stream = Either<TcpStream, TlsStream<TcpStream>>;

/// A server by its public address.
pub struct Remote {
    url: PublicUrl,
    tls: Option<TlsConnector>,
}

impl Remote {
    /// Reads the trusted certificates where https needs them; `ca` is trusted instead of the system's.
    pub fn new(url: PublicUrl, ca: Option<PathBuf>) -> Result<Self, RemoteError> {
        let tls = if url.is_https() { Some(connector(ca)?) } else { None };
        Ok(Self { url, tls })
    }

    /// The address.
    pub fn url(&self) -> &PublicUrl {
        &self.url
    }

    /// Opens a connection.
    pub async fn connect(&self) -> Result<Stream, RemoteError> {
        let unreachable =
            |error: std::io::Error| RemoteError::Unreachable { url: self.url.to_string(), why: error.to_string() };
        let address = self.url.address();
        let tcp = TcpStream::connect(&address).await.map_err(unreachable)?;
        let Some(tls) = &self.tls else { return Ok(Either::Left(tcp)) };
        let name = address.rsplit_once(':').map_or(address.as_str(), |(name, _)| name);
        let name = ServerName::try_from(name.trim_matches(['[', ']']).to_owned())
            .map_err(|_| RemoteError::Usage(format!("`{name}` is no host name")))?;
        Ok(Either::Right(tls.connect(name, tcp).await.map_err(unreachable)?))
    }

    /// Sends one request on a connection of its own.
    pub async fn send(&self, request: Request<Body>) -> Result<Response<Incoming>, RemoteError> {
        let mut sender = self.open().await?;
        sender.send_request(request).await.map_err(|error| self.hung_up(&error))
    }

    /// Opens a connection that takes one request after the other.
    pub async fn open(&self) -> Result<SendRequest<Body>, RemoteError> {
        let io = TokioIo::new(self.connect().await?);
        let (sender, connection) =
            hyper::client::conn::http1::handshake(io).await.map_err(|error| self.hung_up(&error))?;
        tokio::spawn(connection);
        Ok(sender)
    }

    /// The error of a connection that broke.
    pub fn hung_up(&self, error: &hyper::Error) -> RemoteError {
        RemoteError::HungUp { url: self.url.to_string(), why: error.to_string() }
    }
}

impl From<TrustError> for RemoteError {
    fn from(error: TrustError) -> Self {
        match error {
            TrustError::NoList => Self::Usage(format!("{error}; give one with --ca")),
            TrustError::Unreadable(why) => Self::Certificates(why),
        }
    }
}
