//! `countersign demo agent`: plays a script as an agent would show it. For the demo and for tests; nothing trusts it.

mod canvas;
mod claude;
mod codex;
mod keys;
mod paint;
mod play;
mod press;
mod rows;
mod scene;
mod script;
mod terminal;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use serde_json::{Value, json};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::time::{Instant, sleep_until};

use self::canvas::Canvas;
use self::keys::{Decoder, Key};
use self::play::Play;
use self::terminal::Terminal;
use super::super::failure::{Failure, Outcome};
use crate::domain::screen::AgentKind;

/// What the simulated agent takes.
#[derive(Debug, Args)]
pub struct AgentArgs {
    /// The steps to play, one JSON object a line.
    #[arg(long, value_name = "FILE")]
    script: PathBuf,
    /// Writes what is shown, pressed and chosen to this file, one JSON object a line.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Whose screens to draw.
    #[arg(long, value_name = "KIND", default_value = "claude", value_parser = drawn)]
    kind: AgentKind,
    /// Begins again after the last step.
    #[arg(long)]
    repeat: bool,
}

fn drawn(word: &str) -> Result<AgentKind, String> {
    let kind = AgentKind::from_word(word).filter(|kind| matches!(kind, AgentKind::Claude | AgentKind::Codex));
    kind.ok_or_else(|| "use claude or codex".to_owned())
}

/// How long an escape waits for the rest of a longer key.
const ESCAPE: Duration = Duration::from_millis(40);

/// Plays until the script ends, the terminal closes, or a signal says so.
pub async fn run(args: AgentArgs) -> Outcome {
    let unreadable = |error| Failure::usage(format!("cannot read {}: {error}", args.script.display()));
    let text = std::fs::read_to_string(&args.script).map_err(unreadable)?;
    let steps = script::read(&text, args.kind)?;
    let mut record = Record::open(args.log.as_ref())?;
    // Before the screen is taken, so that none can come too early.
    let mut signals = Signals::new()?;
    let terminal = Terminal::enter()?;
    let mut show = Show {
        play: Play::new(args.kind, steps, args.repeat),
        canvas: Canvas::default(),
        decoder: Decoder::default(),
        settles: None,
    };
    let mut typed = terminal::typed();
    loop {
        let painted = show.canvas.paint(&mut show.play, terminal.size(), record.now());
        terminal.send(&painted)?;
        if let Some(shown) = show.play.take_shown() {
            record.note(&shown)?;
        }
        if show.play.is_over() {
            return Ok(());
        }
        let wakes = show.play.wakes(record.now()).map(|ms| record.began + Duration::from_millis(ms));
        tokio::select! {
            bytes = typed.recv() => {
                let Some(bytes) = bytes else { return Ok(()) };
                let keys = show.decoder.feed(&bytes);
                if show.press(&keys, &mut record)? {
                    return Ok(());
                }
                show.settles = show.decoder.waits().then(|| Instant::now() + ESCAPE);
            }
            () = until(show.settles) => {
                show.settles = None;
                let keys = show.decoder.settle();
                show.press(&keys, &mut record)?;
            }
            () = until(wakes) => show.play.tick(record.now()),
            heard = signals.next() => match heard {
                Heard::Resized => {}
                Heard::MovedOn => {
                    let note = show.play.move_on(record.now());
                    record.note(&note)?;
                }
                Heard::End => return Ok(()),
            },
        }
    }
}

/// The agent and its screen.
struct Show {
    play: Play,
    canvas: Canvas,
    decoder: Decoder,
    /// When a key that is not whole is taken as it is.
    settles: Option<Instant>,
}

impl Show {
    /// Presses keys; true when one of them ends the program.
    fn press(&mut self, keys: &[Key], record: &mut Record) -> Outcome<bool> {
        for key in keys {
            for note in self.play.key(key, record.now()) {
                record.note(&note)?;
            }
            if *key == Key::Control('c') {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

async fn until(when: Option<Instant>) {
    match when {
        Some(when) => sleep_until(when).await,
        None => std::future::pending().await,
    }
}

/// The log, and the time it counts from.
struct Record {
    file: Option<File>,
    began: Instant,
}

impl Record {
    fn open(path: Option<&PathBuf>) -> Outcome<Self> {
        let open = |path: &PathBuf| {
            let unwritable = |error| Failure::usage(format!("cannot write {}: {error}", path.display()));
            File::options().create(true).append(true).open(path).map_err(unwritable)
        };
        Ok(Self { file: path.map(open).transpose()?, began: Instant::now() })
    }

    /// Milliseconds since the start.
    fn now(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Adds a line at once: whoever reads along must not wait for a buffer.
    fn note(&mut self, note: &Value) -> Outcome {
        let mut line = json!({"ms": self.now()});
        if let (Some(line), Some(note)) = (line.as_object_mut(), note.as_object()) {
            line.extend(note.clone());
        }
        if let Some(file) = &mut self.file {
            file.write_all(format!("{line}\n").as_bytes())?;
        }
        Ok(())
    }
}

/// What a signal says.
enum Heard {
    /// The terminal has another size.
    Resized,
    /// What the step waits for happened elsewhere.
    MovedOn,
    /// It is to end.
    End,
}

/// The signals that are heard: USR1 moves on, the usual ones end it.
struct Signals {
    resized: Signal,
    moved_on: Signal,
    ends: [Signal; 3],
}

impl Signals {
    fn new() -> Outcome<Self> {
        Ok(Self {
            resized: signal(SignalKind::window_change())?,
            moved_on: signal(SignalKind::user_defined1())?,
            ends: [signal(SignalKind::terminate())?, signal(SignalKind::hangup())?, signal(SignalKind::interrupt())?],
        })
    }

    async fn next(&mut self) -> Heard {
        let [terminate, hangup, interrupt] = &mut self.ends;
        tokio::select! {
            _ = self.resized.recv() => Heard::Resized,
            _ = self.moved_on.recv() => Heard::MovedOn,
            _ = terminate.recv() => Heard::End,
            _ = hangup.recv() => Heard::End,
            _ = interrupt.recv() => Heard::End,
        }
    }
}
