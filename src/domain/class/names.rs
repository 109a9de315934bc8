//! Names of files and folders that usually hold secrets, though no marker is in them.

/// Whole names.
const FILES: &[&str] = &[
    ".npmrc",
    ".yarnrc",
    ".netrc",
    "_netrc",
    ".pypirc",
    ".pgpass",
    ".my.cnf",
    ".htpasswd",
    ".git-credentials",
    ".dockercfg",
    ".envrc",
    ".boto",
    ".s3cfg",
    ".vault-token",
    "kubeconfig",
    "shadow",
    "master.key",
    "id_rsa",
    "id_dsa",
    "id_ecdsa",
    "id_ed25519",
    "secrets.yml",
    "secrets.yaml",
    "secrets.json",
    "secrets.toml",
    "secrets.env",
    "credentials",
];
/// Endings.
const ENDINGS: &[&str] = &[
    ".tfstate",
    ".tfstate.backup",
    ".tfvars",
    ".pem",
    ".p12",
    ".pfx",
    ".jks",
    ".keystore",
    ".kdbx",
    ".ppk",
    ".asc",
    ".gpg",
    ".key",
    ".ovpn",
];
/// Folders, anywhere in the path.
const FOLDERS: &[&str] = &[".ssh", ".aws", ".gnupg", ".azure", ".kube", "secrets"];
/// Two components in a row.
const PAIRS: &[(&str, &str)] =
    &[(".git", "config"), (".docker", "config.json"), (".config", "gcloud"), (".config", "gh")];

/// Whether a word of a command names such a file; the path may follow a `:` or `=` or `@`.
pub(super) fn is_secret_file(word: &str) -> bool {
    word.split([':', '=', '@', ',']).any(|part| is_secret_target(part) || has_pair(part))
}

/// The same for the target of an edit, without the files that are protected for another reason.
pub(super) fn is_secret_target(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let is = |known: &str| name.eq_ignore_ascii_case(known);
    let ends = |ending: &str| {
        name.len() > ending.len()
            && name.is_char_boundary(name.len() - ending.len())
            && name[name.len() - ending.len()..].eq_ignore_ascii_case(ending)
    };
    FILES.iter().any(|known| is(known))
        || ENDINGS.iter().any(|ending| ends(ending))
        || path.split('/').any(|part| FOLDERS.iter().any(|folder| part.eq_ignore_ascii_case(folder)))
}

fn has_pair(path: &str) -> bool {
    let mut before = "";
    path.split('/').filter(|part| !part.is_empty()).any(|part| {
        let hit = PAIRS.iter().any(|(a, b)| before.eq_ignore_ascii_case(a) && part.eq_ignore_ascii_case(b));
        before = part;
        hit
    })
}
