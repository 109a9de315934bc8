//! Dialogs that fetch an address.

use super::{Form, Subject, Text, shown_lines};
use crate::domain::dialog::Dialog;

const TITLES: &[&str] = &["fetch", "web fetch", "webfetch", "fetch url"];

pub(super) fn is_fetch(title: &Text, question: &Text) -> bool {
    title.is(TITLES) || (question.starts(&["do you want to allow "]) && question.0.ends_with("to fetch this content?"))
}

/// The first line of the body is the address, whole; whatever else looks like one has to be proven too.
pub(super) fn fetch(dialog: &Dialog) -> Subject {
    let mut lines = shown_lines(&dialog.body);
    let mut urls: Vec<String> = lines.next().filter(|line| line.contains(':')).map(str::to_owned).into_iter().collect();
    let more = lines.flat_map(str::split_whitespace).filter(|word| word.contains("://"));
    urls.extend(
        more.filter(|word| urls.first().is_none_or(|first| first != word)).map(str::to_owned).collect::<Vec<_>>(),
    );
    Subject { urls, form: Form::Fetch, ..Subject::default() }
}
