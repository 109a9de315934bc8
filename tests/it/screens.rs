//! Screens of real agents, read: every pane in the fixtures against what it means, and what must not be misread.

mod captures;
mod expected;
mod fuzz;
mod hidden;
mod keys;
mod mutants;
mod narrow;
mod sample;
mod shapes;
mod tails;
mod vectors;

use countersign::domain::screen::{Reading, Status};

use self::sample::{Sample, samples};

/// Share of samples for which something holds, in percent.
fn share(samples: &[Sample], holds: impl Fn(&Sample, &Reading) -> Result<(), String>) -> f64 {
    let wrong: Vec<String> = samples
        .iter()
        .filter_map(|sample| holds(sample, &sample.read()).err().map(|why| format!("{}: {why}", sample.name)))
        .collect();
    for line in &wrong {
        println!("{line}");
    }
    let (all, wrong) =
        (f64::from(u32::try_from(samples.len()).unwrap()), f64::from(u32::try_from(wrong.len()).unwrap()));
    100.0 * (all - wrong) / all
}

fn equal<T: PartialEq + std::fmt::Debug>(found: &T, expected: &T) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("found {found:?}, expected {expected:?}")) }
}

#[test]
fn the_status_is_read_right() {
    let share = share(&samples(), |sample, reading| equal(&reading.status, &sample.status()));
    assert!(share >= 100.0, "{share}");
}

#[test]
fn a_dialog_is_seen_where_one_is_open_and_nowhere_else() {
    let share = share(&samples(), |sample, reading| equal(&reading.dialog.is_some(), &sample.dialog().is_some()));
    assert!(share >= 100.0, "{share}");
}

#[test]
fn nothing_is_typed_where_it_is_not_safe() {
    let share = share(&samples(), |sample, reading| equal(&reading.safe_to_type, &sample.safe()));
    assert!(share >= 100.0, "{share}");
    for reading in samples().iter().map(Sample::read) {
        assert!(!reading.safe_to_type || reading.status == Status::Idle);
    }
}

#[test]
fn every_row_is_read_with_its_number_its_text_and_what_it_would_grant() {
    let share = share(&samples(), |sample, reading| {
        let found = reading.dialog.iter().flat_map(|dialog| &dialog.options);
        let found: Vec<_> = found.map(|row| (row.n, row.text.clone(), row.standing)).collect();
        equal(&found, &sample.dialog().map(expected::options).unwrap_or_default())
    });
    assert!(share >= 100.0, "{share}");
}

#[test]
fn the_rows_that_answer_this_request_alone_are_found() {
    let share = share(&samples(), |sample, reading| {
        let found = reading.dialog.as_ref().map(|dialog| (dialog.approve_option, dialog.deny_option));
        let expected = sample.dialog().map(|dialog| (expected::row(dialog, "approve"), expected::row(dialog, "deny")));
        equal(&found, &expected)
    });
    assert!(share >= 100.0, "{share}");
}

#[test]
fn no_standing_row_is_ever_chosen() {
    for sample in samples() {
        let Some(dialog) = sample.read().dialog else { continue };
        let chosen = [dialog.approve_option, dialog.deny_option];
        for row in dialog.options.iter().filter(|row| chosen.contains(&Some(row.n))) {
            assert!(!row.standing, "{}: {}", sample.name, row.text);
        }
        for row in sample.dialog().map(expected::options).unwrap_or_default() {
            assert!(!row.2 || !chosen.contains(&Some(row.0)), "{}: {}", sample.name, row.1);
        }
    }
}

#[test]
fn kind_title_question_and_command_are_read_right() {
    for (what, least) in
        [("kind", 100.0), ("title", 100.0), ("question", 100.0), ("command", 100.0), ("truncated", 100.0)]
    {
        let share = share(&samples(), |sample, reading| {
            let (Some(found), Some(expected)) = (&reading.dialog, sample.dialog()) else { return Ok(()) };
            let found = serde_json::to_value(found).unwrap();
            equal(&found[what], &expected[what])
        });
        assert!(share >= least, "{what}: {share}");
    }
}

#[test]
fn the_marked_row_is_found() {
    let share = share(&samples(), |sample, reading| {
        let found = reading.dialog.iter().flat_map(|dialog| &dialog.options).find(|row| row.selected).map(|row| row.n);
        equal(&found, &sample.dialog().and_then(|dialog| expected::number(&dialog["selected"])))
    });
    assert!(share >= 100.0, "{share}");
}

#[test]
fn nothing_that_a_dialog_says_is_left_out() {
    let share = share(&samples(), |sample, reading| {
        let (Some(found), Some(wanted)) = (&reading.dialog, sample.dialog()) else { return Ok(()) };
        let body = expected::folded(found.body.as_deref().unwrap_or_default());
        let missing = wanted["body"].as_str().unwrap_or_default().lines().map(expected::folded);
        let missing: Vec<_> = missing.filter(|line| !body.contains(line.as_str())).collect();
        if missing.is_empty() { Ok(()) } else { Err(format!("{missing:?} is not in {body:?}")) }
    });
    assert!(share >= 100.0, "{share}");
}
