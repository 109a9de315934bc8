//! A draft of the policy, tried on the dialogs of the last days before it is put in force.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::change::{no_lane, refused, refused_file};
use super::set::text;
use crate::app::App;
use crate::auth::LocalPeer;
use crate::domain::class::Class;
use crate::domain::dialog::{Dialog, Home};
use crate::domain::policy::patch::{Fields, apply};
use crate::domain::policy::{Document, Effective, file};
use crate::domain::rule::Rule;
use crate::domain::verdict::{Judgement, PolicySource, Standing, Verdict, judge};
use crate::error::{Error, Result};
use crate::store::replays::{self, PastDialog};
use crate::store::{self, places, policies, rules};

/// Most dialogs that are judged again, the newest first.
const MOST: usize = 10_000;
/// How many are read at a time.
const PAGE: i64 = 200;

/// The body of `POST /api/v1/supervision/simulate`.
#[derive(Clone, Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Simulate {
    /// Fields as `PATCH` takes them, with `lane` if they are one lane's; or `toml`, a whole file.
    #[schema(value_type = Object)]
    pub draft: Fields,
    /// How many days back, 1 to 365.
    pub days: u32,
}

/// What would have been answered differently.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct Simulation {
    /// Each dialog, newest first.
    pub changes: Vec<ChangedVerdict>,
    /// How many by class and kind of change.
    pub counts: Vec<Count>,
    /// The same as if both switches were on before and after.
    pub counts_with_keys_on: Vec<Count>,
    /// How many dialogs were judged again.
    pub judged: usize,
    /// How many days back.
    pub days: u32,
    /// What was assumed or could not be taken into account, in words.
    pub notes: Vec<String>,
}

/// A dialog with another verdict.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct ChangedVerdict {
    /// The dialog.
    pub dialog_id: Uuid,
    /// Its class.
    pub class: Class,
    /// The verdict under the policy in force.
    pub from: Verdict,
    /// The verdict under the draft.
    pub to: Verdict,
    /// Why, under the policy in force.
    pub from_source: PolicySource,
    /// Why, under the draft.
    pub to_source: PolicySource,
    /// Its lane's name.
    pub lane: String,
    /// When it was asked.
    pub at: DateTime<Utc>,
    /// Its title.
    pub title: String,
}

/// How many changed alike.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct Count {
    /// The class.
    pub class: Class,
    /// From this verdict.
    pub from: Verdict,
    /// To that one.
    pub to: Verdict,
    /// How many.
    pub n: usize,
}

/// Judges the dialogs of the last days under the policy in force and under the draft.
pub async fn simulate(app: &App, _: LocalPeer, wish: Simulate) -> Result<Simulation> {
    if !(1..=365).contains(&wish.days) {
        return Err(Error::invalid("days", "days takes 1 to 365."));
    }
    let mut conn = app.db.acquire().await?;
    let now = store::now(&mut conn, app.clock.offset_us()).await?;
    let (_, current) = policies::head(&mut conn).await?;
    let draft = read_draft(&mut conn, &current, wish.draft).await?;
    let since = now - TimeDelta::days(wish.days.into());
    let mut trial = Trial { policies: [current, draft], ..Trial::default() };
    let mut of_project: HashMap<Uuid, Vec<Rule>> = HashMap::new();
    let mut before = None;
    loop {
        let page = replays::dialogs(&mut conn, since, (before, PAGE)).await?;
        let Some(last) = page.last() else { break };
        before = Some(last.id);
        for past in page {
            let rules = match of_project.entry(past.project_id) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(unread) => unread.insert(rules::live(&mut conn, past.project_id, now).await?),
            };
            trial.judge(&past, rules);
        }
        if trial.judged >= MOST {
            trial.cut = true;
            break;
        }
        // Judging is work for the processor; others want their turn.
        tokio::task::yield_now().await;
    }
    Ok(trial.told(wish.days))
}

