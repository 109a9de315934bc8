//! What a list tells of a proposal without showing it: the server's sentence, and whether something in it misleads.

use std::collections::HashMap;

use uuid::Uuid;

use super::review::{self, Content};
use super::words::{self, Outline};
use crate::app::App;
use crate::app::glances::{Glance, Subject};
use crate::domain::ask::Kind;
use crate::domain::class::Class;
use crate::domain::dialog::DialogKind;
use crate::domain::diff::{self, Diff};
use crate::domain::report::Report;
use crate::domain::text::{self, Shown, Warnings, show};
use crate::domain::{reading, scope, subject, veto};
use crate::error::{Error, Result};
use crate::store::proposals::{self as stored, Row};
use crate::store::retention::REDACTED_TITLE;
use crate::store::shown::{self, Dialog};

/// Contents in memory at once: each may have hundreds of kilobytes.
const AT_ONCE: usize = 32;

/// A proposal's content, read for showing.
#[derive(Debug)]
pub struct Read {
    /// What would be written.
    pub content: Content,
    /// The command.
    pub command: Option<Shown>,
    /// What cannot be seen or misleads, in all of it.
    pub warnings: Warnings,
    /// The server's sentence.
    pub sentence: String,
    /// So long that it has to be scrolled through.
    pub long: bool,
}

/// Reads a proposal's content for showing.
pub fn read(row: &Row, content: &stored::Content, dialog: Option<&Dialog>) -> Read {
    let command = row.command.as_deref().map(|command| match dialog {
        Some(dialog) => review::marked(command, dialog),
        None => show(command, text::Kind::Command),
    });
    let body = body(content);
    let mut warnings = Warnings::default();
    warnings.merge(&show(&row.title, text::Kind::Prose).warnings);
    warnings.merge(&show(&row.action, text::Kind::Command).warnings);
    if let Some(command) = &command {
        warnings.merge(&command.warnings);
    }
    match &body {
        Content::Diff(diff) => warnings.merge(&diff.warnings),
        Content::Text(shown, _) => warnings.merge(&shown.warnings),
        Content::None => {}
    }
    let questions = content.questions.as_deref().map_or(&[][..], Vec::as_slice);
    for words in questions.iter().flat_map(|question| std::iter::once(&question.question).chain(&question.options)) {
        warnings.merge(&show(words, text::Kind::Prose).warnings);
    }
    if let Some(said) = dialog.and_then(|dialog| dialog.report.as_deref()) {
        for words in said.options.iter().map(|option| &option.text).chain([&said.question]) {
            warnings.merge(&show(words, text::Kind::Command).warnings);
        }
    }
    let outline = Outline {
        kind: Kind::from_word(&row.kind).unwrap_or_default(),
        command: command.is_some(),
        files: if let Content::Diff(diff) = &body { diff.files.len() } else { 0 },
        lines: if let Content::Diff(diff) = &body { Some((diff.added, diff.removed)) } else { None },
        text: if let Content::Text(..) = &body { content.body.as_deref().map(count) } else { None },
        questions: questions.len(),
    };
    let sentence = match dialog {
        _ if content.redacted_at.is_some() => "Content removed by retention".into(),
        Some(dialog) => prompted(row, dialog),
        None => words::sentence(outline),
    };
    let long = [&row.command, &content.body].into_iter().flatten().any(|text| diff::is_long(text));
    Read { content: body, command, warnings, sentence, long }
}

/// The sentence for a dialog.
fn prompted(row: &Row, dialog: &Dialog) -> String {
    let asked = dialog.report.as_deref().map(Report::dialog).unwrap_or_default();
    let subject = subject::extract(&asked);
    let hits = subject.command.as_deref().and_then(|command| veto::find(&reading::read(command)));
    words::dialogs::sentence(words::dialogs::Prompt {
        kind: DialogKind::from_word(&dialog.dialog_kind).unwrap_or_default(),
        class: row.class.as_deref().and_then(Class::from_word).unwrap_or(Class::Unknown),
        rewrites: hits == Some(veto::Hit::ForcePush),
        command: subject.command.is_some(),
        files: &subject.files,
        hosts: &scope::seen(&subject, &asked).hosts,
    })
}

