//! Sockets of the approver's pages: opened like a browser does, and then only listened to.

use std::net::SocketAddr;

use futures_util::future::try_join_all;
use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;
use tokio::task::JoinHandle;

use crate::Res;
use crate::http::Connection;
use crate::requests;
use crate::world::World;

/// How many are opened at a time.
const AT_ONCE: usize = 100;
/// How many connections come from one source address.
const A_HOST: usize = 20_000;

/// Opens so many.
pub(crate) async fn open(world: &World, address: SocketAddr, count: usize) -> Res<Vec<TcpStream>> {
    let headers = format!(
        "{}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
        world.browser(address)
    );
    let request = requests::get(address, "/api/v1/events", &headers);
    let mut streams = Vec::with_capacity(count);
    while streams.len() < count {
        let opening =
            (streams.len()..count.min(streams.len() + AT_ONCE)).map(|n| one(address, host(n), request.bytes()));
        streams.extend(try_join_all(opening).await?);
    }
    Ok(streams)
}

/// The last byte of the address that connection `n` comes from.
pub(crate) fn host(n: usize) -> u8 {
    u8::try_from(1 + n / A_HOST).unwrap_or(u8::MAX)
}

async fn one(address: SocketAddr, host: u8, request: &[u8]) -> Res<TcpStream> {
    let mut connection = Connection::open_from(address, host).await?;
    connection.send(request).await?;
    match connection.receive_head().await? {
        101 => Ok(connection.into_stream()),
        status => Err(format!("{status} instead of a socket").into()),
    }
}

/// Reads and drops whatever comes, until the handle is aborted.
pub(crate) fn listen(mut stream: TcpStream) -> JoinHandle<()> {
    tokio::spawn(async move {
        let mut buffer = [0; 4096];
        while stream.read(&mut buffer).await.is_ok_and(|read| read > 0) {}
    })
}
