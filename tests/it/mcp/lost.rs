//! Lost replies: the connection breaks at every byte of an answer, and the decision is still there.

use std::fmt::Write;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::support::app::TestApp;
use crate::support::mcp::{OLD, message};
use crate::support::proposals::{change, with};

/// Sends a call and reads so many bytes of its answer, then hangs up; the answer's length when it was shorter.
async fn read_only(app: &TestApp, params: &Value, bytes: usize) -> Option<usize> {
    let coder = app.who("coder");
    let request = coder.mcp(&message("tools/call", params)).header("mcp-protocol-version", OLD).build().unwrap();
    let host = app.url.trim_start_matches("http://");
    let body = request.body().unwrap().as_bytes().unwrap();
    let mut head = format!("POST /mcp HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n");
    for (name, value) in request.headers() {
        write!(head, "{name}: {}\r\n", value.to_str().unwrap()).unwrap();
    }
    write!(head, "content-length: {}\r\n\r\n", body.len()).unwrap();
    let mut stream = TcpStream::connect(host).await.unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(body).await.unwrap();
    let mut answer = vec![0; bytes];
    let mut read = 0;
    while read < bytes {
        match stream.read(&mut answer[read..]).await.unwrap() {
            0 => return Some(read),
            more => read += more,
        }
    }
    None
}

#[tokio::test]
async fn a_look_that_breaks_off_at_any_byte_costs_no_decision() {
    let app = TestApp::peopled().await;
    let (coder, ben) = (app.who("coder"), app.who("ben"));
    let told = coder.put_forward(&change("Lost")).await;
    let ruling = json!({ "outcome": "approved", "note": "go" });
    ben.rule(&coder.look(&json!({ "id": told.id() })).await, &ruling).await.assert_status(200);
    let look = json!({ "name": "check-proposal", "arguments": { "proposal_id": told.id() } });
    let mut bytes = 0;
    let length = loop {
        match read_only(&app, &look, bytes).await {
            Some(length) => break length,
            None => bytes += 1,
        }
    };
    assert!(length > 500, "the answer was cut at each of its {length} bytes");
    let said = coder.check(told.id()).await;
    assert_eq!((said.status(), &said.data["decision"]["note"]), ("approved", &json!("go")));
    let journal = app.journal_of(&json!({ "id": told.id() })).await;
    assert_eq!(journal.iter().filter(|(kind, _)| kind == "proposal.archived").count(), 1);
}

#[tokio::test]
async fn a_proposal_whose_caller_hangs_up_is_there_with_its_decision() {
    let app = TestApp::peopled().await;
    let (coder, ben) = (app.who("coder"), app.who("ben"));
    let mut phone = app.phone_of(&ben).await;
    let ask = with(change("Hung up"), &json!({ "wait": 45 }));
    // The first line is there, and then nobody is.
    assert_eq!(read_only(&app, &json!({ "name": "propose", "arguments": ask }), 200).await, None);
    let id = phone.next_of("proposal.created").await["proposal_id"].clone();
    app.nobody_asleep().await;
    ben.decide(&coder.look(&json!({ "id": id })).await, "approved").await.assert_status(200);
    let again = coder.tool("propose", &ask).await;
    assert_eq!((json!(again.id()), again.status()), (id, "approved"));
}
