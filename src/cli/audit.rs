//! `countersign audit`: who did what, when, and whether the journal is whole.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use http_body_util::BodyExt;
use serde_json::{Value, json};

use super::failure::{Failure, Outcome};
use super::out;
use super::reach::Reach;
use super::socket::Call;
use super::table::{rows, table, text, time};

/// The noun.
#[derive(Debug, Args)]
pub struct AuditArgs {
    #[command(flatten)]
    reach: Reach,
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Lists the newest entries.
    List {
        #[command(flatten)]
        filter: Filter,
        /// How many, at most 200.
        #[arg(long, default_value_t = 50)]
        limit: u32,
        /// Only entries older than the one with this id.
        #[arg(long, value_name = "ID")]
        before: Option<i64>,
    },
    /// Writes all entries, newest first, to standard output or a file.
    Export {
        #[command(flatten)]
        filter: Filter,
        /// CSV for spreadsheets, JSON lines for programs.
        #[arg(long, value_enum, default_value_t = Format::Jsonl)]
        format: Format,
        /// The file [default: standard output].
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Proves every row, block and signed checkpoint; exit code 1 when something is not as it was.
    Verify {
        /// A key's fingerprint as the server printed it at its start. May be given more than once.
        #[arg(long, value_name = "FINGERPRINT", value_parser = fingerprint)]
        trust: Vec<String>,
        /// An epoch that is known to have begun with a restored backup. May be given more than once.
        #[arg(long, value_name = "EPOCH")]
        restore: Vec<i32>,
    },
}

/// A mistyped fingerprint must not read like a forged journal.
fn fingerprint(text: &str) -> Result<String, String> {
    let fits = text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    if fits {
        Ok(text.to_owned())
    } else {
        Err("a fingerprint is 64 hex digits, as the server prints it at its start".into())
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    Csv,
    Jsonl,
}

#[derive(Debug, Args)]
struct Filter {
    /// Only this lane.
    #[arg(long)]
    lane: Option<String>,
    /// Only this kind, e.g. `proposal.decided`, or what kinds begin with, e.g. `proposal`.
    #[arg(long)]
    kind: Option<String>,
    /// Only this actor, e.g. `person:anna`.
    #[arg(long)]
    actor: Option<String>,
    /// From this moment on, e.g. `2026-11-29T00:00:00Z`.
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    /// Before this moment.
    #[arg(long, value_name = "TIME")]
    until: Option<String>,
    /// Only about this proposal.
    #[arg(long, value_name = "ID")]
    proposal: Option<String>,
}

impl Filter {
    fn path(&self, base: &str, more: &[(&str, String)]) -> String {
        let own = [
            ("lane", &self.lane),
            ("kind", &self.kind),
            ("actor", &self.actor),
            ("since", &self.since),
            ("until", &self.until),
            ("proposal", &self.proposal),
        ];
        let given = own.iter().filter_map(|(name, value)| value.as_ref().map(|value| (*name, value)));
        query(base, given.chain(more.iter().map(|(name, value)| (*name, value))))
    }
}

fn query<'a>(base: &str, pairs: impl Iterator<Item = (&'a str, &'a String)>) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    for (name, value) in pairs {
        query.append_pair(name, value);
    }
    format!("{base}?{}", query.finish())
}

/// Runs it.
pub async fn run(args: AuditArgs) -> Outcome {
    let AuditArgs { reach, what } = args;
    match what {
        What::List { filter, limit, before } => {
            let mut more = vec![("limit", limit.to_string())];
            more.extend(before.map(|id| ("before", id.to_string())));
            list(&reach, &filter.path("/api/v1/audit", &more)).await
        }
        What::Export { filter, format, output } => {
            let word = if matches!(format, Format::Csv) { "csv" } else { "jsonl" };
            export(&reach, &filter.path("/api/v1/audit/export", &[("format", word.into())]), output).await
        }
        What::Verify { trust, restore } => {
            let restores = restore.iter().map(i32::to_string).collect::<Vec<_>>().join(",");
            let given = [("trust", trust.join(",")), ("restores", restores)];
            let path = query("/api/v1/audit/verify", given.iter().map(|(name, value)| (*name, value)));
            verify(&reach, &path).await
        }
    }
}

