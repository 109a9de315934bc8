//! The browser driver judged by itself, against a small page of the test's own: what it reports must be real.

use std::time::Duration;

use axum::Router;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Redirect};
use axum::routing::get;

use crate::support::browser::{Page, Profile, Screen};
use crate::support::{axe, scratch};

const STRICT: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; form-action 'self'; \
    require-trusted-types-for 'script'; trusted-types 'none'";

const HOME: &str = r#"<!doctype html><html lang="en"><head><title>Driver</title>
<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><script src="/app.js" defer></script></head>
<body><main><h1>Driver</h1><p id="state">fresh</p><p id="script">off</p><p id="held">0</p>
<form method="post" action="/"><label>Note <input id="note" name="note"></label><button id="send">Send</button></form>
<button id="touch" type="button">Touch</button></main></body></html>"#;

const SCRIPT: &str = "
const say = (id, text) => { document.getElementById(id).textContent = text; };
say('script', 'on');
let down = 0;
document.getElementById('touch').addEventListener('pointerdown', (e) => { down = e.timeStamp; });
document.getElementById('touch').addEventListener('pointerup', (e) => { say('held', String(e.timeStamp - down)); });
document.getElementById('touch').addEventListener('click', (e) => {
    setTimeout(() => say('state', `touched by ${e.pointerType}`), 30);
});
document.addEventListener('keydown', (e) => say('state', `key ${e.key}`));
";

const BAD: &str = r#"<!doctype html><html><head><title></title><link rel="icon" href="data:,"></head>
<body><img src="/missing.png"><input><script>document.title = 'ran'</script><script src="/bad.js"></script></body></html>"#;

const DONE: &str = r#"<!doctype html><title>Done</title><link rel="icon" href="data:,"><p>Thank you"#;

fn html(body: &'static str) -> impl IntoResponse {
    ([(CONTENT_TYPE, "text/html; charset=utf-8"), (CONTENT_SECURITY_POLICY, STRICT)], body)
}

fn script(body: &'static str) -> impl IntoResponse {
    ([(CONTENT_TYPE, "text/javascript")], body)
}

/// Serves the little site and opens a page; the server ends with the test's runtime.
async fn site(screen: Screen) -> (String, Profile, Page) {
    let router = Router::new()
        .route("/", get(async || html(HOME)).post(async |form: String| Redirect::to(&format!("/done?{form}"))))
        .route("/done", get(async || html(DONE)))
        .route("/app.js", get(async || script(SCRIPT)))
        .route("/bad", get(async || html(BAD)))
        .route("/bad.js", get(async || script("console.error('said so'); throw new Error('thrown');")));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    let profile = Profile::new().await;
    let page = profile.page(screen).await;
    (url, profile, page)
}

#[tokio::test]
async fn a_phone_reads_types_touches_and_follows_a_form() {
    let (url, _profile, page) = site(Screen::Phone).await;
    page.goto(&url).await;
    assert_eq!(
        page.eval("[innerWidth, innerHeight, navigator.maxTouchPoints]").await,
        serde_json::json!([390, 844, 5])
    );
    assert_eq!(page.text("#script").await, "on");
    page.wait_for_element("#touch").await;
    page.click("#touch").await;
    page.wait_for_text("touched by touch").await;
    page.press_and_hold("#touch", Duration::from_millis(300)).await;
    page.wait_for("Number(document.getElementById('held').textContent) >= 290").await;
    page.type_text("#note", "ünï").await;
    page.click_and_load("#send").await;
    assert_eq!(page.path().await, "/done?note=%C3%BCn%C3%AF");
    page.wait_for_text("Thank you").await;
    page.assert_clean();
}

#[tokio::test]
async fn a_desktop_has_a_mouse_and_keys() {
    let (url, _profile, page) = site(Screen::Desktop).await;
    page.goto(&url).await;
    page.click("#touch").await;
    page.wait_for_text("touched by mouse").await;
    page.press("j").await;
    page.wait_for_text("key j").await;
    page.type_text("#note", "x").await;
    let before = page.loads();
    page.press("Enter").await;
    page.wait_for_load_after(before).await;
    assert_eq!(page.path().await, "/done?note=x");
}

