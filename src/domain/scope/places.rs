//! Paths as lists of components, and the folders that count as inside.

/// The components of an absolute path; `None` if it is not absolute or goes up.
pub fn components(path: &str) -> Option<Vec<&str>> {
    let rest = path.strip_prefix('/')?;
    let parts: Vec<&str> = rest.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    (!parts.contains(&"..")).then_some(parts)
}

/// The folders below which a path is inside.
#[derive(Clone, Debug)]
pub struct Places {
    roots: Vec<Vec<String>>,
    /// The volume does not tell upper from lower case.
    fold: bool,
}

impl Places {
    /// The worktree and the repository's root, by name and as the disk has it; `None` if one of them is too wide to prove
    /// anything: the whole disk, a home folder, a folder of the system, or no absolute path.
    pub fn new(worktree: &str, repo_root: &str, root_real: &str, fold: bool) -> Option<Self> {
        let given = [worktree, repo_root, root_real];
        let mut roots = given.iter().map(|root| narrow(root)).collect::<Option<Vec<_>>>()?;
        // A worktree below the root by name is below the real root too.
        if let Some(rest) = roots[0].strip_prefix(roots[1].as_slice()) {
            let real = [roots[2].as_slice(), rest].concat();
            roots.push(real);
        }
        Some(Self { roots, fold })
    }

    /// The rest of a path below the innermost folder that it is in; `None` if it is in none.
    pub fn below<'a>(&self, path: &'a str) -> Option<Vec<&'a str>> {
        let parts = components(path)?;
        let deepest = self.roots.iter().filter(|root| self.begins(&parts, root)).map(Vec::len).max()?;
        Some(parts[deepest..].to_vec())
    }

    /// Whether a path is one of the folders, or holds one of them.
    pub fn holds_a_root(&self, path: &str) -> bool {
        let Some(parts) = components(path) else { return true };
        self.roots
            .iter()
            .any(|root| parts.len() <= root.len() && parts.iter().zip(root).all(|(part, other)| self.same(part, other)))
    }

    /// Whether one path is another or holds it.
    pub fn holds(&self, outer: &str, inner: &str) -> bool {
        let (Some(outer), Some(inner)) = (components(outer), components(inner)) else { return true };
        outer.len() <= inner.len() && outer.iter().zip(&inner).all(|(part, other)| self.same(part, other))
    }

    fn begins(&self, parts: &[&str], root: &[String]) -> bool {
        root.len() <= parts.len() && root.iter().zip(parts).all(|(part, other)| self.same(part, other))
    }

    fn same(&self, one: &str, other: &str) -> bool {
        one == other || (self.fold && one.to_lowercase() == other.to_lowercase())
    }
}

/// Folders of the system: below them lies too much that is no repository's.
const SYSTEM: &[&str] = &[
    "etc",
    "usr",
    "var",
    "bin",
    "sbin",
    "lib",
    "lib64",
    "opt",
    "dev",
    "proc",
    "sys",
    "boot",
    "run",
    "tmp",
    "home",
    "users",
    "root",
    "mnt",
    "media",
    "srv",
    "private",
    "library",
    "system",
    "applications",
    "volumes",
    "nix",
    "snap",
];

/// The components of a root, unless it is too wide.
fn narrow(root: &str) -> Option<Vec<String>> {
    let parts = components(root)?;
    let folded: Vec<String> = parts.iter().map(|part| part.to_lowercase()).collect();
    let wide = match folded.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [one] => SYSTEM.contains(one),
        []
        | ["home" | "users", _]
        | ["var" | "usr" | "export" | "private" | "data", "home" | "root" | "tmp" | "var"]
        | ["var" | "usr" | "export", "home", _]
        | ["dev" | "proc" | "sys", ..] => true,
        _ => false,
    };
    (!wide).then(|| parts.into_iter().map(str::to_owned).collect())
}
