//! A cheap client: prebuilt requests on one kept-alive connection, and as little of each answer read as can be.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

use crate::Res;

/// One connection.
pub(crate) struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
    body: std::ops::Range<usize>,
}

impl Connection {
    pub(crate) async fn open(address: SocketAddr) -> Res<Self> {
        Self::open_from(address, 1).await
    }

    /// From 127.0.0.`host`: each has ports of its own, and ten thousand connections need more than one has to spare.
    pub(crate) async fn open_from(address: SocketAddr, host: u8) -> Res<Self> {
        let socket = TcpSocket::new_v4()?;
        if host != 1 {
            socket.bind(SocketAddr::from(([127, 0, 0, host], 0)))?;
        }
        let stream = socket.connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, buffer: Vec::new(), body: 0..0 })
    }

    /// Sends a request and reads its answer; returns the status.
    pub(crate) async fn exchange(&mut self, request: &[u8]) -> Res<u16> {
        self.send(request).await?;
        self.receive().await
    }

    pub(crate) async fn send(&mut self, request: &[u8]) -> Res<()> {
        Ok(self.stream.write_all(request).await?)
    }

    /// Reads one answer to its end.
    pub(crate) async fn receive(&mut self) -> Res<u16> {
        self.buffer.clear();
        loop {
            if let Some(answer) = Answer::parse(&self.buffer)? {
                self.body = answer.body;
                return Ok(answer.status);
            }
            self.more().await?;
        }
    }

    /// Reads the head of an answer that has no end: an upgrade.
    pub(crate) async fn receive_head(&mut self) -> Res<u16> {
        self.buffer.clear();
        while head_end(&self.buffer).is_none() {
            self.more().await?;
        }
        status(&self.buffer)
    }

    async fn more(&mut self) -> Res<()> {
        self.buffer.reserve(4096);
        match self.stream.read_buf(&mut self.buffer).await? {
            0 => Err("the server hung up".into()),
            _ => Ok(()),
        }
    }

    /// The last answer's body.
    pub(crate) fn body(&self) -> &[u8] {
        self.buffer.get(self.body.clone()).unwrap_or_default()
    }

    /// A header of the last answer.
    pub(crate) fn header(&self, name: &str) -> Option<String> {
        let head = std::str::from_utf8(self.buffer.get(..self.body.start)?).ok()?;
        let lines = head.lines().filter_map(|line| line.split_once(": "));
        lines.filter(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value.to_owned()).next()
    }

    /// Gives up what was read, and keeps the connection.
    pub(crate) fn into_stream(self) -> TcpStream {
        self.stream
    }
}

/// A whole answer in a buffer.
struct Answer {
    status: u16,
    body: std::ops::Range<usize>,
}

impl Answer {
    /// None while some of it is missing.
    fn parse(buffer: &[u8]) -> Res<Option<Self>> {
        let Some(start) = head_end(buffer) else { return Ok(None) };
        let status = status(buffer)?;
        let length = match status {
            204 | 304 => 0,
            _ => content_length(&buffer[..start]).ok_or("an answer without a length")?,
        };
        let body = start..start + length;
        Ok((buffer.len() >= body.end).then_some(Self { status, body }))
    }
}

fn status(buffer: &[u8]) -> Res<u16> {
    let digits = buffer.get(9..12).ok_or("no status line")?;
    Ok(std::str::from_utf8(digits)?.parse()?)
}

fn head_end(buffer: &[u8]) -> Option<usize> {
    buffer.windows(4).position(|four| four == b"\r\n\r\n").map(|at| at + 4)
}

/// Hyper writes names in small letters.
fn content_length(head: &[u8]) -> Option<usize> {
    const NAME: &[u8] = b"\r\ncontent-length: ";
    let at = head.windows(NAME.len()).position(|part| part == NAME)? + NAME.len();
    let digits = head[at..].iter().take_while(|byte| byte.is_ascii_digit());
    Some(digits.fold(0, |length, digit| length * 10 + usize::from(digit - b'0')))
}
