//! From a stored dialog to its part of the page.

use super::{Dialog, Mark, PathLine, Press, Row};
use crate::domain::choice;
use crate::domain::class::Class;
use crate::domain::dialog::{DialogKind, DialogOption};
use crate::domain::facts::{Facts, PathKind};
use crate::domain::report::Report;
use crate::domain::scope::{self, SeenPath};
use crate::domain::subject;
use crate::domain::text::{self, Kind, Shown, show, show_marked};
use crate::domain::verdict::{PolicySource, Verdict};
use crate::http::pages::sentence::{Sentence, named_in};
use crate::http::pages::words;
use crate::store::proposals::Row as Stored;
use crate::store::shown::Dialog as Found;

/// Room for a row's text on a button.
const ON_APPROVE: usize = 22;
const ON_REJECT: usize = 14;

/// The reasons that say more than the command's own words do, or the source of the verdict when there are none.
pub(in crate::http::pages) fn why(row: &Stored, found: &Found) -> Vec<Sentence> {
    let command = row.command.as_deref().unwrap_or_default();
    let reasons = found.judgement.reasons.iter().map(|reason| reason.text.as_str());
    let told: Vec<Sentence> = reasons.filter(|text| named_in(command, text).is_empty()).map(Sentence::from).collect();
    match PolicySource::from_word(&found.policy_source) {
        Some(source) if told.is_empty() || source == PolicySource::AlwaysEscalate => {
            std::iter::once(Sentence::from(words::dialogs::source(source, Verdict::from_word(&found.verdict))))
                .chain(told)
                .collect()
        }
        _ => told,
    }
}

/// The command with what the reasons name emphasised.
pub(in crate::http::pages) fn marked(command: &str, found: &Found) -> Shown {
    let strong: Vec<_> = found.judgement.reasons.iter().flat_map(|reason| named_in(command, &reason.text)).collect();
    show_marked(command, text::Kind::Command, &strong)
}

/// What the buttons press.
pub(in crate::http::pages) fn press(found: &Found) -> Press {
    let judged = &found.judgement;
    let row = |option: &DialogOption, room| words::dialogs::row(option.n, &option.text, room);
    let choose = choose(found);
    Press {
        yes: judged.approve.as_ref().filter(|_| !choose).map(|option| row(option, ON_APPROVE)),
        no: judged.deny.as_ref().map(|option| row(option, ON_REJECT)),
        no_whole: judged.deny.as_ref().map(|option| show(&format!("{}. {}", option.n, option.text), Kind::Command)),
        choose,
    }
}

/// A choice between ways is a person's, and where no single row agrees a person names it.
fn choose(found: &Found) -> bool {
    found.dialog_kind == DialogKind::Decision.as_str() || found.judgement.approve.is_none()
}

/// Everything else.
pub(in crate::http::pages) fn build(row: &Stored, found: &Found, chosen: Option<u32>) -> Dialog {
    let said = found.report.as_deref();
    let asked = said.map(Report::dialog).unwrap_or_default();
    let class = row.class.as_deref().and_then(Class::from_word).unwrap_or(Class::Unknown);
    let command = row.command.as_deref().unwrap_or_default();
    let pointing = |text: &&str| !named_in(command, text).is_empty();
    let excerpt = said.and_then(|said| said.pane_excerpt.as_deref()).filter(|text| !text.trim().is_empty());
    let seen = scope::seen(&subject::extract(&asked), &asked);
    let notes = found.judgement.reasons.iter().map(|reason| reason.text.as_str()).filter(pointing);
    Dialog {
        agent_kind: words::dialogs::plain(&show(&found.agent_kind, Kind::Command)),
        class: (words::dialogs::class(class), class.as_str()),
        scoped: found.repo_scoped,
        truncated: found.truncated,
        notes: notes.map(Sentence::from).collect(),
        hosts: seen.hosts.iter().map(|host| show(host, Kind::Command)).collect(),
        paths: seen.paths.iter().map(|path| self::path(path, asked.facts.as_ref())).collect(),
        pane: show(&found.pane_key, Kind::Command),
        cwd: show(&found.cwd, Kind::Command),
        rows: asked.options.iter().map(|option| self::row(option, found, chosen)).collect(),
        choose: choose(found),
        excerpt: excerpt.map(|text| show(text, Kind::Prose)),
        replaces: row.replaces.map(|id| id.to_string()),
        replaced_by: found.replaced_by.map(|id| id.to_string()),
        suggest: None,
    }
}

fn row(option: &DialogOption, found: &Found, chosen: Option<u32>) -> Row {
    let is = |other: &Option<DialogOption>| other.as_ref().is_some_and(|other| other.n == option.n);
    let kind = DialogKind::from_word(&found.dialog_kind).unwrap_or_default();
    let mark = if let Err(standing) = choice::pressable(kind, &option.text) {
        Mark::Standing(standing.text())
    } else if is(&found.judgement.deny) {
        Mark::Refuses
    } else if is(&found.judgement.approve) && found.dialog_kind != DialogKind::Decision.as_str() {
        Mark::Approves
    } else {
        Mark::Plain
    };
    Row { n: option.n, text: show(&option.text, Kind::Command), mark, chosen: chosen == Some(option.n) }
}

fn path(path: &SeenPath, facts: Option<&Facts>) -> PathLine {
    let fact = facts.and_then(|facts| facts.paths.get(&path.word));
    PathLine {
        word: show(&path.word, Kind::Command),
        real: path.real.as_ref().filter(|real| **real != path.word).map(|real| show(real, Kind::Command)),
        outside: fact.is_some_and(|fact| !fact.inside),
        missing: fact.is_some_and(|fact| fact.kind == PathKind::Missing),
    }
}
