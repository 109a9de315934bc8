//! Files in the working folder that Python would take for a module of another: `python -m` looks there first.

use std::fs;
use std::path::Path;

use crate::domain::facts::UNREAD;

/// A folder with more entries is not searched to its end.
const MOST_ENTRIES: usize = 8192;

/// The test runner, what it stands on, what Python itself loads unasked, and the parts of its library that these load.
const MODULES: &[&str] = &[
    "pytest",
    "_pytest",
    "py",
    "pluggy",
    "iniconfig",
    "packaging",
    "exceptiongroup",
    "tomli",
    "colorama",
    "pygments",
    "attr",
    "attrs",
    "xdist",
    "pytest_cov",
    "coverage",
    "sitecustomize",
    "usercustomize",
    "site",
    "_virtualenv",
    "abc",
    "argparse",
    "ast",
    "asyncio",
    "atexit",
    "base64",
    "bdb",
    "bisect",
    "builtins",
    "bz2",
    "cmd",
    "code",
    "codecs",
    "codeop",
    "collections",
    "colorsys",
    "concurrent",
    "configparser",
    "contextlib",
    "contextvars",
    "copy",
    "copyreg",
    "csv",
    "ctypes",
    "dataclasses",
    "datetime",
    "decimal",
    "difflib",
    "dis",
    "doctest",
    "email",
    "encodings",
    "enum",
    "errno",
    "faulthandler",
    "fnmatch",
    "fractions",
    "functools",
    "gc",
    "genericpath",
    "getpass",
    "gettext",
    "glob",
    "gzip",
    "hashlib",
    "heapq",
    "html",
    "http",
    "importlib",
    "inspect",
    "io",
    "ipaddress",
    "itertools",
    "json",
    "keyword",
    "linecache",
    "locale",
    "logging",
    "lzma",
    "marshal",
    "math",
    "mimetypes",
    "msvcrt",
    "ntpath",
    "numbers",
    "opcode",
    "operator",
    "os",
    "pathlib",
    "pdb",
    "pickle",
    "pkgutil",
    "platform",
    "posixpath",
    "pprint",
    "queue",
    "random",
    "re",
    "reprlib",
    "runpy",
    "secrets",
    "select",
    "selectors",
    "shlex",
    "shutil",
    "signal",
    "socket",
    "socketserver",
    "sre_compile",
    "sre_constants",
    "sre_parse",
    "ssl",
    "stat",
    "statistics",
    "string",
    "stringprep",
    "struct",
    "subprocess",
    "symtable",
    "sys",
    "sysconfig",
    "tarfile",
    "tempfile",
    "termios",
    "textwrap",
    "threading",
    "time",
    "timeit",
    "token",
    "tokenize",
    "tomllib",
    "traceback",
    "tracemalloc",
    "types",
    "typing",
    "unicodedata",
    "unittest",
    "urllib",
    "uuid",
    "warnings",
    "weakref",
    "xml",
    "zipfile",
    "zipimport",
    "zlib",
    "zoneinfo",
];

/// The files of a folder that shadow a module, by name; `*` where that cannot be known.
pub(super) fn beside(folder: &Path) -> Vec<String> {
    let unread = || vec![UNREAD.to_owned()];
    let Ok(entries) = fs::read_dir(folder) else { return unread() };
    let mut found = Vec::new();
    for (index, entry) in entries.enumerate() {
        let (Ok(entry), true) = (entry, index < MOST_ENTRIES) else { return unread() };
        // A name that is no text is no module's.
        let name = entry.file_name();
        let Some(name) = name.to_str() else { continue };
        if shadows(name, || is_package(&entry.path())) {
            found.push(name.to_owned());
        }
    }
    found.sort_unstable();
    found
}

/// A module is `NAME.py`, `NAME.pyc`, `NAME.….so`, or a folder that says it is a package; one that does not comes last
/// in Python's search and shadows nothing.
fn shadows(name: &str, is_package: impl Fn() -> bool) -> bool {
    // A disk that does not tell the case finds `Random.py` for `random`; Python itself refuses it, mostly.
    let name = name.to_ascii_lowercase();
    match name.split_once('.') {
        Some((stem, ending)) => {
            let module = matches!(ending, "py" | "pyc") || ending.ends_with("so") || ending.ends_with("pyd");
            module && MODULES.contains(&stem)
        }
        None => MODULES.contains(&name.as_str()) && is_package(),
    }
}

fn is_package(folder: &Path) -> bool {
    let Ok(entries) = fs::read_dir(folder) else {
        // A folder that cannot be read may be one.
        return folder.is_dir();
    };
    entries.flatten().any(|entry| entry.file_name().to_str().is_some_and(|name| name.starts_with("__init__.")))
}
