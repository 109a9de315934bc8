//! Spellings that must hit, and mentions that must not.

use super::super::reading::read;
use super::{find, find_in_text};

const SPELLINGS: &[&str] = &[
    "git push --force",
    "git push -f origin main",
    "git push --force-with-lease",
    "git push --force-with-lease=main:abc",
    "git push origin +main",
    "git push -uf origin main",
    "git push --mirror origin",
    "git -C . push --force",
    "git -c a.b=c push --force",
    "git -c alias.p=push p --force",
    "git -c alias.p='push --force' p",
    "cd x && git push --force",
    "rm -rf /",
    "rm -fr build",
    "rm -r -f dist",
    "rm dist -rf",
    "rm -Rf dist",
    "rm -vrf dist",
    "rm --recursive --force dist",
    "rm --rec --fo dist",
    "RM -RF build",
    "/bin/rm -r -f x",
    "\\rm -rf dist",
    "\"r\"m -fr x",
    "r'm' -fr x",
    "r\\m -fr x",
    "$'\\x72m' -rf x",
    "$'\\162m' -rf x",
    "r\u{200b}m -rf x",
    "rm\u{a0}-rf x",
    "rm${IFS}-rf${IFS}/",
    "rm$IFS-rf x",
    "{rm,-rf,x}",
    "rm -{r,f} x",
    "$RM -rf x",
    "/bin/r? -rf x",
    "X=1 rm -rf x",
    "ls | xargs rm -rf",
    "find . -exec rm -rf {} +",
    "env -i rm -rf x",
    "timeout 60 rm -rf x",
    "nice -n 5 rm -rf x",
    "docker run alpine rm -rf /",
    "bash -c 'rm -rf x'",
    "bash -lc 'rm -rf x'",
    "sh -c \"sh -c 'rm -rf x'\"",
    "eval 'rm -rf x'",
    "eval rm -rf x",
    "echo $(rm -rf x)",
    "echo \"$(rm -rf x)\"",
    "echo `rm -rf x`",
    "cat <(rm -rf x)",
    "(rm -rf x)",
    "{ rm -rf x; }",
    "if true; then rm -rf x; fi",
    "! rm -rf x",
    "trap 'rm -rf x' EXIT",
    "f() { rm -rf x; }; f",
    "x=${y:-$(rm -rf z)}",
    "bash <<'E'\nrm -rf x\nE",
    "cat <<E\n$(rm -rf x)\nE",
    "echo 'rm -rf x' | sh",
    "ssh host 'rm -rf x'",
    "python -c 'import os; os.system(\"rm -rf x\")'",
    "tmux send-keys 'rm -rf x' Enter",
    "echo 'unclosed && rm -rf x",
    "rm -r\\\nf x",
    "ls &rm -rf x",
    "ls;rm -rf x",
    "ls\nrm -rf x",
    "ls\r\nrm -rf x\r\n",
    "git reset --hard",
    "git reset HEAD~1 --hard",
    "bash -c 'git reset --hard'",
    "git clean -fd",
    "git clean -xdf",
    "git clean --force -d",
    "git clean -d -f",
    "sudo rm x",
    "sudo -n rm x",
    "sudo -u root /bin/rm x",
    "sudo sh -c 'rm x'",
    "sudo env A=1 rm x",
];

#[test]
fn every_spelling_hits() {
    for command in SPELLINGS {
        assert!(find(&read(command)).is_some(), "{command}");
    }
}

#[test]
fn a_mention_does_not() {
    for command in [
        "git commit -m 'push --force docs'",
        "git commit -m 'never rm -rf /'",
        "git commit -m \"docs: git reset --hard\"",
        "echo 'rm -rf x'",
        "echo rm -rf x",
        "rg 'rm -rf' src",
        "grep -rn 'git push --force' docs",
        "rm build/output.txt",
        "rm -r build",
        "rm -f a.txt",
        "git reset HEAD~1",
        "git push origin main",
        "git push -u origin main",
        "git push --follow-tags",
        "git clean -n",
        "git checkout -- .",
        "cargo test -p rmp-codec",
        "npm run format",
        "sudo apt-get install -y jq",
        "ls -rf src",
        "cargo test rm -- -rf",
        "git log --format=%h -rf",
        "",
    ] {
        assert_eq!(find(&read(command)), None, "{command}");
    }
}

#[test]
fn a_line_of_a_text_hits_and_prose_does_not() {
    for text in
        ["rm -rf x", "Shell\n  $ rm -rf x", "1. git push --force", "? sudo rm x", "❯ rm -rf x", "> git reset --hard"]
    {
        assert!(find_in_text(text).is_some(), "{text}");
    }
    for text in ["Explain why rm -rf is dangerous", "Then we git push --force", "", "-", "Don't - ever"] {
        assert_eq!(find_in_text(text), None, "{text}");
    }
}

#[test]
fn limits_do_not_stop_the_scan() {
    let nested =
        |depth: usize| (0..depth).fold("rm -rf x".to_owned(), |inner, _| format!("sh -c {}", shell_quoted(&inner)));
    for depth in [1, 3, 6, 12] {
        assert!(find(&read(&nested(depth))).is_some(), "{depth} shells deep");
    }
    let long = format!("echo {}; rm -rf x", "a ".repeat(100_000));
    assert!(find(&read(&long)).is_some());
    let many = format!("{} rm -rf x", "true &&".repeat(5_000));
    assert!(find(&read(&many)).is_some());
    let opened = format!("{}rm -rf x", "$(".repeat(2_000));
    assert!(find(&read(&opened)).is_some());
}

fn shell_quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}
