//! Each documented way round an approval policy, of which `docs/classifier.md` tells: every one is held.

use super::lines::{classify, command};

/// How a policy was talked round, and commands of that kind.
const WEAKNESSES: &[(&str, &[&str])] = &[
    (
        "a chain judged by its first word",
        &[
            "git status && ./x.sh",
            "git status; ./x.sh",
            "git status | ./x.sh",
            "git status\n./x.sh",
            "git status & ./x.sh",
            "ls |& sh",
            "cd x && make -f y",
        ],
    ),
    (
        "more commands than are looked at",
        &[
            "true && true && true && true && true && true && true && true && true && true && true && true && true && true && true && true && git status",
        ],
    ),
    (
        "words made by the shell",
        &["cat$IFS/etc/passwd", "cat ${x}", "$'\\x63at' x", "c\"\"at x", "\\cat x", "cat \"$x\""],
    ),
    ("expansions that run code", &["echo ${x@P}", "echo ${x:=a}", "echo ${!x}", "echo $[ a[$(id)] ]", "echo $((1))"]),
    ("a substitution split by a line continuation", &["echo \"$\\\n(touch x)\"", "git sta\\\ntus"]),
    ("process substitution and zsh's own forms", &["cat <(id)", "cat >(id)", "cat =(id)", "=id", "ls *(e:id:)"]),
    (
        "built-ins that change later commands",
        &["export PAGER=x; git log", "alias ls=x; ls", "typeset -x A=b", "source x", ". ./x", "set -o x"],
    ),
    (
        "readers that write",
        &["git log --output=x", "git diff --output x", "rg --pre x y", "sed -n 'w x' y", "sed -i 1p y", "tee x"],
    ),
    (
        "a later flag that undoes a guard",
        &["git diff --no-ext-diff --ext-diff", "git log -- --output=../x", "git show -x"],
    ),
    ("shortened long options", &["git show --outpu=x HEAD", "rg --sear x", "cargo test --conf x"]),
    (
        "flags that start programs",
        &[
            "go test -exec x",
            "git -c core.pager=x log",
            "rg --pre=./x y",
            "cargo --config x test",
            "npm test --script-shell=x",
        ],
    ),
    (
        "wrappers",
        &[
            "env git status",
            "sh -c 'git status'",
            "xargs git status",
            "timeout 5 git status",
            "nohup git status",
            "command git status",
        ],
    ),
    ("a program found by its last name only", &["./cat x", "/tmp/git status", "bin/cargo test"]),
    (
        "variables that start programs",
        &["GIT_PAGER=x git log", "PYTEST_ADDOPTS=x pytest", "LD_PRELOAD=x ls", "NODE_OPTIONS=x npm test"],
    ),
    ("a sibling folder with the same beginning", &["cat /w/api-evil/x", "cat ../api-evil/x"]),
    (
        "characters that are not what they seem",
        &["git\u{a0}status", "gіt status", "git status\u{200b}", "ls \u{202e}x", "ls \u{2024}\u{2024}/x"],
    ),
    (
        "a parser that sees an argument where a command is",
        &["ls | grep x | grep y\necho B && cd s", "if true; then git status; fi", "time git status"],
    ),
    ("input that stops a parser", &["<<E$[\t\t", "((((((((((((((((((((", "{{{{{{{{{{", "cat <<A <<B\na\nA\nb\nB"]),
    ("here-documents and redirects", &["cat <<E\nx\nE", "ls > x", "ls >> x", "ls >| x", "cat < x", "ls 2>x", "ls &>x"]),
];

#[test]
fn each_documented_weakness_is_held() {
    for (name, commands) in WEAKNESSES {
        let lines: Vec<_> = commands.iter().map(|text| command(text)).collect();
        for (answer, text) in classify(&lines).iter().zip(*commands) {
            assert_eq!(answer["verdict"], "hold", "{name}: {text}");
        }
    }
}

#[test]
fn facts_of_the_disk_hold_what_the_words_do_not() {
    for (text, fs) in [
        ("git status", serde_json::json!({"git_config_exec_keys": ["core.fsmonitor"]})),
        ("git log", serde_json::json!({"bare_repo": true})),
        ("pytest", serde_json::json!({"shadow_modules": ["pytest.py"]})),
        ("cat a/b", serde_json::json!({"symlinks": {"a": "/etc"}})),
        ("cat A/b", serde_json::json!({"symlinks": {"a": "/etc"}, "case_insensitive": true})),
        ("cat a", serde_json::json!({"unresolved": ["a"]})),
    ] {
        let mut line = command(text);
        assert_eq!(classify(&[line.clone()])[0]["verdict"], "auto_approve", "{text}");
        line["fs"] = fs;
        assert_eq!(classify(&[line])[0]["verdict"], "hold", "{text}");
    }
}

#[test]
fn users_complaints_of_needless_holds_do_not_apply() {
    for text in [
        "grep -n 'a|b' src/a.rs",
        "rg -n \"x && y\" src",
        "git commit -m 'fix: a; b'",
        "git log --oneline -5; git status",
        "cargo test 2>&1",
        "git log v1..v2",
        "go test ./...",
    ] {
        assert_eq!(classify(&[command(text)])[0]["verdict"], "auto_approve", "{text}");
    }
}
