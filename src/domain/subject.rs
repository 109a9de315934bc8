//! What a dialog is about: the command, the files or the addresses it names.

/// The subject of one dialog.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Subject {
    /// The command line, exactly as it would run.
    pub command: Option<String>,
    /// The files it would write or remove, as written.
    pub files: Vec<String>,
    /// The addresses it names, as written.
    pub urls: Vec<String>,
}
