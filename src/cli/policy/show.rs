//! The policy as a table: each field, its value, and with a lane whose it is.

use serde_json::Value;

use super::POLICY;
use crate::cli::failure::Outcome;
use crate::cli::reach::Reach;
use crate::cli::table::{segment, table, text};

/// Shows the policy, or what holds for a lane.
pub(super) async fn run(reach: &Reach, lane: Option<&str>) -> Outcome {
    let path = lane.map_or_else(|| POLICY.to_owned(), |lane| format!("{POLICY}?lane={}", segment(lane)));
    let view = reach.get(&path).await?;
    let state = reach.get("/api/v1/pause").await?;
    reach.say(&view, |view| {
        let said = match lane {
            None => everywhere(view),
            Some(lane) => of_lane(view, lane),
        };
        if state["paused"].is_null() {
            return said;
        }
        let (by, why) = (text(&state["paused"]["by"]), text(&state["paused"]["reason"]));
        format!("{said}\nPaused by {by} ({why}): nothing is answered until `countersign pause off`.")
    });
    Ok(())
}

fn everywhere(view: &Value) -> String {
    let rows: Vec<_> =
        fields(&view["defaults"]).into_iter().map(|(name, value)| vec![format!("supervision.{name}"), value]).collect();
    format!("Policy version {}\n{}", view["version"], table(&["FIELD", "VALUE"], &rows, ""))
}

fn of_lane(view: &Value, lane: &str) -> String {
    let own: Vec<String> = fields(&view["lane"]).into_iter().map(|(name, _)| name).collect();
    let row = |(name, value): (String, String)| {
        let whose = if own.contains(&name) {
            "* lane"
        } else if name == "enabled" || name == "expect_work" {
            // Nothing global stands behind these two.
            ""
        } else {
            "global"
        };
        vec![name, value, whose.to_owned()]
    };
    let rows: Vec<_> = fields(&view["effective"]).into_iter().map(row).collect();
    let on = |part: &Value| if part["enabled"] == Value::Bool(true) { "on" } else { "off" };
    format!(
        "Lane {lane} under policy version {}: master switch {}, lane switch {}\n{}\n* set by the lane; reset with \
         `countersign policy set --lane {lane} FIELD=null`",
        view["version"],
        on(&view["defaults"]),
        on(&view["lane"]),
        table(&["FIELD", "VALUE", "FROM"], &rows, ""),
    )
}

/// Every field that is set, classes by their path.
fn fields(part: &Value) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (name, value) in part.as_object().into_iter().flatten() {
        match value {
            Value::Object(classes) => {
                found.extend(classes.iter().map(|(class, action)| (format!("{name}.{class}"), text(action))));
            }
            Value::Null => {}
            value => found.push((name.clone(), text(value))),
        }
    }
    found
}
