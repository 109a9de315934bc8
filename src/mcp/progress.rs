//! A call that takes its time: progress for whoever asked for it, and an end when the caller hangs up.

use std::convert::Infallible;
use std::future::pending;
use std::pin::pin;
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::ProgressNotificationParam;
use rmcp::service::RequestContext;
use tokio::time::{Instant, interval_at};

/// Under every limit of silence that clients are known to have.
const BEAT: Duration = Duration::from_secs(5);

/// Runs a call to its end; nothing when nobody is there to hear it any more. What it had written by then stands.
pub(super) async fn attended<T>(context: &RequestContext<RoleServer>, call: impl Future<Output = T>) -> Option<T> {
    let mut call = pin!(call);
    tokio::select! {
        answer = &mut call => Some(answer),
        () = context.ct.cancelled() => None,
        never = beat(context) => match never {},
    }
}

/// Tells of progress for as long as it is polled. Who has not asked for it is not woken for it either: thousands may wait.
async fn beat(context: &RequestContext<RoleServer>) -> Infallible {
    let Some(token) = context.meta.get_progress_token() else { return pending().await };
    let mut beats = interval_at(Instant::now() + BEAT, BEAT);
    let mut seconds = 0.0;
    loop {
        beats.tick().await;
        seconds += BEAT.as_secs_f64();
        let progress = ProgressNotificationParam::new(token.clone(), seconds).with_message("Still waiting.");
        // Who cannot be told has hung up, which the caller finds.
        let _ = context.peer.notify_progress(progress).await;
    }
}
