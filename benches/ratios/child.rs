//! This program as a server, for comparison: the service with or without telling anybody, or an answer and nothing else.

use std::future::pending;
use std::net::SocketAddr;
use std::path::Path;

use axum::Router;
use axum::routing::get;
use axum::serve::ListenerExt;
use countersign::app::{AppParts, AppState};
use countersign::clock::Clock;
use countersign::config::PublicUrl;
use countersign::notary::Notary;
use countersign::{http, jobs, store};
use tokio::net::TcpListener;
use tokio_util::task::TaskTracker;

use crate::Res;
use crate::stage::Part;

/// Plays `PART [DATABASE DIR]` until it is told to stop.
pub(crate) fn run(args: &[String]) -> Res<()> {
    let is = |part: Part| args.first().map(String::as_str) == Some(part.word());
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], 0))).await?;
        let address = listener.local_addr()?;
        let router = if is(Part::Hello) {
            Router::new().route("/hello", get(async || "hello"))
        } else {
            let [_, database, dir] = args else { return Err("PART DATABASE DIR".into()) };
            service(address, (database, Path::new(dir)), is(Part::Telling)).await?
        };
        println!("ready http://{address}");
        // Nagle would hold back answers; the product switches it off too.
        let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
        Ok(axum::serve(listener, router).await?)
    })
}

/// The product's own router and writers; the tail and the bell only if anybody is to be told.
async fn service(address: SocketAddr, (database, dir): (&str, &Path), telling: bool) -> Res<Router> {
    std::fs::create_dir_all(dir.join("keys"))?;
    let (app, queues) = AppState::new(AppParts {
        public_url: PublicUrl::of_listener(address),
        listen_host: address.to_string(),
        insecure: false,
        demo: false,
        trusted_proxies: Vec::new(),
        pools: store::connect(database).await?,
        notary: Notary::open(dir)?,
        clock: Clock::default(),
    });
    countersign::flows::checkpoint::open(&app).await?;
    let tasks = TaskTracker::new();
    jobs::work(&tasks, &app, queues);
    if telling {
        jobs::tell(&tasks, &app);
    }
    // They run as long as the process.
    tokio::spawn(async move {
        tasks.wait().await;
        pending::<()>().await;
    });
    Ok(http::public_router(app))
}
