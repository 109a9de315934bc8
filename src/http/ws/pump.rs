//! One socket's life: catch up from the cursor, then forward frames until the person leaves, signs out, or is too slow.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket};
use serde_json::json;
use tokio::sync::broadcast::{Receiver, error::RecvError};
use tokio::time::{Instant, sleep_until, timeout};

use super::{Resume, Watcher};
use crate::app::{App, AppState};
use crate::domain::event::EventKind;
use crate::hub::frame::{Cursor, Frame};
use crate::hub::tail;
use crate::store;
use crate::store::proposals::receipts::Step;

/// How often a silent socket is pinged, and its credential read again.
const BEAT: Duration = Duration::from_secs(30);
/// How long one write may take.
const WRITE: Duration = Duration::from_secs(10);
/// The most rows a socket is caught up with; beyond, starting over is cheaper.
const CATCH_UP: i64 = 1_000;
/// So many frames that wait are a flood, which nobody reads one by one.
const FLOOD: usize = 128;
/// How long a flooded socket rests: it is told to look again once in this time.
const REST: Duration = Duration::from_secs(1);
/// Falling behind twice within this time is too slow.
const SLOW: Duration = Duration::from_secs(30);

/// Why a socket ends: its close code and words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct End(u16, &'static str);

const SIGNED_OUT: End = End(4401, "signed out");
const RESTART: End = End(1012, "restarting, come back in a few seconds");
const TOO_SLOW: End = End(1013, "too slow");
const GONE: End = End(1006, "");

/// Where a socket starts. Taken before the handshake is answered.
pub(super) struct Start {
    /// The frames from then on.
    pub(super) frames: Receiver<Arc<Frame>>,
    /// The tail's position then.
    pub(super) here: Cursor,
    /// What the client wants to hear first.
    pub(super) after: Resume,
}

/// Runs a socket to its end.
pub(super) async fn run(app: AppState, socket: WebSocket, watcher: Watcher, start: Start) {
    let Start { frames, here, after } = start;
    let mut pump = Pump { frames, sent: here, slow_at: None, socket, watcher };
    let _open = app.hub.socket_open();
    let mut end = Box::pin(pump.catch_up(&app, after)).await;
    if end.is_ok() {
        end = pump.forward(&app).await;
    }
    let Err(End(code, reason)) = end else { return };
    if code != GONE.0 {
        let close = Message::Close(Some(CloseFrame { code, reason: reason.into() }));
        // The other side may be gone already.
        let _ = timeout(WRITE, pump.socket.send(close)).await;
    }
}

struct Pump {
    socket: WebSocket,
    watcher: Watcher,
    frames: Receiver<Arc<Frame>>,
    /// The last frame that was looked at: what comes again from the tail is behind it.
    sent: Cursor,
    slow_at: Option<Instant>,
}

impl Pump {
    /// Sends what has happened behind the client's cursor, or tells it to start over.
    async fn catch_up(&mut self, app: &App, after: Resume) -> Result<(), End> {
        let after = match after {
            Resume::Now => return Ok(()),
            Resume::After(after) if after.epoch == self.sent.epoch => after,
            Resume::After(_) | Resume::Unreadable => return self.resync(app).await,
        };
        let rows = async {
            let mut conn = app.db.acquire().await?;
            store::tail::behind(&mut conn, (after.epoch, &after.xid.to_string(), after.id), CATCH_UP).await
        };
        let Ok(rows) = rows.await else { return self.resync(app).await };
        if i64::try_from(rows.len()).is_ok_and(|n| n >= CATCH_UP) {
            return self.resync(app).await;
        }
        self.sent = after;
        for row in rows {
            let told = EventKind::from_word(&row.kind).is_some_and(EventKind::told);
            if told {
                self.offer(app, &tail::frame(row)).await?;
            }
        }
        Ok(())
    }

