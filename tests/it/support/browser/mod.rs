//! Debian's chromium, one for the whole run, driven over its debugging protocol; a fresh profile for every test.

mod cdp;
mod input;
mod observed;
mod page;
mod verdict;

use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::sync::OnceLock;

use serde_json::{Value, json};
use tokio::sync::watch;

use self::cdp::Cdp;
pub use self::observed::{Observed, Request};
pub use self::page::Page;
use super::scratch;

const FLAGS: &[&str] = &[
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-sync",
    "--metrics-recording-only",
    "--no-pings",
    "--password-store=basic",
    // Several pages are open at once; none of them may be slowed down for being in the background.
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--force-color-profile=srgb",
    "--remote-debugging-port=0",
];

static CDP: OnceLock<Cdp> = OnceLock::new();

/// How large the window is, and what points at it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Screen {
    /// 390×844, touch.
    Phone,
    /// 1280×800, mouse.
    Desktop,
}

/// One person's browser: its own cookies and storage, closed when dropped.
pub struct Profile {
    cdp: &'static Cdp,
    id: String,
}

impl Profile {
    /// An empty profile; starts the browser when this is the first one.
    pub async fn new() -> Self {
        let cdp = CDP.get_or_init(launch);
        let made = cdp.must(None, "Target.createBrowserContext", json!({ "disposeOnDetach": true })).await;
        Self { cdp, id: text(&made, "browserContextId") }
    }

    /// A new empty tab.
    pub async fn page(&self, screen: Screen) -> Page {
        let cdp = self.cdp;
        let target = json!({ "url": "about:blank", "browserContextId": self.id, "newWindow": true });
        let target = text(&cdp.must(None, "Target.createTarget", target).await, "targetId");
        let attach = json!({ "targetId": target, "flatten": true });
        let session = text(&cdp.must(None, "Target.attachToTarget", attach).await, "sessionId");
        let observed: watch::Receiver<Observed> = cdp.observe(&session);
        Page::prepare(cdp, session, observed, screen).await
    }
}

impl Drop for Profile {
    fn drop(&mut self) {
        self.cdp.send_and_forget("Target.disposeBrowserContext", json!({ "browserContextId": self.id }));
    }
}

fn text(value: &Value, field: &str) -> String {
    value[field].as_str().unwrap_or_else(|| panic!("the browser sent no {field}: {value}")).to_owned()
}

fn launch() -> Cdp {
    let profile = scratch::folder("chromium");
    let mut child = scratch::program(binary())
        .args(FLAGS)
        .arg(format!("--user-data-dir={}", profile.display()))
        // Its caches and crash reports stay in the folder too, instead of the caller's home.
        .env("HOME", &profile)
        .env("XDG_CONFIG_HOME", &profile)
        .env("XDG_CACHE_HOME", &profile)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    scratch::stop_at_exit("KILL", child.id());
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut said = String::new();
    let url = loop {
        let start = said.len();
        let read = stderr.read_line(&mut said).unwrap();
        assert!(read > 0, "chromium ended before it listened; it said:\n{said}");
        if let Some(url) = said[start..].trim().strip_prefix("DevTools listening on ") {
            break url.to_owned();
        }
    };
    // A full pipe would stop the browser, so what it says afterwards is read and dropped.
    std::thread::spawn(move || {
        drop(std::io::copy(&mut stderr, &mut std::io::sink()));
        child.wait()
    });
    Cdp::connect(url)
}

fn binary() -> &'static str {
    ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
        .into_iter()
        .find(|path| std::path::Path::new(path).exists())
        .expect("no chromium found; install it: apt-get install chromium")
}