#[tokio::test]
async fn traffic_is_counted_and_can_be_forgotten() {
    let (url, _profile, mut page) = site(Screen::Phone).await;
    page.goto(&url).await;
    let traffic = page.traffic().await;
    let kinds: Vec<_> = traffic.iter().map(|request| (request.kind.as_str(), request.status)).collect();
    assert!(kinds.contains(&("Document", 200)) && kinds.contains(&("Script", 200)), "{traffic:#?}");
    let script = traffic.iter().find(|request| request.kind == "Script").unwrap();
    assert_eq!((script.method.as_str(), script.url.clone()), ("GET", format!("{url}/app.js")));
    assert!(script.bytes >= SCRIPT.len() as u64, "{script:?}");
    page.forget();
    assert!(page.traffic().await.is_empty());
    page.reload().await;
    assert!(!page.traffic().await.is_empty());
}

#[tokio::test]
async fn script_can_be_off() {
    let (url, _profile, page) = site(Screen::Phone).await;
    page.without_script().await;
    page.goto(&url).await;
    page.wait_for_text("Driver").await;
    assert_eq!(page.text("#script").await, "off");
    page.type_text("#note", "plain").await;
    page.click_and_load("#send").await;
    page.wait_for_text("Thank you").await;
    assert_eq!(page.path().await, "/done?note=plain");
}

#[tokio::test]
async fn complaints_are_collected() {
    let (url, _profile, page) = site(Screen::Phone).await;
    page.goto(&format!("{url}/bad")).await;
    page.wait_for("document.readyState === 'complete'").await;
    page.traffic().await;
    let errors = page.errors().join("\n");
    for expected in ["said so", "thrown", "404"] {
        assert!(errors.contains(expected), "{expected} is missing in:\n{errors}");
    }
    assert!(page.csp_violations().join("\n").contains("script-src"), "{:#?}", page.csp_violations());
    assert_eq!(page.eval("document.title").await, "");
    let report = axe::violations(&page).await;
    for rule in ["document-title", "html-has-lang", "image-alt", "label"] {
        assert!(report.contains(&format!("{rule}:")), "{rule} is missing in:\n{report}");
    }
}

#[tokio::test]
async fn an_accessible_page_passes_in_both_schemes_and_is_pictured() {
    let (url, profile, page) = site(Screen::Phone).await;
    for scheme in ["light", "dark"] {
        page.colour_scheme(scheme).await;
        page.goto(&url).await;
        assert_eq!(page.eval(&format!("matchMedia('(prefers-color-scheme: {scheme})').matches")).await, true);
        axe::assert_accessible(&page, "the driver's page").await;
    }
    page.assert_clean();
    let path = scratch::folder("shots").join("page.png");
    page.screenshot(&path).await;
    assert!(std::fs::read(&path).unwrap().starts_with(b"\x89PNG"));

    page.eval("document.cookie = 'who=me'").await;
    let other = profile.page(Screen::Desktop).await;
    other.goto(&url).await;
    assert_eq!(other.eval("document.cookie").await, "who=me", "tabs of one profile share cookies");
    let stranger = Profile::new().await;
    let other = stranger.page(Screen::Phone).await;
    other.goto(&url).await;
    assert_eq!(other.eval("document.cookie").await, "", "profiles share nothing");
}

#[tokio::test]
#[should_panic(expected = "is covered by")]
async fn what_is_covered_cannot_be_pressed() {
    let (url, _profile, page) = site(Screen::Phone).await;
    page.goto(&url).await;
    page.eval(
        "(() => { const lid = document.createElement('div');
            Object.assign(lid.style, { position: 'fixed', inset: '0' }); document.body.append(lid); })()",
    )
    .await;
    page.click("#touch").await;
}
