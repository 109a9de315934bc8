//! What the simulated agent shows at a moment: at work, asking, at rest, gone.

use super::script::{Ask, Choice, Limit, Plan};
use crate::domain::screen::AgentKind;

/// What is on the screen below the conversation.
#[derive(Debug)]
pub(super) enum Scene {
    /// A turn runs, from and to these milliseconds.
    Working {
        /// When it began.
        began: u64,
        /// When it ends.
        until: u64,
    },
    /// A dialog is open.
    Asking(Box<Asking>),
    /// Waits for a line.
    Idle(Rest),
    /// It has ended.
    Over,
}

/// What an idle agent shows beside its composer.
#[derive(Debug, Default)]
pub(super) struct Rest {
    /// A faint suggestion in the composer.
    pub hint: Option<String>,
    /// A survey above it.
    pub survey: bool,
    /// The script is at its end.
    pub last: bool,
}

/// What a dialog is about.
#[derive(Debug)]
pub(super) enum Prompt {
    /// A permission.
    Ask(Ask),
    /// A choice.
    Choice(Choice),
    /// A plan.
    Plan(Plan),
    /// A usage limit.
    Limit(Limit),
}

/// An open dialog.
#[derive(Debug)]
pub(super) struct Asking {
    /// What it is about.
    pub prompt: Prompt,
    /// Its rows.
    pub options: Vec<String>,
    /// The marked one.
    pub selected: usize,
    /// Keys that it still swallows.
    pub ignores: u32,
    /// When it goes, and whether the answer was a yes, once it was answered.
    pub answered: Option<(u64, bool)>,
}

impl Asking {
    /// A dialog as it opens.
    pub(super) fn new(prompt: Prompt, kind: AgentKind) -> Self {
        let options = options(&prompt, kind);
        let (selected, ignores) = match &prompt {
            Prompt::Ask(ask) => (ask.selected - 1, ask.ignores),
            Prompt::Choice(_) | Prompt::Plan(_) | Prompt::Limit(_) => (0, 0),
        };
        Self { prompt, options, selected, ignores, answered: None }
    }

    /// The row that refuses, for Escape.
    pub(super) fn refusal(&self) -> Option<usize> {
        self.options.iter().rposition(|row| row.starts_with("No"))
    }

    /// The name under which the log speaks of it.
    pub(super) fn title(&self) -> &str {
        match &self.prompt {
            Prompt::Ask(ask) => &ask.title,
            Prompt::Choice(choice) => &choice.tab,
            Prompt::Plan(_) => "Ready to code?",
            Prompt::Limit(_) => "What do you want to do?",
        }
    }

    /// The command it would run.
    pub(super) fn command(&self) -> Option<&str> {
        match &self.prompt {
            Prompt::Ask(ask) => ask.command.as_deref(),
            Prompt::Choice(_) | Prompt::Plan(_) | Prompt::Limit(_) => None,
        }
    }
}

fn options(prompt: &Prompt, kind: AgentKind) -> Vec<String> {
    let own = |rows: &[&str]| rows.iter().map(|row| (*row).to_owned()).collect();
    match prompt {
        Prompt::Ask(Ask { options: Some(options), .. }) => options.clone(),
        Prompt::Ask(_) if kind == AgentKind::Codex => {
            own(&["Yes, proceed (y)", "No, and tell Codex what to do differently (esc)"])
        }
        Prompt::Ask(_) => own(&["Yes", "No"]),
        Prompt::Choice(choice) => {
            let own = choice.options.iter().map(|option| option.text.clone());
            own.chain(["Type something.".to_owned(), "Chat about this".to_owned()]).collect()
        }
        Prompt::Plan(_) => own(&[
            "Yes, and auto-accept edits",
            "Yes, and manually approve edits",
            "Type here to tell Claude what to change",
        ]),
        Prompt::Limit(_) => own(&["Upgrade your plan", "Stop and wait for limit to reset", "Switch to usage credits"]),
    }
}
