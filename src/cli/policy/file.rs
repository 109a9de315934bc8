//! The policy as a file on this side: out, in, and through an editor.

use std::fs::OpenOptions;
use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::{POLICY, differences, say_version, simulate};
use crate::cli::failure::{Failure, Outcome};
use crate::cli::out;
use crate::cli::reach::Reach;
use crate::cli::socket::Call;
use crate::clock::Ids;
use crate::config::editor;
use crate::domain::policy::Document;
use crate::domain::policy::diff::diff;
use crate::domain::policy::file;

/// Prints the policy as a file.
pub(super) async fn export(reach: &Reach, version: Option<i64>) -> Outcome {
    let query = version.map(|version| format!("?version={version}")).unwrap_or_default();
    let answer = reach.get(&format!("{POLICY}/export{query}")).await?;
    reach.say(&answer, |answer| answer["toml"].as_str().unwrap_or_default().trim_end().to_owned());
    Ok(())
}

/// Puts a file in force.
pub(super) async fn import(reach: &mut Reach, path: &Path, reason: Option<String>) -> Outcome {
    let toml = read(path)?;
    let named = |bad: file::BadFile| Failure::failed(format!("{}: {bad}", path.display()));
    let after = file::read(&toml).map_err(named)?;
    let current = reach.get(&format!("{POLICY}/export")).await?;
    put(reach, &current, (&toml, &after), reason).await
}

/// The text of a file, or of standard input.
pub(super) fn read(path: &Path) -> Outcome<String> {
    let cannot = |error: std::io::Error| Failure::failed(format!("cannot read {}: {error}", path.display()));
    if path == Path::new("-") {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).map_err(cannot)?;
        return Ok(text);
    }
    std::fs::read_to_string(path).map_err(cannot)
}

/// Through an editor. What was typed is never lost: if it cannot be put in force, its file stays.
pub(super) async fn edit(reach: &mut Reach, reason: Option<String>) -> Outcome {
    let answer = reach.get(&format!("{POLICY}/export")).await?;
    let toml = answer["toml"].as_str().unwrap_or_default();
    let path = std::env::temp_dir()
        .join(format!("countersign-policy-{}.toml", Ids.new_id(crate::clock::Clock::default().now())));
    write(&path, toml)?;
    let edited = edited(&path);
    let outcome = match edited {
        Ok(text) if text == toml => {
            out::line("Nothing was changed.");
            Ok(())
        }
        Ok(text) => match file::read(&text) {
            // Against what was opened: a change that somebody made meanwhile is a conflict, never undone silently.
            Ok(after) => put(reach, &answer, (&text, &after), reason).await,
            Err(bad) => Err(Failure::failed(bad.to_string())),
        },
        Err(failure) => Err(failure),
    };
    match outcome {
        Ok(()) => drop(std::fs::remove_file(&path)),
        Err(failure) => {
            let kept = format!("{}; your text is kept: countersign policy import {}", failure.text, path.display());
            return Err(Failure { text: kept, ..failure });
        }
    }
    Ok(())
}

fn write(path: &PathBuf, text: &str) -> Outcome {
    // New, and the admin's alone: somebody else could have left a link there.
    let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
    let cannot = |error: std::io::Error| Failure::failed(format!("cannot write {}: {error}", path.display()));
    file.and_then(|mut file| file.write_all(text.as_bytes())).map_err(cannot)
}

fn edited(path: &Path) -> Outcome<String> {
    let editor = editor();
    #[expect(clippy::disallowed_methods, reason = "an editor is started for the one who types the command")]
    let mut command = std::process::Command::new("sh");
    // The shell takes the editor's own flags apart, as git does it.
    let status = command.arg("-c").arg(format!("{editor} \"$1\"")).arg("sh").arg(path).status();
    match status {
        Ok(status) if status.success() => read(path),
        Ok(status) => Err(Failure::failed(format!("the editor `{editor}` ended with {status}; nothing was changed"))),
        Err(error) => Err(Failure::failed(format!("cannot start the editor `{editor}`: {error}"))),
    }
}

/// Shows what differs from a version and what would have been answered differently, then puts it in that one's place.
async fn put(reach: &mut Reach, current: &Value, (toml, after): (&str, &Document), reason: Option<String>) -> Outcome {
    let before = file::read(current["toml"].as_str().unwrap_or_default())
        .map_err(|bad| Failure::failed(format!("the policy in force cannot be read: {bad}")))?;
    let changes = json!(diff(&before, after));
    if changes == json!([]) {
        reach.say(current, |current| format!("Nothing differs: the policy stays at version {}.", current["version"]));
        return Ok(());
    }
    out::note(format!("What differs from version {}:\n{}", current["version"], differences(&changes)));
    let seen = simulate::ask(reach, &json!({ "toml": toml }), simulate::DAYS).await?;
    out::note(simulate::summary(&seen));
    let body: Value = json!({ "version": current["version"], "reason": reason, "toml": toml });
    let answer = reach.change(Call::post(&format!("{POLICY}/import"), &body)?).await?;
    say_version(reach, current, &answer).await
}
