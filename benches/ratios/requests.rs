//! The requests that are sent, built once; what must differ from one to the next is a number of fixed width inside.

use std::net::SocketAddr;

use crate::world::World;

/// A proposal's reasons; pgbench writes the same.
pub(crate) const JUSTIFICATION: &str =
    "The call fails about once an hour when the other side restarts; one retry with a pause covers it.";

/// The width of the number inside.
const DIGITS: usize = 16;
/// What stands in for it.
const HOLE: &str = "################";

/// A proposal's text of about a kilobyte.
pub(crate) fn body() -> String {
    let line = |n| format!("+    retry(call, attempt = {n:02}, pause = wait_before({n:02}));  // line\n");
    (1..=16).map(line).collect::<Vec<_>>().concat()
}

/// One request, with the places of the number.
#[derive(Clone)]
pub(crate) struct Request {
    bytes: Vec<u8>,
    holes: Vec<usize>,
}

impl Request {
    fn new(text: &str) -> Self {
        let holes = text.match_indices(HOLE).map(|(at, _)| at).collect();
        Self { bytes: text.as_bytes().to_vec(), holes }
    }

    /// The request with this number inside.
    pub(crate) fn number(&mut self, number: u64) -> &[u8] {
        let text = format!("{number:0DIGITS$x}");
        for &hole in &self.holes {
            self.bytes[hole..hole + DIGITS].copy_from_slice(text.as_bytes());
        }
        &self.bytes
    }

    /// The request as it is.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// `GET path` with these header lines, of the server at `host`.
pub(crate) fn get(host: SocketAddr, path: &str, headers: &str) -> Request {
    Request::new(&format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n{headers}\r\n"))
}

/// `POST path` of JSON.
pub(crate) fn post(host: SocketAddr, path: &str, headers: &str, json: &str) -> Request {
    sent("POST", host, (path, headers), json)
}

/// `PUT path` of JSON.
pub(crate) fn put(host: SocketAddr, path: &str, headers: &str, json: &str) -> Request {
    sent("PUT", host, (path, headers), json)
}

fn sent(method: &str, host: SocketAddr, (path, headers): (&str, &str), json: &str) -> Request {
    let length = json.len();
    Request::new(&format!(
        "{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n{headers}\r\n{json}"
    ))
}

/// A create by agent `n`: its number makes content and key unique.
pub(crate) fn create(world: &World, host: SocketAddr, n: usize) -> Request {
    let json = serde_json::json!({
        "action": "edit", "title": format!("Retry the payment call, number {HOLE}"), "justification": JUSTIFICATION,
        "body": body(), "command": "cargo test -p payments",
    });
    let headers = format!("{}Idempotency-Key: key-{HOLE}\r\n", world.bearer(n));
    post(host, "/api/v1/proposals", &headers, &json.to_string())
}
