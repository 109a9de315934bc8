//! Judging dialogs from JSON lines, against reading the same lines as JSON and doing nothing with them.

use std::hint::black_box;
use std::time::Instant;

use countersign::cli::classify::stream;
use serde_json::Value;

use crate::Res;
use crate::cell::Cell;
use crate::rows::Setting;
use crate::table::{Goal, Table};

const VECTORS: &str = include_str!("../../../tests/fixtures/vectors/commands.jsonl");

/// Lines a cell reads at least, so that one reading takes long enough to be measured.
const LINES: usize = 20_000;

#[expect(clippy::cast_precision_loss, reason = "counts far below 2^52")]
pub(crate) fn run(setting: &Setting, table: &mut Table) -> Res<()> {
    let count = VECTORS.lines().count();
    let times = if setting.quick { 4 } else { LINES / count + 1 };
    let input = format!("{}\n", VECTORS.trim_end()).repeat(times);
    let lines = (count * times) as f64;
    let (mut judged, mut read) = (Cell::default(), Cell::default());
    let mut out = Vec::with_capacity(2 * input.len());
    for _ in 0..setting.reps {
        let start = Instant::now();
        for line in input.lines() {
            black_box(serde_json::from_str::<Value>(line)?);
        }
        read.push(lines / start.elapsed().as_secs_f64());
        out.clear();
        let start = Instant::now();
        let bad = stream(input.as_bytes(), &mut out)?;
        judged.push(lines / start.elapsed().as_secs_f64());
        if bad > 0 || out.is_empty() {
            return Err(format!("{bad} of the lines could not be read").into());
        }
    }
    table.ratio("classify / serde_json alone", (&judged, &read), Goal::Told, "lines a second");
    table.number(
        "classify, dialogs a second on one core",
        &judged,
        Goal::AtLeast(20_000.0),
        "the vectors, again and again",
    );
    Ok(())
}
