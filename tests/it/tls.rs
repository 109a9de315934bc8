//! Https: what a client sees of the `--lan` certificate, and that nobody waits for another's handshake.

use std::net::{IpAddr, SocketAddr};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::Router;
use axum::extract::ConnectInfo;
use axum::routing::get;
use axum::serve::ListenerExt;
use chrono::{DateTime, Days, Utc};
use countersign::serve::lan;
use countersign::serve::tls::{self, TlsListener};
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, ServerName};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::{ClientConfig, RootCertStore, crypto::ring};

use crate::support::scratch;

fn names() -> Vec<String> {
    lan::names(&["192.168.1.5".parse::<IpAddr>().unwrap()], "Box\n")
}

fn day() -> DateTime<Utc> {
    "2026-11-29T12:00:00Z".parse().unwrap()
}

fn kept(folder: &Path) -> PathBuf {
    // The real day: clients compare it with their own clock.
    let now = DateTime::<Utc>::from(folder.metadata().unwrap().modified().unwrap());
    lan::certificate(folder, &names(), now).unwrap()
}

async fn listen(certificate: &Path) -> SocketAddr {
    let tcp = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = tcp.local_addr().unwrap();
    let config = tls::server_config(certificate, certificate).unwrap();
    let listener = TlsListener::new(tcp, config, "https://box.local:7440").tap_io(|_| {});
    let app = Router::new()
        .route("/", get(|ConnectInfo(peer): ConnectInfo<SocketAddr>| async move { format!("hello {}", peer.ip()) }));
    let service = app.into_make_service_with_connect_info::<SocketAddr>();
    tokio::spawn(async move { axum::serve(listener, service).await });
    address
}

async fn fetch(address: SocketAddr, name: &str, certificate: &Path) -> std::io::Result<String> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(certificate).unwrap()).unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = ServerName::try_from(name.to_owned()).unwrap();
    let stream = TcpStream::connect(address).await?;
    let mut stream = TlsConnector::from(Arc::new(config)).connect(name, stream).await?;
    stream.write_all(b"GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    Ok(answer)
}

#[tokio::test]
async fn serves_the_lan_certificate_under_each_of_its_names() {
    let folder = scratch::folder("tls");
    let certificate = kept(&folder);
    let address = listen(&certificate).await;
    for name in ["192.168.1.5", "box", "box.local", "localhost", "127.0.0.1", "::1"] {
        let answer = fetch(address, name, &certificate).await.unwrap();
        assert!(answer.ends_with("hello 127.0.0.1"), "{name}: {answer}");
    }
    assert!(fetch(address, "elsewhere.example", &certificate).await.is_err());
}

#[tokio::test]
async fn a_silent_client_keeps_nobody_waiting() {
    let folder = scratch::folder("tls");
    let certificate = kept(&folder);
    let address = listen(&certificate).await;
    let mut silent = Vec::new();
    for _ in 0..100 {
        silent.push(TcpStream::connect(address).await.unwrap());
    }
    let answer = fetch(address, "localhost", &certificate).await.unwrap();
    assert!(answer.ends_with("hello 127.0.0.1"));
}

#[tokio::test]
async fn plain_http_is_shown_the_way() {
    let folder = scratch::folder("tls");
    let address = listen(&kept(&folder)).await;
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(b"GET /p/1 HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
    stream.shutdown().await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 307 "), "{answer}");
    assert!(answer.contains("\r\nlocation: https://box.local:7440/\r\n"), "{answer}");
}

#[test]
fn the_lan_certificate_stays_until_there_is_a_reason() {
    let folder = scratch::folder("tls");
    let read = |path: PathBuf| std::fs::read_to_string(path).unwrap();
    let first_path = lan::certificate(&folder, &names(), day()).unwrap();
    assert_eq!(first_path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    let fingerprint = lan::fingerprint(&first_path).unwrap();
    assert_eq!(fingerprint.len(), 32 * 3 - 1);
    let first = read(first_path);

    let later = day() + Days::new(300);
    assert_eq!(read(lan::certificate(&folder, &names(), later).unwrap()), first);
    let nearly_over = day() + Days::new(380);
    let renewed = read(lan::certificate(&folder, &names(), nearly_over).unwrap());
    assert_ne!(renewed, first);
    let moved = lan::names(&["10.0.0.9".parse().unwrap()], "box");
    assert_ne!(read(lan::certificate(&folder, &moved, nearly_over).unwrap()), renewed);
}

#[test]
fn files_that_will_not_do_are_named() {
    let folder = scratch::folder("tls");
    let path = folder.join("empty.pem");
    std::fs::write(&path, "").unwrap();
    let text = tls::server_config(&path, &path).unwrap_err().to_string();
    assert!(text.contains("empty.pem holds no certificate"), "{text}");
    let missing = folder.join("missing.pem");
    let text = tls::server_config(&missing, &missing).unwrap_err().to_string();
    assert!(text.contains("missing.pem"), "{text}");

    let one = lan::certificate(&folder, &names(), day()).unwrap();
    let elsewhere = scratch::folder("tls");
    let other = lan::certificate(&elsewhere, &names(), day()).unwrap();
    let text = tls::server_config(&one, &other).unwrap_err().to_string();
    assert!(text.contains("cannot be used"), "{text}");
}

#[test]
fn the_address_becomes_a_code_for_any_terminal() {
    let code = lan::qr("https://192.168.1.5:7440/setup").unwrap();
    let lines: Vec<&str> = code.lines().collect();
    assert!(lines.len() < 24, "it fits a small terminal: {} lines", lines.len());
    assert!(lines.iter().all(|line| line.starts_with("\u{1b}[97;40m") && line.ends_with("\u{1b}[0m")));
    assert!(lan::qr(&"x".repeat(4000)).is_none());
}

#[test]
fn lan_listens_where_a_phone_can_reach_it() {
    let asked = |text: &str| lan::listen_address(text.parse().unwrap()).to_string();
    assert_eq!(asked("127.0.0.1:7440"), "0.0.0.0:7440");
    assert_eq!(asked("192.168.1.5:7440"), "192.168.1.5:7440");
    assert!(!lan::hostname().is_empty());
    assert!(lan::addresses().iter().all(|ip| !ip.is_loopback()));
}
