//! The order of the steps from a dialog to its answer. Every step but the learned rule only turns towards hold.

use super::sight::Sight;
use super::{Answer, Judgement, PolicySource, Standing, Verdict, reasons};
use crate::domain::class::Class;
use crate::domain::dialog::{Dialog, DialogKind};
use crate::domain::policy::{Action, Keys, Mapped};
use crate::domain::risk;
use crate::domain::rule::Rule;

/// What the steps came to.
#[derive(Clone, Copy)]
pub(super) struct Settled<'a> {
    pub(super) verdict: Verdict,
    pub(super) source: PolicySource,
    pub(super) rule: Option<&'a Rule>,
}

/// Judges one dialog. Total: any input ends in a judgement, and doubt in a hold.
pub fn judge(dialog: &Dialog, standing: &Standing<'_>) -> Judgement {
    let sight = Sight::of(dialog, standing);
    let would = settle(&sight, standing);
    let settled = with_keys(&sight, standing, would);
    let reasons = reasons::of(&sight, standing, &settled);
    let repo_scoped = sight.proof.is_ok();
    let rows = sight.rows;
    let answer = match (settled.verdict, sight.proof, rows.approve, rows.deny) {
        (Verdict::AutoApprove, Ok(proof), Some(row), _) => Answer::approve(proof, row.clone()),
        (Verdict::AutoDeny, _, _, Some(row)) => Answer::deny(row.clone()),
        _ => Answer::held(),
    };
    Judgement {
        class: sight.class,
        repo_scoped,
        veto: sight.veto.is_some(),
        answer,
        policy_source: settled.source,
        would: (would.verdict, would.source),
        reasons,
        risk: risk::of_dialog(sight.class, sight.kind, (repo_scoped, sight.veto.is_some())),
        approve: rows.approve.cloned(),
        deny: rows.deny.cloned(),
        rule: settled.rule.and_then(|rule| rule.id),
        effects: sight.effects,
        argv: sight.argv,
    }
}

/// The two keys and the pause over what would happen with both on.
fn with_keys<'a>(sight: &Sight<'_>, standing: &Standing<'a>, would: Settled<'a>) -> Settled<'a> {
    let hold = |source| Settled { verdict: Verdict::Hold, source, rule: None };
    if standing.paused {
        return hold(PolicySource::Paused);
    }
    let off = match standing.policy.keys {
        Keys::Both => return would,
        Keys::MasterOff => PolicySource::MasterOff,
        Keys::LaneOff => PolicySource::LaneOff,
    };
    // The seed's legacy path: a confirmed rule answers on a lane that is not supervised, with every other check in force.
    let own = standing.policy.of(sight.class).action;
    match covering(sight, standing).filter(|_| is_clear(sight, standing) && own != Action::AutoDeny) {
        Some(rule) if sight.proof.is_ok() && sight.rows.approve.is_some() => {
            Settled { verdict: Verdict::AutoApprove, source: PolicySource::LegacyRule, rule: Some(rule) }
        }
        _ => hold(off),
    }
}

/// What happens with both keys on and nothing paused: the first that applies (contract, section 6).
fn settle<'a>(sight: &Sight<'_>, standing: &Standing<'a>) -> Settled<'a> {
    let hold = |source| Settled { verdict: Verdict::Hold, source, rule: None };
    if let Some(source) = barrier(sight, standing) {
        return hold(source);
    }
    let mapped = standing.policy.of(sight.class);
    let source = class_source(mapped);
    match mapped.action {
        // What was not recognised is neither agreed to nor refused.
        _ if sight.class == Class::Unknown => hold(source),
        Action::AutoApprove => agree(sight, source, None),
        Action::AutoDeny if sight.rows.deny.is_none() => hold(PolicySource::AmbiguousOptions),
        Action::AutoDeny => Settled { verdict: Verdict::AutoDeny, source, rule: None },
        Action::Hold => match covering(sight, standing) {
            Some(rule) => agree(sight, PolicySource::LearnedRule, Some(rule)),
            None => hold(source),
        },
    }
}

/// An approval, if it is proven and there is one row for it.
fn agree<'a>(sight: &Sight<'_>, source: PolicySource, rule: Option<&'a Rule>) -> Settled<'a> {
    let hold = |source| Settled { verdict: Verdict::Hold, source, rule: None };
    if sight.proof.is_err() {
        hold(PolicySource::NotRepoScoped)
    } else if sight.rows.approve.is_none() {
        hold(PolicySource::AmbiguousOptions)
    } else {
        Settled { verdict: Verdict::AutoApprove, source, rule }
    }
}

/// What holds whatever the policy says.
fn barrier(sight: &Sight<'_>, standing: &Standing<'_>) -> Option<PolicySource> {
    if !sight.capture.is_empty() {
        Some(PolicySource::Capture)
    } else if sight.veto.is_some() {
        Some(PolicySource::AlwaysEscalate)
    } else if sight.kind != DialogKind::Permission {
        Some(PolicySource::DecisionClass)
    } else if sight.tainted(standing) {
        Some(PolicySource::RunnerTaint)
    } else {
        None
    }
}

fn is_clear(sight: &Sight<'_>, standing: &Standing<'_>) -> bool {
    barrier(sight, standing).is_none()
}

/// The confirmed rule that covers the dialog's single command, if it is one and nothing else.
fn covering<'a>(sight: &Sight<'_>, standing: &Standing<'a>) -> Option<&'a Rule> {
    let argv = sight.argv.as_deref().filter(|_| sight.class == Class::CommandExec)?;
    standing.rules.iter().find(|rule| rule.covers(argv))
}

const fn class_source(mapped: Mapped) -> PolicySource {
    if mapped.own { PolicySource::LaneClass } else { PolicySource::GlobalClass }
}
