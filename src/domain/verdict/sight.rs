//! What a dialog shows by itself, before any policy: subject, class, veto, kind, proof and rows.

use super::{Effects, Reason, Standing};
use crate::domain::choice::{self, Rows};
use crate::domain::class::{Class, classify};
use crate::domain::dialog::{Dialog, DialogKind};
use crate::domain::prompt;
use crate::domain::reading::{self, Reading};
use crate::domain::scope::{self, Proof};
use crate::domain::shell;
use crate::domain::subject::{Doubt, Form, Subject, extract};
use crate::domain::{capture, veto};

/// Everything found in one dialog.
pub(super) struct Sight<'a> {
    pub(super) subject: Subject,
    pub(super) class: Class,
    /// The kind that was reported, or the one that its words give away.
    pub(super) kind: DialogKind,
    pub(super) capture: Vec<Reason>,
    pub(super) veto: Option<veto::Hit>,
    pub(super) proof: Result<Proof, Vec<Reason>>,
    pub(super) rows: Rows<'a>,
    pub(super) argv: Option<Vec<String>>,
    pub(super) effects: Effects,
}

impl<'a> Sight<'a> {
    pub(super) fn of(dialog: &'a Dialog, standing: &Standing<'_>) -> Self {
        let subject = extract(dialog);
        let reading = subject.command.as_deref().map(reading::read);
        let class = classify(dialog, &subject, reading.as_ref());
        let capture = capture::faults(dialog, &subject);
        let proof = prove(class, &subject, dialog, (&capture, &standing.policy.network_hosts));
        Self {
            class,
            kind: kind(dialog),
            veto: vetoed(dialog, &subject, reading.as_ref()),
            proof,
            rows: choice::rows(&dialog.agent_kind, &dialog.options),
            argv: argv(&subject),
            effects: scope::effects(&subject, dialog),
            capture,
            subject,
        }
    }

    /// Whether a taint of the lane or the pane reaches this dialog.
    pub(super) fn tainted(&self, standing: &Standing<'_>) -> bool {
        (standing.runner_taint && self.effects.runs) || (standing.shell_taint && self.runs_a_command())
    }

    fn runs_a_command(&self) -> bool {
        self.subject.command.is_some() || self.subject.form == Form::Command
    }
}

/// Nothing is proven of a capture that is not whole, or of a subject in doubt.
fn prove(
    class: Class,
    subject: &Subject,
    dialog: &Dialog,
    (capture, hosts): (&[Reason], &[String]),
) -> Result<Proof, Vec<Reason>> {
    let mut against = capture.to_vec();
    against.extend(subject.doubt.map(|doubt| {
        let (code, text) = doubt.words();
        Reason { code: code.to_owned(), text: text.to_owned() }
    }));
    if against.is_empty() { scope::prove(class, subject, dialog, hosts) } else { Err(against) }
}

/// What is called a permission and reads as another kind is that other kind.
fn kind(dialog: &Dialog) -> DialogKind {
    match dialog.kind {
        DialogKind::Permission => prompt::kind_of(&dialog.title, &dialog.question),
        other => other,
    }
}

/// The veto over the command, and over the other texts of a dialog that may hold one.
fn vetoed(dialog: &Dialog, subject: &Subject, reading: Option<&Reading>) -> Option<veto::Hit> {
    let hit = reading.and_then(veto::find);
    // What is written, removed or fetched is no command, unless the dialog itself cannot say which it is.
    let quiet = matches!(subject.form, Form::Edit | Form::Removal | Form::Fetch);
    if hit.is_some() || (quiet && subject.doubt != Some(Doubt::Contradiction)) {
        return hit;
    }
    let texts = [&dialog.title, &dialog.question, &dialog.body].into_iter();
    texts.filter(|text| subject.command.as_deref() != Some(text.trim())).find_map(|text| veto::find_in_text(text))
}

/// The words of the command, if it is one and nothing else.
fn argv(subject: &Subject) -> Option<Vec<String>> {
    let command = subject.command.as_deref().filter(|_| subject.doubt.is_none())?;
    let line = shell::lex(command).ok()?;
    line.single().map(shell::Segment::argv)
}