    async fn forward(&mut self, app: &App) -> Result<(), End> {
        let mut beat = Instant::now() + BEAT;
        let mut alive = true;
        let mut rest = None;
        loop {
            tokio::select! {
                frame = self.frames.recv(), if rest.is_none() => match frame {
                    Ok(_) if self.frames.len() >= FLOOD => rest = Some(self.pass_over(app).await?),
                    Ok(frame) => self.receive(app, &frame).await?,
                    Err(RecvError::Lagged(_)) => self.fell_behind(app).await?,
                    Err(RecvError::Closed) => return Err(RESTART),
                },
                message = self.socket.recv() => match message {
                    // Whatever it says: somebody is there. Nothing a client sends has a meaning here.
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return Err(GONE),
                    Some(Ok(_)) => alive = true,
                },
                () = sleep_until(rest.unwrap_or(beat)), if rest.is_some() => {
                    // However much came meanwhile, the listener could not have kept up with it.
                    let flooded = self.frames.len() >= FLOOD;
                    rest = if flooded { Some(self.pass_over(app).await?) } else { None };
                }
                () = sleep_until(beat) => {
                    if !std::mem::take(&mut alive) {
                        return Err(GONE);
                    }
                    beat = Instant::now() + BEAT;
                    self.check_rights(app).await?;
                    self.send(Message::Ping(Vec::new().into())).await?;
                }
                () = app.stopping.cancelled() => return Err(RESTART),
            }
        }
    }

    async fn receive(&mut self, app: &App, frame: &Frame) -> Result<(), End> {
        if frame.cursor <= self.sent {
            return Ok(());
        }
        if self.watcher.is_concerned(frame) {
            // Something of theirs was taken: if it cannot be read what is left, nothing more is told.
            Box::pin(self.watcher.refresh(app)).await.map_err(|_| RESTART)?.then_some(()).ok_or(SIGNED_OUT)?;
        }
        if frame.kind == EventKind::InstanceRestored.as_str() {
            return self.resync(app).await;
        }
        self.offer(app, frame).await
    }

    /// Sends a frame if it is this listener's to see.
    async fn offer(&mut self, app: &App, frame: &Frame) -> Result<(), End> {
        self.sent = frame.cursor;
        let now = app.clock.now();
        if !self.watcher.sees(frame, now) {
            return Ok(());
        }
        let Some(text) = frame.text() else { return Ok(()) };
        self.send(Message::Text(text)).await?;
        if let (Some(proposal), true) = (frame.proposal_id, frame.kind == EventKind::ProposalCreated.as_str())
            && let Some(actor) = self.watcher.notified(frame, now)
        {
            app.receipt(proposal, Step::Notified, actor);
        }
        Ok(())
    }

    /// Passes over a flood; the answer is until when to rest. A frame about somebody's rights may be in it, so they
    /// are read again.
    async fn pass_over(&mut self, app: &App) -> Result<Instant, End> {
        self.frames = app.hub.subscribe();
        self.check_rights(app).await?;
        self.resync(app).await?;
        Ok(Instant::now() + REST)
    }

    async fn fell_behind(&mut self, app: &App) -> Result<(), End> {
        if self.slow_at.is_some_and(|at| at.elapsed() < SLOW) {
            return Err(TOO_SLOW);
        }
        self.slow_at = Some(Instant::now());
        self.frames = app.hub.subscribe();
        self.check_rights(app).await?;
        self.resync(app).await
    }

    /// Tells the client to read its lists again, and to go on from here.
    async fn resync(&mut self, app: &App) -> Result<(), End> {
        self.sent = app.hub.position();
        let frame = json!({ "cursor": self.sent.to_string(), "type": "resync", "at": app.clock.now(), "data": {} });
        self.send(Message::Text(frame.to_string().into())).await
    }

    async fn check_rights(&mut self, app: &App) -> Result<(), End> {
        // Rare and large: boxed, so that no idle socket keeps room for it.
        match Box::pin(self.watcher.refresh(app)).await {
            Ok(false) => Err(SIGNED_OUT),
            // A database that is away takes no rights and gives none: frames come from it alone.
            Ok(true) | Err(_) => Ok(()),
        }
    }

    async fn send(&mut self, message: Message) -> Result<(), End> {
        match timeout(WRITE, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(GONE),
            Err(_) => Err(TOO_SLOW),
        }
    }
}
