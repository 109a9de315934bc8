//! A call that takes its time: progress for whoever asked for it, and an end when the caller hangs up.

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
    let token = context.meta.get_progress_token();
    let mut call = pin!(call);
    let mut beats = interval_at(Instant::now() + BEAT, BEAT);
    let mut seconds = 0.0;
    loop {
        tokio::select! {
            answer = &mut call => return Some(answer),
            () = context.ct.cancelled() => return None,
            _ = beats.tick() => if let Some(token) = token.clone() {
                seconds += BEAT.as_secs_f64();
                let progress = ProgressNotificationParam::new(token, seconds).with_message("Still waiting.");
                // Who cannot be told has hung up, which the next turn finds.
                let _ = context.peer.notify_progress(progress).await;
            },
        }
    }
}
