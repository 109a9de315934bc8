//! Names by list.

use super::super::names::{is_protected, is_run_from, is_runner_file};
use super::super::secrets::is_secret;

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
        "prod.env",
        "config/production.env",
        ".flaskenv",
        "env.production",
        "prod.env.local",
        ".netrc.bak",
        "master.key.bak",
        "server.p12.old",
        "my.keystore.bak",
        "a.pem.1.bak",
        ".netrc~",
        "service-account-prod.json",
        "gha-creds-1.json",
        "x-firebase-adminsdk-1.json",
        ".vault_pass.txt",
        ".dockerconfigjson",
        "auth.json",
        ".bash_history",
        ".psql_history",
    ] {
        assert!(is_secret(&parts(path)), "{path}");
    }
}

#[test]
fn names_that_only_speak_of_secrets_are_none() {
    for path in [
        "src/env.rs",
        "src/token_stream.rs",
        "tests/test_tokens.py",
        "src/secrets.rs",
        "docs/secrets.md",
        "environment.yml",
        "src/environment.ts",
        "src/env.d.ts",
        "src/app.env.ts",
        "env",
        "src/auth.ts",
        "service-account.rs",
        "notes.bak",
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
        ".pnp.cjs",
        ".githooks/x",
        "opencode.json",
        ".kiro/x",
        "QWEN.md",
        "a/AGENTS.override.md",
        "x.code-workspace",
        ".gitea/x",
        ".gitlab-ci.yaml",
        "lefthook.toml",
        ".lintstagedrc.json",
        ".gdbinit",
        ".vimrc",
        ".bazelrc",
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
        "karma.conf.js",
        "nx.json",
        "apps/a/project.json",
        "turbo.json",
        "lerna.json",
        "jest.preset.js",
        ".mocharc.yml",
        "babel.js",
        "webpack.prod.js",
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

#[test]
fn folders_that_programs_run_from_are_known_by_name() {
    for path in ["node_modules/.bin/tsc", ".venv/bin/python", "target/debug/x", "a/site-packages/x.py", "__pycache__/x"]
    {
        assert!(is_run_from(&parts(path)), "{path}");
    }
    assert!(!is_run_from(&parts("src/target.rs")));
}
