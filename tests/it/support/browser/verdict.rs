//! What a test may ask about a tab afterwards: complaints, traffic, a picture.

use std::path::Path;

use base64::Engine as _;
use serde_json::json;

use super::{Page, Request, text};

impl Page {
    /// Writes a picture of what is on the screen.
    pub async fn screenshot(&self, path: &Path) {
        let shot = self.must("Page.captureScreenshot", json!({ "format": "png" })).await;
        let png = base64::engine::general_purpose::STANDARD.decode(text(&shot, "data")).unwrap();
        std::fs::write(path, png).unwrap();
    }

    /// Writes a picture of the whole page, beyond the screen's edge.
    pub async fn whole_screenshot(&self, path: &Path) {
        let whole = json!({ "format": "png", "captureBeyondViewport": true });
        let shot = self.must("Page.captureScreenshot", whole).await;
        let png = base64::engine::general_purpose::STANDARD.decode(text(&shot, "data")).unwrap();
        std::fs::write(path, png).unwrap();
    }

    /// Everything before this moment is no longer counted or judged.
    pub fn forget(&mut self) {
        let observed = self.observed.borrow();
        self.seen = (observed.errors.len(), observed.csp.len(), observed.requests.len());
    }

    /// Console errors and uncaught exceptions.
    pub fn errors(&self) -> Vec<String> {
        self.observed.borrow().errors[self.seen.0..].to_vec()
    }

    /// Violations of the content security policy.
    pub fn csp_violations(&self) -> Vec<String> {
        self.observed.borrow().csp[self.seen.1..].to_vec()
    }

    /// The requests so far, once all of them are answered.
    pub async fn traffic(&self) -> Vec<Request> {
        self.until("the network to be quiet", |observed| observed.requests.iter().all(|request| request.finished))
            .await;
        self.observed.borrow().requests[self.seen.2..].to_vec()
    }

    /// Fails unless all that the browser noted were answers of this status: it logs every one of them as an error.
    pub fn assert_only_refusals(&self, status: u16) {
        self.assert_only_refusals_of(&[status]);
    }

    /// The same for several.
    pub fn assert_only_refusals_of(&self, statuses: &[u16]) {
        let expected = |error: &String| statuses.iter().any(|status| error.contains(&format!("status of {status} ")));
        let (errors, csp) = (self.errors(), self.csp_violations());
        assert!(errors.iter().all(expected) && csp.is_empty(), "{errors:#?} {csp:#?}");
    }

    /// Fails when the page complained about anything.
    pub fn assert_clean(&self) {
        let (errors, csp) = (self.errors(), self.csp_violations());
        assert!(errors.is_empty() && csp.is_empty(), "errors: {errors:#?}\npolicy violations: {csp:#?}");
    }
}
