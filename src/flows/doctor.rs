//! The server's half of `countersign doctor`: the database, the tail, the clock, the exposure, who is signed in.

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgConnection;

use crate::app::App;
use crate::auth::LocalPeer;
use crate::auth::mode::same_user_warning;
use crate::domain::health::{Check, Level, above};
use crate::error::{Error, Result};
use crate::outbound::address::origin_of;
use crate::store::{self, checkpoints, doctor, grants, instance, tail};

/// A clock this far from the database's makes tokens and log lines misleading, and then wrong.
const CLOCK: (f64, f64) = (1.0, 30.0);
/// Beyond two seconds memory answers nothing; ten seconds is what an idle transaction may take.
const LAG: (f64, f64) = (2.0, 10.0);
/// Checkpoints are due each ten minutes while something happens.
const UNVOUCHED: TimeDelta = TimeDelta::minutes(20);

/// Looks at everything; finding something bad is a result, not an error.
pub async fn check_up(app: &App, _peer: LocalPeer) -> Result<Vec<Check>> {
    let began = app.clock.now();
    let mut conn = app.db.acquire().await?;
    let now = store::now(&mut conn, app.clock.offset_us()).await?;
    let ended = app.clock.now();
    let mut checks = vec![mode(), exposure(app)];
    checks.push(database(&mut conn).await?);
    checks.push(clock((began, ended), now));
    checks.push(lag(&mut conn).await?);
    checks.push(vouching(app, &mut conn, now).await?);
    checks.push(paused(&mut conn).await?);
    checks.push(notices(&mut conn).await?);
    checks.extend(people(&mut conn, now).await?);
    Ok(checks)
}

fn mode() -> Check {
    match same_user_warning() {
        None => Check::ok("mode", "strong: the service runs as a system user of its own"),
        Some(warning) => Check::bad(
            "mode",
            Level::Warn,
            warning,
            "run the service as a system user of its own, as the container does",
        ),
    }
}

fn exposure(app: &App) -> Check {
    let found = format!("people use {}, listening on {}", app.public_url, app.listen_host);
    if app.insecure {
        let hint = "give --tls-cert and --tls-key, or put a proxy in front and name it with --trusted-proxy";
        return Check::bad("exposure", Level::Fail, format!("{found}, without encryption"), hint);
    }
    let local = ["127.", "localhost", "[::1]"].iter().any(|start| app.public_url.host().starts_with(start));
    if !app.public_url.is_https() && !local {
        let hint = "start with a --public-url of https; cookies of a plain-http address can be read on the way";
        return Check::bad("exposure", Level::Warn, found, hint);
    }
    Check::ok("exposure", found)
}

async fn database(conn: &mut PgConnection) -> Result<Check> {
    let version = store::server_version(conn).await?;
    let schema = doctor::schema(conn).await.map_err(|error| Error::Internal(format!("the schema's steps: {error}")))?;
    let newest = store::MIGRATOR.iter().map(|step| step.version).max();
    let found = format!("Postgres {}.{}, schema {}", version / 10_000, version % 10_000, schema.unwrap_or_default());
    Ok(if schema == newest {
        Check::ok("database", found)
    } else {
        Check::bad("database", Level::Warn, found, "another version has changed the schema; run one version everywhere")
    })
}

fn clock((began, ended): (DateTime<Utc>, DateTime<Utc>), database: DateTime<Utc>) -> Check {
    // Somewhere between the two readings of ours the database read its own.
    let apart = (began - database).max(database - ended).max(TimeDelta::zero());
    let secs = seconds(apart);
    let found = format!("{secs:.3} s from the database's");
    match above(secs, CLOCK) {
        Level::Ok => Check::ok("clock", found),
        level => Check::bad("clock", level, found, "set both machines by NTP"),
    }
}

