//! One tab: where it goes, what it says, and waiting for it without sleeping.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::time::Instant;

use super::cdp::Cdp;
use super::{Observed, Screen, text};

/// Longer than anything a page should need, short enough to read the failure.
const PATIENCE: Duration = Duration::from_secs(15);

pub struct Page {
    cdp: &'static Cdp,
    session: String,
    pub(super) observed: watch::Receiver<Observed>,
    /// Requests and complaints before this point are forgotten.
    pub(super) seen: (usize, usize, usize),
    pub(super) screen: Screen,
}

impl Page {
    pub(super) async fn prepare(
        cdp: &'static Cdp,
        session: String,
        observed: watch::Receiver<Observed>,
        screen: Screen,
    ) -> Self {
        let page = Self { cdp, session, observed, seen: (0, 0, 0), screen };
        for domain in ["Page.enable", "Runtime.enable", "Log.enable", "Audits.enable", "Network.enable"] {
            page.must(domain, json!({})).await;
        }
        page.must("Page.setLifecycleEventsEnabled", json!({ "enabled": true })).await;
        page.must("Emulation.setFocusEmulationEnabled", json!({ "enabled": true })).await;
        let (width, height, phone) = match screen {
            Screen::Phone => (390, 844, true),
            Screen::Desktop => (1280, 800, false),
        };
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 2, "mobile": phone });
        page.must("Emulation.setDeviceMetricsOverride", size).await;
        page.must("Emulation.setTouchEmulationEnabled", json!({ "enabled": phone, "maxTouchPoints": 5 })).await;
        page
    }

    pub(super) async fn must(&self, method: &'static str, params: Value) -> Value {
        self.cdp.must(Some(&self.session), method, params).await
    }

    /// Opens an address and waits until it has loaded; fails when there is no answer.
    pub async fn goto(&self, url: &str) {
        let opened = self.must("Page.navigate", json!({ "url": url })).await;
        assert!(opened["errorText"].is_null(), "{url} did not open: {}", opened["errorText"]);
        let loader = text(&opened, "loaderId");
        self.until("the page to load", |observed| observed.loaded.contains(&loader)).await;
    }

    /// Loads the page again.
    pub async fn reload(&self) {
        let before = self.loads();
        self.must("Page.reload", json!({})).await;
        self.wait_for_load_after(before).await;
    }

    /// How many documents this tab has loaded; with `wait_for_load_after`, for an act that opens another.
    pub fn loads(&self) -> usize {
        self.observed.borrow().loaded.len()
    }

    pub async fn wait_for_load_after(&self, before: usize) {
        self.until("another page to load", |observed| observed.loaded.len() > before).await;
    }

    pub(super) async fn until(&self, what: &str, done: impl FnMut(&Observed) -> bool) {
        let mut observed = self.observed.clone();
        let waited = tokio::time::timeout(PATIENCE, observed.wait_for(done)).await.is_ok_and(|waited| waited.is_ok());
        assert!(waited, "waited in vain for {what}; {:?}", *self.observed.borrow());
    }

    /// The value of an expression in the page; a promise is awaited.
    pub async fn eval(&self, expression: &str) -> Value {
        self.try_eval(expression).await.unwrap_or_else(|e| panic!("{e}\nin: {expression}"))
    }

    pub async fn try_eval(&self, expression: &str) -> Result<Value, String> {
        self.evaluate(json!({ "expression": expression })).await
    }

    async fn evaluate(&self, mut params: Value) -> Result<Value, String> {
        params["awaitPromise"] = true.into();
        params["returnByValue"] = true.into();
        let mut answer = self.cdp.call(Some(&self.session), "Runtime.evaluate", params).await?;
        let failure = &answer["exceptionDetails"];
        if failure.is_null() {
            return Ok(answer["result"]["value"].take());
        }
        Err(failure["exception"]["description"].as_str().unwrap_or("an exception").to_owned())
    }

    /// Evaluates in a world of its own: it sees the page's document, but neither its script nor its policy.
    pub async fn eval_apart(&self, expressions: &[&str]) -> Value {
        let tree = self.must("Page.getFrameTree", json!({})).await;
        let frame = &tree["frameTree"]["frame"]["id"];
        let world = self.must("Page.createIsolatedWorld", json!({ "frameId": frame, "worldName": "test" })).await;
        let mut value = Value::Null;
        for expression in expressions {
            let params = json!({ "expression": expression, "contextId": world["executionContextId"] });
            value = self.evaluate(params).await.unwrap_or_else(|e| panic!("{e}"));
        }
        value
    }

    /// Waits until an expression is true, across reloads; looks again at each change of the document.
    pub async fn wait_for(&self, condition: &str) {
        let deadline = Instant::now() + PATIENCE;
        let watching = watching(condition);
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let looked = match tokio::time::timeout(left, self.try_eval(&watching)).await {
                Ok(looked) => looked,
                Err(_) => Err("too late".to_owned()),
            };
            match looked {
                Ok(Value::Bool(true)) => return,
                // The document went away under the question: ask the next one.
                _ if Instant::now() < deadline => {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
                other => panic!("waited in vain for: {condition}\n{other:?}\n{}", self.describe().await),
            }
        }
    }

    /// Waits until the element is there.
    pub async fn wait_for_element(&self, selector: &str) {
        self.wait_for(&format!("document.querySelector({})", Value::from(selector))).await;
    }

    /// Waits until the page shows this text.
    pub async fn wait_for_text(&self, text: &str) {
        self.wait_for(&format!("document.body.innerText.includes({})", Value::from(text))).await;
    }

    /// The text of an element as a reader sees it.
    pub async fn text(&self, selector: &str) -> String {
        let value = self.eval(&format!("document.querySelector({}).innerText", Value::from(selector))).await;
        value.as_str().unwrap_or_default().to_owned()
    }

    /// The path of the address bar, with its query.
    pub async fn path(&self) -> String {
        self.eval("location.pathname + location.search").await.as_str().unwrap_or_default().to_owned()
    }

    async fn describe(&self) -> String {
        let shown = self.try_eval("location.href + '\\n' + document.body.innerText.slice(0, 2000)").await;
        let shown = shown.ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default();
        format!("the page: {shown}\nerrors: {:#?}", self.observed.borrow().errors)
    }

    /// Sets the preferred colour scheme: `light` or `dark`.
    pub async fn colour_scheme(&self, scheme: &str) {
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.must("Emulation.setEmulatedMedia", json!({ "features": features })).await;
    }

    /// Gives the browser a cookie, `name=value`, as if the server had set it.
    pub async fn set_cookie(&self, url: &str, cookie: &str) {
        let (name, value) = cookie.split_once('=').unwrap();
        self.must("Network.setCookie", json!({ "url": url, "name": name, "value": value, "httpOnly": true })).await;
    }

    /// Loads everything anew, as a browser does that was never here.
    pub async fn without_cache(&self) {
        self.must("Network.setCacheDisabled", json!({ "cacheDisabled": true })).await;
    }

    /// Turns the page's own scripts off for what is loaded from now on.
    pub async fn without_script(&self) {
        self.must("Emulation.setScriptExecutionDisabled", json!({ "value": true })).await;
    }
}

/// A promise that is kept once the condition holds. It also looks every 50 ms, for what no mutation announces.
fn watching(condition: &str) -> String {
    format!(
        "new Promise((found) => {{
            const holds = () => {{ try {{ return Boolean({condition}); }} catch {{ return false; }} }};
            if (holds()) {{ found(true); return; }}
            const look = () => {{ if (holds()) {{ eye.disconnect(); clearInterval(tick); found(true); }} }};
            const eye = new MutationObserver(look);
            eye.observe(document, {{ subtree: true, childList: true, attributes: true, characterData: true }});
            const tick = setInterval(look, 50);
        }})"
    )
}
