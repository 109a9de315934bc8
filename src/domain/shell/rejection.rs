//! Why a command line is not accepted, as a code, a place and a sentence.

use std::ops::Range;

/// What was met, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// What it is.
    pub why: Why,
    /// Where, in bytes of the line.
    pub span: Range<usize>,
}

macro_rules! reasons {
    ($($(#[$doc:meta])+ $variant:ident $code:literal $text:literal),+ $(,)?) => {
        /// The kinds of rejection.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Why { $($(#[$doc])+ $variant),+ }

        impl Why {
            /// The stable word for programs.
            pub const fn code(self) -> &'static str { match self { $(Self::$variant => $code),+ } }
            /// The sentence for people.
            pub const fn text(self) -> &'static str { match self { $(Self::$variant => $text),+ } }
        }
    };
}

reasons! {
    /// Nothing but blanks.
    Empty "empty_command" "There is no command.",
    /// Over the limit of bytes.
    TooLong "command_too_long" "The command is longer than 4 KiB.",
    /// Over the limit of commands.
    TooManySegments "too_many_commands" "The line joins more than 16 commands.",
    /// Over the limit of words.
    TooManyWords "too_many_words" "The line has more than 256 words.",
    /// A character that is not seen or moves the text.
    Unseen "unseen_character" "The command has a character that does not show on a screen or moves the text.",
    /// A tab, or another blank that is not a space.
    Blank "odd_blank" "The command has a tab or another blank that is not a plain space.",
    /// An unquoted letter or sign outside plain ASCII.
    Foreign "odd_character" "The command has a character outside quotes that shells may read differently.",
    /// `$`, a backtick.
    Expansion "expansion" "The shell would put in a value or another command's output (`$` or a backtick), which is not known here.",
    /// `\`.
    Escape "escape" "The command has a backslash, which changes how the next character is read.",
    /// `*`, `?`, `[`.
    Glob "glob" "The shell would replace a pattern (`*`, `?`, `[`) by names that are not known here; in quotes the tool would get the pattern itself.",
    /// `{`, `}`.
    Brace "braces" "The command has braces, which the shell expands or takes as a group.",
    /// `(`, `)`.
    Group "group" "The command has parentheses: a subshell, a function or a pattern.",
    /// `<`, `>` to anything that is not accepted.
    Redirect "redirect" "The command reads from or writes to a file by `<` or `>`; only `2>&1` and `/dev/null` pass.",
    /// `&`.
    Background "background" "A single `&` would leave a program running in the background.",
    /// `|&`, `;;`, `;&`.
    Operator "odd_operator" "The commands are joined by something other than `&&`, `||`, `;` or `|`.",
    /// `#`.
    Comment "comment" "The command has a `#` outside quotes: the rest may be a comment.",
    /// `!`.
    History "exclamation" "The command has a `!`, which negates a command or repeats an earlier one.",
    /// `~` or `^` at the beginning of a word or after `:` or `=`.
    Tilde "tilde" "A word begins with `~` or `^`: the shell would put in a home folder or edit an earlier command.",
    /// `=` at the beginning of a word.
    EqualsCommand "equals_word" "A word begins with `=`, which zsh replaces by the path of a program.",
    /// A quote that does not end.
    OpenQuote "open_quote" "A quote is not closed: the command may be cut off.",
    /// The command name is quoted.
    QuotedName "quoted_command" "The name of the program is in quotes; only a plain name is accepted.",
    /// The command name has a slash.
    PathName "path_command" "The program is named by a path; only a plain name is accepted, since a file of the repository could have it.",
    /// A variable outside the closed list, or with a value that is not plain.
    Environment "environment" "The command sets a variable that may change what the program does.",
    /// A word of the shell's own grammar in the place of a program.
    Keyword "keyword" "The command uses the shell's own control words (`if`, `while`, `time`, …).",
    /// Nothing after an operator, or before one.
    Unfinished "unfinished" "A command is missing before or after an operator: the rest may be cut off.",
    /// The second parser sees something else.
    ParsersDisagree "parsers_disagree" "Two independent readers of the command do not agree on what it says.",
}

impl Rejection {
    pub(super) const fn of(why: Why, span: Range<usize>) -> Self {
        Self { why, span }
    }
}
