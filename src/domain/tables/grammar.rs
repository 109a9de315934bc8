//! The words a table is written in: subcommands, flags with their values, and typed positionals.

/// One program: all of what it may be asked to do, and what it is known to do when asked for more.
#[derive(Debug)]
pub struct Table {
    /// The program's name, as it is typed.
    pub name: &'static str,
    /// The version whose manual the table was read from.
    pub manual: &'static str,
    /// It executes code of the repository: a build, a test, a package script.
    pub runs: bool,
    /// Variables that change what it does: a name, or the beginning of one and `*`.
    pub env: &'static [&'static str],
    /// What follows the name.
    pub node: Node,
    /// Command lines that the table accepts, one for each way through it; where the dangers are tried in the tests.
    pub samples: &'static [&'static str],
}

/// What may come next.
#[derive(Clone, Copy, Debug)]
pub enum Node {
    /// The last part: flags and positionals.
    Arguments(&'static Arguments),
    /// A subcommand.
    Choose(&'static Choose),
    /// One positional, then more.
    Skip(Type, &'static Node),
}

/// A choice of subcommands.
#[derive(Debug)]
pub struct Choose {
    /// Flags that may stand before the subcommand.
    pub flags: &'static Flags,
    /// The subcommands by their spellings, and what follows each.
    pub choices: &'static [(&'static [&'static str], Node)],
    /// Any other word of this type, and what follows it.
    pub otherwise: Option<(Type, Node)>,
    /// What follows when no word is left; `None` asks for a subcommand.
    pub alone: bool,
    /// Words and flags known to do more than look or build.
    pub dangers: &'static [Danger],
}

/// Flags and positionals of one command.
#[derive(Debug)]
pub struct Arguments {
    /// The flags.
    pub flags: &'static Flags,
    /// The positionals.
    pub words: Words,
    /// What `--` changes.
    pub after: After,
    /// Of each group one flag must be there.
    pub required: &'static [&'static [&'static str]],
    /// Flags that make the paths whole trees, hidden files too.
    pub deep: &'static [&'static str],
    /// Flags known to do more than look or build.
    pub dangers: &'static [Danger],
}

/// Known flags, by exact spelling. One that is nowhere here holds.
#[derive(Debug)]
pub struct Flags {
    /// How they may be spelled.
    pub spelling: Spelling,
    /// Without a value.
    pub plain: &'static [&'static str],
    /// With a value, attached or as the next word.
    pub valued: &'static [(&'static [&'static str], Type)],
    /// With a value only if it is attached.
    pub attached: &'static [(&'static [&'static str], Type)],
    /// Whether `-5` is a flag of its own.
    pub numbers: bool,
}

/// How a program reads its flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// `--long`, `--long=x`, `--long x`, `-s`, `-sx`, `-s x`, and short ones in one word.
    Gnu,
    /// As `Gnu`, but each short flag in a word of its own and never with its value attached: programs disagree there.
    Apart,
    /// Go's: `-name`, `-name=x`, `-name x`.
    Go,
    /// The TypeScript compiler's: `--name x`, no `=`; a switch takes `true` or `false` as the next word.
    Tsc,
}

/// The positionals of one command.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    /// The first, where it is of another type than the rest.
    pub first: Option<Type>,
    /// Flags that take the first one's place.
    pub instead: &'static [&'static str],
    /// The others.
    pub rest: Type,
    /// How many others there must be, unless the output of another command comes in.
    pub least: usize,
    /// How many others there may be.
    pub most: usize,
}

/// What `--` does.
#[derive(Clone, Copy, Debug)]
pub enum After {
    /// All words after it are positionals like those before.
    Positionals,
    /// They are of this type.
    Only(Type),
    /// They go to another program.
    To(&'static Arguments),
    /// It is not accepted.
    Never,
}

/// What a value or a positional is.
#[derive(Clone, Copy, Debug)]
pub enum Type {
    /// A path that is read.
    Path,
    /// A path that is written or removed.
    Written,
    /// A folder to go to.
    Folder,
    /// A path or a quoted pattern of paths.
    Pattern,
    /// A file of TypeScript or JavaScript.
    Source,
    /// A test file, maybe with `::name` behind it.
    TestTarget,
    /// A path, or the name of a package.
    PathOrName,
    /// A Go package: a path, a path with `/...`, or an import path.
    GoPackage,
    /// A pathspec of git.
    Pathspec,
    /// A revision, a range, `revision:path`, or a path, whichever git finds.
    RevisionOrPath,
    /// Text that the program only compares, prints or stores.
    Opaque,
    /// Text without any sign of the shell's own language.
    Literal,
    /// A filter of file names that may not reach hidden files.
    Filter,
    /// A pattern of file names that are left out.
    LeftOut,
    /// A file that is read, or a folder of which all is, except hidden and ignored files.
    Searched,
    /// A number.
    Number,
    /// One of these.
    OneOf(&'static [&'static str]),
    /// A word that a check of its own accepts.
    Checked(fn(&str) -> bool),
    /// A script of the package.
    Script(fn(&str) -> bool),
    /// A word handed to a script of the package.
    ScriptWord,
    /// A format of git's log.
    Format,
    /// An address.
    Url,
    /// None is accepted.
    Nothing,
}

/// Something known to be dangerous, for the explanation and for the tests; what decides is that no table accepts it.
#[derive(Clone, Copy, Debug)]
pub struct Danger {
    /// The flags or words, spelled out.
    pub words: &'static [&'static str],
    /// What it does, as a sentence about the word: "makes git write a file".
    pub why: &'static str,
}

impl Flags {
    /// No flags at all.
    pub const NONE: &'static Self = &Self::gnu(&[], &[], &[]);

    /// Flags spelled as most programs do.
    pub const fn gnu(
        plain: &'static [&'static str],
        valued: &'static [(&'static [&'static str], Type)],
        attached: &'static [(&'static [&'static str], Type)],
    ) -> Self {
        Self { spelling: Spelling::Gnu, plain, valued, attached, numbers: false }
    }

    /// Flags of which each stands alone.
    pub const fn apart(
        plain: &'static [&'static str],
        valued: &'static [(&'static [&'static str], Type)],
        attached: &'static [(&'static [&'static str], Type)],
    ) -> Self {
        Self { spelling: Spelling::Apart, plain, valued, attached, numbers: false }
    }

    /// The same, and `-5` is one.
    pub const fn with_numbers(self) -> Self {
        Self { numbers: true, ..self }
    }
}

impl Words {
    /// No positionals.
    pub const NONE: Self = Self { first: None, instead: &[], rest: Type::Nothing, least: 0, most: 0 };

    /// Any number of one type.
    pub const fn any(rest: Type) -> Self {
        Self { first: None, instead: &[], rest, least: 0, most: usize::MAX }
    }

    /// At least one of a type, unless another command's output comes in.
    pub const fn some(rest: Type) -> Self {
        Self { first: None, instead: &[], rest, least: 1, most: usize::MAX }
    }

    /// At most so many.
    pub const fn up_to(most: usize, rest: Type) -> Self {
        Self { first: None, instead: &[], rest, least: 0, most }
    }

    /// Exactly one.
    pub const fn one(rest: Type) -> Self {
        Self { first: None, instead: &[], rest, least: 1, most: 1 }
    }
}

/// A danger by its words and its reason.
pub(super) const fn danger(words: &'static [&'static str], why: &'static str) -> Danger {
    Danger { words, why }
}