async fn list(reach: &Reach, path: &str) -> Outcome {
    let answer = reach.get(path).await?;
    reach.say(&answer, |answer| {
        let row = |entry: &Value| {
            let payload: String = text(&entry["payload"]).chars().take(60).collect();
            vec![
                text(&entry["id"]),
                time(&entry["at"]),
                text(&entry["kind"]),
                text(&entry["actor"]),
                text(&entry["lane"]),
                payload,
            ]
        };
        table(&["ID", "WHEN", "WHAT", "WHO", "LANE", "PARTICULARS"], &rows(answer, row), "Nothing fits.")
    });
    Ok(())
}

async fn export(reach: &Reach, path: &str, output: Option<PathBuf>) -> Outcome {
    let mut body = reach.socket().send(Call::get(path)).await?.into_body();
    let to_terminal = output.is_none() && std::io::stdout().is_terminal();
    let mut sink: Box<dyn Write> = match output {
        Some(file) => Box::new(
            std::fs::File::create(&file)
                .map_err(|error| Failure::failed(format!("cannot write {}: {error}", file.display())))?,
        ),
        None => Box::new(std::io::stdout().lock()),
    };
    // A file gets the bytes that the chain proves; a terminal gets whole lines without anything to obey.
    let mut held: Vec<u8> = Vec::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| Failure::failed(format!("the export broke off: {error}")))?;
        let Some(bytes) = frame.data_ref() else { continue };
        if to_terminal {
            held.extend_from_slice(bytes);
            let rest = held.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
            let lines: Vec<u8> = held.drain(..rest).collect();
            sink.write_all(out::visible(&String::from_utf8_lossy(&lines)).as_bytes())?;
        } else {
            sink.write_all(bytes)?;
        }
    }
    sink.write_all(out::visible(&String::from_utf8_lossy(&held)).as_bytes())?;
    sink.flush()?;
    Ok(())
}

async fn verify(reach: &Reach, path: &str) -> Outcome {
    let report = reach.get(path).await?;
    let damage = report["findings"].as_array().map_or(0, Vec::len);
    reach.say(&report, describe);
    if damage == 0 {
        return Ok(());
    }
    Err(Failure::failed("the journal is not as it was written"))
}

fn describe(report: &Value) -> String {
    let mut lines = vec![format!(
        "{} rows in {} blocks ({} vouched for by checkpoints, {} redacted), {} not yet sealed; {} checkpoints",
        text(&report["rows"]),
        text(&report["blocks"]),
        text(&report["rows_witnessed"]),
        text(&report["rows_redacted"]),
        text(&report["rows_unsealed"]),
        text(&report["checkpoints"]),
    )];
    let signers = report["signers"].as_array().map(Vec::as_slice).unwrap_or_default();
    lines.extend(signers.iter().map(|signer| {
        let trusted = if signer["trusted"] == json!(true) { "trusted" } else { "not named with --trust" };
        format!("signed by {} ({trusted}), {} checkpoints", text(&signer["fingerprint"]), text(&signer["checkpoints"]))
    }));
    let notices = report["notices"].as_array().map(Vec::as_slice).unwrap_or_default();
    lines.extend(notices.iter().map(|notice| format!("note: {}", text(notice))));
    let findings = report["findings"].as_array().map(Vec::as_slice).unwrap_or_default();
    lines.extend(findings.iter().map(|f| format!("DAMAGE {}: {}", text(&f["damage"]), text(&f["detail"]))));
    if findings.is_empty() {
        lines.push("whole".into());
    }
    lines.join("\n")
}
