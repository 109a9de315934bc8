//! The tables by example.

mod dangers;
mod kinds;

use super::*;
use crate::domain::shell;

/// What all commands of a line claim.
fn verdict(line: &str) -> Result<Vec<Claim>, Fault> {
    let line = shell::lex(line).unwrap_or_else(|why| panic!("{line}: {why:?}"));
    let mut claims = Vec::new();
    for segment in &line.segments {
        claims.extend(read(Set::All, segment)?.claims);
    }
    Ok(claims)
}

#[test]
fn every_sample_is_accepted_by_its_own_table() {
    for table in PROGRAMS.iter().copied().chain([&special::RM, &special::CURL]) {
        assert!(!table.samples.is_empty() && !table.manual.is_empty(), "{}", table.name);
        for sample in table.samples {
            assert_eq!(sample.split(' ').next(), Some(table.name));
            verdict(sample).unwrap_or_else(|fault| panic!("{sample}: {fault:?}"));
        }
    }
}

/// Accepted lines beyond the samples, and what each makes a proof ask for.
const ACCEPTED: &[(&str, &[&str])] = &[
    ("cargo test --manifest-path=a/Cargo.toml", &["a/Cargo.toml"]),
    ("cargo test -pa -j4 -vv x -- --exact y", &[]),
    ("cargo clippy -- -Dwarnings -W clippy::pedantic", &[]),
    ("git log -5 -p --stat=80 -U3 main..HEAD -- src/a.rs", &["src/a.rs"]),
    ("git diff README.md src", &["README.md"]),
    ("git show v1.2.0 HEAD~2:src/a.rs", &["src/a.rs"]),
    ("git commit -am 'fix: a; b' -m x", &[]),
    ("git log --format='%h %an %s' --since='2 weeks ago'", &[]),
    ("rg -n -tjs -A3 -g '*.rs' -g '!target' x src", &["src"]),
    ("rg --files -g '**/*.ts'", &[]),
    ("rg -e a -e b src", &["src"]),
    ("grep -rn -A2 x src --include='*.rs'", &["src"]),
    ("grep -5 x a.rs", &["a.rs"]),
    ("make -j", &[]),
    ("make -kj4 test", &[]),
    ("make -j 8", &[]),
    ("pnpm --filter ./x test", &["./x"]),
    ("npm run build -w packages/ui --if-present", &["packages/ui"]),
    ("npm test -- --coverage -t 'a b' src/a.test.js", &["src/a.test.js"]),
    ("pnpm --filter=@acme/web run test:unit", &[]),
    ("yarn workspace web run lint", &[]),
    ("bun run typecheck", &[]),
    ("go test -race -run 'A|B' -timeout=30s ./a/... ./b", &["./a", "./b"]),
    ("go build --tags=x .", &["."]),
    ("pytest -xvs -k 'a and not b' 'tests/test_a.py::T::test_b[1]'", &["tests/test_a.py"]),
    ("python3 -m pytest -n auto --tb short", &[]),
    ("tsc --noEmit --pretty false -p web/tsconfig.json", &["web/tsconfig.json"]),
    ("eslint 'src/**/*.ts' '*.js' --ext .ts,.tsx", &["src"]),
    ("vitest run --reporter verbose src/a.test.ts", &["src/a.test.ts"]),
    ("cat a | sed -n 5p", &["a"]),
    ("git log | head -20 | wc -l", &[]),
    ("ls -- -a", &["-a"]),
];

#[test]
fn words_are_taken_for_what_they_are() {
    for (line, paths) in ACCEPTED {
        let claims = verdict(line).unwrap_or_else(|fault| panic!("{line}: {fault:?}"));
        let found: Vec<&str> = claims
            .iter()
            .filter_map(|claim| match claim {
                Claim::Path { text, .. } => Some(text.as_str()),
                Claim::Named(text) => text.contains('.').then_some(text.as_str()),
                Claim::Url(_) => None,
            })
            .filter(|text| !text.contains("..") && !text.starts_with("v1"))
            .collect();
        assert_eq!(&found, paths, "{line}");
    }
}

/// Lines that look like accepted ones.
const REFUSED: &[(&str, &str)] = &[
    ("git", "missing_word"),
    ("git log -1x", "unknown_flag"),
    ("git commit", "missing_flag"),
    ("git commit -m", "odd_value"),
    ("git commit -m -x", "odd_value"),
    ("git commit --message", "odd_value"),
    ("git diff --stat=", "odd_word"),
    ("git show HEAD:", "odd_word"),
    ("git add '*.rs'", "odd_word"),
    ("git add ':!a'", "odd_word"),
    ("git log --format='%G?'", "odd_word"),
    ("git log --format='%x1b]0;x'", "odd_word"),
    ("git log --pretty=mine", "odd_word"),
    ("cargo", "missing_word"),
    ("cargo xtask", "unknown_subcommand"),
    ("cargo build x", "unknown_word"),
    ("cargo build --target x.json", "odd_word"),
    ("cargo test a b", "unknown_word"),
    ("cargo build -p", "odd_value"),
    ("cargo build --lib=x", "odd_value"),
    ("cat", "missing_word"),
    ("cat -", "odd_word"),
    ("grep x", "missing_word"),
    ("rg -g '*' x", "odd_word"),
    ("rg -g '.env' x", "odd_word"),
    ("rg -g '*.pem' x", "odd_word"),
    ("sed -n 5p", "missing_word"),
    ("sed 5p a", "missing_flag"),
    ("sed -n 5d a", "odd_word"),
    ("sed -nn 5p a", "unknown_flag"),
    ("tsc", "missing_flag"),
    ("tsc --noEmit false", "odd_word"),
    ("tsc --noEmit=true", "unknown_flag"),
    ("tsc --noEmit true", "odd_word"),
    ("vitest", "missing_word"),
    ("vitest --coverage run", "unknown_flag"),
    ("vitest run -tu", "unknown_flag"),
    ("npm run deploy:prod", "odd_word"),
    ("npm run 'a b'", "odd_word"),
    ("npm test -- --config=/tmp/x", "dangerous_flag"),
    ("npm test -- /etc/passwd", "odd_word"),
    ("npm test -- a/../../x", "odd_word"),
    ("yarn", "missing_word"),
    ("yarn rimraf src", "unknown_subcommand"),
    ("yarn run rimraf src", "odd_word"),
    ("bun build", "unknown_subcommand"),
    ("bun run x.ts", "odd_word"),
    ("make a=b", "odd_word"),
    ("make -- a=b", "odd_word"),
    ("make A", "odd_word"),
    ("go test -args x", "dangerous_flag"),
    ("go build ../x", ""),
    ("pytest @args", "odd_word"),
    ("python -m", "missing_word"),
    ("python", "missing_word"),
    ("python -mpytest", "unknown_flag"),
    ("head -f", "unknown_flag"),
    ("head -n -x a", "odd_value"),
    ("pwd -P", "unknown_flag"),
    ("cd", "missing_word"),
    ("cd a b", "unknown_word"),
    ("cd -", "odd_word"),
    ("true x", "unknown_word"),
    ("find .", "unknown_program"),
    ("pytest3", "unknown_program"),
];

#[test]
fn look_alikes_are_refused_with_their_reason() {
    for (line, code) in REFUSED.iter().filter(|(_, code)| !code.is_empty()) {
        let fault = verdict(line).expect_err(line);
        assert_eq!(&fault.code, code, "{line}: {fault:?}");
    }
}
