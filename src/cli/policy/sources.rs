//! Which hosts cargo, npm and pip of this machine are configured for. Only the user's and the machine's own files are
//! read: what lies in a repository is written by agents.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::domain::policy::hosts::of_address;

/// Variables of the environment, by name.
pub(super) type Env = BTreeMap<String, String>;

/// What was found of one program.
#[derive(Debug)]
pub(super) struct Source {
    /// Which.
    pub(super) tool: &'static str,
    /// Entries for the list, and where each was read.
    pub(super) hosts: Vec<(String, String)>,
}

impl Source {
    fn new(tool: &'static str) -> Self {
        Self { tool, hosts: Vec::new() }
    }

    fn add(&mut self, address: &str, place: &str) {
        let Some(host) = of_address(address) else { return };
        if !self.hosts.iter().any(|(known, _)| *known == host) {
            self.hosts.push((host, place.to_owned()));
        }
    }
}

/// Reads all three.
pub(super) fn gather(env: &Env) -> Vec<Source> {
    vec![cargo(env), npm(env), pip(env)]
}

fn home(env: &Env) -> PathBuf {
    PathBuf::from(env.get("HOME").map_or("/", String::as_str))
}

/// Its configuration, and the registries that it has used: each tells in its own words where packages come from.
fn cargo(env: &Env) -> Source {
    let mut source = Source::new("cargo");
    let dir = env.get("CARGO_HOME").map_or_else(|| home(env).join(".cargo"), PathBuf::from);
    for file in [dir.join("config.toml"), dir.join("config")] {
        let Ok(text) = std::fs::read_to_string(&file) else { continue };
        let Ok(config) = toml::from_str::<Value>(&text) else { continue };
        for (table, key) in [("source", "registry"), ("registries", "index")] {
            for (_, one) in config[table].as_object().into_iter().flatten() {
                one[key].as_str().into_iter().for_each(|address| source.add(address, &file.display().to_string()));
            }
        }
    }
    for (name, address) in
        env.iter().filter(|(name, _)| name.starts_with("CARGO_REGISTRIES_") && name.ends_with("_INDEX"))
    {
        source.add(address, name);
    }
    let mut used: Vec<PathBuf> = std::fs::read_dir(dir.join("registry/index"))
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .collect();
    used.sort();
    for index in used {
        used_registry(&mut source, &index);
    }
    source
}

/// `HOST-HASH`, with what the registry said of itself.
fn used_registry(source: &mut Source, index: &Path) {
    let name = index.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let file = index.join("config.json");
    let Ok(text) = std::fs::read_to_string(&file) else { return };
    let Ok(config) = serde_json::from_str::<Value>(&text) else { return };
    let place = file.display().to_string();
    if let Some((host, _)) = name.rsplit_once('-') {
        source.add(&format!("https://{host}"), &place);
    }
    for key in ["dl", "api"] {
        config[key].as_str().into_iter().for_each(|address| source.add(address, &place));
    }
}

/// `registry=` and `@scope:registry=`.
fn npm(env: &Env) -> Source {
    let mut source = Source::new("npm");
    // npm itself does not tell upper from lower case in these.
    let own = |wanted: &str| env.iter().find(|(name, _)| name.to_lowercase() == wanted).map(|(_, value)| value);
    let user = own("npm_config_userconfig").map_or_else(|| home(env).join(".npmrc"), PathBuf::from);
    let global = own("npm_config_globalconfig").map(PathBuf::from);
    let machine = ["/etc/npmrc", "/usr/etc/npmrc", "/usr/local/etc/npmrc"].map(PathBuf::from);
    for file in std::iter::once(user).chain(global).chain(machine) {
        let Ok(text) = std::fs::read_to_string(&file) else { continue };
        for (key, value) in settings(&text) {
            if key == "registry" || key.ends_with(":registry") {
                source.add(&value, &file.display().to_string());
            }
        }
    }
    for (name, address) in env {
        let lower = name.to_lowercase();
        if lower == "npm_config_registry" || (lower.starts_with("npm_config_@") && lower.ends_with(":registry")) {
            source.add(address, name);
        }
    }
    source
}

/// `index-url`, `extra-index-url`, `find-links`; the last two take several, also on lines of their own.
fn pip(env: &Env) -> Source {
    const KEYS: [&str; 3] = ["index-url", "extra-index-url", "find-links"];
    let mut source = Source::new("pip");
    let config = env.get("XDG_CONFIG_HOME").map_or_else(|| home(env).join(".config"), PathBuf::from);
    let mut files = vec![config.join("pip/pip.conf"), home(env).join(".pip/pip.conf")];
    files.extend(["/etc/pip.conf", "/etc/xdg/pip/pip.conf"].map(PathBuf::from));
    files.extend(env.get("PIP_CONFIG_FILE").map(PathBuf::from));
    for file in files {
        let Ok(text) = std::fs::read_to_string(&file) else { continue };
        for (_, value) in settings(&text).into_iter().filter(|(key, _)| KEYS.contains(&key.replace('_', "-").as_str()))
        {
            value.split_whitespace().for_each(|address| source.add(address, &file.display().to_string()));
        }
    }
    for key in KEYS {
        let name = format!("PIP_{}", key.replace('-', "_").to_uppercase());
        for address in env.get(&name).into_iter().flat_map(|value| value.split_whitespace()) {
            source.add(address, &name);
        }
    }
    source
}

/// Lines `key = value`, the rest of a value on lines that are indented.
fn settings(text: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        let bare = line.trim();
        if bare.is_empty() || bare.starts_with(['#', ';', '[']) {
            continue;
        }
        let goes_on = line.starts_with([' ', '\t']);
        match (bare.split_once('='), found.last_mut()) {
            (_, Some((_, value))) if goes_on => {
                value.push(' ');
                value.push_str(bare);
            }
            (Some((key, value)), _) => found.push((key.trim().to_lowercase(), value.trim().to_owned())),
            (None, _) => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::settings;

    #[test]
    fn settings_are_read_with_what_follows_on_indented_lines() {
        let text = "; note\n[global]\nindex-url = https://a.example/simple\nextra-index-url =\n    https://b.example/x?y=z\n  https://c.example\n#\nregistry=https://d.example\n";
        let read: Vec<_> = settings(text);
        let line = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        assert_eq!(
            read,
            [
                line("index-url", "https://a.example/simple"),
                line("extra-index-url", " https://b.example/x?y=z https://c.example"),
                line("registry", "https://d.example"),
            ]
        );
    }
}
