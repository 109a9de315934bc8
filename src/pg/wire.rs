//! Just enough of Postgres' wire protocol to ask whether it is ready and to make a database, before there is a pool.

use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use super::{ROLE, socket};

/// Version 3.0, as the first message of a connection spells it.
const PROTOCOL: i32 = 3 << 16;

/// An answer longer than this is not one to these questions.
const LONGEST_MESSAGE: usize = 64 * 1024;

/// How a connection went.
#[derive(Debug)]
pub(super) enum Answer {
    /// Connected, or the statement ran.
    Ready,
    /// Postgres said no: its five-character code and its text.
    Refused { code: String, text: String },
}

/// One connection, closed when dropped.
pub(super) struct Connection {
    stream: UnixStream,
}

impl Connection {
    /// Connects to a database; the kernel vouches for us, so there is nothing to say but names.
    pub(super) fn open(socket_dir: &Path, database: &str) -> io::Result<(Self, Answer)> {
        let stream = UnixStream::connect(socket::file_in(socket_dir))?;
        stream.set_read_timeout(Some(Duration::from_secs(30)))?;
        let mut connection = Self { stream };
        let names = format!("user\0{ROLE}\0database\0{database}\0\0");
        let mut body = PROTOCOL.to_be_bytes().to_vec();
        body.extend_from_slice(names.as_bytes());
        connection.send(None, &body)?;
        let answer = connection.answer()?;
        Ok((connection, answer))
    }

    /// Runs one statement whose rows do not matter.
    pub(super) fn run(&mut self, statement: &str) -> io::Result<Answer> {
        let mut body = statement.as_bytes().to_vec();
        body.push(0);
        self.send(Some(b'Q'), &body)?;
        self.answer()
    }

    fn send(&mut self, tag: Option<u8>, body: &[u8]) -> io::Result<()> {
        let length = i32::try_from(body.len() + 4).map_err(io::Error::other)?;
        let mut message: Vec<u8> = tag.into_iter().collect();
        message.extend_from_slice(&length.to_be_bytes());
        message.extend_from_slice(body);
        self.stream.write_all(&message)
    }

    /// Reads on until Postgres is ready for a question, or has refused the connection.
    fn answer(&mut self) -> io::Result<Answer> {
        let mut answer = Answer::Ready;
        loop {
            let mut head = [0; 5];
            match self.stream.read_exact(&mut head) {
                // After a refusal to connect there is no ready, only the end.
                Err(_) if matches!(answer, Answer::Refused { .. }) => return Ok(answer),
                read => read?,
            }
            let [tag, length @ ..] = head;
            let length = usize::try_from(i32::from_be_bytes(length)).map_err(io::Error::other)?;
            if length > LONGEST_MESSAGE {
                return Err(io::Error::other("an answer of unlikely length"));
            }
            let mut body = vec![0; length.saturating_sub(4)];
            self.stream.read_exact(&mut body)?;
            match tag {
                b'Z' => return Ok(answer),
                b'E' => answer = refusal(&body),
                // Zero is "welcome"; anything else waits for a password that does not exist.
                b'R' if body != [0; 4] => return Err(io::Error::other("asked for a password")),
                _ => {}
            }
        }
    }
}

/// Fields are a letter, text and a zero; `C` is the code, `M` the message.
fn refusal(body: &[u8]) -> Answer {
    let field = |letter: u8| {
        body.split(|byte| *byte == 0)
            .find(|field| field.first() == Some(&letter))
            .and_then(|field| field.get(1..))
            .map(|text| String::from_utf8_lossy(text).into_owned())
            .unwrap_or_default()
    };
    Answer::Refused { code: field(b'C'), text: field(b'M') }
}
