//! The create batcher: takes what is queued, no timer, and writes it in one statement; answers only after the commit.

use std::collections::{HashMap, HashSet};

use sqlx::PgConnection;
use tokio::sync::mpsc;
use uuid::Uuid;

use super::expire;
use crate::app::{App, AppState, Creating, Made};
use crate::error::{Code, Error, Problem, Result, is_passing};
use crate::store::proposals::create::{self, Created, NewProposal, Standing};

/// How many creates one statement takes.
const BATCH: usize = 128;
/// How often a create is tried again when another one got in between.
const ROUNDS: u32 = 3;

/// Runs until the app is drained, and then until the queue is empty.
pub async fn run(app: AppState, mut queue: mpsc::Receiver<Creating>) {
    let mut batch = Vec::with_capacity(BATCH);
    loop {
        tokio::select! {
            biased;
            taken = queue.recv_many(&mut batch, BATCH) => if taken == 0 { return },
            () = app.drained.cancelled(), if !queue.is_closed() => queue.close(),
        }
        gather(&mut queue, &mut batch).await;
        // By agent and digest, so that neighbours in one statement lock in one order.
        batch.sort_by_key(|c| (c.new.agent_id, c.new.digest.0));
        write(&app, std::mem::take(&mut batch)).await;
    }
}

/// Lets whoever is ready to run come along: a statement costs more than what one more row adds to it. Nobody is waited
/// for, so a lone create goes at once.
async fn gather(queue: &mut mpsc::Receiver<Creating>, batch: &mut Vec<Creating>) {
    let mut before = 0;
    while before < batch.len() && batch.len() < BATCH {
        before = batch.len();
        tokio::task::yield_now().await;
        while batch.len() < BATCH
            && let Ok(creating) = queue.try_recv()
        {
            batch.push(creating);
        }
    }
}

/// Writes a batch; whatever fails with company is tried again alone, so that one bad row hurts only itself.
async fn write(app: &App, batch: Vec<Creating>) {
    if batch.is_empty() {
        return;
    }
    let left = rounds(app, batch).await;
    for alone in left {
        for hopeless in rounds(app, vec![alone]).await {
            let busy =
                Problem::new(Code::Unavailable, "Others kept getting in between. Nothing was written; try again.");
            answer(hopeless, Err(busy.with("retry_after", 1).into()));
        }
    }
}

fn answer(creating: Creating, result: Result<Made>) {
    // A caller that went away finds the proposal by its key, or by proposing the same again.
    let _ = creating.reply.send(result);
}

/// Up to three rounds of reading what stands in the way and writing the rest; the answer is what is still unwritten.
async fn rounds(app: &App, mut batch: Vec<Creating>) -> Vec<Creating> {
    let alone = batch.len() == 1;
    for _ in 0..ROUNDS {
        batch = round(app, batch).await;
        if batch.is_empty() {
            return batch;
        }
        if !alone && batch.len() == 1 {
            break;
        }
    }
    batch
}

fn fail_all(batch: Vec<Creating>, error: &sqlx::Error) -> Vec<Creating> {
    tracing::warn!(%error, creates = batch.len(), "the database did not take a batch of proposals");
    for creating in batch {
        let told = Problem::new(
            Code::Unavailable,
            "The database did not answer. Send the same request again; it will not be doubled.",
        );
        answer(creating, Err(told.with("retry_after", 2).into()));
    }
    Vec::new()
}

/// One round; the answer is what has to be looked at again. Whatever needs a connection of its own comes after this
/// one is given back, or a pool of waiting rounds would wait for itself.
async fn round(app: &App, batch: Vec<Creating>) -> Vec<Creating> {
    let mut conn = match app.db.acquire().await {
        Ok(conn) => conn,
        Err(error) => return fail_all(batch, &error),
    };
    let news: Vec<&NewProposal> = batch.iter().map(|c| &*c.new).collect();
    let standings = match create::standings(&mut conn, app.clock.offset_us(), &news).await {
        Ok(standings) => standings,
        Err(error) => return fail_all(batch, &error),
    };
    let mut again = Vec::new();
    let mut fresh = Vec::new();
    let mut due = Vec::new();
    let mut taken = Taken::default();
    for (creating, standing) in batch.into_iter().zip(standings) {
        match settle(app, &mut conn, &creating.new, &standing, &mut taken).await {
            Ok(Settled::Write) => fresh.push(creating),
            Ok(Settled::Again) => again.push(creating),
            Ok(Settled::Due(id)) => {
                due.push(id);
                again.push(creating);
            }
            Ok(Settled::Made(made)) => answer(creating, Ok(made)),
            Err(error) => answer(creating, Err(error)),
        }
    }
    let unknown = if fresh.is_empty() { None } else { insert(app, &mut conn, fresh, &mut again).await };
    drop(conn);
    for id in due {
        if let Err(error) = expire::expire(app, id).await {
            tracing::warn!(proposal = %id, %error, "a proposal in the way of a new one could not be closed as expired");
        }
    }
    if let Some((fresh, error)) = unknown {
        again.extend(recover(app, fresh, error).await);
    }
    again
}

