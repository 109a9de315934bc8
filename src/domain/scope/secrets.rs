//! Names of files that usually hold secrets: by component, any depth, letter case ignored.

use super::names::folded;

/// Files that hold secrets by their whole name.
const SECRET_FILES: &[&str] = &[
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    ".netrc",
    "_netrc",
    ".pypirc",
    ".pgpass",
    ".my.cnf",
    ".htpasswd",
    ".git-credentials",
    ".dockercfg",
    ".vault-token",
    ".boto",
    ".s3cfg",
    "kubeconfig",
    ".kubeconfig",
    "pip.conf",
    ".terraformrc",
    "terraform.rc",
    "credentials.toml",
    ".flaskenv",
    ".dockerconfigjson",
    "auth.json",
];

/// Folders that hold secrets.
const SECRET_FOLDERS: &[&str] = &[".ssh", ".aws", ".gnupg", ".kube", ".docker", ".azure", ".gcloud", ".password-store"];

/// Endings of files that hold keys or state with secrets in it.
const SECRET_SUFFIXES: &[&str] = &[
    ".pem",
    ".key",
    ".p12",
    ".pfx",
    ".jks",
    ".keystore",
    ".kdbx",
    ".ppk",
    ".tfstate",
    ".tfstate.backup",
    ".tfvars",
    ".agekey",
    ".gpg",
];

/// Names, without their ending, that say that a data file is a secret.
const SECRET_STEMS: &[&str] = &[
    "secret",
    "secrets",
    "credential",
    "credentials",
    "token",
    "tokens",
    "password",
    "passwords",
    "passwd",
    "shadow",
    "apikey",
    "apikeys",
    "api_key",
    "api_keys",
    "api-key",
    "api-keys",
    "service-account",
    "service_account",
    "serviceaccount",
    "access_token",
    "creds",
];

/// Endings of data files.
const DATA: &[&str] =
    &["", "txt", "json", "yml", "yaml", "toml", "env", "ini", "cfg", "conf", "properties", "xml", "csv", "enc"];

/// Beginnings of data files that clouds hand out as credentials.
const SECRET_BEGINNINGS: &[&str] = &["service-account", "service_account", "serviceaccount", "gha-creds"];

/// Endings of sources that may well be about the environment.
const CODE: &[&str] = &[
    "rs", "py", "pyi", "ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs", "go", "c", "h", "cc", "cpp", "hpp",
    "java", "kt", "rb", "php", "cs", "swift", "lua", "ex", "exs", "vue", "svelte", "md", "html", "css",
];

/// Endings that mark a copy.
const COPIES: &[&str] = &["bak", "old", "orig", "save", "saved", "backup", "tmp", "swp", "copy"];

/// Whether a path, by its components below the root, names a secret.
pub(super) fn is_secret(parts: &[&str]) -> bool {
    let folded = folded(parts);
    let in_git = folded.iter().position(|part| part == ".git");
    let git_secret = in_git.is_some_and(|at| {
        folded[at + 1..].iter().any(|part| matches!(part.as_str(), "config" | "config.worktree" | "credentials"))
    });
    git_secret || folded.iter().any(|part| SECRET_FOLDERS.contains(&part.as_str()) || is_secret_name(part))
}

/// A name, or what it was before a copy was made of it: `.netrc.bak`, `server.p12.old.1`.
fn is_secret_name(name: &str) -> bool {
    let once = original(name);
    let twice = once.and_then(original);
    std::iter::once(name).chain(once).chain(twice).any(names_secret)
}

/// The name without what marks a copy.
fn original(name: &str) -> Option<&str> {
    if let Some(stem) = name.strip_suffix('~') {
        return Some(stem);
    }
    let (stem, ending) = name.rsplit_once('.')?;
    let digits = !ending.is_empty() && ending.chars().all(|c| c.is_ascii_digit());
    (digits || COPIES.contains(&ending)).then_some(stem)
}

fn names_secret(name: &str) -> bool {
    let (whole, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    // `secrets.prod.yml` and `.credentials.json` are secrets too.
    let stem = whole.split('.').find(|part| !part.is_empty()).unwrap_or(whole);
    // `prod.env`, `env.production`; `env.rs` and `env.d.ts` are sources.
    let environment = name.contains('.') && name.split('.').any(|part| part == "env") && !CODE.contains(&ending);
    let account = SECRET_BEGINNINGS.iter().any(|start| name.starts_with(start)) || name.contains("firebase-adminsdk");
    environment
        || name.starts_with(".env")
        || name.starts_with(".vault_pass")
        || name.starts_with(".vault-pass")
        || (name.starts_with('.') && name.ends_with("_history"))
        || SECRET_FILES.contains(&name)
        || SECRET_SUFFIXES.iter().any(|suffix| name.ends_with(suffix))
        || ["id_rsa", "id_ed25519", "id_ecdsa", "id_dsa"].iter().any(|key| name.starts_with(key))
        || ((account || SECRET_STEMS.contains(&stem)) && DATA.contains(&ending))
}