async fn lag(conn: &mut PgConnection) -> Result<Check> {
    let lag = tail::lag_seconds(conn).await?.unwrap_or_default();
    let blocker = doctor::blocker(conn).await?.filter(|blocker| above(blocker.open_secs, LAG) > Level::Ok);
    let level = above(lag, LAG).max(blocker.as_ref().map_or(Level::Ok, |blocker| above(blocker.open_secs, LAG)));
    let found = format!("the newest events are told {lag:.1} s late");
    let Some(by) = blocker else {
        return Ok(match level {
            Level::Ok => Check::ok("tail", found),
            level => Check::bad("tail", level, found, "nothing holds it back any more; look again in a second"),
        });
    };
    let found = format!(
        "{found}: a transaction open for {:.0} s holds them back (pid {}, {} in database {}, {}, last statement {:.0} s ago)",
        by.open_secs, by.pid, by.application, by.database, by.state, by.statement_secs
    );
    let hint = if by.pid == 0 {
        format!("commit or roll back the prepared transaction {}", by.application)
    } else {
        format!("end it there, or: countersign pg exec -- psql -c 'select pg_terminate_backend({})'", by.pid)
    };
    Ok(Check::bad("tail", level, found, hint))
}

async fn vouching(app: &App, conn: &mut PgConnection, now: DateTime<Utc>) -> Result<Check> {
    let Some(at) = checkpoints::newest_at(conn).await? else {
        return Ok(Check::bad(
            "checkpoints",
            Level::Fail,
            "none was ever signed",
            "look for `seal` in the server's log",
        ));
    };
    let found = format!("the last was signed {} min ago by a key of this installation", (now - at).num_minutes());
    let unvouched = match app.notary.last() {
        Some(last) => store::journal::progress(conn, last.height, app.clock.offset_us()).await?.rows,
        None => 0,
    };
    Ok(if now - at > UNVOUCHED && unvouched > 0 {
        let hint = "is the data folder full or read-only? look for `seal` in the server's log";
        Check::bad("checkpoints", Level::Fail, format!("{found}; {unvouched} rows wait"), hint)
    } else {
        Check::ok("checkpoints", found)
    })
}

async fn paused(conn: &mut PgConnection) -> Result<Check> {
    let Some(pause) = instance::pause(conn).await? else {
        return Ok(Check::ok("pause", "the policy answers, where it is on"));
    };
    let found = format!("paused by {} since {}: {}", pause.by, pause.at.format("%F %R UTC"), pause.reason);
    let hint = "nothing is answered by policy, and no mail typed, until: countersign pause off";
    Ok(Check::bad("pause", Level::Warn, found, hint))
}

async fn notices(conn: &mut PgConnection) -> Result<Check> {
    let Some(url) = instance::settings(conn).await?.notify_url else {
        return Ok(Check::ok("notices", "off: nobody outside hears that a person is needed"));
    };
    let to = url::Url::parse(&url).map_or_else(|_| "nowhere".to_owned(), |url| origin_of(&url));
    let desk = store::notices::standing(conn).await?;
    let hint = "countersign settings test-notice sends one now; countersign settings set notify_url=null ends them";
    Ok(match (desk.failed_at, desk.sent_at) {
        (Some(failed), sent) if sent.is_none_or(|sent| sent < failed) => {
            let found = format!("the last one was not delivered: {}", desk.failure.unwrap_or_default());
            Check::bad("notices", Level::Warn, found, hint)
        }
        (_, Some(sent)) => Check::ok("notices", format!("the last one went to {to} at {}", sent.format("%F %R UTC"))),
        (_, None) => Check::ok("notices", format!("go to {to}; none was sent yet")),
    })
}

async fn people(conn: &mut PgConnection, now: DateTime<Utc>) -> Result<Vec<Check>> {
    let census = doctor::census(conn, now).await?;
    let found = format!("{} open, {} of them unused for six hours", census.sessions, census.idle_sessions);
    let mut checks = vec![Check::ok("sessions", found)];
    checks.push(match census.unused_tokens {
        0 => Check::ok("tokens", "none is unused for thirty days"),
        n => {
            let found = format!("{n} unused for thirty days: {}", census.unused_agents.join(", "));
            Check::bad("tokens", Level::Warn, found, "take them back: countersign agent revoke NAME")
        }
    });
    checks.push(match grants::lasting_admins(conn).await? {
        0 => Check::bad("admins", Level::Warn, "there is none yet", "countersign user add NAME --role admin"),
        1 => {
            let hint = "add a second: who loses the only admin's password must edit the database";
            Check::bad("admins", Level::Warn, "one person alone is admin", hint)
        }
        n => Check::ok("admins", format!("{n} people")),
    });
    Ok(checks)
}

/// Seconds as a number with a fraction.
fn seconds(span: TimeDelta) -> f64 {
    span.to_std().unwrap_or_default().as_secs_f64()
}
