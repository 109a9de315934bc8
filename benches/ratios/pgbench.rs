//! The anchors that pgbench measures: the same rows in separate statements, one commit, one read by key.

use std::path::PathBuf;

use crate::Res;
use crate::database::Databases;
use crate::process::program;
use crate::scratch::Scratch;

/// The database that pgbench writes to.
pub(crate) const ANCHOR: &str = "anchor";

/// How many agents pgbench has; each client is one, so that none waits for another's row.
const AGENTS: u32 = 64;

/// No colon here or in the script touches a word that follows: pgbench would take that for a variable, quoted or not.
const REQUIREMENT: &str =
    r#"{"votes": 1, "roles": ["approver", "admin"], "exclude": [], "reauth": false, "reason": false}"#;
const PAYLOAD: &str = r#"{"action": "edit", "agent": "agent-1", "digest": "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "kind": "change", "risk": "medium", "title": "Retry the payment call, number 1234567890"}"#;

/// What pgbench repeats.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Script {
    /// All rows of one create, in statements of their own between BEGIN and COMMIT.
    Create,
    /// One row and its commit.
    Commit,
    /// One proposal by its primary key.
    Read,
}

/// One run's result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rate {
    /// Transactions a second.
    pub(crate) tps: f64,
    /// The middle transaction of a single client, in milliseconds.
    pub(crate) p50_ms: f64,
}

/// Makes what the scripts need.
pub(crate) async fn prepare(databases: &Databases, scratch: &Scratch) -> Res<()> {
    databases.make(ANCHOR).await?;
    let place = "'00000000-0000-0000-0000-000000000001'";
    let seed = format!(
        "insert into projects (id, name, repo_path) values ({place}, 'shop', '/srv/shop');
        insert into lanes (id, name, project_id, worktree) values ({place}, 'api', {place}, '/srv/shop-api');
        insert into agents (id, name, lane_id, cap) select lpad(to_hex(n), 32, '0')::uuid, 'agent-' || n, {place}, 1000000000
            from generate_series(0, {last}) n;
        create table commits (id bigint generated always as identity primary key, at timestamptz not null default now());
        create table readable (id uuid primary key, title text not null, body text not null);
        insert into readable select lpad(to_hex(n), 32, '0')::uuid, 'Title ' || n, repeat('x', 1000)
            from generate_series(1, 10000) n;
        analyze",
        last = AGENTS - 1,
    );
    databases.run(ANCHOR, &seed).await?;
    for script in [Script::Create, Script::Commit, Script::Read] {
        std::fs::write(script.path(scratch), script.text())?;
    }
    Ok(())
}

impl Script {
    fn path(self, scratch: &Scratch) -> PathBuf {
        scratch.path().join(format!("{self:?}.sql").to_lowercase())
    }

    fn text(self) -> String {
        match self {
            Self::Create => create(),
            Self::Commit => "insert into commits default values;\n".to_owned(),
            Self::Read => "\\set n random(1, 10000)\n\
                select * from readable where id = lpad(to_hex(:n::int), 32, '0')::uuid;\n"
                .to_owned(),
        }
    }
}

fn create() -> String {
    // Ordered by time as ours are, and the same in all statements of a transaction.
    let id = "(lpad(to_hex((extract(epoch from now()) * 1000000)::bigint), 16, '0') || lpad(to_hex(:r::bigint), 16, '0'))::uuid";
    let digest = "sha256(:r::text::bytea)";
    let place = "'00000000-0000-0000-0000-000000000001'";
    let agent = "lpad(to_hex(:client_id::int), 32, '0')::uuid";
    let (why, body) = (crate::requests::JUSTIFICATION, crate::requests::body());
    format!(
        "\\set r random(1, 9000000000000000000)
BEGIN;
update agents set pending = pending + 1 where id = {agent} and pending + 1 <= cap;
insert into proposals (id, project_id, lane_id, agent_id, kind, action, risk, title, command, digest, created_at, requirement) \
values ({id}, {place}, {place}, {agent}, 'change', 'edit', 'medium', 'Retry the payment call, number ' || :r, 'cargo test -p payments', \
{digest}, now(), '{REQUIREMENT}');
insert into proposal_content (proposal_id, justification, body) values ({id}, '{why}', '{body}');
insert into idempotency_keys (agent_id, key, request_hash, proposal_id, created_at) values ({agent}, 'key-' || :r, {digest}, {id}, now());
insert into events (project_id, lane_id, proposal_id, version, kind, actor, payload, at) values ({place}, {place}, {id}, 1, \
'proposal.created', 'agent agent-1', '{PAYLOAD}', now());
COMMIT;
"
    )
}

/// Runs a script with `clients` connections for `seconds`.
pub(crate) fn run(
    databases: &Databases,
    scratch: &Scratch,
    script: Script,
    (clients, seconds): (u32, f64),
) -> Res<Rate> {
    let prefix = scratch.path().join("pgbench-log");
    // pgbench counts whole seconds.
    let seconds = seconds.ceil().max(1.0);
    let mut command = program(databases.cluster.bin_dir().join("pgbench"));
    // Writing a line a transaction would slow down many clients, and only one client's times are asked for.
    if clients == 1 {
        command.arg("--log").arg("--log-prefix").arg(&prefix);
    }
    let output = command
        .args(["--no-vacuum", "--protocol=prepared"])
        .args([format!("--client={clients}"), format!("--jobs={}", clients.min(2)), format!("--time={seconds}")])
        .arg("--file")
        .arg(script.path(scratch))
        .arg(databases.url(ANCHOR))
        .output()?;
    if !output.status.success() {
        return Err(format!("pgbench: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    let said = String::from_utf8(output.stdout)?;
    let tps = said.lines().find_map(|line| line.strip_prefix("tps = ")).ok_or("pgbench told no tps")?;
    let tps = tps.split(' ').next().unwrap_or_default().parse()?;
    Ok(Rate { tps, p50_ms: middle_of_logs(scratch)? })
}

/// Reads and removes the logs: the third column is a transaction's time in microseconds.
fn middle_of_logs(scratch: &Scratch) -> Res<f64> {
    let mut times = Vec::new();
    for entry in std::fs::read_dir(scratch.path())? {
        let path = entry?.path();
        if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("pgbench-log")) {
            let text = std::fs::read_to_string(&path)?;
            times.extend(text.lines().filter_map(|line| line.split(' ').nth(2)?.parse::<f64>().ok()));
            std::fs::remove_file(path)?;
        }
    }
    Ok(crate::cell::percentile(&times, 0.5) / 1000.0)
}
