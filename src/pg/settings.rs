//! The cluster's settings, written anew at each start so that they always are this version's.

use std::path::Path;

use super::account::Account;
use super::data_dir::{DataDir, make_dir, set_mode};
use super::error::Error;
use super::{PORT, ROLE};

/// Writes `pg-conf/`: the three files that Postgres is started with.
pub(super) fn write(dir: &DataDir, account: &Account, socket_dir: &Path) -> Result<(), Error> {
    let conf = dir.conf();
    make_dir(&conf)?;
    set_mode(&conf, 0o755)?;
    let put = |name: &str, text: String| {
        let path = conf.join(name);
        std::fs::write(&path, text).map_err(Error::io(format!("write {}", path.display())))?;
        set_mode(&path, 0o644)
    };
    put("postgresql.conf", postgresql_conf(&conf, socket_dir))?;
    // No other line, hence no other way in.
    put("pg_hba.conf", "local all all peer map=owner\n".to_owned())?;
    put("pg_ident.conf", ident_map(account))
}

/// One call for the file system; opening each of a thousand files takes seconds on a busy disk.
const SYNC_AFTER_A_CRASH: &str =
    if cfg!(target_os = "linux") { "recovery_init_sync_method = syncfs" } else { "recovery_init_sync_method = fsync" };

fn postgresql_conf(conf: &Path, socket_dir: &Path) -> String {
    let quoted = |path: &Path| path.display().to_string().replace('\'', "''");
    format!(
        "# Written at every start; put your own lines into local.conf beside this file.
listen_addresses = ''
port = {PORT}
unix_socket_directories = '{socket}'
unix_socket_permissions = 0700
hba_file = '{conf}/pg_hba.conf'
ident_file = '{conf}/pg_ident.conf'
max_connections = 128
shared_buffers = 64MB
max_wal_size = 512MB
jit = off
fsync = on
full_page_writes = on
synchronous_commit = on
timezone = 'UTC'
log_timezone = 'UTC'
logging_collector = on
log_directory = 'log'
log_filename = 'postgresql-%a.log'
log_rotation_age = 1d
log_rotation_size = 0
log_truncate_on_rotation = on
log_error_verbosity = terse
log_line_prefix = '%m [%p] %d '
{sync}
include_if_exists = '{conf}/local.conf'
",
        sync = SYNC_AFTER_A_CRASH,
        socket = quoted(socket_dir),
        conf = quoted(conf),
    )
}

/// The invoking user and the cluster's account are the same role inside.
fn ident_map(account: &Account) -> String {
    let line = |name: &str| format!("owner \"{name}\" {ROLE}\n");
    let mut map = line(&account.invoker);
    if account.name != account.invoker {
        map.push_str(&line(&account.name));
    }
    map
}
