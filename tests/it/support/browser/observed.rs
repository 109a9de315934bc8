//! What a tab has shown: loads, complaints and traffic, folded from the browser's events as they come.

use std::collections::HashSet;

use serde_json::Value;

/// Everything worth judging that happened in one tab.
#[derive(Default, Clone, Debug)]
pub struct Observed {
    /// Documents of the main frame whose `load` event has fired, by loader.
    pub loaded: HashSet<String>,
    /// Console messages of level error, uncaught exceptions, failed loads and unexpected dialogs, in words.
    pub errors: Vec<String>,
    /// Violations of the page's content security policy.
    pub csp: Vec<String>,
    pub requests: Vec<Request>,
}

/// One request of the page.
#[derive(Default, Clone, Debug)]
pub struct Request {
    id: String,
    pub url: String,
    pub method: String,
    /// The browser's word: Document, Script, Stylesheet, Image, Fetch, WebSocket, …
    pub kind: String,
    pub status: u64,
    /// Bytes on the wire, headers included, as they were compressed.
    pub bytes: u64,
    pub finished: bool,
}

impl Observed {
    /// Takes one event in; says whether anything changed.
    pub(super) fn fold(&mut self, method: &str, params: &Value) -> bool {
        match method {
            "Page.lifecycleEvent" if params["name"] == "load" => {
                self.loaded.insert(word(&params["loaderId"]));
            }
            "Page.javascriptDialogOpening" => self.errors.push(format!("a dialog: {}", word(&params["message"]))),
            "Runtime.exceptionThrown" => {
                self.errors.push(format!("uncaught: {}", exception(params)));
            }
            "Runtime.consoleAPICalled" if matches!(params["type"].as_str(), Some("error" | "assert")) => {
                self.errors.push(format!("console: {}", params["args"]));
            }
            "Log.entryAdded" if params["entry"]["level"] == "error" => {
                let entry = &params["entry"];
                self.errors.push(format!(
                    "{}: {} {}",
                    word(&entry["source"]),
                    word(&entry["text"]),
                    word(&entry["url"])
                ));
            }
            "Audits.issueAdded" if params["issue"]["code"] == "ContentSecurityPolicyIssue" => {
                self.csp.push(params["issue"]["details"]["contentSecurityPolicyIssueDetails"].to_string());
            }
            _ => return self.fold_traffic(method, params),
        }
        true
    }

    fn fold_traffic(&mut self, method: &str, params: &Value) -> bool {
        let id = word(&params["requestId"]);
        match method {
            "Network.requestWillBeSent" => {
                // A redirect keeps the id: the request before it is over, and its answer counts as traffic too.
                if let Some(previous) = self.open(&id) {
                    previous.status = params["redirectResponse"]["status"].as_u64().unwrap_or(0);
                    previous.bytes = bytes(&params["redirectResponse"]["encodedDataLength"]);
                    previous.finished = true;
                }
                let request = &params["request"];
                let (url, method, kind) = (word(&request["url"]), word(&request["method"]), word(&params["type"]));
                self.requests.push(Request { id, url, method, kind, ..Request::default() });
            }
            "Network.webSocketCreated" => {
                let (url, kind) = (word(&params["url"]), "WebSocket".to_owned());
                self.requests.push(Request {
                    id,
                    url,
                    method: "GET".into(),
                    kind,
                    finished: true,
                    ..Request::default()
                });
            }
            "Network.responseReceived" => {
                let Some(request) = self.open(&id) else {
                    return false;
                };
                request.status = params["response"]["status"].as_u64().unwrap_or(0);
            }
            "Network.loadingFinished" => {
                let Some(request) = self.open(&id) else {
                    return false;
                };
                request.bytes = bytes(&params["encodedDataLength"]);
                request.finished = true;
            }
            "Network.loadingFailed" => {
                let Some(request) = self.open(&id) else {
                    return false;
                };
                request.finished = true;
            }
            _ => return false,
        }
        true
    }

    fn open(&mut self, id: &str) -> Option<&mut Request> {
        self.requests.iter_mut().rev().find(|request| request.id == id && !request.finished)
    }
}

fn word(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the protocol counts bytes in a double")]
fn bytes(value: &Value) -> u64 {
    value.as_f64().unwrap_or_default() as u64
}

fn exception(params: &Value) -> String {
    let details = &params["exceptionDetails"];
    let description = word(&details["exception"]["description"]);
    if description.is_empty() { word(&details["text"]) } else { description }
}
