//! Names that make programs do things later, and names that runners execute: by component, any depth, letter case ignored.

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
    ".kiro",
    ".qwen",
    ".junie",
    ".trae",
    ".amazonq",
    ".githooks",
    ".gitea",
    ".forgejo",
];

/// Folders that programs run from: what is written there runs with the next build, test or import.
const RUN_FROM: &[&str] = &["node_modules", ".venv", "venv", "target", "site-packages", "dist-packages", "__pycache__"];

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
    ".pnp.cjs",
    ".pnp.loader.mjs",
    "opencode.json",
    "opencode.jsonc",
    "crush.json",
    ".crush.json",
    ".goosehints",
    "qwen.md",
    "agents.override.md",
    ".gitlab-ci.yaml",
    "bitbucket-pipelines.yml",
    "lefthook.toml",
    ".lefthook.toml",
    ".gdbinit",
    ".lldbinit",
    ".exrc",
    ".nvimrc",
    ".vimrc",
    ".dir-locals.el",
    ".bazelrc",
];

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
    "nx.json",
    "project.json",
    "turbo.json",
    "lerna.json",
    ".pnp.cjs",
    ".pnp.loader.mjs",
];

/// Whether writing a path would make programs do something later.
pub(super) fn is_protected(parts: &[&str]) -> bool {
    folded(parts).iter().any(|part| {
        PROTECTED_FOLDERS.contains(&part.as_str())
            || PROTECTED_FILES.contains(&part.as_str())
            || part.starts_with(".aider")
            || part.starts_with(".lintstagedrc")
            || part.ends_with(".code-workspace")
    })
}

/// Whether a path is in a folder that programs run from. Removing such a folder is harmless; writing into it is not.
pub(super) fn is_run_from(parts: &[&str]) -> bool {
    folded(parts).iter().any(|part| RUN_FROM.contains(&part.as_str()))
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
    let first = parts.first().copied().unwrap_or_default();
    let code = matches!(last, "js" | "ts" | "mjs" | "cjs" | "mts" | "cts");
    middle
        || rc
        || name.starts_with(".mocharc")
        || (parts.len() > 1 && matches!(first, "jest" | "babel" | "webpack"))
        || (code && parts.iter().rev().nth(1) == Some(&"conf"))
        || last == "mk"
        || (name.starts_with("tsconfig") && last == "json")
        || (name.starts_with("requirements") && last == "txt")
}

/// Lower case, and without the dots and blanks at the end that some volumes drop.
pub(super) fn folded(parts: &[&str]) -> Vec<String> {
    parts.iter().map(|part| part.to_lowercase().trim_end_matches(['.', ' ']).to_owned()).collect()
}
