//! The log: to standard error, for people or for machines.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;

use crate::config::{LogFormat, log_filter};

/// What is never logged.
const QUIET: &str = ",rmcp=off";

/// Sets it up, once in a process; a second time changes nothing.
pub fn init(format: LogFormat) {
    let filter = log_filter().unwrap_or_else(|| "info,sqlx=warn".into());
    // rmcp logs whole messages, and what agents write is in no log, whatever is asked for.
    let filter = EnvFilter::try_new(filter + QUIET).unwrap_or_else(|_| EnvFilter::new("info".to_owned() + QUIET));
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    let started = match format {
        LogFormat::Human => builder.with_target(false).with_ansi(std::io::stderr().is_terminal()).try_init(),
        LogFormat::Json => builder.json().flatten_event(true).try_init(),
    };
    // Somebody else's subscriber is as good.
    drop(started);
}
