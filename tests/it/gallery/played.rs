//! The pages in a real browser: readable by everybody, and what a thumb does has the effect it says.

use std::fmt::Write as _;
use std::time::Duration;

use super::plates;
use super::stage::Stage;
use crate::support::axe;
use crate::support::browser::{Page, Profile, Screen};

async fn open(screen: Screen) -> (Stage, Profile, Page) {
    let stage = Stage::new().await;
    let profile = Profile::new().await;
    let page = profile.page(screen).await;
    (stage, profile, page)
}

async fn judge(screen: Screen, scheme: &str) {
    let (stage, _profile, page) = open(screen).await;
    page.colour_scheme(scheme).await;
    let mut report = String::new();
    for plate in plates() {
        // An open inbox asks for itself.
        stage.show("/", plate.name);
        page.goto(&stage.address(&format!("/plates/{}", plate.name))).await;
        let found = axe::violations(&page).await;
        if !found.is_empty() {
            writeln!(report, "{} on a {screen:?}, {scheme}:\n{found}", plate.name).unwrap();
        }
        let wide = page.eval("document.documentElement.scrollWidth > innerWidth").await;
        if wide == true {
            writeln!(report, "{} is wider than a {screen:?}", plate.name).unwrap();
        }
    }
    page.assert_clean();
    assert!(report.is_empty(), "{report}");
}

#[tokio::test]
async fn every_plate_is_accessible_on_a_phone() {
    judge(Screen::Phone, "light").await;
}

#[tokio::test]
async fn every_plate_is_accessible_on_a_phone_at_night() {
    judge(Screen::Phone, "dark").await;
}

#[tokio::test]
async fn every_plate_is_accessible_on_a_desk() {
    judge(Screen::Desktop, "dark").await;
}

#[tokio::test]
async fn only_a_held_button_approves_medium_risk() {
    let (stage, _profile, page) = open(Screen::Phone).await;
    stage.show("/p/a", "review-patch");
    stage.show("/sent", "review-approved");
    page.goto(&stage.address("/p/a")).await;
    page.click("#do-approve").await;
    page.wait_for_text("Keep the button pressed").await;
    assert!(stage.sent.lock().unwrap().is_empty());
    page.press_and_hold("#do-approve", Duration::from_secs(1)).await;
    page.wait_for_text("Approved by you").await;
    let sent = stage.sent.lock().unwrap().clone();
    assert_eq!(sent, [("/p/a/decide".to_owned(), "note=&digest=7f3a91c0aabb&outcome=approved".to_owned())]);
    page.assert_clean();
}

#[tokio::test]
async fn a_keyboard_presses_and_confirms() {
    let (stage, _profile, page) = open(Screen::Desktop).await;
    stage.show("/p/a", "review-patch");
    stage.show("/sent", "review-approved");
    page.goto(&stage.address("/p/a")).await;
    page.press("a").await;
    page.wait_for("document.activeElement?.name === 'note' && document.activeElement.form.id === 'approve'").await;
    assert!(stage.sent.lock().unwrap().is_empty());
    page.type_text("#approve textarea", "as agreed").await;
    page.press("Escape").await;
    page.wait_for("!document.querySelector('.sheet:target')").await;
    page.press("a").await;
    page.wait_for("document.querySelector('#approve:target')").await;
    page.eval("document.querySelector('#approve button').focus()").await;
    page.press("Enter").await;
    page.wait_for_text("Approved by you").await;
    assert_eq!(stage.sent.lock().unwrap()[0].1, "note=as+agreed&digest=7f3a91c0aabb&outcome=approved");
}

#[tokio::test]
async fn a_long_text_unlocks_at_its_end() {
    let (stage, _profile, page) = open(Screen::Phone).await;
    stage.show("/p/a", "review-long");
    page.goto(&stage.address("/p/a")).await;
    page.wait_for("document.getElementById('do-approve').getAttribute('aria-disabled') === 'true'").await;
    page.press_and_hold("#do-approve", Duration::from_secs(1)).await;
    assert!(stage.sent.lock().unwrap().is_empty());
    page.eval("scrollTo(0, document.body.scrollHeight)").await;
    page.wait_for("document.getElementById('do-approve').getAttribute('aria-disabled') === 'false'").await;
}

#[tokio::test]
async fn a_note_outlives_a_reload_and_a_decision_elsewhere_is_told() {
    let (stage, _profile, page) = open(Screen::Phone).await;
    stage.show("/p/a", "review-command");
    page.goto(&stage.address("/p/a")).await;
    page.click("#do-reject").await;
    page.wait_for("document.querySelector('#reject:target')").await;
    page.type_text("#reject textarea", "not on a Friday").await;
    page.reload().await;
    page.wait_for("document.querySelector('#reject textarea').value === 'not on a Friday'").await;
    page.wait_for_text("live").await;
    stage.show("/p/a", "review-elsewhere");
    stage.hint("proposal.decided", "a");
    page.wait_for_text("Rejected by jonas").await;
    page.wait_for("!document.querySelector('.bar')").await;
    page.assert_clean();
}

#[tokio::test]
async fn the_inbox_waits_for_the_finger() {
    let (stage, _profile, page) = open(Screen::Phone).await;
    stage.show("/", "inbox-empty");
    page.goto(&stage.address("/")).await;
    page.wait_for_text("Nothing waits for you").await;
    page.wait_for("document.getElementById('live').dataset.state === 'on'").await;
    // Into an empty list what is new comes at once.
    stage.show("/", "lane-inbox");
    stage.hint("proposal.created", "b");
    page.wait_for_text("Change 3 files").await;
    // Into a list with something in it only after a tap.
    stage.show("/", "inbox");
    stage.hint("proposal.created", "c");
    page.wait_for_text("5 new").await;
    assert_eq!(page.eval("document.querySelectorAll('.item').length").await, 1);
    page.click("#fresh").await;
    page.wait_for("document.querySelectorAll('.item').length === 6").await;
    // What is gone stays where it was, and says so.
    stage.show("/", "inbox-empty");
    stage.hint("proposal.decided", "d");
    page.wait_for_text("Nothing waits for you").await;
    assert!(stage.listeners() > 0);
    page.assert_clean();
}

#[tokio::test]
async fn a_review_is_light() {
    let (stage, _profile, page) = open(Screen::Phone).await;
    stage.show("/p/a", "review-patch");
    page.goto(&stage.address("/p/a")).await;
    let traffic = page.traffic().await;
    let loaded: Vec<&str> =
        traffic.iter().map(|request| request.url.as_str()).filter(|url| !url.starts_with("ws")).collect();
    assert!((4..=6).contains(&loaded.len()), "{loaded:?}");
}