async fn read_draft(conn: &mut sqlx::PgConnection, current: &Document, mut draft: Fields) -> Result<Document> {
    if draft.contains_key("toml") {
        let toml = text(&mut draft, "toml")?.unwrap_or_default();
        return file::read(&toml).map_err(|bad| refused_file(&bad));
    }
    let lane = text(&mut draft, "lane")?;
    if let Some(name) = &lane
        && places::lanes(conn, Some(name)).await?.is_empty()
    {
        return Err(no_lane(name));
    }
    apply(current, lane.as_deref(), &draft).map_err(refused)
}

/// Counted by class, from, to.
type Counts = BTreeMap<(Class, &'static str, &'static str), Count>;

/// A simulation under way.
#[derive(Default)]
struct Trial {
    /// In force, and the draft.
    policies: [Document; 2],
    /// What holds for each lane, under both.
    lanes: HashMap<String, [Effective; 2]>,
    judged: usize,
    redacted: usize,
    tainted: usize,
    cut: bool,
    changes: Vec<ChangedVerdict>,
    counts: Counts,
    with_keys: Counts,
}

impl Trial {
    fn judge(&mut self, past: &PastDialog, rules: &[Rule]) {
        let Some(report) = past.report.as_ref() else {
            self.redacted += 1;
            return;
        };
        self.judged += 1;
        // A taint of that time is known only where it decided.
        let tainted = past.policy_source == PolicySource::RunnerTaint.as_str();
        self.tainted += usize::from(tainted);
        if !self.lanes.contains_key(&past.lane) {
            let both = self.policies.each_ref().map(|policy| policy.resolve(&past.lane));
            self.lanes.insert(past.lane.clone(), both);
        }
        let Some(both) = self.lanes.get(&past.lane) else { return };
        let home = Home { worktree: past.worktree.clone(), repo: past.repo.clone() };
        let dialog = Dialog { home: Some(home), ..report.dialog() };
        let [from, to] = both.each_ref().map(|policy| judged(&dialog, policy, (rules, tainted)));
        count(&mut self.with_keys, from.class, (from.would.0, to.would.0));
        let verdicts = (from.verdict(), to.verdict());
        count(&mut self.counts, from.class, verdicts);
        if verdicts.0 != verdicts.1 {
            self.changes.push(ChangedVerdict {
                dialog_id: past.id,
                class: from.class,
                from: verdicts.0,
                to: verdicts.1,
                from_source: from.policy_source,
                to_source: to.policy_source,
                lane: past.lane.clone(),
                at: past.at,
                title: past.title.clone(),
            });
        }
    }

    fn told(self, days: u32) -> Simulation {
        let mut notes = Vec::new();
        if self.judged > 0 {
            let known = match self.tainted {
                0 => String::new(),
                tainted => format!(" {tainted} that were held for one are judged as held for it again."),
            };
            notes.push(format!(
                "Judged with today's rules, unpaused, and as if no file that runners execute had been written just before.{known}"
            ));
        }
        if self.redacted > 0 {
            notes.push(format!("{} more were not judged: retention has taken away what they said.", self.redacted));
        }
        if self.cut {
            notes.push(format!("Only the newest {} were judged.", self.judged));
        }
        Simulation {
            changes: self.changes,
            counts: self.counts.into_values().collect(),
            counts_with_keys_on: self.with_keys.into_values().collect(),
            judged: self.judged,
            days,
            notes,
        }
    }
}

fn judged(dialog: &Dialog, policy: &Effective, (rules, tainted): (&[Rule], bool)) -> Judgement {
    let standing = Standing { policy, rules, paused: false, runner_taint: tainted, shell_taint: false };
    judge(dialog, &standing)
}

fn count(counts: &mut Counts, class: Class, (from, to): (Verdict, Verdict)) {
    if from != to {
        let key = (class, from.as_str(), to.as_str());
        counts.entry(key).or_insert(Count { class, from, to, n: 0 }).n += 1;
    }
}
