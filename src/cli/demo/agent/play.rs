//! Plays a script: each step, each key and the time that passes change what is shown. No I/O; time is an argument.

use serde_json::{Value, json};

use super::keys::Key;
use super::press;
use super::scene::{Asking, Prompt, Rest, Scene};
use super::script::Step;
use crate::domain::screen::AgentKind;

/// How often the row of a running turn changes, in milliseconds.
const BEAT: u64 = 500;
/// Blocks of the conversation that a repaint brings back.
const MOST_BLOCKS: usize = 400;

/// A block of the conversation.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// Who or what it is from.
    pub voice: Voice,
    /// Its text.
    pub text: String,
}

/// Where a block comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Voice {
    /// The agent.
    Agent,
    /// A person.
    Person,
    /// A tool's result, below its call.
    Result,
    /// A program's own rows.
    Program,
}

/// The agent as it plays.
#[derive(Debug)]
pub(super) struct Play {
    /// Whose screens are drawn.
    pub kind: AgentKind,
    /// What is shown below the conversation.
    pub scene: Scene,
    /// What stands in the composer.
    pub draft: String,
    /// The conversation so far.
    pub blocks: Vec<Block>,
    /// How many blocks are new since they were last painted.
    pub fresh: usize,
    steps: Vec<Step>,
    at: usize,
    repeat: bool,
    /// Lines that were typed while a turn ran.
    queued: usize,
    /// What is to be noted once the scene is on the screen.
    shown: Option<Value>,
}

impl Play {
    /// Begins a script.
    pub(super) fn new(kind: AgentKind, steps: Vec<Step>, repeat: bool) -> Self {
        let mut play = Self {
            kind,
            scene: Scene::Over,
            draft: String::new(),
            blocks: Vec::new(),
            fresh: 0,
            steps,
            at: 0,
            repeat,
            queued: 0,
            shown: None,
        };
        play.go_on(0);
        play
    }

    /// What is to be noted now that the scene has been painted.
    pub(super) fn take_shown(&mut self) -> Option<Value> {
        self.shown.take()
    }

    /// Whether it has ended.
    pub(super) fn is_over(&self) -> bool {
        matches!(self.scene, Scene::Over)
    }

    /// When something changes by itself.
    pub(super) fn wakes(&self, now: u64) -> Option<u64> {
        match &self.scene {
            Scene::Working { began, until } => {
                let beat = now - (now - began) % BEAT + BEAT;
                Some(beat.min(*until))
            }
            Scene::Asking(asking) => asking.answered.map(|(leaves, _)| leaves),
            Scene::Idle(_) | Scene::Over => None,
        }
    }

    /// Time has passed.
    pub(super) fn tick(&mut self, now: u64) {
        match &self.scene {
            Scene::Working { until, .. } if now >= *until => self.go_on(now),
            Scene::Asking(asking) if asking.answered.is_some_and(|(leaves, _)| now >= leaves) => self.leave(now),
            Scene::Working { .. } | Scene::Asking(_) | Scene::Idle(_) | Scene::Over => {}
        }
    }

    /// A key came; the answer is what it did, for the log.
    pub(super) fn key(&mut self, key: &Key, now: u64) -> Vec<Value> {
        let pressed = match key {
            Key::Paste(text) => json!({"paste": text}),
            other => json!({"key": other.name()}),
        };
        let mut notes = vec![pressed];
        match &mut self.scene {
            Scene::Asking(asking) => {
                let chosen = press::choose(asking, key, self.kind);
                notes.extend(chosen.map(|row| self.answer(row, now)));
            }
            Scene::Working { .. } if *key == Key::Escape => {
                notes.push(json!({"interrupted": true}));
                self.say(Voice::Result, "Interrupted · What should be done instead?");
                self.go_on(now);
            }
            Scene::Working { .. } | Scene::Idle(_) => notes.extend(self.typed(key, now)),
            Scene::Over => {}
        }
        notes
    }

    /// What was waited for happened elsewhere: the step ends without an answer.
    pub(super) fn move_on(&mut self, now: u64) -> Value {
        self.go_on(now);
        json!({"moved_on": true})
    }

    fn answer(&mut self, row: Option<usize>, now: u64) -> Value {
        let Scene::Asking(asking) = &mut self.scene else {
            return Value::Null;
        };
        let text = row.and_then(|row| asking.options.get(row));
        let note = json!({"chose": {
            "n": row.map(|row| row + 1), "text": text, "title": asking.title(), "command": asking.command(),
        }});
        let lingers = match &asking.prompt {
            Prompt::Ask(ask) => ask.lingers_ms,
            Prompt::Choice(_) | Prompt::Plan(_) | Prompt::Limit(_) => 0,
        };
        let yes = text.is_some_and(|text| !text.starts_with("No"));
        asking.answered = Some((now + lingers, yes));
        if lingers == 0 {
            self.leave(now);
        }
        note
    }

