//! What the demo's agents have asked before anybody looks, over the network as agents ask, and what was already answered.

use axum::body::Body;
use axum::http::{HeaderMap, Method, Request, header};
use http_body_util::BodyExt;
use serde::Deserialize;
use serde_json::{Value, json};

use super::people::ADMIN;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::table::text;
use crate::pane::remote::Remote;

const ALL: &str = include_str!("proposals.json");

/// One proposal, and the answer that it has already.
#[derive(Deserialize)]
struct Sample {
    /// Which agent asks.
    lane: usize,
    ask: Value,
    decide: Option<Value>,
}

/// The demo's server over the network.
pub(super) struct Net {
    remote: Remote,
}

impl Net {
    /// A server by its public address.
    pub(super) fn new(remote: Remote) -> Self {
        Self { remote }
    }

    /// Asks all of it; the answers are given by the admin, signed in like anybody.
    pub(super) async fn fill(&self, agents: &[String], password: &str) -> Outcome<usize> {
        let samples: Vec<Sample> = serde_json::from_str(ALL)?;
        let cookie = self.sign_in(password).await?;
        for sample in &samples {
            let token = agents.get(sample.lane).ok_or_else(|| Failure::failed("a sample names no lane of the demo"))?;
            let bearer = (header::AUTHORIZATION.as_str(), format!("Bearer {token}"));
            let (made, _) = self.post("/api/v1/proposals", &[bearer], &sample.ask).await?;
            let Some(decide) = &sample.decide else { continue };
            let mut answer = decide.clone();
            if let Some(answer) = answer.as_object_mut() {
                answer.insert("digest".into(), made["digest"].clone());
            }
            let path = format!("/api/v1/proposals/{}/decision", text(&made["id"]));
            let session = [(header::COOKIE.as_str(), cookie.clone()), ("sec-fetch-site", "same-origin".to_owned())];
            self.post(&path, &session, &answer).await?;
        }
        Ok(samples.iter().filter(|sample| sample.decide.is_none()).count())
    }

    async fn sign_in(&self, password: &str) -> Outcome<String> {
        let (_, headers) = self.post("/api/v1/session", &[], &json!({"username": ADMIN, "password": password})).await?;
        let cookie = headers.get(header::SET_COOKIE).and_then(|set| set.to_str().ok()?.split(';').next());
        cookie.map(str::to_owned).ok_or_else(|| Failure::failed("the demo's server set no cookie"))
    }

    async fn post(&self, path: &str, headers: &[(&str, String)], body: &Value) -> Outcome<(Value, HeaderMap)> {
        let mut request = Request::builder().method(Method::POST).uri(path);
        request = request.header(header::HOST, self.remote.url().host());
        request = request.header(header::CONTENT_TYPE, "application/json");
        for (name, value) in headers {
            request = request.header(*name, value);
        }
        let request = request.body(Body::from(body.to_string())).map_err(|error| Failure::failed(error.to_string()))?;
        let answer = self.remote.send(request).await?;
        let (parts, body) = answer.into_parts();
        let bytes = body.collect().await.map_err(|error| Failure::failed(error.to_string()))?.to_bytes();
        let said: Value = if bytes.is_empty() { Value::Null } else { serde_json::from_slice(&bytes)? };
        if parts.status.is_success() {
            return Ok((said, parts.headers));
        }
        Err(Failure::failed(format!("the demo's server refused {path}: {}", text(&said["detail"]))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::ask::Ask;

    #[test]
    fn every_sample_is_a_proposal_that_the_server_takes() {
        let samples: Vec<Sample> = serde_json::from_str(ALL).unwrap();
        assert!(samples.iter().filter(|sample| sample.decide.is_none()).count() >= 12);
        for sample in samples {
            let ask: Ask = serde_json::from_value(sample.ask).unwrap();
            ask.check().unwrap_or_else(|bad| panic!("{}: {bad}", ask.title));
            assert!(sample.lane < 2, "{}", ask.title);
        }
    }
}
