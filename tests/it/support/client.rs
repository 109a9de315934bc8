//! Callers as the contract knows them: an agent, a person, an admin at the machine, a stranger; public interfaces only.

use std::path::Path;

use reqwest::header::{COOKIE, HeaderMap, SET_COOKIE};
use reqwest::{Method, RequestBuilder, redirect};
use serde_json::{Value, json};

/// Somebody who sends requests, with what they carry.
#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    base: String,
    credential: Credential,
}

#[derive(Clone)]
enum Credential {
    None,
    Bearer(String),
    Session(String),
    Password { name: String, password: String },
}

/// An answer, read to its end.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub text: String,
    /// The body as JSON, null when it is none.
    pub json: Value,
}

impl Client {
    /// Over TCP, carrying nothing.
    pub fn tcp(base: &str) -> Self {
        Self::new(base, quiet())
    }

    /// Over a Unix socket, carrying nothing.
    pub fn unix(socket: &Path) -> Self {
        Self::new("http://localhost", quiet().unix_socket(socket))
    }

    fn new(base: &str, http: reqwest::ClientBuilder) -> Self {
        Self { http: http.build().unwrap(), base: base.to_owned(), credential: Credential::None }
    }

    /// The same caller with an agent's or a pane client's token.
    #[must_use]
    pub fn with_token(&self, token: &str) -> Self {
        self.with(Credential::Bearer(token.to_owned()))
    }

    /// The same caller with an admin's name and password, as the local socket takes them.
    #[must_use]
    pub fn with_password(&self, name: &str, password: &str) -> Self {
        self.with(Credential::Password { name: name.to_owned(), password: password.to_owned() })
    }

    /// The same caller with a session cookie, `name=value`.
    #[must_use]
    pub fn with_cookie(&self, cookie: &str) -> Self {
        self.with(Credential::Session(cookie.to_owned()))
    }

    /// The same caller at another address: the service has moved.
    #[must_use]
    pub fn at(&self, base: &str) -> Self {
        Self { base: base.to_owned(), ..self.clone() }
    }

    fn with(&self, credential: Credential) -> Self {
        Self { credential, ..self.clone() }
    }

    /// The cookie this caller carries, if it has a session.
    pub fn cookie(&self) -> Option<&str> {
        match &self.credential {
            Credential::Session(cookie) => Some(cookie),
            _ => None,
        }
    }

    /// The `Authorization` this caller sends, if it has a token.
    pub fn bearer(&self) -> Option<String> {
        match &self.credential {
            Credential::Bearer(token) => Some(format!("Bearer {token}")),
            _ => None,
        }
    }

    /// Signs in and returns the same caller with the session.
    pub async fn sign_in(&self, name: &str, password: &str) -> Self {
        let body = json!({ "username": name, "password": password });
        let answer = self.post("/api/v1/session", &body).await;
        answer.assert_status(200);
        self.with_cookie(&answer.cookie())
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(self.request(Method::GET, path)).await
    }

    pub async fn delete(&self, path: &str) -> Answer {
        self.send(self.request(Method::DELETE, path)).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        self.send(self.request(Method::POST, path).json(body)).await
    }

    pub async fn patch(&self, path: &str, body: &Value) -> Answer {
        self.send(self.request(Method::PATCH, path).json(body)).await
    }

    /// A request with this caller's credential, for what the short forms do not say; `send` sends it.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.http.request(method, format!("{}{path}", self.base));
        match &self.credential {
            Credential::None => request,
            Credential::Bearer(token) => request.bearer_auth(token),
            Credential::Password { name, password } => request.basic_auth(name, Some(password)),
            // A browser says where a request comes from; one with a cookie that does not is refused.
            Credential::Session(cookie) => request.header(COOKIE, cookie).header("Sec-Fetch-Site", "same-origin"),
        }
    }

    /// Sends a request and reads the answer to its end.
    pub async fn send(&self, request: RequestBuilder) -> Answer {
        Self::attempt(request).await.unwrap()
    }

    /// The same where nobody may be there to answer, or may break off.
    pub async fn attempt(request: RequestBuilder) -> reqwest::Result<Answer> {
        let answer = request.send().await?;
        let (status, headers) = (answer.status().as_u16(), answer.headers().clone());
        let text = answer.text().await?;
        let json = serde_json::from_str(&text).unwrap_or_default();
        Ok(Answer { status, headers, text, json })
    }
}

/// No redirects followed and no proxy asked: what is sent is what the test says.
fn quiet() -> reqwest::ClientBuilder {
    reqwest::Client::builder().redirect(redirect::Policy::none()).no_proxy()
}

impl Answer {
    /// Fails, and shows the answer, unless it has this status.
    pub fn assert_status(&self, expected: u16) {
        assert_eq!(self.status, expected, "{}", self.text);
    }

    /// The body, after the status was as expected.
    pub fn body(self, expected: u16) -> Value {
        self.assert_status(expected);
        self.json
    }

    /// Fails unless this is the problem with this status and stable code.
    pub fn assert_problem(&self, status: u16, code: &str) {
        assert_eq!((self.status, self.code()), (status, code), "{}", self.text);
        assert_eq!(self.header("content-type"), "application/problem+json");
    }

    /// The stable code of a problem; empty when it is none.
    pub fn code(&self) -> &str {
        self.json["code"].as_str().unwrap_or_default()
    }

    /// A header's value; empty when it is missing.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The first cookie that is set, as `name=value`.
    pub fn cookie(&self) -> String {
        let cookie = self.headers.get(SET_COOKIE).expect("a cookie is set").to_str().unwrap();
        cookie.split(';').next().unwrap_or_default().to_owned()
    }
}
