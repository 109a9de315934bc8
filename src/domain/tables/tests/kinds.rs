//! Words that reach further than they look, by kind.

use super::verdict;

fn held(lines: &[&str]) {
    for line in lines {
        assert!(verdict(line).is_err(), "{line}");
    }
}

fn accepted(lines: &[&str]) {
    for line in lines {
        verdict(line).unwrap_or_else(|fault| panic!("{line}: {fault:?}"));
    }
}

#[test]
fn patterns_that_git_expands_are_refused() {
    held(&[
        "git add '[.]env'",
        "git log -p -- '[.]env'",
        "git commit -m x '[.]env'",
        "git diff 'config/[.]env'",
        r"git add 'a\.b'",
        "git show 'HEAD:[.]env'",
    ]);
    accepted(&["git show HEAD~2:src/a.rs", "git diff 'HEAD@{1}'"]);
}

#[test]
fn globs_choose_sources_only() {
    held(&[
        r"rg -g '*.e\nv' x",
        "rg -g '*.{en,x}v' x",
        "rg --glob '*.p{e,x}m' x",
        "rg -g 'cred*' x",
        "rg -g '*.json' x",
        "rg -g '!!*' x",
        "grep -r --include='*.[e]nv' x src",
        "eslint 'src/**/*.{en,x}v'",
        r"eslint 'src/*.e\nv'",
    ]);
    accepted(&[
        "rg -g '*.rs' -g 'src/**/*.ts' --glob '!target' -g '*.{ts,tsx}' x",
        "grep -r --include='*.py' --exclude-dir=.git x src",
        "eslint 'src/**/*.tsx'",
    ]);
}

#[test]
fn scripts_and_targets_say_what_they_do_in_any_spelling() {
    held(&[
        "npm run env",
        "pnpm run env",
        "yarn run env",
        "npm run redeploy",
        "npm run dbReset",
        "npm run publishAll",
        "npm run deploys",
        "npm run start",
        "make dockerpush",
        "make deployprod",
        "npm run cdk deploy",
        "npm run cli -- deploy production",
        "pnpm test deploy",
    ]);
    accepted(&[
        "npm run",
        "npm run test:unit",
        "npm run format:check",
        "npm test -- src/push.test.ts",
        "make unit-test sshd-config-test fmt docs",
    ]);
}

#[test]
fn brackets_where_programs_cut_or_expand_are_refused() {
    held(&[
        "pytest 'tests/a[b::c'",
        "pytest 'tests/a.py[x]'",
        "curl 'https://localhost/{a,b}'",
        "curl 'https://h[1-2]/'",
    ]);
    accepted(&["pytest 'tests/a.py::t[1]'", "curl https://localhost/a"]);
}
