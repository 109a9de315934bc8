//! One judgement in plain words.

use std::io::Read;

use super::input::{self, BadLine};
use super::pressed;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::out;
use crate::domain::class::Class;
use crate::domain::dialog::Dialog;
use crate::domain::risk::Risk;
use crate::domain::subject::extract;
use crate::domain::verdict::{Judgement, PolicySource, Verdict};

/// Reads one dialog, which may go over several lines, and explains its judgement.
pub(super) fn run(mut input: impl Read) -> Outcome {
    let mut text = Vec::new();
    input.read_to_end(&mut text)?;
    let explained = input::parse(&text).and_then(|line| {
        let dialog = line.dialog();
        Ok(explain(&dialog, &line.judge_dialog(&dialog)?))
    });
    out::line(explained.map_err(|BadLine { field, detail }| {
        Failure::failed(if field.is_empty() { detail } else { format!("{field}: {detail}") })
    })?);
    Ok(())
}

pub(super) fn explain(dialog: &Dialog, judgement: &Judgement) -> String {
    let mut lines = Vec::new();
    let mut say = |what: &str, text: String| lines.push(format!("{what:<9}{text}"));
    let subject = extract(dialog);
    match (&subject.command, subject.files.as_slice(), subject.urls.as_slice()) {
        (Some(command), ..) => say("Command", command.clone()),
        (None, [], []) => say("About", "neither a command, nor a file, nor an address that could be told".into()),
        (None, files, urls) => {
            for file in files {
                say("File", file.clone());
            }
            for url in urls {
                say("Address", url.clone());
            }
        }
    }
    say("Class", format!("{}: {}", judgement.class.as_str(), class_text(judgement.class)));
    say(
        "Scope",
        if judgement.repo_scoped { "proven to stay inside, as it is written" } else { "not proven to stay inside" }
            .into(),
    );
    say("Risk", format!("{}: {}", judgement.risk.as_str(), risk_text(judgement.risk)));
    say("Verdict", format!("{}: {}", judgement.verdict().as_str(), verdict_text(judgement)));
    say("Because", format!("{}: {}", judgement.policy_source.as_str(), source_text(judgement.policy_source)));
    lines.extend(judgement.reasons.iter().map(|reason| format!("  - {} ({})", reason.text, reason.code)));
    lines.join("\n")
}

const fn class_text(class: Class) -> &'static str {
    match class {
        Class::CredentialAccess => "it touches secrets",
        Class::PushRemote => "it sends to a remote",
        Class::Install => "it brings software onto the machine",
        Class::DeviceAccess => "it reaches a device or a system setting",
        Class::NetworkAccess => "it reaches another host",
        Class::Deletion => "it removes files",
        Class::FileWrite => "it writes a file",
        Class::CommandExec => "it runs a command",
        Class::Unknown => "what it asks for was not recognised",
    }
}

const fn risk_text(risk: Risk) -> &'static str {
    match risk {
        Risk::Low => "a tap approves it",
        Risk::Medium => "approving it takes a held button",
        Risk::High => "approving it takes a fresh password and a reason",
    }
}

fn verdict_text(judgement: &Judgement) -> String {
    let row = pressed(judgement).map(|row| format!("row {} \"{}\"", row.n, row.text));
    match (judgement.verdict(), row) {
        (Verdict::Hold, Some(row)) => format!("a person decides; approving it would press {row}"),
        (Verdict::Hold, None) => "a person decides, and chooses the row".to_owned(),
        (_, Some(row)) => format!("presses {row}"),
        (_, None) => "presses nothing".to_owned(),
    }
}

const fn source_text(source: PolicySource) -> &'static str {
    match source {
        PolicySource::Paused => "everything is paused",
        PolicySource::LegacyRule => "a confirmed rule answers while supervision is off",
        PolicySource::MasterOff => "supervision is off",
        PolicySource::LaneOff => "supervision is off for the lane",
        PolicySource::Capture => "the capture is not whole",
        PolicySource::AlwaysEscalate => "the veto names it",
        PolicySource::DecisionClass => "it is no request for permission",
        PolicySource::RunnerTaint => "something that was approved before may change what runs",
        PolicySource::NotRepoScoped => "only what is proven to stay inside is approved",
        PolicySource::AmbiguousOptions => "no single row says just yes or no",
        PolicySource::LearnedRule => "a confirmed rule covers it",
        PolicySource::LaneClass => "the lane's policy for the class",
        PolicySource::GlobalClass => "the policy for the class",
        PolicySource::Person => "a person decided",
    }
}
