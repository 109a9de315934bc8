//! The screens in the fixtures.

use std::fs;
use std::path::Path;

use countersign::domain::screen::{AgentKind, Reading, Status, read};
use countersign::pane::frame::{Size, screen};
use serde_json::Value;

/// A screen and what it means.
#[derive(Clone)]
pub struct Sample {
    pub name: String,
    pub text: String,
    pub meaning: Value,
}

/// All of them; where colour carries the meaning, the coloured one.
pub fn samples() -> Vec<Sample> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/panes");
    let mut found = Vec::new();
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let coloured = path.with_extension("ansi");
        let text = if coloured.exists() { coloured } else { path.with_extension("txt") };
        found.push(Sample {
            name: path.file_stem().unwrap().to_string_lossy().into_owned(),
            text: fs::read_to_string(text).unwrap(),
            meaning: serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap(),
        });
    }
    assert!(found.len() >= 40, "fixtures are missing");
    found.sort_by(|left, right| left.name.cmp(&right.name));
    found
}

/// The shapes, read the same way.
pub fn shapes() -> Vec<Sample> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/shapes");
    let lines = fs::read_to_string(folder.join("expected.jsonl")).unwrap();
    let meanings = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let found: Vec<Sample> = meanings
        .map(|meaning| {
            let name = meaning["name"].as_str().unwrap().to_owned();
            let text = fs::read_to_string(folder.join(format!("{name}.txt"))).unwrap();
            Sample { name, text, meaning }
        })
        .collect();
    assert!(found.len() >= 340, "shapes are missing");
    found
}

/// Panes and shapes whose characters alone tell what they mean, so that they can be redrawn.
pub fn redrawable() -> Vec<Sample> {
    let all = samples().into_iter().chain(shapes());
    all.filter(|sample| !sample.text.contains('\u{1b}')).collect()
}

impl Sample {
    pub fn agent(&self) -> AgentKind {
        AgentKind::from_word(self.meaning["agent"].as_str().unwrap()).unwrap()
    }

    pub fn cols(&self) -> u16 {
        u16::try_from(self.meaning["cols"].as_u64().unwrap()).unwrap()
    }

    pub fn rows(&self) -> Option<u16> {
        self.meaning["rows"].as_u64().and_then(|rows| u16::try_from(rows).ok())
    }

    pub fn status(&self) -> Status {
        match self.meaning["status"].as_str().unwrap() {
            "idle" => Status::Idle,
            "working" => Status::Working,
            "blocked" => Status::Blocked,
            "unknown" => Status::Unknown,
            other => panic!("no status {other}"),
        }
    }

    pub fn safe(&self) -> bool {
        self.meaning["safe_to_type"].as_bool().unwrap()
    }

    pub fn dialog(&self) -> Option<&Value> {
        self.meaning.get("dialog").filter(|dialog| !dialog.is_null())
    }

    pub fn read(&self) -> Reading {
        self.read_as(&self.text, Size { cols: Some(self.cols()), rows: self.rows() })
    }

    /// Another text, read as this agent's.
    pub fn read_as(&self, text: &str, size: Size) -> Reading {
        read(self.agent(), &screen(text.as_bytes(), size))
    }
}
