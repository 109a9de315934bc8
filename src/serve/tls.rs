//! Https on a listener: certificates from files, handshakes beside one another, and a hint for who comes by plain http.

use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::serve::Listener;
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_rustls::rustls::{self, ServerConfig};
use tokio_rustls::server::TlsStream;
use tokio_rustls::{TlsAcceptor, rustls::crypto::ring};

/// A client that has not finished its handshake by then is let go.
const PATIENCE: Duration = Duration::from_secs(10);

/// Handshakes under way at once; the kernel's queue holds who comes on top of that.
const MOST_HANDSHAKES: usize = 512;

/// The first byte of every TLS connection: a handshake record.
const HANDSHAKE: u8 = 0x16;

/// Why there is no https, as one line for the terminal.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A certificate or key cannot be read.
    #[error("cannot read {what} from {}: {source}", path.display())]
    Unreadable {
        /// What was looked for.
        what: &'static str,
        /// Where.
        path: PathBuf,
        /// What is wrong.
        source: rustls_pki_types::pem::Error,
    },
    /// There is no certificate in the file.
    #[error("{} holds no certificate (PEM)", .0.display())]
    Empty(PathBuf),
    /// Certificate and key do not make a server.
    #[error("the certificate and the key cannot be used: {0}")]
    Unusable(#[from] rustls::Error),
    /// A certificate could not be made.
    #[error("cannot make a certificate: {0}")]
    NotMade(#[from] rcgen::Error),
    /// A file of ours could not be read or written.
    #[error("cannot keep the certificate in {}: {source}", path.display())]
    NotKept {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// The server's side of TLS 1.2 and 1.3 from two PEM files, which may be the same.
pub fn server_config(chain: &Path, key: &Path) -> Result<Arc<ServerConfig>, Error> {
    let unreadable = |what, path: &Path| {
        let path = path.to_path_buf();
        move |source| Error::Unreadable { what, path, source }
    };
    let certificates: Vec<CertificateDer<'static>> = CertificateDer::pem_file_iter(chain)
        .and_then(Iterator::collect)
        .map_err(unreadable("the certificate", chain))?;
    if certificates.is_empty() {
        return Err(Error::Empty(chain.to_path_buf()));
    }
    let key = PrivateKeyDer::from_pem_file(key).map_err(unreadable("the private key", key))?;
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(certificates, key)?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

type Shaken = Option<(TlsStream<TcpStream>, SocketAddr)>;

/// A listener whose connections have finished their handshake; dropping it ends those that have not.
pub struct TlsListener {
    tcp: TcpListener,
    acceptor: TlsAcceptor,
    origin: Arc<str>,
    handshakes: JoinSet<Shaken>,
}

impl TlsListener {
    /// `origin` (`https://host:port`) is where who speaks plain http is sent.
    pub fn new(tcp: TcpListener, config: Arc<ServerConfig>, origin: &str) -> Self {
        Self { tcp, acceptor: TlsAcceptor::from(config), origin: Arc::from(origin), handshakes: JoinSet::new() }
    }
}

impl Listener for TlsListener {
    type Io = TlsStream<TcpStream>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        loop {
            let room = self.handshakes.len() < MOST_HANDSHAKES;
            tokio::select! {
                Some(done) = self.handshakes.join_next() => {
                    if let Ok(Some(connection)) = done {
                        return connection;
                    }
                }
                // axum's own accept logs and retries what fails.
                (stream, peer) = Listener::accept(&mut self.tcp), if room => {
                    let acceptor = self.acceptor.clone();
                    let origin = Arc::clone(&self.origin);
                    self.handshakes.spawn(async move {
                        timeout(PATIENCE, greet(stream, peer, acceptor, &origin)).await.ok().flatten()
                    });
                }
            }
        }
    }

    fn local_addr(&self) -> io::Result<Self::Addr> {
        self.tcp.local_addr()
    }
}

/// The handshake. Failures are the client's business and cost no log line.
async fn greet(stream: TcpStream, peer: SocketAddr, acceptor: TlsAcceptor, origin: &str) -> Shaken {
    let mut first = [0];
    if stream.peek(&mut first).await.ok()? == 1 && first != [HANDSHAKE] {
        redirect(stream, origin).await.ok()?;
        return None;
    }
    // Answers are small and written at once; waiting for more would only delay them.
    stream.set_nodelay(true).ok()?;
    Some((acceptor.accept(stream).await.ok()?, peer))
}

/// People type an address without its scheme, and browsers then try plain http.
async fn redirect(mut stream: TcpStream, origin: &str) -> io::Result<()> {
    let answer = format!(
        "HTTP/1.1 307 Temporary Redirect\r\nlocation: {origin}/\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
    );
    stream.write_all(answer.as_bytes()).await?;
    stream.shutdown().await?;
    // Closing on unread input would reset the connection before the answer is read.
    tokio::io::copy(&mut stream, &mut tokio::io::sink()).await?;
    Ok(())
}
