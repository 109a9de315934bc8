//! What a draft would have changed lately, in words.

use serde_json::{Value, json};

use super::POLICY;
use crate::cli::failure::Outcome;
use crate::cli::reach::Reach;
use crate::cli::socket::Call;
use crate::cli::table::{table, text, time};

/// How many days back, when nobody says otherwise.
pub(super) const DAYS: u32 = 7;
/// Changes that are listed.
const LISTED: usize = 50;

/// Asks for a simulation; it changes nothing and needs no password.
pub(super) async fn ask(reach: &Reach, draft: &Value, days: u32) -> Outcome<Value> {
    let call = Call::post(&format!("{POLICY}/simulate"), &json!({ "draft": draft, "days": days }))?;
    reach.socket().ask(call).await
}

/// Simulates and shows.
pub(super) async fn run(reach: &Reach, draft: &Value, days: u32) -> Outcome {
    let seen = ask(reach, draft, days).await?;
    reach.say(&seen, |seen| {
        let changes = seen["changes"].as_array().map(Vec::as_slice).unwrap_or_default();
        if changes.is_empty() {
            return summary(seen);
        }
        let row = |change: &Value| {
            vec![
                time(&change["at"]),
                text(&change["lane"]),
                text(&change["class"]),
                format!("{} -> {}", text(&change["from"]), text(&change["to"])),
                text(&change["to_source"]),
                text(&change["title"]),
            ]
        };
        let rows: Vec<_> = changes.iter().take(LISTED).map(row).collect();
        let more = changes.len().saturating_sub(LISTED);
        let more = if more > 0 { format!("\n… and {more} more; --json has them all") } else { String::new() };
        let heads = ["WHEN", "LANE", "CLASS", "VERDICT", "BECAUSE", "DIALOG"];
        format!("{}{more}\n{}", table(&heads, &rows, ""), summary(seen))
    });
    Ok(())
}

/// One paragraph: how many of how many, by class, and what was assumed.
pub(super) fn summary(seen: &Value) -> String {
    let changes = seen["changes"].as_array().map_or(0, Vec::len);
    let by_class = |counts: &Value| {
        let line = |count: &Value| {
            format!("{} {} {} -> {}", count["n"], text(&count["class"]), text(&count["from"]), text(&count["to"]))
        };
        counts.as_array().into_iter().flatten().map(line).collect::<Vec<_>>().join(", ")
    };
    let which = if changes == 0 { ".".to_owned() } else { format!(": {}.", by_class(&seen["counts"])) };
    let mut said = vec![format!(
        "Of {} dialogs of the last {} days, {changes} would have been answered differently{which}",
        seen["judged"], seen["days"]
    )];
    if seen["counts_with_keys_on"] != seen["counts"] {
        let which = by_class(&seen["counts_with_keys_on"]);
        said.push(format!("With both switches on: {}.", if which.is_empty() { "none" } else { &which }));
    }
    said.extend(seen["notes"].as_array().into_iter().flatten().map(text));
    said.join("\n")
}
