//! The rows of the system behind the supervision seed that are about mail, stalls and limits, answered by the domain alone.

use chrono::{DateTime, TimeDelta, Utc};
use countersign::domain::mail::{self, Delivery, Heading, decide_mail, framed, one_line};
use countersign::domain::pane::{PaneState, PaneStatus};
use countersign::domain::screen::{AgentKind, read};
use countersign::domain::stall::{self, Limits, Stall, Still, decide_stall};
use countersign::pane::frame::{Size, screen};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::vectors::lines::{id, repomon};

/// The kinds that are answered here.
pub const KINDS: &[&str] = &["decide_mail", "decide_stall", "mail_eligible", "mail_frame", "limit"];

/// A limit's menu is a dialog here, and no key of it is ever pressed by itself.
const ELSEWHERE: &[(&str, &str)] = &[("limit", "menu_keys")];

#[test]
fn every_row_is_answered_as_wanted() {
    let mut answered = std::collections::BTreeMap::new();
    for row in repomon() {
        let kind = row["kind"].as_str().unwrap();
        if !KINDS.contains(&kind) {
            continue;
        }
        let got = answer(kind, &row["in"]);
        let want = row.get("want").unwrap_or(&row["out"]).as_object().unwrap();
        for (key, want) in want {
            let elsewhere = ELSEWHERE.contains(&(kind, key.as_str()));
            assert!(
                elsewhere || got.get(key) == Some(want),
                "{}: {key} is {:?}, wanted {want}",
                id(&row),
                got.get(key)
            );
        }
        *answered.entry(kind.to_owned()).or_insert(0) += 1;
    }
    for kind in KINDS {
        assert!(answered.get(*kind).is_some_and(|count| *count > 0), "no row of the kind {kind}");
    }
}

fn answer(kind: &str, input: &Value) -> Value {
    match kind {
        "decide_mail" => mail_decision(&input["sched"]),
        "decide_stall" => stall_decision(input),
        "mail_eligible" => json!({ "eligible": pane(input).takes_text() }),
        "mail_frame" => frame(input),
        _ => limit(input["pane"].as_str().unwrap()),
    }
}

fn now() -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + TimeDelta::days(1)
}

fn mail_decision(sched: &Value) -> Value {
    let schedule = mail::Schedule {
        attempts: i32::try_from(sched["attempts"].as_i64().unwrap()).unwrap(),
        next_at: sched["next_in_s"].as_i64().map(|secs| now() + TimeDelta::seconds(secs)),
        gave_up: sched["gave_up"] == true,
    };
    json!({ "action": match decide_mail(&schedule, now()) {
        Delivery::Send => "send",
        Delivery::Wait => "wait",
        Delivery::GiveUp => "giveup",
    } })
}

fn stall_decision(input: &Value) -> Value {
    let minutes = |key: &str| TimeDelta::minutes(input[key].as_i64().unwrap());
    let sched = &input["sched"];
    let schedule = sched.is_object().then(|| stall::Schedule {
        nudges: u32::try_from(sched["nudges_sent"].as_u64().unwrap()).unwrap(),
        last_at: sched["last_nudge_ago_s"].as_i64().map(|secs| now() - TimeDelta::seconds(secs)),
        escalated: sched["escalated"] == true,
    });
    let still = Still {
        since: Some(now() - minutes("idle_mins")),
        outstanding: input["outstanding"] == true,
        takes_text: true,
    };
    let retries = u32::try_from(input["nudge_retries"].as_u64().unwrap()).unwrap();
    let limits = Limits { still_for: minutes("stall_mins"), retries };
    json!({ "action": match decide_stall(schedule.as_ref(), &still, &limits, now()) {
        Stall::Nothing => "nothing",
        Stall::Nudge => "nudge",
        Stall::Escalate => "escalate",
    } })
}

/// A session as its pane would be reported. One that has no window has no pane, and one with a dialog takes no text.
fn pane(input: &Value) -> PaneState {
    let status = match input["status"].as_str().unwrap() {
        _ if input["window"] == false => PaneStatus::Unknown,
        _ if input["dialog"] == true => PaneStatus::Blocked,
        "waiting" | "idle" | "rate_limited" => PaneStatus::Idle,
        "running" => PaneStatus::Working,
        other => panic!("no pane is {other}"),
    };
    PaneState {
        status,
        fresh: input["stale"] != true,
        safe_to_type: status != PaneStatus::Blocked && status != PaneStatus::Unknown,
        ended_turn: input["ended_turn"] == true,
        limit: input["status"] == "rate_limited",
        external: false,
    }
}

fn frame(input: &Value) -> Value {
    let text = |key: &str| input[key].as_str().unwrap();
    let reply_to = input["reply_to"].as_str().map(|id| id.parse::<Uuid>().unwrap());
    let heading = Heading { id: Uuid::nil(), sender: text("from"), from_lane: None, reply_to };
    let line = framed(&heading, text("body"));
    let (opening, rest) = line.split_once("] ").unwrap();
    let body = rest.strip_suffix(" [END COUNTERSIGN MAIL]").unwrap();
    assert_eq!(body, one_line(text("body")));
    json!({ "line_body": body, "reply_to": opening.split_once("reply_to=").unwrap().1, "max_body_chars": mail::TYPED_MAX })
}

/// Whether a screen shows that a limit stops the agent, and until when.
fn limit(pane: &str) -> Value {
    let limit = read(AgentKind::Claude, &screen(pane.as_bytes(), Size::default())).limit;
    let resets = limit.as_ref().is_some_and(|limit| limit.resets.is_some());
    json!({ "blocked": limit.is_some(), "has_reset_time": resets })
}
