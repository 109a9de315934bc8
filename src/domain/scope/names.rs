//! Names that are secrets, names that make programs do things later, names that runners execute: by component, any depth,
//! letter case ignored.

/// Folders that configure agents, editors, hooks and pipelines.
const PROTECTED_FOLDERS: &[&str] = &[
    ".git",
    "git~1",
    ".claude",
    ".codex",
    ".gemini",
    ".cursor",
    ".vscode",
    ".idea",
    ".husky",
    ".github",
    ".devcontainer",
    ".cargo",
    ".opencode",
    ".aider",
    ".continue",
    ".roo",
    ".windsurf",
    ".zed",
    ".fleet",
    ".circleci",
    ".gitlab",
    ".buildkite",
    ".woodpecker",
    ".yarn",
    ".direnv",
    ".mise",
    ".copilot",
    ".countersign",
    ".clinerules",
    ".agents",
];

/// Files of the same kind.
const PROTECTED_FILES: &[&str] = &[
    ".mcp.json",
    "mcp.json",
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    ".envrc",
    ".pre-commit-config.yaml",
    ".pre-commit-config.yml",
    "agents.md",
    "claude.md",
    "claude.local.md",
    "gemini.md",
    ".gitattributes",
    ".gitmodules",
    "bunfig.toml",
    ".claude.json",
    ".cursorrules",
    ".windsurfrules",
    ".aider.conf.yml",
    ".gitlab-ci.yml",
    ".travis.yml",
    ".drone.yml",
    "jenkinsfile",
    "azure-pipelines.yml",
    "lefthook.yml",
    ".lefthook.yml",
    ".pnpmfile.cjs",
    ".tool-versions",
    ".mise.toml",
    "mise.toml",
    ".gitconfig",
    ".bashrc",
    ".zshrc",
    ".profile",
    ".bash_profile",
    ".zprofile",
    ".zshenv",
    ".ripgreprc",
    ".curlrc",
    ".wgetrc",
];

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
];

/// Endings of data files.
const DATA: &[&str] =
    &["", "txt", "json", "yml", "yaml", "toml", "env", "ini", "cfg", "conf", "properties", "xml", "csv", "enc"];

/// Files, by their whole name, that builds, tests and package managers execute.
const RUNNER_FILES: &[&str] = &[
    "conftest.py",
    "build.rs",
    "makefile",
    "gnumakefile",
    "bsdmakefile",
    "package.json",
    "cargo.toml",
    "pyproject.toml",
    "setup.py",
    "setup.cfg",
    "tox.ini",
    "pytest.ini",
    "noxfile.py",
    "sitecustomize.py",
    "usercustomize.py",
    "go.mod",
    "go.work",
    "justfile",
    "rust-toolchain",
    "rust-toolchain.toml",
    "pnpm-workspace.yaml",
    ".pnpmfile.cjs",
    "bunfig.toml",
    "rakefile",
    "gruntfile.js",
    "gulpfile.js",
    "nextest.toml",
    "clippy.toml",
    ".clippy.toml",
    "cmakelists.txt",
    "tsconfig.json",
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    "pytest.py",
];

/// Whether a path, by its components below the root, names a secret.
pub(super) fn is_secret(parts: &[&str]) -> bool {
    let folded = folded(parts);
    let in_git = folded.iter().position(|part| part == ".git");
    let git_secret = in_git.is_some_and(|at| {
        folded[at + 1..].iter().any(|part| matches!(part.as_str(), "config" | "config.worktree" | "credentials"))
    });
    git_secret || folded.iter().any(|part| SECRET_FOLDERS.contains(&part.as_str()) || is_secret_name(part))
}

fn is_secret_name(name: &str) -> bool {
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    // `secrets.prod.yml` and `.credentials.json` are secrets too.
    let stem = stem.split('.').find(|part| !part.is_empty()).unwrap_or(stem);
    name.starts_with(".env")
        || SECRET_FILES.contains(&name)
        || SECRET_SUFFIXES.iter().any(|suffix| name.ends_with(suffix))
        || ["id_rsa", "id_ed25519", "id_ecdsa", "id_dsa"].iter().any(|key| name.starts_with(key))
        || (SECRET_STEMS.contains(&stem) && DATA.contains(&ending))
}

/// Whether writing a path would make programs do something later.
pub(super) fn is_protected(parts: &[&str]) -> bool {
    folded(parts).iter().any(|part| {
        PROTECTED_FOLDERS.contains(&part.as_str())
            || PROTECTED_FILES.contains(&part.as_str())
            || part.starts_with(".aider")
    })
}

/// Whether a path is inside git's own folder.
pub(super) fn is_git_folder(parts: &[&str]) -> bool {
    folded(parts).iter().any(|part| matches!(part.as_str(), ".git" | "git~1"))
}

/// Whether builds and tests execute a file of this path.
pub(super) fn is_runner_file(parts: &[&str]) -> bool {
    let folded = folded(parts);
    let Some(last) = folded.last() else { return false };
    RUNNER_FILES.contains(&last.as_str())
        || folded.iter().any(|part| matches!(part.as_str(), ".cargo" | ".config" | ".husky" | ".yarn"))
        || is_configuration(last)
}

/// `vitest.config.ts`, `.eslintrc.json`, `jest.setup.js`, `tsconfig.build.json`, `rules.mk`.
fn is_configuration(name: &str) -> bool {
    let parts: Vec<&str> = name.split('.').collect();
    let last = parts.last().copied().unwrap_or_default();
    let middle = parts.iter().skip(1).any(|part| matches!(*part, "config" | "setup" | "workspace"));
    let rc = parts.iter().any(|part| part.len() > 2 && part.ends_with("rc")) && name.starts_with('.');
    middle
        || rc
        || last == "mk"
        || (name.starts_with("tsconfig") && last == "json")
        || (name.starts_with("requirements") && last == "txt")
}

/// Lower case, and without the dots and blanks at the end that some volumes drop.
fn folded(parts: &[&str]) -> Vec<String> {
    parts.iter().map(|part| part.to_lowercase().trim_end_matches(['.', ' ']).to_owned()).collect()
}
