//! Facts in short, as `countersign classify` reads them: what is odd about a disk, all else being plain.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};

use super::{Facts, PathFact, PathKind};
use crate::domain::dialog::Dialog;
use crate::domain::scope::{self, Places, components};
use crate::domain::subject::Subject;

/// Links that lead to links, at most.
const MAX_LINKS: usize = 40;
/// Longer words are no paths that a proof would accept.
const MAX_PATH: usize = 1024;

/// The contract's `fs`. Without any of it: no links, git's configuration clean.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Compact {
    /// Links by their path, absolute or from the working folder or a root, and where they lead.
    pub symlinks: BTreeMap<String, String>,
    /// Words that could not be looked up.
    pub unresolved: Vec<String>,
    /// Paths at which there is nothing.
    pub missing: Vec<String>,
    /// Keys of git's configuration that would start programs.
    pub git_config_exec_keys: Vec<String>,
    /// The working folder is in a bare repository.
    #[serde(deserialize_with = "given")]
    pub bare_repo: bool,
    /// Files that shadow a module.
    pub shadow_modules: Vec<String>,
    /// The volume does not tell upper from lower case.
    pub case_insensitive: bool,
    /// Where the repository's root really is.
    pub root_real: Option<String>,
}

/// Anything but false and nothing counts as given: a test may also name the repository.
fn given<'de, D: Deserializer<'de>>(from: D) -> Result<bool, D::Error> {
    let value = serde_json::Value::deserialize(from)?;
    Ok(match value {
        serde_json::Value::Null => false,
        serde_json::Value::Bool(given) => given,
        serde_json::Value::String(text) => !text.is_empty(),
        serde_json::Value::Array(items) => !items.is_empty(),
        serde_json::Value::Number(_) | serde_json::Value::Object(_) => true,
    })
}

impl Compact {
    /// The full facts for a dialog: every path that its proof will ask for, resolved by words alone.
    pub fn facts(&self, subject: &Subject, dialog: &Dialog) -> Facts {
        let root_real = self.root_real.clone().unwrap_or_else(|| dialog.repo_root.clone());
        let disk = Disk {
            compact: self,
            dialog,
            places: Places::new(&dialog.worktree, &dialog.repo_root, &root_real, self.case_insensitive),
            root_real,
        };
        let mut paths: BTreeMap<String, PathFact> = scope::needed(subject, dialog)
            .into_iter()
            .filter_map(|word| Some((word.clone(), disk.fact(&word)?)))
            .collect();
        // The working folder is taken as it is given, unless something is known against it.
        match disk.fact(".") {
            Some(fact) if fact.inside => {}
            fact => drop(paths.insert(".".to_owned(), fact.unwrap_or_else(PathFact::nowhere))),
        }
        Facts {
            shell: "bash".to_owned(),
            root_real: disk.root_real,
            bare_repo: self.bare_repo,
            paths,
            git_exec_keys: self.git_config_exec_keys.clone(),
            shadow_modules: self.shadow_modules.clone(),
            env_names: Vec::new(),
            case_insensitive: self.case_insensitive,
            pane: None,
            digest: String::new(),
        }
    }
}

/// A disk made of what is odd about it.
struct Disk<'a> {
    compact: &'a Compact,
    dialog: &'a Dialog,
    places: Option<Places>,
    root_real: String,
}

impl Disk<'_> {
    fn fact(&self, word: &str) -> Option<PathFact> {
        if word.len() > MAX_PATH {
            return None;
        }
        let path = self.absolute(word);
        let unknown = |entry: &String| entry == word || self.is_at_or_below(&path, entry);
        if self.compact.unresolved.iter().any(unknown) {
            return None;
        }
        let resolved = self.resolve(&path)?;
        let real = self.in_real_root(&resolved);
        let inside = self.places.as_ref().is_some_and(|places| places.below(&real).is_some());
        let missing = self.compact.missing.iter().any(|entry| self.names(&path, entry) || self.names(&resolved, entry));
        let kind = if missing { PathKind::Missing } else { kind_by_name(&real) };
        Some(PathFact { real, kind, inside })
    }

    fn absolute(&self, word: &str) -> String {
        if word.starts_with('/') { word.to_owned() } else { format!("{}/{word}", self.dialog.cwd) }
    }

    /// Follows the links, component by component.
    fn resolve(&self, path: &str) -> Option<String> {
        let mut rest: Vec<String> = path.split('/').rev().map(str::to_owned).collect();
        let mut done: Vec<String> = Vec::new();
        let mut links = 0;
        while let Some(part) = rest.pop() {
            match part.as_str() {
                "" | "." => continue,
                ".." => {
                    done.pop();
                    continue;
                }
                _ => done.push(part),
            }
            let here = format!("/{}", done.join("/"));
            let Some(target) = self.link(&here) else { continue };
            links += 1;
            if links > MAX_LINKS {
                return None;
            }
            if target.starts_with('/') {
                done.clear();
            } else {
                done.pop();
            }
            rest.extend(target.split('/').rev().map(str::to_owned));
        }
        Some(format!("/{}", done.join("/")))
    }

    fn link(&self, path: &str) -> Option<&str> {
        let found = self.compact.symlinks.iter().find(|(entry, _)| self.names(path, entry));
        found.map(|(_, target)| target.as_str())
    }

    /// Whether an entry, which may be told from the working folder or from a root, is a path.
    fn names(&self, path: &str, entry: &str) -> bool {
        self.spellings(entry).iter().any(|one| self.same(components(path).as_deref(), components(one).as_deref()))
    }

    fn is_at_or_below(&self, path: &str, entry: &str) -> bool {
        self.spellings(entry).iter().any(|one| match (components(path), components(one)) {
            (Some(path), Some(one)) => path.len() >= one.len() && self.same(path.get(..one.len()), Some(&one)),
            _ => false,
        })
    }

    fn spellings(&self, entry: &str) -> Vec<String> {
        if entry.starts_with('/') {
            return vec![entry.to_owned()];
        }
        let from = [&self.dialog.cwd, &self.dialog.worktree, &self.dialog.repo_root];
        from.iter().map(|folder| format!("{folder}/{entry}")).collect()
    }

    fn same(&self, one: Option<&[&str]>, other: Option<&[&str]>) -> bool {
        let (Some(one), Some(other)) = (one, other) else { return false };
        let fold = self.compact.case_insensitive;
        let equal = |(one, other): (&&str, &&str)| one == other || (fold && one.to_lowercase() == other.to_lowercase());
        one.len() == other.len() && one.iter().zip(other).all(equal)
    }

    /// A path below the root's name, below the real root.
    fn in_real_root(&self, path: &str) -> String {
        let (Some(parts), Some(root)) = (components(path), components(&self.dialog.repo_root)) else {
            return path.to_owned();
        };
        match parts.get(..root.len()) {
            Some(front) if self.same(Some(front), Some(&root)) => {
                let rest = parts[root.len()..].join("/");
                format!("{}/{rest}", self.root_real.trim_end_matches('/')).trim_end_matches('/').to_owned()
            }
            _ => path.to_owned(),
        }
    }
}

/// A name with an ending is a file, one without is a folder: nothing else is known here.
fn kind_by_name(path: &str) -> PathKind {
    let last = path.rsplit('/').next().unwrap_or_default();
    if last.trim_start_matches('.').contains('.') { PathKind::File } else { PathKind::Dir }
}
