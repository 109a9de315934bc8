//! go: build, test and look at the module's own packages.

use super::checks::{duration, go_features, name, word};
use super::grammar::{After, Arguments, Choose, Danger, Flags, Node, Spelling, Table, Type, Words, danger};

/// The table.
pub(super) static GO: Table = Table {
    name: "go",
    manual: "go 1.19.8; `-skip` from go 1.20",
    runs: true,
    env: &[
        "GOFLAGS",
        "GOENV",
        "GOROOT",
        "GOTOOLCHAIN",
        "GOWORK",
        "GOEXE",
        "GOTOOLDIR",
        "GOMODFILE",
        "GOOVERLAY",
        "CGO_*",
        "CC",
        "CXX",
        "AR",
        "FC",
        "PKG_CONFIG",
        "GCCGO",
    ],
    node: Node::Choose(&Choose {
        flags: Flags::NONE,
        choices: &[
            (&["build"], Node::Arguments(&BUILD)),
            (&["vet"], Node::Arguments(&BUILD)),
            (&["test"], Node::Arguments(&TEST)),
            (&["list"], Node::Arguments(&LIST)),
            (&["doc"], Node::Arguments(&DOC)),
            (&["mod"], Node::Choose(&MOD)),
        ],
        otherwise: None,
        alone: false,
        dangers: &[
            danger(&["run"], "starts the program itself, which may do anything"),
            danger(&["install", "get"], "fetches modules or writes programs outside the repository"),
            danger(&["generate"], "runs the commands that the sources name"),
            danger(&["env"], "may write the user's configuration"),
            danger(&["tool", "bug"], "starts other programs"),
            danger(&["clean", "fix", "work", "fmt", "telemetry"], "deletes or rewrites files"),
        ],
    }),
    samples: &[
        "go build ./...",
        "go vet ./...",
        "go test ./...",
        "go test -run X ./a",
        "go list ./...",
        "go doc ./a",
        "go mod verify",
    ],
};

const DANGERS: &[Danger] = &[
    danger(&["-exec", "-toolexec", "-vettool"], "names a program that go runs"),
    danger(&["-overlay", "-modfile", "-modcacherw", "-pkgdir"], "replaces sources or module files"),
    danger(&["-o"], "makes go write a file elsewhere"),
    danger(&["-C"], "works in another folder"),
    danger(
        &[
            "-coverprofile",
            "-cpuprofile",
            "-memprofile",
            "-blockprofile",
            "-mutexprofile",
            "-trace",
            "-outputdir",
            "-testlogfile",
        ],
        "makes the tests write a file",
    ),
    danger(
        &["-ldflags", "-gcflags", "-asmflags", "-gccgoflags", "-compiler"],
        "passes flags to the compiler or the linker, which can name programs",
    ),
    danger(&["-mod", "-buildmode", "-buildvcs", "-linkshared"], "changes where modules come from or what is built"),
    danger(&["-args"], "passes any flags to the tests"),
    danger(&["-http"], "opens a server"),
    danger(&["-fix", "-fuzz", "-fuzzcachedir"], "rewrites or writes files"),
];

macro_rules! build_flags {
    ($($more:literal),*) => { &["-v", "-x", "-n", "-a", "-race", "-msan", "-trimpath", "-work", $($more),*] };
}
macro_rules! build_values {
    ($($more:expr),*) => { &[(&["-tags"], Type::Checked(go_features)), (&["-p"], Type::Number), $($more),*] };
}

static BUILD: Arguments = Arguments {
    flags: &Flags {
        spelling: Spelling::Go,
        plain: build_flags!(),
        valued: build_values!(),
        attached: &[],
        numbers: false,
    },
    words: Words::any(Type::GoPackage),
    after: After::Never,
    required: &[],
    deep: &[],
    dangers: DANGERS,
};

static TEST: Arguments = Arguments {
    flags: &Flags {
        spelling: Spelling::Go,
        plain: build_flags!("-short", "-failfast", "-json", "-cover", "-benchmem"),
        valued: build_values!(
            (&["-run", "-bench", "-skip", "-list"], Type::Opaque),
            (&["-count", "-parallel"], Type::Number),
            (&["-timeout", "-benchtime"], Type::Checked(duration)),
            (&["-cpu"], Type::Checked(go_features)),
            (&["-covermode"], Type::OneOf(&["set", "count", "atomic"])),
            (&["-shuffle"], Type::Checked(name)),
            (&["-vet"], Type::OneOf(&["off", "all"]))
        ),
        attached: &[],
        numbers: false,
    },
    words: Words::any(Type::GoPackage),
    after: After::Never,
    required: &[],
    deep: &[],
    dangers: DANGERS,
};

static LIST: Arguments = Arguments {
    flags: &Flags {
        spelling: Spelling::Go,
        plain: build_flags!("-m", "-json", "-deps", "-e", "-test", "-find"),
        valued: build_values!((&["-f"], Type::Opaque)),
        attached: &[],
        numbers: false,
    },
    words: Words::any(Type::GoPackage),
    after: After::Never,
    required: &[],
    deep: &[],
    dangers: DANGERS,
};

static DOC: Arguments = Arguments {
    flags: &Flags {
        spelling: Spelling::Go,
        plain: &["-all", "-short", "-src", "-u", "-c", "-cmd"],
        valued: &[],
        attached: &[],
        numbers: false,
    },
    words: Words { first: Some(Type::GoPackage), instead: &[], rest: Type::Checked(word), least: 0, most: 1 },
    after: After::Never,
    required: &[],
    deep: &[],
    dangers: &[danger(&["-http"], "opens a server"), danger(&["-C"], "works in another folder")],
};

static MOD: Choose = Choose {
    flags: Flags::NONE,
    choices: &[(&["verify"], Node::Arguments(&VERIFY))],
    otherwise: None,
    alone: false,
    dangers: &[
        danger(&["tidy", "edit", "init", "vendor"], "rewrites the module's files"),
        danger(&["download", "graph", "why"], "fetches modules"),
    ],
};

static VERIFY: Arguments = Arguments {
    flags: Flags::NONE,
    words: Words::NONE,
    after: After::Never,
    required: &[],
    deep: &[],
    dangers: DANGERS,
};
