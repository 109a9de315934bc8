//! What a dialog is about: the command, the files or the addresses it names, told apart from the agent's prose.

mod command;
mod edit;
mod fetch;
mod patch;

use super::dialog::Dialog;

/// Which sort of request a dialog is, by its own title and question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// A command.
    Command,
    /// A file is created or changed.
    Edit,
    /// A file is removed.
    Removal,
    /// An address is fetched.
    Fetch,
    /// None that is known; the words of title and question are all there is.
    #[default]
    Other,
}

/// The subject of one dialog.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Subject {
    /// The command line, exactly as it would run.
    pub command: Option<String>,
    /// The files it would write or remove, as written.
    pub files: Vec<String>,
    /// The addresses it names, as written.
    pub urls: Vec<String>,
    /// The sort of request.
    pub form: Form,
    /// What makes it uncertain that this is all the dialog is about; then nothing is proven.
    pub doubt: Option<Doubt>,
}

/// Why a subject cannot be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// Several lines, and no telling which of them are the command.
    WhichLine,
    /// A file's name without its folder.
    WhichFolder,
    /// The parts of the dialog name different things.
    Contradiction,
    /// An edit that removes a file, which is another class of request.
    Removes,
    /// Lines of a change that are not understood; they may name other files.
    UnreadPatch,
}

impl Doubt {
    /// The stable word and the sentence.
    pub const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::WhichLine => {
                ("subject_lines", "The text has several lines, and the dialog does not say which of them would run.")
            }
            Self::WhichFolder => ("subject_folder", "The dialog names a file without its folder."),
            Self::Removes => ("subject_removes", "The patch removes a file, which is more than an edit."),
            Self::UnreadPatch => {
                ("subject_unread", "Parts of the change are not understood, and they may concern other files.")
            }
            Self::Contradiction => ("subject_contradiction", "Parts of the dialog name different files or commands."),
        }
    }
}

/// Takes the subject out of title, question, body and command.
pub fn extract(dialog: &Dialog) -> Subject {
    let title = Text::of(&dialog.title);
    let question = Text::of(&dialog.question);
    let given = dialog.command.as_deref().filter(|command| !command.trim().is_empty());
    let runs = given.is_some() || command::is_command(&title, &question);
    let removes = edit::is_removal(&title, &question);
    let edits = edit::is_edit(&title, &question);
    let fetches = fetch::is_fetch(&title, &question);
    let mut subject = if removes {
        edit::removal(dialog)
    } else if edits {
        edit::edit(dialog)
    } else if fetches {
        fetch::fetch(dialog)
    } else {
        Subject::default()
    };
    // A request that is several is none of them: what is proven of one part says nothing of the others.
    let several = [runs, removes, edits, fetches].into_iter().filter(|is| *is).count() > 1;
    match given {
        Some(command) => subject.command = Some(command.to_owned()),
        // Nothing says that the body is no command, so class and veto look at it as one.
        None if several && runs => subject.command = command::whole(dialog),
        None if runs => command::of_body(dialog, &mut subject),
        None => {}
    }
    if several {
        subject.doubt = Some(Doubt::Contradiction);
    } else if runs {
        subject.form = Form::Command;
    }
    subject
}

/// A line in lower case, for comparing.
struct Text(String);

impl Text {
    fn of(raw: &str) -> Self {
        Self(raw.trim().to_lowercase())
    }

    /// Whether it is one of these, possibly with something like `(1 of 2)` or a question mark behind.
    fn is(&self, known: &[&str]) -> bool {
        known.contains(&self.0.trim_end_matches(['?', ':', '.', ' ']))
    }

    /// Whether it begins so. Not: whether it contains it, because a tool's name in a question is somebody else's text.
    fn starts(&self, known: &[&str]) -> bool {
        known.iter().any(|start| self.0.starts_with(start))
    }
}

/// What stands behind one of these beginnings, compared without case, up to the question mark.
fn after<'a>(text: &'a str, beginnings: &[&str]) -> Option<&'a str> {
    let text = text.trim();
    let rest = beginnings.iter().find_map(|beginning| {
        let head = text.get(..beginning.len())?;
        // The arrow of some titles is no ASCII, but has no case either.
        head.eq_ignore_ascii_case(beginning).then(|| &text[beginning.len()..])
    })?;
    let name = rest.trim().trim_end_matches('?').trim();
    (!name.is_empty()).then_some(name)
}

/// The lines of a body that show anything.
fn shown_lines(body: &str) -> impl Iterator<Item = &str> {
    body.lines().map(str::trim).filter(|line| !line.is_empty())
}

#[cfg(test)]
mod tests;
