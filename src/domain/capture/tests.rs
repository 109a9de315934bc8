//! Captures that are not whole, and whole ones that only look odd.

use super::faults;
use crate::domain::dialog::Dialog;
use crate::domain::subject::extract;

fn codes(dialog: &Dialog) -> Vec<String> {
    faults(dialog, &extract(dialog)).into_iter().map(|fault| fault.code).collect()
}

fn command(command: &str) -> Dialog {
    Dialog {
        title: "Bash command".into(),
        question: "Do you want to proceed?".into(),
        command: Some(command.into()),
        ..Dialog::default()
    }
}

fn edit(body: &str) -> Dialog {
    let question = "Do you want to make this edit to src/a.rs?".into();
    Dialog { title: "Edit file".into(), question, body: body.into(), ..Dialog::default() }
}

#[test]
fn what_is_hidden_or_folded_is_a_fault() {
    for (dialog, want) in [
        (command("git\u{200b} status"), "hidden_characters"),
        (command("ls\u{a0}-la"), "hidden_characters"),
        (command("ls\u{0} -la"), "hidden_characters"),
        (command("\u{1b}[8mnode x.js;\u{1b}[0m ls"), "hidden_characters"),
        (command("ls \u{202e}sl"), "hidden_characters"),
        (command("ls \u{e001}"), "hidden_characters"),
        (command("ls\r\n"), "hidden_characters"),
        (command("git commit -m 'a\u{2028}b'"), "hidden_characters"),
        (command("cat caf\u{65}\u{301}.txt"), "not_normal"),
        (command("cargo test…"), "folded"),
        (command("npm test # … +12 lines (ctrl+o to expand)"), "folded"),
        (command("npm test # +12 lines"), "folded"),
        (command("cat src/ma\nin.rs"), "line_break"),
        (command(&format!("ls{}&& node x.js", " ".repeat(40))), "padding"),
        (command("ls\t\t&& node x.js"), "padding"),
        (Dialog { truncated: true, ..command("ls") }, "truncated"),
        (Dialog { body: "… 3 more lines".into(), ..command("ls") }, "folded"),
        (edit("src/a.rs\n... 31 hidden (Ctrl+O) ...\n58 - x"), "folded"),
        (edit("src/a.rs\n- x\n…"), "folded"),
        (edit("src/a.rs\n- x\n... 12 more lines ..."), "folded"),
        (edit("src/a.rs\n- x\u{202e}y"), "hidden_characters"),
        (Dialog { question: "Do you want to make this edit to src/…/a.rs?".into(), ..edit("- a") }, "folded"),
        (Dialog { question: "Do you want to make this edit to src/.../a.rs?".into(), ..edit("- a") }, "folded"),
    ] {
        assert!(codes(&dialog).iter().any(|code| code == want), "{dialog:?} {:?}", codes(&dialog));
    }
}

#[test]
fn odd_and_whole_is_no_fault() {
    for dialog in [
        command("cargo  test"),
        command("go test ./..."),
        command("git commit -m 'chore: 3 lines more or less (#123)'"),
        command("git commit -m 'größer'"),
        command("sed -n '1,40p' src/a.rs"),
        command("git log --oneline -5"),
        edit("src/a.rs\n+ let s = \"…and more\";\n+\tx"),
        edit("src/a.rs\n@@ -10,2 +10,3 @@\n context\n-old line\n+new line"),
        edit("src/a.rs\n1 new file"),
    ] {
        assert_eq!(codes(&dialog), Vec::<String>::new(), "{dialog:?}");
    }
}
