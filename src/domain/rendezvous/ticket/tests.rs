//! Each step of a ticket, and that none can be taken out of turn.

use super::*;

const ORDER: Uuid = Uuid::from_u128(9);
const MSG: Uuid = Uuid::from_u128(10);
const IDLE: (PaneStatus, bool) = (PaneStatus::Idle, true);
const WORKING: (PaneStatus, bool) = (PaneStatus::Working, false);
const UNKNOWN: (PaneStatus, bool) = (PaneStatus::Unknown, false);
const BLOCKED: (PaneStatus, bool) = (PaneStatus::Blocked, false);

fn at(secs: i64) -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + TimeDelta::seconds(1_000_000 + secs)
}

fn fresh() -> Ticket {
    Ticket {
        id: Uuid::from_u128(1),
        project_id: Uuid::nil(),
        lane_id: Uuid::nil(),
        lane: "api".into(),
        from_agent_id: Uuid::nil(),
        from_agent: "boss".into(),
        pane_client_id: Uuid::nil(),
        pane_key: "main.1".into(),
        session_id: "s1".into(),
        content: "Fix it.".into(),
        created_at: at(0),
        not_before: at(0),
        skips: 0,
        order_id: None,
        sent_at: None,
        picked_up_at: None,
        idles: 0,
        turn_ended_at: None,
        outcome: None,
        result: None,
        partial: false,
        reason: None,
        msg_id: None,
        finished_at: None,
        acked_at: None,
        polled_at: None,
    }
}

fn ordered() -> Ticket {
    fresh().ordered(ORDER).unwrap()
}

fn delivered() -> Ticket {
    ordered().sent(Some(at(9)), at(10)).unwrap()
}

/// Shows a ticket one report after another; what each of them told.
fn shown(mut ticket: Ticket, reports: &[((PaneStatus, bool), i64)]) -> (Ticket, Vec<Seen>) {
    let mut told = Vec::new();
    for &(report, secs) in reports {
        let (next, seen) = ticket.seen(report, at(secs));
        ticket = next;
        told.push(seen);
    }
    (ticket, told)
}

#[test]
fn a_message_goes_from_the_queue_to_its_outcome() {
    assert_eq!((fresh().stage(), fresh().holds_pane()), (Stage::Queued, false));
    assert_eq!((ordered().stage(), ordered().holds_pane()), (Stage::Ordered, true));
    assert_eq!((delivered().stage(), delivered().holds_pane()), (Stage::Delivered, true));
    let replied = delivered().called(at(12)).closed(Closing::reply("done"), MSG, at(12));
    assert_eq!((replied.stage(), replied.holds_pane()), (Stage::Closed, true), "its turn still runs");
    assert_eq!((replied.outcome(), replied.result.as_deref()), (Some(Outcome::Reply), Some("done")));
    let (ended, seen) = replied.seen(IDLE, at(13));
    assert_eq!((seen, ended.holds_pane()), (Seen::Ended, false), "an answer shows that it had begun");
    assert_eq!(ended.outcome(), Some(Outcome::Reply), "the end of the turn changes nothing of it");
}

#[test]
fn no_step_is_taken_twice_or_out_of_turn() {
    assert_eq!(ordered().ordered(ORDER), None);
    assert_eq!(delivered().ordered(ORDER), None);
    assert_eq!((fresh().sent(None, at(1)), fresh().skipped(at(1)), fresh().lost(MSG, at(1))), (None, None, None));
    assert_eq!(delivered().sent(None, at(11)), None);
    assert_eq!(delivered().skipped(at(11)), None, "what was typed is not typed again");
    assert_eq!(delivered().lost(MSG, at(11)), None);
    assert_eq!(fresh().seen(IDLE, at(11)), (fresh(), Seen::Nothing));
}

#[test]
fn working_after_the_send_is_the_pickup_and_idle_after_it_the_end() {
    let (ticket, told) =
        shown(delivered(), &[(UNKNOWN, 11), (WORKING, 12), (WORKING, 13), (UNKNOWN, 14), (BLOCKED, 15)]);
    assert_eq!(told, [Seen::Nothing, Seen::PickedUp, Seen::Nothing, Seen::Nothing, Seen::Nothing]);
    assert_eq!((ticket.picked_up_at, ticket.turn_ended_at), (Some(at(12)), None), "unknown and blocked end nothing");
    let (ticket, told) = shown(ticket, &[(IDLE, 16), (IDLE, 17)]);
    assert_eq!((told, ticket.turn_ended_at), (vec![Seen::Ended, Seen::Nothing], Some(at(16))));
}