fn body(content: &stored::Content) -> Content {
    let Some(body) = content.body.as_deref() else { return Content::None };
    if let Some(base) = content.base.as_deref() {
        return Content::Diff(diff::compare(Shown::default(), base, body));
    }
    match diff::parse(body) {
        Some(diff) => Content::Diff(diff),
        None => Content::Text(show(body, text::Kind::Document), words::lines(count(body))),
    }
}

fn count(text: &str) -> usize {
    text.lines().count()
}

/// The difference between a proposed text and the one that was approved instead.
pub fn edit(proposed: &str, approved: &str) -> Diff {
    diff::compare(show("The text as edited", text::Kind::Prose), proposed, approved)
}

/// The short forms of all rows, in their order.
pub async fn all(app: &App, rows: &[Row]) -> Result<Vec<Glance>> {
    let mut known = app.glances.known(rows.iter().map(subject));
    let missing: Vec<&Row> = rows.iter().filter(|row| !known.contains_key(&subject(row))).collect();
    for missing in missing.chunks(AT_ONCE) {
        let fresh = read_all(app, missing).await?;
        app.glances.keep(&fresh);
        known.extend(fresh);
    }
    let nothing = stored::Content::default();
    let short = |row: &Row| known.get(&subject(row)).cloned().unwrap_or_else(|| glance(row, &nothing, None));
    Ok(rows.iter().map(short).collect())
}

fn subject(row: &Row) -> Subject {
    Subject { id: row.id, redacted: row.title == REDACTED_TITLE }
}

async fn read_all(app: &App, rows: &[&Row]) -> Result<Vec<(Subject, Glance)>> {
    let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    let mut conn = app.db.acquire().await?;
    let contents = stored::glance::contents(&mut conn, &ids).await?;
    let dialogs = shown::dialogs(&mut conn, &ids).await?;
    drop(conn);
    let mut contents: HashMap<Uuid, stored::Content> = contents.into_iter().collect();
    let mut dialogs: HashMap<Uuid, Dialog> = dialogs.into_iter().map(|dialog| (dialog.proposal_id, dialog)).collect();
    let with_content = |row: &Row| (row.clone(), contents.remove(&row.id).unwrap_or_default(), dialogs.remove(&row.id));
    let work: Vec<_> = rows.iter().copied().map(with_content).collect();
    // Comparing long texts takes a while, and others are waiting for this thread.
    let glance = |row: &Row, content: &_, dialog: &Option<_>| (subject(row), glance(row, content, dialog.as_ref()));
    let read = move || work.iter().map(|(row, content, dialog)| glance(row, content, dialog)).collect();
    tokio::task::spawn_blocking(read).await.map_err(|error| Error::Internal(format!("reading proposals: {error}")))
}

fn glance(row: &Row, content: &stored::Content, dialog: Option<&Dialog>) -> Glance {
    let Read { warnings, sentence, .. } = read(row, content, dialog);
    let policy_version = dialog.and_then(|dialog| dialog.policy_version);
    Glance { sentence, misleading: !warnings.is_empty(), policy_version }
}

#[cfg(test)]
mod tests {
    use askama::Template;

    use super::*;

    #[derive(Template)]
    #[template(
        source = r#"{%- import "components/diff.html" as diffs -%}{% call diffs::diff(diff) %}{% endcall %}"#,
        ext = "html"
    )]
    struct Page {
        diff: Diff,
    }

    #[test]
    fn a_patch_is_shown_with_its_sections_and_as_it_was_sent() {
        let body = "--- a/x\n+++ b/x\n@@ -1 +1 @@ in_the_section\n-a\n+b\nindex of what follows\n";
        let content = stored::Content { body: Some(body.into()), ..stored::Content::default() };
        let Content::Diff(diff) = super::body(&content) else { panic!("this is a patch") };
        let page = Page { diff }.render().unwrap();
        let (read, sent) = page.split_once("Text as sent").unwrap();
        assert!(read.contains("<code>in_the_section</code>"), "{read}");
        assert!(read.contains("index of what follows"), "{read}");
        let escaped = body.replace('+', "&#43;");
        assert!(sent.contains(body) || sent.contains(&escaped), "{sent}");
        let compared = Page { diff: edit("a\n", "b\n") }.render().unwrap();
        assert!(!compared.contains("Text as sent"));
    }
}
