//! The log: to standard error, for people or for machines.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;

use crate::config::{LogFormat, log_filter};

/// Sets it up, once in a process; a second time changes nothing.
pub fn init(format: LogFormat) {
    let filter = log_filter().unwrap_or_else(|| "info,sqlx=warn".into());
    let filter = EnvFilter::try_new(filter).unwrap_or_else(|_| EnvFilter::new("info"));
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    let started = match format {
        LogFormat::Human => builder.with_target(false).with_ansi(std::io::stderr().is_terminal()).try_init(),
        LogFormat::Json => builder.json().flatten_event(true).try_init(),
    };
    // Somebody else's subscriber is as good.
    drop(started);
}
