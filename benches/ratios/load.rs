//! A closed loop: so many connections, each with one request under way at a time, for so long.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::try_join_all;

use crate::Res;
use crate::cell::percentile;
use crate::http::Connection;
use crate::requests::Request;

/// Numbers no two requests of a run share.
static NUMBER: AtomicU64 = AtomicU64::new(1);

/// What came of it.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// Answers a second.
    pub(crate) rate: f64,
    /// How long each took, in milliseconds.
    pub(crate) times: Vec<f64>,
}

impl Tally {
    pub(crate) fn p50_ms(&self) -> f64 {
        percentile(&self.times, 0.5)
    }
}

/// One connection's work: requests sent in turn.
pub(crate) struct Work {
    requests: Vec<Request>,
    status: u16,
}

impl Work {
    /// Requests that all are answered with this status.
    pub(crate) fn new(requests: Vec<Request>, status: u16) -> Self {
        Self { requests, status }
    }
}

/// The next number.
pub(crate) fn number() -> u64 {
    NUMBER.fetch_add(1, Ordering::Relaxed)
}

/// Runs a closed loop, a connection for each of `works`. Connecting and one request each are not counted.
pub(crate) async fn run(address: SocketAddr, works: Vec<Work>, seconds: f64) -> Res<Tally> {
    let connections = works.into_iter().map(|work| async move {
        let mut runner = Runner { connection: Connection::open(address).await?, work, next: 0 };
        runner.once().await?;
        Ok::<_, Box<dyn std::error::Error + Send + Sync>>(runner)
    });
    let mut runners = try_join_all(connections).await?;
    let began = Instant::now();
    let until = began + Duration::from_secs_f64(seconds);
    let times = try_join_all(runners.iter_mut().map(|runner| runner.until(until))).await?;
    let took = began.elapsed().as_secs_f64();
    let times: Vec<f64> = times.into_iter().flatten().collect();
    #[expect(clippy::cast_precision_loss, reason = "a count of some thousands")]
    Ok(Tally { rate: times.len() as f64 / took, times })
}

/// Sends every request once, a connection for each of `works`.
pub(crate) async fn each(address: SocketAddr, works: Vec<Work>) -> Res<Tally> {
    let began = Instant::now();
    let done = works.into_iter().map(|work| async move {
        let count = work.requests.len();
        let mut runner = Runner { connection: Connection::open(address).await?, work, next: 0 };
        for _ in 0..count {
            runner.once().await?;
        }
        Ok::<_, Box<dyn std::error::Error + Send + Sync>>(count)
    });
    let count: usize = try_join_all(done).await?.into_iter().sum();
    #[expect(clippy::cast_precision_loss, reason = "a count of some thousands")]
    Ok(Tally { rate: count as f64 / began.elapsed().as_secs_f64(), times: Vec::new() })
}

struct Runner {
    connection: Connection,
    work: Work,
    next: usize,
}

impl Runner {
    async fn once(&mut self) -> Res<()> {
        let count = self.work.requests.len();
        let request = &mut self.work.requests[self.next % count];
        self.next += 1;
        let status = self.connection.exchange(request.number(number())).await?;
        if status != self.work.status {
            let body = String::from_utf8_lossy(self.connection.body()).into_owned();
            return Err(format!("{status} instead of {}: {body}", self.work.status).into());
        }
        Ok(())
    }

    async fn until(&mut self, end: Instant) -> Res<Vec<f64>> {
        let mut times = Vec::with_capacity(4096);
        let mut before = Instant::now();
        while before < end {
            self.once().await?;
            let after = Instant::now();
            times.push((after - before).as_secs_f64() * 1000.0);
            before = after;
        }
        Ok(times)
    }
}
