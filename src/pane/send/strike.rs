//! Typing itself: one call of tmux that asks, types and says whether it typed.

use rand::Rng;

use super::attempt::{Attempt, Look, Stop};
use super::guard;
use crate::domain::order::Skip;
use crate::domain::screen::Key;
use crate::pane::tmux::TmuxError;

/// The right to run a command of tmux that types. Nobody but this module can make one.
pub(in crate::pane) struct Hand(());

/// Whether something was typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Struck {
    /// It was.
    Typed,
    /// It was not: the screen changed in between.
    Held,
}

impl Attempt<'_> {
    /// Presses keys, all in one step, if these rows still show. Its errors say what may have been typed.
    pub(super) async fn strike(&mut self, look: &Look, rows: &[usize], keys: &[Key]) -> Result<Struck, Stop> {
        let question = guard::question(&look.pane, &look.screen, rows).ok_or(Stop::Fail("row_not_on_screen"))?;
        let id = self.target.pane.id.clone();
        let presses: Option<Vec<String>> = keys.iter().map(|key| press(&id, key)).collect();
        let presses = presses.ok_or(Stop::Fail("no_such_key"))?.join(" ; ");
        let names = keys.iter().map(|key| key.name().to_owned()).collect();
        let word = word();
        let then = format!("{presses} ; display-message -p {word}");
        let otherwise = format!("display-message -p held{word}");
        let args = ["if-shell", "-F", "-t", &id, &question, &then, &otherwise];
        self.act(&args, None, &word, names).await
    }

    /// Pastes a text if these rows still show, in brackets if the program asked for them.
    pub(super) async fn paste(&mut self, look: &Look, rows: &[usize], text: &str) -> Result<Struck, Stop> {
        let question = guard::question(&look.pane, &look.screen, rows).ok_or(Stop::Fail("row_not_on_screen"))?;
        let id = self.target.pane.id.clone();
        let word = word();
        // `-r`: a line's end stays one, instead of becoming the key that sends.
        let then = format!("paste-buffer -p -r -d -b {word} -t {id} ; display-message -p {word}");
        let otherwise = format!("delete-buffer -b {word} ; display-message -p held{word}");
        let args = ["load-buffer", "-b", &word, "-", ";", "if-shell", "-F", "-t", &id, &question, &then, &otherwise];
        let struck = self.act(&args, Some(text.as_bytes()), &word, vec!["paste".to_owned()]).await;
        if struck.is_err() {
            // The text must not stay behind where anybody can paste it.
            let _ = self.target.tmux.act(&Hand(()), &["delete-buffer", "-b", &word], None).await;
        }
        struck
    }

    async fn act(
        &mut self,
        args: &[&str],
        stdin: Option<&[u8]>,
        word: &str,
        names: Vec<String>,
    ) -> Result<Struck, Stop> {
        let said = match self.target.tmux.act(&Hand(()), args, stdin).await {
            Ok(said) => said,
            // It was never started.
            Err(TmuxError::Missing) if self.keys.is_empty() => return Err(Skip::CaptureFailed.into()),
            Err(error) => {
                tracing::warn!(%error, pane = self.target.pane.id, "tmux did not say whether it typed");
                String::new()
            }
        };
        let said = said.trim();
        if said.strip_prefix("held") == Some(word) {
            return Ok(Struck::Held);
        }
        self.keys.extend(names);
        if said == word { Ok(Struck::Typed) } else { Err(Stop::Fail("unknown_if_typed")) }
    }
}

/// The command for one key. Text is what the key tables know: a digit, a letter, a word.
fn press(pane: &str, key: &Key) -> Option<String> {
    match key {
        Key::Text(text) => {
            let plain = !text.is_empty() && text.bytes().all(|c| c.is_ascii_alphanumeric());
            plain.then(|| format!("send-keys -t {pane} -l {text}"))
        }
        named => Some(format!("send-keys -t {pane} {}", named.name())),
    }
}

/// A word that nothing else prints, and a buffer that nobody else has.
fn word() -> String {
    let mut random = [0; 12];
    rand::rng().fill_bytes(&mut random);
    format!("countersign{}", hex::encode(random))
}
