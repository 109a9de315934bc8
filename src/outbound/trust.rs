//! Whom this program believes when it calls somebody by https: the system's certificates, or those of a file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls_pki_types::CertificateDer;
use rustls_pki_types::pem::PemObject;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

/// Where systems keep the certificates they trust.
const SYSTEM: &[&str] =
    &["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"];

/// Why there is nothing to believe.
#[derive(Debug, thiserror::Error)]
pub enum TrustError {
    /// This system has no list, and none was named.
    #[error("this system has no list of trusted certificates")]
    NoList,
    /// The certificates to trust cannot be read.
    #[error("{0}")]
    Unreadable(String),
}

/// A connector that trusts the certificates of `ca`, or the system's.
pub fn connector(ca: Option<PathBuf>) -> Result<TlsConnector, TrustError> {
    let system = || SYSTEM.iter().map(|file| Path::new(file).to_path_buf()).find(|file| file.is_file());
    let file = ca.or_else(system).ok_or(TrustError::NoList)?;
    let unreadable =
        |error| TrustError::Unreadable(format!("cannot read certificates from {}: {error}", file.display()));
    let found: Vec<CertificateDer<'static>> =
        CertificateDer::pem_file_iter(&file).and_then(Iterator::collect).map_err(unreadable)?;
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(found);
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| TrustError::Unreadable(error.to_string()))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(TlsConnector::from(Arc::new(config)))
}
