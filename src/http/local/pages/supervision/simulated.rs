//! What a draft of the policy would have answered differently in the last days, in words.

use crate::app::AppState;
use crate::domain::policy::patch::Fields;
use crate::domain::text::{self, Kind, Shown};
use crate::domain::verdict::Verdict;
use crate::error::Result;
use crate::flows::policy::{self, Count, Simulate};
use crate::http::local::pages::visit::Visit;
use crate::http::pages::form::Form;
use crate::http::pages::when::When;
use crate::http::pages::words;

/// Days that are looked back, when nobody says otherwise; and what can be chosen.
const DAYS: u32 = 7;
const CHOICES: &[u32] = &[1, 7, 30];

/// Dialogs that are listed.
const LISTED: usize = 50;

/// The result.
#[derive(Debug)]
pub struct Simulated {
    /// How many days back, in words.
    pub span: String,
    /// How many dialogs were judged again, in words.
    pub judged: String,
    /// How many would be answered differently.
    pub changed: usize,
    /// The newest of them.
    pub dialogs: Vec<Changed>,
    /// How many by class and change.
    pub counts: Vec<String>,
    /// The same as if both switches were on, where that is not what is above.
    pub with_keys: Vec<String>,
    /// What was assumed.
    pub notes: Vec<String>,
    /// Other spans: in words, and the address; the one shown has none.
    pub spans: Vec<(String, Option<String>)>,
}

/// A dialog with another verdict.
#[derive(Debug)]
pub struct Changed {
    /// When it was asked.
    pub at: When,
    /// Its lane.
    pub lane: String,
    /// Its class.
    pub class: &'static str,
    /// What it asked, in its agent's words.
    pub title: Shown,
    /// What became of it, and what would have.
    pub verdicts: (&'static str, &'static str),
}

/// Tries a draft on the dialogs of the last days.
pub async fn simulate(
    app: &AppState,
    visit: Visit,
    draft: Fields,
    (form, address): (&Form, &str),
) -> Result<Simulated> {
    let days = form.get("days").parse().ok().filter(|days| CHOICES.contains(days)).unwrap_or(DAYS);
    let found = policy::simulate(app, visit.peer, Simulate { draft, days }).await?;
    let counts = counted(&found.counts);
    let with_keys = counted(&found.counts_with_keys_on);
    let span = |days: u32| words::plural(usize::try_from(days).unwrap_or_default(), "day");
    let other = |choice: &u32| {
        let mut query = form_urlencoded::Serializer::new(format!("{address}&"));
        (span(*choice), (*choice != days).then(|| query.append_pair("days", &choice.to_string()).finish()))
    };
    let changed = found.changes.len();
    let dialogs = found.changes.into_iter().take(LISTED).map(|one| Changed {
        at: visit.reader().when(one.at),
        lane: one.lane,
        class: one.class.as_str(),
        title: text::show(&one.title, Kind::Prose),
        verdicts: (verdict(one.from), verdict(one.to)),
    });
    Ok(Simulated {
        span: if days == 1 { "day".to_owned() } else { span(days) },
        judged: words::plural(found.judged, "dialog"),
        changed,
        dialogs: dialogs.collect(),
        with_keys: if with_keys == counts { Vec::new() } else { with_keys },
        counts,
        notes: found.notes,
        spans: CHOICES.iter().map(other).collect(),
    })
}

impl Simulated {
    /// How many are not listed.
    pub fn more(&self) -> usize {
        self.changed - self.dialogs.len()
    }
}

fn counted(counts: &[Count]) -> Vec<String> {
    let told = |count: &Count| {
        format!("{} {}: {} instead of {}", count.n, count.class.as_str(), verdict(count.to), verdict(count.from))
    };
    counts.iter().map(told).collect()
}

fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::AutoApprove => "approved",
        Verdict::AutoDeny => "denied",
        Verdict::Hold => "held",
    }
}
