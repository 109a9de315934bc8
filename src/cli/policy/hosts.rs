//! `countersign policy network-hosts`: the list of hosts, by hand or from this machine's package managers.

use clap::{Args, Subcommand};
use serde_json::{Map, Value, json};

use super::POLICY;
use super::set::{self, Manner};
use super::sources::{self, Source};
use crate::cli::failure::{Failure, Outcome};
use crate::cli::out;
use crate::cli::reach::Reach;
use crate::config::package_environment;

/// The noun's noun.
#[derive(Debug, Args)]
pub(super) struct HostsArgs {
    /// Adds the hosts that cargo, npm and pip of this machine are configured for, after showing where each was read.
    #[arg(long)]
    from_package_managers: bool,
    /// Only shows them.
    #[arg(long, requires = "from_package_managers")]
    dry_run: bool,
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Lists them.
    List,
    /// Adds hosts: `https://HOST` for https alone, HOST for any scheme.
    Add {
        /// The hosts.
        #[arg(required = true, value_name = "HOST")]
        hosts: Vec<String>,
    },
    /// Removes hosts.
    Remove {
        /// The hosts, as they are listed.
        #[arg(required = true, value_name = "HOST")]
        hosts: Vec<String>,
    },
}

/// Runs it.
pub(super) async fn run(reach: &mut Reach, args: HostsArgs) -> Outcome {
    let view = reach.get(POLICY).await?;
    let listed = view["defaults"]["network_hosts"].as_array().into_iter().flatten();
    let mut hosts: Vec<String> = listed.filter_map(Value::as_str).map(str::to_owned).collect();
    let reason = match (args.what, args.from_package_managers) {
        (Some(_), true) => return Err(Failure::usage("--from-package-managers stands alone")),
        (None | Some(What::List), false) => {
            reach.say(&json!({ "items": hosts }), |_| hosts.join("\n"));
            return Ok(());
        }
        (Some(What::Add { hosts: new }), _) => {
            hosts.extend(new);
            "hosts added"
        }
        (Some(What::Remove { hosts: old }), _) => {
            if let Some(unknown) = old.iter().find(|host| !hosts.contains(host)) {
                return Err(Failure::failed(format!(
                    "{unknown} is not listed; countersign policy network-hosts lists them"
                )));
            }
            hosts.retain(|host| !old.contains(host));
            "hosts removed"
        }
        (None, true) => {
            let found = sources::gather(&package_environment());
            let new = shown(&found, &hosts);
            if new.is_empty() || args.dry_run {
                return Ok(());
            }
            hosts.extend(new);
            "hosts of the package managers"
        }
    };
    let draft = Map::from_iter([("network_hosts".to_owned(), json!(hosts))]);
    set::run(reach, draft, Manner { simulate: true, reason: Some(reason.to_owned()) }).await
}

/// Shows what was found where; the entries that are not listed yet.
fn shown(found: &[Source], listed: &[String]) -> Vec<String> {
    let mut new: Vec<String> = Vec::new();
    for source in found {
        if source.hosts.is_empty() {
            out::note(format!(
                "{}: no host is configured; it uses its built-in one. Add that by hand: countersign policy network-hosts add",
                source.tool
            ));
        }
        for (host, place) in &source.hosts {
            let known = listed.contains(host) || new.contains(host);
            out::note(format!("{}: {host} (from {place}){}", source.tool, if known { ", listed already" } else { "" }));
            if !known {
                new.push(host.clone());
            }
        }
    }
    let said = if new.is_empty() { "Nothing new.".to_owned() } else { format!("New: {}", new.join(", ")) };
    out::note(said);
    new
}
