//! The status gate as a model: whatever is sent, reported, taken, answered or killed in whatever order, at most one message
//! a turn, in the order in which they were sent, only into an idle pane, and each ends delivered, failed by name, or queued.

mod acts;
mod real;
mod turn;

use proptest::test_runner::Config;
use proptest_state_machine::prop_state_machine;

use self::real::Service;

prop_state_machine! {
    // Fixed in number, so that the run takes its half minute; each run tries other cases.
    #![proptest_config(Config { cases: 12, max_shrink_iters: 60, failure_persistence: None, ..Config::default() })]

    #[test]
    fn a_pane_takes_one_message_a_turn_and_none_is_lost_or_typed_twice(sequential 30..70 => Service);
}
