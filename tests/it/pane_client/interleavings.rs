//! Whatever else happens at whatever moment: no key lands in a dialog other than the decided one, and none lands twice.

mod frozen;
mod plan;
mod play;
mod proof;

use futures_util::future::join_all;

use self::plan::Plan;
use self::proof::Tally;
use super::desk::Desk;

/// Desks that are played side by side: their clients, agents and services are in each other's way.
const DESKS: u64 = 4;
/// Dialogs of each.
const STEPS: usize = 50;
/// Choices are the same in every run unless `INTERLEAVINGS_SEED` says otherwise; what the machine makes of them never is.
const SEED: u64 = 4;

#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
async fn a_key_lands_in_the_decided_dialog_once_or_nowhere() {
    let seed = seed();
    println!("INTERLEAVINGS_SEED={seed}");
    let tallies = join_all((0..DESKS).map(|desk| played(seed + desk))).await;
    let tally = tallies.into_iter().sum::<Tally>();
    println!("{tally:#?}");
    // What happened must be worth the proof: many keys arrive, and many decisions come to nothing.
    assert!(tally.landed >= 80, "{tally:?}");
    assert!(tally.skipped >= 40, "{tally:?}");
}

/// Plays a desk to its end, and looks what came of it.
async fn played(seed: u64) -> Tally {
    let plan = Plan::draw(seed, STEPS);
    let mut desk = Desk::open(&plan.script).await;
    play::play(&mut desk, &plan).await;
    proof::prove(&desk, &plan).await
}

#[expect(
    clippy::disallowed_methods,
    reason = "a number for a person who hunts a failure, not a setting of the program"
)]
fn seed() -> u64 {
    std::env::var("INTERLEAVINGS_SEED").map_or(SEED, |text| text.parse().expect("INTERLEAVINGS_SEED is no number"))
}
