//! A pane client takes its orders, oldest first: each is leased to it for a minute, and what the policy ordered is judged
//! again first.

use std::time::Duration;

use tokio::time::Instant;
use uuid::Uuid;

use super::rejudge::{self, Standing};
use super::shape::{self, Order};
use super::texts::{self, AtLease};
use super::{expire, expire::lock_both};
use crate::app::App;
use crate::auth::PaneClient;
use crate::domain::order::{Execution, LEASE};
use crate::error::Result;
use crate::store::{self, instance, orders, policies};

/// How many one answer gives.
const MOST: i64 = 50;
/// How long at most until an order that another server has written, or whose time has come, is found.
const LOOK: Duration = Duration::from_secs(1);

/// Takes what there is, or waits up to `wait` for something.
pub async fn lease(app: &App, client: &PaneClient, wait: Duration) -> Result<Vec<Order>> {
    // Registered before the first read, so that nothing can happen unheard in between.
    let mut waiter = app.hub.waiters.register(client.id());
    let until = Instant::now() + wait;
    loop {
        let found = look(app, client).await?;
        if !found.is_empty() || Instant::now() >= until || app.stopping.is_cancelled() {
            return Ok(found);
        }
        tokio::select! {
            () = waiter.stirred() => {}
            () = tokio::time::sleep_until(until.min(Instant::now() + LOOK)) => {}
            () = app.stopping.cancelled() => {}
        }
    }
}

async fn look(app: &App, client: &PaneClient) -> Result<Vec<Order>> {
    expire::expire_of(app, Some(client.id())).await?;
    let mut conn = app.db.acquire().await?;
    client.confirm(&mut conn).await?;
    let now = store::now(&mut conn, app.clock.offset_us()).await?;
    let paused = instance::pause(&mut conn).await?.is_some();
    let mut found: Vec<Order> = Vec::new();
    for row in orders::taken(&mut conn, client.id()).await? {
        if client.watches(row.lane_id) {
            found.push(shape::order(&row, true));
        }
    }
    let waiting = orders::waiting(&mut conn, (client.id(), paused), (now, MOST)).await?;
    drop(conn);
    for id in waiting {
        if let Some(order) = take(app, client, id).await? {
            found.push(order);
        }
    }
    found.sort_by_key(|order| order.id);
    Ok(found)
}

/// Takes one order in a transaction of its own; none when it is gone, waits, or no longer stands.
async fn take(app: &App, client: &PaneClient, id: Uuid) -> Result<Option<Order>> {
    let mut tx = app.db.begin().await?;
    policies::hold(&mut tx).await?;
    client.confirm(&mut tx).await?;
    let Some(order) = lock_both(&mut tx, id).await? else { return Ok(None) };
    if order.state != "queued" || !client.watches(order.lane_id) {
        return Ok(None);
    }
    let now = store::now(&mut tx, app.clock.offset_us()).await?;
    let by_person = order.kind == "answer" && !order.by_policy;
    if !by_person && instance::pause(&mut tx).await?.is_some() {
        return Ok(None);
    }
    if order.kind == "answer" && order.by_policy {
        match rejudge::rejudge(app, &mut tx, (client, &order), now).await? {
            Standing::Stands => {}
            Standing::Fallen(replaced) => {
                tx.commit().await?;
                app.hub.waiters.stir(order.id);
                app.hub.tell(replaced, 1);
                app.metrics.executed(Execution::Skipped.as_str());
                app.metrics.created();
                return Ok(None);
            }
        }
    }
    match texts::at_lease(app, &mut tx, &order, now).await? {
        AtLease::Stands => {}
        AtLease::Waits => return Ok(None),
        AtLease::Fallen => {
            tx.commit().await?;
            app.hub.waiters.stir(order.id);
            app.hub.poke();
            app.metrics.executed(Execution::Skipped.as_str());
            return Ok(None);
        }
    }
    let lease = now + LEASE;
    if !orders::take(&mut tx, id, (now, lease)).await? {
        return Ok(None);
    }
    tx.commit().await?;
    let mut given = shape::order(&order, false);
    given.lease_until = Some(lease);
    Ok(Some(given))
}
