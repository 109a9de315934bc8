//! One POST to an address that an admin has given: resolved, checked, and sent to the very address that was checked.
//!
//! No redirect is followed, no proxy is asked, and nothing of the answer is read but its status.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use axum::body::Body;
use axum::http::header::{HOST, HeaderName, HeaderValue, USER_AGENT};
use axum::http::{Method, Request};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use rustls_pki_types::ServerName;
use tokio::net::{TcpStream, lookup_host};
use tokio::time::timeout;
use tokio_util::either::Either;
use url::Url;

use super::address::{Allowed, Reach, host_of, origin_of};
use super::trust;

/// How long all of it may take.
const WHOLE: Duration = Duration::from_secs(10);
/// How long one address may take to answer at all.
const CONNECT: Duration = Duration::from_secs(4);
/// How many addresses of a name are tried.
const ADDRESSES: usize = 4;

/// What is sent, and where.
#[derive(Debug)]
pub struct Parcel<'a> {
    /// The address.
    pub url: &'a Url,
    /// Headers beside those of every request.
    pub headers: Vec<(HeaderName, HeaderValue)>,
    /// The body.
    pub body: String,
    /// What is open beside the public internet.
    pub allowed: &'a Allowed,
}

/// Why it was not delivered; fit for logs and people: names the host and no more of the address.
#[derive(Debug, thiserror::Error)]
pub enum Undelivered {
    /// The address leads where the server does not go.
    #[error("{host} is at {ip}, {why}: name it in notify_allow if that is meant")]
    Closed {
        /// The host.
        host: String,
        /// Where it is.
        ip: IpAddr,
        /// What that is.
        why: &'static str,
    },
    /// Plain http is for hosts that an admin has named.
    #[error("{host} is on the internet: use https")]
    Plain {
        /// The host.
        host: String,
    },
    /// The name leads nowhere.
    #[error("{host} is not known: {why}")]
    Unknown {
        /// The host.
        host: String,
        /// What the system says.
        why: String,
    },
    /// Nobody answers there, or not as they should.
    #[error("cannot reach {origin}: {why}")]
    Unreachable {
        /// Scheme, host and port.
        origin: String,
        /// What the system says.
        why: String,
    },
    /// It took too long.
    #[error("{origin} did not answer within {} seconds", WHOLE.as_secs())]
    Slow {
        /// Scheme, host and port.
        origin: String,
    },
    /// It answered, and did not take it.
    #[error("{origin} answered {status}{}", redirect(*.status))]
    Answered {
        /// Scheme, host and port.
        origin: String,
        /// The status.
        status: u16,
    },
}

const fn redirect(status: u16) -> &'static str {
    if matches!(status, 300..400) { ": redirects are not followed, give the address it leads to" } else { "" }
}

/// Sends it; the answer is the status, one that says it was taken.
pub async fn post(parcel: Parcel<'_>) -> Result<u16, Undelivered> {
    let origin = origin_of(parcel.url);
    timeout(WHOLE, send(parcel)).await.unwrap_or(Err(Undelivered::Slow { origin }))
}

async fn send(parcel: Parcel<'_>) -> Result<u16, Undelivered> {
    let origin = origin_of(parcel.url);
    let unreachable = |why: String| Undelivered::Unreachable { origin: origin.clone(), why };
    let addresses = addresses(parcel.url, parcel.allowed).await?;
    let tcp = connect(&addresses).await.map_err(|error| unreachable(error.to_string()))?;
    let stream = if parcel.url.scheme() == "https" {
        let connector = trust::connector(None).map_err(|error| unreachable(error.to_string()))?;
        let host = host_of(parcel.url).unwrap_or_default();
        let name = ServerName::try_from(host).map_err(|error| unreachable(error.to_string()))?;
        Either::Right(connector.connect(name, tcp).await.map_err(|error| unreachable(error.to_string()))?)
    } else {
        Either::Left(tcp)
    };
    let (mut sender, connection) =
        http1::handshake(TokioIo::new(stream)).await.map_err(|error| unreachable(error.to_string()))?;
    let request = request(&parcel).map_err(|error| unreachable(error.to_string()))?;
    let answering = async {
        let answer = sender.send_request(request).await.map_err(|error| unreachable(error.to_string()))?;
        Ok(answer.status().as_u16())
    };
    // The connection lives as long as this call and is dropped with the answer's body unread.
    let mut answering = std::pin::pin!(answering);
    let mut connection = std::pin::pin!(connection);
    let status = tokio::select! {
        status = &mut answering => status?,
        ended = &mut connection => match ended {
            Ok(()) => answering.await?,
            Err(error) => return Err(unreachable(error.to_string())),
        },
    };
    if (200..300).contains(&status) {
        Ok(status)
    } else {
        Err(Undelivered::Answered { origin: origin.clone(), status })
    }
}

/// Where the host is, as far as the server may go there.
async fn addresses(url: &Url, allowed: &Allowed) -> Result<Vec<SocketAddr>, Undelivered> {
    let host = host_of(url).unwrap_or_default();
    let port = url.port_or_known_default().unwrap_or(443);
    let unknown = |why: String| Undelivered::Unknown { host: host.clone(), why };
    let found: Vec<SocketAddr> =
        lookup_host((host.as_str(), port)).await.map_err(|error| unknown(error.to_string()))?.collect();
    let mut refused = unknown("it has no address".to_owned());
    let mut open = Vec::new();
    for address in found {
        match allowed.reach(&host, address.ip()) {
            Ok(Reach::Public) if url.scheme() != "https" => refused = Undelivered::Plain { host: host.clone() },
            Ok(_) => open.push(address),
            Err(why) => refused = Undelivered::Closed { host: host.clone(), ip: address.ip(), why },
        }
    }
    open.truncate(ADDRESSES);
    if open.is_empty() { Err(refused) } else { Ok(open) }
}

async fn connect(addresses: &[SocketAddr]) -> std::io::Result<TcpStream> {
    let mut last = std::io::Error::from(std::io::ErrorKind::AddrNotAvailable);
    for address in addresses {
        match timeout(CONNECT, TcpStream::connect(address)).await {
            Ok(Ok(stream)) => return Ok(stream),
            Ok(Err(error)) => last = error,
            Err(_) => last = std::io::Error::from(std::io::ErrorKind::TimedOut),
        }
    }
    Err(last)
}

fn request(parcel: &Parcel<'_>) -> Result<Request<Body>, axum::http::Error> {
    let url = parcel.url;
    let path = url.query().map_or_else(|| url.path().to_owned(), |query| format!("{}?{query}", url.path()));
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    let mut request = Request::builder()
        .method(Method::POST)
        .uri(path)
        .header(HOST, format!("{}{port}", url.host_str().unwrap_or_default()))
        .header(USER_AGENT, concat!("countersign/", env!("CARGO_PKG_VERSION")));
    for (name, value) in &parcel.headers {
        request = request.header(name, value);
    }
    request.body(Body::from(parcel.body.clone()))
}
