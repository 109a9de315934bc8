//! Why a dialog is held, in sentences: what decided first, then everything else that stands against it.

use super::judge::Settled;
use super::sight::Sight;
use super::{PolicySource, Reason, Standing, Verdict};
use crate::domain::dialog::DialogKind;

/// All reasons, in order; none when it is not held.
pub(super) fn of(sight: &Sight<'_>, standing: &Standing<'_>, settled: &Settled<'_>) -> Vec<Reason> {
    if settled.verdict != Verdict::Hold {
        return Vec::new();
    }
    let mut reasons = Vec::new();
    let mut add = |code: &str, text: &str| reasons.push(Reason { code: code.to_owned(), text: text.to_owned() });
    match settled.source {
        PolicySource::Paused => add("paused", "An admin has paused all automatic answers."),
        PolicySource::MasterOff => add("master_off", "Supervision is switched off."),
        PolicySource::LaneOff => add("lane_off", "Supervision is switched off for this lane."),
        PolicySource::LaneClass => add("class_holds", "The lane's policy leaves requests of this class to a person."),
        PolicySource::GlobalClass => add("class_holds", "The policy leaves requests of this class to a person."),
        _ => {}
    }
    if let Some(hit) = sight.veto {
        add("always_escalate", hit.text());
    }
    if sight.kind != DialogKind::Permission {
        add("decision_class", kind_text(sight.kind));
    }
    if standing.runner_taint && sight.effects.runs {
        add(
            "runner_taint",
            "A file that builds and tests execute was changed here, and nobody has approved a run since.",
        );
    }
    if standing.shell_taint && sight.tainted(standing) {
        add(
            "shell_taint",
            "The shell of this pane was changed; its commands wait for a person until there is a new one.",
        );
    }
    if settled.source == PolicySource::AmbiguousOptions {
        add("ambiguous_options", "No single row says just yes or no for this one request.");
    }
    if let Err(against) = &sight.proof {
        reasons.extend(against.iter().cloned());
    }
    reasons
}

const fn kind_text(kind: DialogKind) -> &'static str {
    match kind {
        DialogKind::Permission => "It asks for a permission.",
        DialogKind::Decision => "It asks which way to go; that is a person's choice.",
        DialogKind::Plan => "It asks to agree to a plan.",
        DialogKind::Trust => "It asks whether a folder or a program is trusted.",
        DialogKind::UsageLimit => "It is about the provider's usage limit.",
        DialogKind::Login => "It asks how to sign in.",
    }
}