#[test]
fn a_turn_that_nobody_saw_begin_ends_with_two_idle_reports_after_the_grace() {
    let (_, told) = shown(delivered(), &[(IDLE, 11), (IDLE, 12), (IDLE, 13), (IDLE, 14)]);
    assert_eq!(told, [Seen::Nothing, Seen::Nothing, Seen::Nothing, Seen::Ended], "the first two are within 3 s");
    let (_, told) = shown(delivered(), &[(IDLE, 13), (UNKNOWN, 14), (IDLE, 15), (IDLE, 16)]);
    assert_eq!(told.last(), Some(&Seen::Ended));
    assert_eq!(told[2], Seen::Nothing, "two in a row");
    let (_, told) = shown(delivered(), &[(UNKNOWN, 100), (UNKNOWN, 200), (BLOCKED, 300)]);
    assert_eq!(told, [Seen::Nothing; 3], "unknown is neither a pickup nor an end");
}

#[test]
fn a_dialog_of_the_limit_is_a_rest() {
    let stopped = (PaneStatus::Blocked, true);
    let (ticket, told) = shown(delivered(), &[(WORKING, 12), (stopped, 13)]);
    assert_eq!((told[1], ticket.turn_ended_at), (Seen::Ended, Some(at(13))));
}

#[test]
fn a_skip_puts_it_back_and_backs_off() {
    let mut ticket = fresh();
    let mut pauses = Vec::new();
    for _ in 0..7 {
        ticket = ticket.ordered(ORDER).unwrap().skipped(at(0)).unwrap();
        assert_eq!((ticket.stage(), ticket.holds_pane()), (Stage::Queued, false));
        pauses.push((ticket.not_before - at(0)).num_seconds());
    }
    assert_eq!(pauses, [1, 2, 4, 8, 16, 32, 32]);
}

#[test]
fn what_may_have_arrived_is_closed_and_its_turn_waited_out() {
    let lost = ordered().lost(MSG, at(20)).unwrap();
    assert_eq!((lost.outcome(), lost.reason.as_deref()), (Some(Outcome::Failed), Some("send_failed")));
    assert!(lost.holds_pane() && lost.takes_late_reply());
    let (_, told) = shown(lost, &[(WORKING, 21), (IDLE, 30)]);
    assert_eq!(told, [Seen::PickedUp, Seen::Ended]);
}

#[test]
fn an_answer_before_the_client_has_reported_stands_unless_nothing_was_typed() {
    let early = || ordered().called(at(9)).closed(Closing::reply("quick"), MSG, at(9));
    let sent = early().sent(Some(at(8)), at(10)).unwrap();
    assert_eq!((sent.outcome(), sent.picked_up_at), (Some(Outcome::Reply), Some(at(9))));
    let lost = early().lost(Uuid::nil(), at(10)).unwrap();
    assert_eq!((lost.outcome(), lost.msg_id), (Some(Outcome::Reply), Some(MSG)));
    let skipped = early().skipped(at(10)).unwrap();
    assert_eq!((skipped.stage(), skipped.outcome(), skipped.holds_pane()), (Stage::Queued, None, false));
    assert_eq!((skipped.result, skipped.msg_id, skipped.skips), (None, None, 1));
    let put_away = Ticket { acked_at: Some(at(10)), ..early() }.skipped(at(10)).unwrap();
    assert_eq!((put_away.outcome(), put_away.holds_pane()), (Some(Outcome::Reply), false));
    let gone = ordered().closed(Closing::failure(Failure::SessionGone), MSG, at(9)).skipped(at(10)).unwrap();
    assert_eq!((gone.outcome(), gone.holds_pane()), (Some(Outcome::Failed), false));
}

#[test]
fn work_from_before_the_order_was_taken_is_no_pickup() {
    let (ticket, told) = shown(ordered(), &[(WORKING, 3), (IDLE, 4)]);
    assert_eq!(told, [Seen::Nothing, Seen::Nothing]);
    assert_eq!(ticket.clone().sent(Some(at(5)), at(6)).unwrap().picked_up_at, None);
    assert_eq!(ticket.sent(Some(at(2)), at(6)).unwrap().picked_up_at, Some(at(3)));
}

#[test]
fn only_a_guess_gives_way_to_a_late_answer() {
    let turn = |outcome| Turn { outcome, said: None, reason: Some("no_text") };
    for (closing, takes) in [
        (Closing::of_turn(turn(Outcome::TurnDone)), true),
        (Closing::of_turn(turn(Outcome::Exhausted)), true),
        (Closing::failure(Failure::SendFailed), true),
        (Closing::failure(Failure::SessionGone), false),
        (Closing::reply("done"), false),
    ] {
        let closed = delivered().closed(closing, MSG, at(20));
        assert_eq!(closed.takes_late_reply(), takes, "{closed:?}");
        assert!(!Ticket { acked_at: Some(at(21)), ..closed }.takes_late_reply());
    }
}
