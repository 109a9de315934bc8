//! A state machine beside the real service: whatever is done in whatever order, killed in between, both say the same.

mod machine;
mod real;

use proptest::test_runner::Config;
use proptest_state_machine::prop_state_machine;

use self::real::Service;

prop_state_machine! {
    // Fixed in number, so that the run takes its half minute; each run tries other cases.
    #![proptest_config(Config { cases: 16, max_shrink_iters: 60, failure_persistence: None, ..Config::default() })]

    #[test]
    fn the_service_does_what_the_model_says(sequential 20..60 => Service);
}