/// What this round has already promised to others of the same batch.
#[derive(Default)]
struct Taken {
    contents: HashSet<(Uuid, [u8; 32])>,
    keys: HashSet<(Uuid, String)>,
    rooms: HashMap<Uuid, i32>,
}

enum Settled {
    Write,
    Again,
    /// A pending one with the same content is over and has to be closed first.
    Due(Uuid),
    Made(Made),
}

async fn settle(
    app: &App,
    conn: &mut PgConnection,
    new: &NewProposal,
    standing: &Standing,
    taken: &mut Taken,
) -> Result<Settled> {
    if !standing.alive {
        return Err(Error::unauthenticated());
    }
    if let (Some(id), Some(hash), Some((_, mine))) = (standing.replay_id, &standing.replay_hash, &new.key) {
        if hash[..] != mine.0[..] {
            let detail = "This idempotency key was used for another request; use a new key for a new request.";
            return Err(Problem::new(Code::IdempotencyMismatch, detail).field("Idempotency-Key").into());
        }
        return Ok(Settled::Made(Made::Replayed(id)));
    }
    if let Some(id) = standing.joined_id {
        if standing.joined_due {
            return Ok(Settled::Due(id));
        }
        return join(app, conn, new, id).await;
    }
    let content_free = taken.contents.insert((new.agent_id, new.digest.0));
    let key_free = new.key.as_ref().is_none_or(|(key, _)| taken.keys.insert((new.agent_id, key.clone())));
    if !(content_free && key_free) {
        return Ok(Settled::Again);
    }
    let room = taken.rooms.entry(new.agent_id).or_insert(standing.room);
    if *room <= 0 {
        return Err(too_many(conn, new.agent_id).await?);
    }
    *room -= 1;
    Ok(Settled::Write)
}

/// The same content is pending: the key, if any, now stands for that proposal.
async fn join(app: &App, conn: &mut PgConnection, new: &NewProposal, id: Uuid) -> Result<Settled> {
    if let Some((key, hash)) = &new.key {
        let kept = create::remember_key(conn, app.clock.offset_us(), (new.agent_id, key), hash, id).await?;
        if !kept {
            return Ok(Settled::Again);
        }
    }
    Ok(Settled::Made(Made::Joined(id)))
}

async fn too_many(conn: &mut PgConnection, agent: Uuid) -> Result<Error> {
    let ids: Vec<String> = create::pending_ids(conn, agent).await?.iter().map(Uuid::to_string).collect();
    let detail = format!("{} proposals of this agent are waiting. Check or withdraw one of them first.", ids.len());
    Ok(Problem::new(Code::TooManyPending, detail).with("pending_ids", ids).with("retry_after", 10).into())
}

/// Writes what is fresh. What somebody else got in between of goes to `again`; the answer is what has an unknown fate.
async fn insert(
    app: &App,
    conn: &mut PgConnection,
    fresh: Vec<Creating>,
    again: &mut Vec<Creating>,
) -> Option<(Vec<Creating>, sqlx::Error)> {
    let news: Vec<&NewProposal> = fresh.iter().map(|c| &*c.new).collect();
    match create::insert(&mut *conn, app.clock.offset_us(), &news).await {
        Ok(created) => again.extend(deliver(app, fresh, created)),
        Err(sqlx::Error::Database(refused)) if refused.code().is_some_and(|code| again_on(&code)) => {
            again.extend(fresh);
        }
        Err(error) => return Some((fresh, error)),
    }
    None
}

/// Unique violation, no room after all, serialization, deadlock: read again.
fn again_on(code: &str) -> bool {
    matches!(code, "23505" | "CS001" | "40001" | "40P01")
}

/// Answers those that were written; the answer is the others.
fn deliver(app: &App, batch: Vec<Creating>, created: Vec<Created>) -> Vec<Creating> {
    let mut by_id: HashMap<Uuid, Created> = created.into_iter().map(|made| (made.id, made)).collect();
    let mut others = Vec::new();
    for creating in batch {
        match by_id.remove(&creating.new.id) {
            Some(made) => {
                app.hub.tell(made.id, 1);
                app.metrics.created();
                answer(creating, Ok(Made::New(made)));
            }
            None => others.push(creating),
        }
    }
    others
}

/// The outcome is unknown, or a row is bad: look which ids exist before anything is tried again.
async fn recover(app: &App, fresh: Vec<Creating>, error: sqlx::Error) -> Vec<Creating> {
    let ids: Vec<Uuid> = fresh.iter().map(|c| c.new.id).collect();
    let found = async {
        let mut conn = app.db.acquire().await?;
        create::existing(&mut conn, &ids).await
    };
    let Ok(written) = found.await else { return fail_all(fresh, &error) };
    let not_done = deliver(app, fresh, written);
    let bad_row = matches!(error, sqlx::Error::Database(_)) && !is_passing(&error);
    match not_done.len() {
        0 => Vec::new(),
        1 if bad_row => {
            for creating in not_done {
                answer(creating, Err(Error::Internal(format!("a proposal could not be written: {error}"))));
            }
            Vec::new()
        }
        _ if bad_row => not_done,
        _ => fail_all(not_done, &error),
    }
}