    /// An answered dialog goes, and its outcome joins the conversation.
    fn leave(&mut self, now: u64) {
        if let Scene::Asking(asking) = &self.scene
            && let Prompt::Ask(ask) = &asking.prompt
        {
            let yes = asking.answered.is_some_and(|(_, yes)| yes);
            let call = super::paint::call(ask);
            let result = if yes { ask.prints.clone().unwrap_or_else(|| "Done".to_owned()) } else { "Refused".into() };
            self.say(Voice::Agent, &call);
            self.say(Voice::Result, &result);
        }
        self.go_on(now);
    }

    fn typed(&mut self, key: &Key, now: u64) -> Option<Value> {
        match key {
            Key::Char(c) => self.draft.push(*c),
            Key::Paste(text) => self.draft.push_str(text),
            Key::Backspace => drop(self.draft.pop()),
            Key::Control('u') => self.draft.clear(),
            Key::Enter if !self.draft.trim().is_empty() => {
                let line = std::mem::take(&mut self.draft);
                self.say(Voice::Person, &line);
                match &self.scene {
                    Scene::Idle(rest) if !rest.last => self.go_on(now),
                    Scene::Idle(_) => {}
                    Scene::Working { .. } | Scene::Asking(_) | Scene::Over => self.queued += 1,
                }
                return Some(json!({"typed": line}));
            }
            Key::Enter
            | Key::Escape
            | Key::Tab
            | Key::BackTab
            | Key::Up
            | Key::Down
            | Key::Control(_)
            | Key::Other(_) => {}
        }
        None
    }

    fn say(&mut self, voice: Voice, text: &str) {
        self.blocks.push(Block { voice, text: text.to_owned() });
        self.fresh += 1;
        let over = self.blocks.len().saturating_sub(MOST_BLOCKS);
        self.blocks.drain(..over);
        self.fresh = self.fresh.min(self.blocks.len());
    }

    /// Takes steps up to the next one that shows something and waits.
    fn go_on(&mut self, now: u64) {
        // A script that is repeated and never waits would go round for ever.
        for _ in 0..=self.steps.len() {
            if self.at == self.steps.len() && self.repeat {
                self.at = 0;
            }
            let step = self.at;
            let next = self.steps.get(step).cloned();
            self.at = (self.at + 1).min(self.steps.len());
            if let Some(scene) = self.begin(next, now) {
                self.shown = Some(json!({"shown": word(&scene), "step": step + 1}));
                self.scene = scene;
                return;
            }
        }
        self.scene = Scene::Over;
    }

    fn begin(&mut self, step: Option<Step>, now: u64) -> Option<Scene> {
        let ask = |prompt| Some(Scene::Asking(Box::new(Asking::new(prompt, self.kind))));
        let rest = match step {
            Some(Step::Say(text)) => {
                self.say(Voice::Agent, &text);
                return None;
            }
            Some(Step::Print(text)) => {
                self.say(Voice::Program, &text);
                return None;
            }
            Some(Step::WorkMs(ms)) => return Some(Scene::Working { began: now, until: now + ms }),
            Some(Step::Ask(prompt)) => return ask(Prompt::Ask(*prompt)),
            Some(Step::Choice(choice)) => return ask(Prompt::Choice(choice)),
            Some(Step::Plan(plan)) => return ask(Prompt::Plan(plan)),
            Some(Step::Limit(limit)) => return ask(Prompt::Limit(limit)),
            Some(Step::Exit(_)) => return Some(Scene::Over),
            Some(Step::Idle(_)) => Rest::default(),
            Some(Step::Suggest(hint)) => Rest { hint: Some(hint), ..Rest::default() },
            Some(Step::Survey(_)) => Rest { survey: true, ..Rest::default() },
            None => return Some(Scene::Idle(Rest { last: true, ..Rest::default() })),
        };
        if self.queued > 0 {
            self.queued -= 1;
            return None;
        }
        Some(Scene::Idle(rest))
    }
}

fn word(scene: &Scene) -> &'static str {
    match scene {
        Scene::Working { .. } => "working",
        Scene::Asking(_) => "dialog",
        Scene::Idle(_) => "idle",
        Scene::Over => "over",
    }
}
