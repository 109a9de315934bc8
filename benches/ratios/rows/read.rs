//! Reading a status: from the database against a read by key, and unchanged from memory against a server that only says hello.

use std::net::SocketAddr;

use crate::Res;
use crate::cell::Cell;
use crate::http::Connection;
use crate::load::{self, Work};
use crate::pgbench::{self, Script};
use crate::requests::{self, Request};
use crate::rows::Setting;
use crate::stage::{Part, Stage};
use crate::table::{Goal, Table};

const DATABASE: &str = "reading";
const CONNECTIONS: usize = 32;

pub(crate) async fn run(stage: &Stage, setting: &Setting, table: &mut Table) -> Res<()> {
    stage.database(DATABASE).await?;
    let server = stage.serve(DATABASE)?;
    let hello = stage.play(Part::Hello, "hello")?;
    let ids = pending(stage, server.address, 1000).await?;
    let seconds = setting.seconds;
    let [mut by_key, mut status, mut greeting, mut unchanged] = [(); 4].map(|()| Cell::default());
    for _ in 0..setting.reps {
        let read = pgbench::run(&stage.databases, &stage.scratch, Script::Read, (32, seconds))?;
        by_key.push(read.tps);
        let works = works(200, |n| status_of(stage, server.address, (&ids, n), ""));
        status.push(load::run(server.address, works, seconds).await?.rate);
        let works = self::works(200, |_| requests::get(hello.address, "/hello", ""));
        greeting.push(load::run(hello.address, works, seconds).await?.rate);
        let works = self::works(304, |n| status_of(stage, server.address, (&ids, n), "If-None-Match: \"v1\"\r\n"));
        unchanged.push(load::run(server.address, works, seconds).await?.rate);
    }
    table.ratio("status from the database", (&status, &by_key), Goal::AtLeast(0.3), "pgbench read by key, tps");
    table.ratio("304 from memory", (&unchanged, &greeting), Goal::AtLeast(0.6), "bare /hello, a second");
    Ok(())
}

/// Each connection asks for many, one after the other.
pub(super) fn works(status: u16, request: impl Fn(usize) -> Request) -> Vec<Work> {
    (0..CONNECTIONS).map(|n| Work::new((0..30).map(|m| request(n * 30 + m)).collect(), status)).collect()
}

pub(super) fn status_of(stage: &Stage, host: SocketAddr, (pending, n): (&[Pending], usize), headers: &str) -> Request {
    let headers = format!("{}{headers}", stage.world.bearer(n));
    requests::get(host, &format!("/api/v1/proposals/{}", pending[n % pending.len()].id), &headers)
}

/// A pending proposal.
pub(crate) struct Pending {
    pub(crate) id: String,
    pub(crate) digest: String,
}

impl Pending {
    /// What a create was answered with.
    pub(crate) fn read(status: u16, body: &[u8]) -> Res<Self> {
        let made: serde_json::Value = serde_json::from_slice(body)?;
        match (status, made["id"].as_str(), made["digest"].as_str()) {
            (201, Some(id), Some(digest)) => Ok(Self { id: id.to_owned(), digest: digest.to_owned() }),
            _ => Err(format!("a create was answered {status}: {made}").into()),
        }
    }
}

/// Makes so many proposals.
pub(crate) async fn pending(stage: &Stage, host: SocketAddr, count: usize) -> Res<Vec<Pending>> {
    const AT_ONCE: usize = 64;
    let making = (0..AT_ONCE).map(|n| async move {
        let mut connection = Connection::open(host).await?;
        let mut request = requests::create(&stage.world, host, n);
        let mut made = Vec::new();
        for _ in (n..count).step_by(AT_ONCE) {
            let status = connection.exchange(request.number(load::number())).await?;
            made.push(Pending::read(status, connection.body())?);
        }
        Ok::<_, Box<dyn std::error::Error + Send + Sync>>(made)
    });
    Ok(futures_util::future::try_join_all(making).await?.into_iter().flatten().collect())
}
