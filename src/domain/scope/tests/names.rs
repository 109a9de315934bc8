//! Names by list.

use super::super::names::{is_protected, is_runner_file, is_secret};

fn parts(path: &str) -> Vec<&str> {
    path.split('/').collect()
}

#[test]
fn secrets_are_known_by_name() {
    for path in [
        ".env",
        ".ENV.local",
        "a/.envrc",
        ".npmrc",
        ".netrc",
        "id_ed25519",
        "id_rsa.pub",
        "a.pem",
        "terraform.tfstate",
        "x.tfstate.backup",
        "prod.tfvars",
        ".git/config",
        "a/.git/config",
        ".ssh/known_hosts",
        ".aws/x",
        "config/secrets.yml",
        "secrets.prod.json",
        "token.txt",
        "credentials",
        "credentials.json",
        ".credentials.json",
        "API_KEY.txt",
        "server.key",
        "kubeconfig",
    ] {
        assert!(is_secret(&parts(path)), "{path}");
    }
    for path in [
        "src/env.rs",
        "src/token_stream.rs",
        "tests/test_tokens.py",
        "src/secrets.rs",
        "docs/secrets.md",
        "environment.yml",
        ".gitignore",
        "config",
        "key.rs",
        "src/password.ts",
        "keys/readme.md",
        "config.toml",
    ] {
        assert!(!is_secret(&parts(path)), "{path}");
    }
}

#[test]
fn control_files_are_known_by_name() {
    for path in [
        ".git",
        ".Git/hooks/x",
        "a/.claude/settings.json",
        ".mcp.json",
        "docs/AGENTS.md",
        ".github/x",
        ".yarnrc.yml",
        ".git./x",
        "git~1/x",
        ".envrc",
    ] {
        assert!(is_protected(&parts(path)), "{path}");
    }
    for path in ["src/git.rs", "github/x", "agents.rs", ".gitignore", "README.md", "cargo/config.toml", "mcp.rs"] {
        assert!(!is_protected(&parts(path)), "{path}");
    }
}

#[test]
fn files_that_runners_execute_are_known_by_name() {
    for path in [
        "conftest.py",
        "tests/conftest.py",
        "build.rs",
        "Makefile",
        "package.json",
        "a/Cargo.toml",
        "vitest.config.ts",
        "jest.config.js",
        ".eslintrc.json",
        ".cargo/config.toml",
        "rules.mk",
        "pyproject.toml",
        "tsconfig.build.json",
        "eslint.config.mjs",
        ".config/nextest.toml",
        "go.mod",
    ] {
        assert!(is_runner_file(&parts(path)), "{path}");
    }
    for path in [
        "src/lib.rs",
        "README.md",
        "src/config.rs",
        "config/app.toml",
        "package-lock.json",
        "Cargo.lock",
        "docs/make.md",
    ] {
        assert!(!is_runner_file(&parts(path)), "{path}");
    }
}
