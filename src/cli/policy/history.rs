//! The policy's versions, and back to one of them.

use serde_json::{Value, json};

use super::{POLICY, differences, say_version};
use crate::cli::failure::{Failure, Outcome};
use crate::cli::out;
use crate::cli::reach::Reach;
use crate::cli::socket::Call;
use crate::cli::table::{text, time};
use crate::domain::policy::Document;
use crate::domain::policy::diff::diff;
use crate::domain::policy::file;

/// Lists versions.
pub(super) async fn list(reach: &Reach, limit: u32, before: Option<i64>) -> Outcome {
    let before = before.map(|before| format!("&before={before}")).unwrap_or_default();
    let answer = reach.get(&format!("{POLICY}/versions?limit={limit}{before}")).await?;
    reach.say(&answer, |answer| {
        let version = |row: &Value| {
            let why = row["reason"].as_str().map(|_| format!(": {}", text(&row["reason"]))).unwrap_or_default();
            let changes = differences(&row["diff"]);
            let head = format!(
                "version {} by {} {} ({}){why}",
                row["version"],
                text(&row["author"]),
                time(&row["created_at"]),
                text(&row["origin"])
            );
            if changes.is_empty() { head } else { format!("{head}\n{changes}") }
        };
        let lines = answer["items"].as_array().into_iter().flatten().map(version).collect::<Vec<_>>().join("\n");
        match answer["next"].as_i64() {
            Some(next) => format!("{lines}\nEarlier ones: countersign policy history --before {next}"),
            None => lines,
        }
    });
    Ok(())
}

/// Makes an earlier version hold again, after showing what that changes.
pub(super) async fn rollback(reach: &mut Reach, to: i64, reason: Option<String>) -> Outcome {
    let current = reach.get(&format!("{POLICY}/export")).await?;
    let back = reach.get(&format!("{POLICY}/export?version={to}")).await?;
    let changes = json!(diff(&read(&current)?, &read(&back)?));
    if changes != json!([]) {
        out::note(format!("Back from version {} to {to}:\n{}", current["version"], differences(&changes)));
    }
    let body = json!({ "version": current["version"], "to": to, "reason": reason });
    let answer = reach.change(Call::post(&format!("{POLICY}/rollback"), &body)?).await?;
    say_version(reach, &current, &answer).await
}

fn read(export: &Value) -> Outcome<Document> {
    let cannot = |bad| Failure::failed(format!("version {} cannot be read: {bad}", export["version"]));
    file::read(export["toml"].as_str().unwrap_or_default()).map_err(cannot)
}
