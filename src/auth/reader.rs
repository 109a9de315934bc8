//! Who reads what may be read on both sides: a person, an agent in its lane, or somebody at the machine.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use super::extract::has_bearer;
use super::{Agent, LocalPeer, Person};
use crate::app::AppState;
use crate::error::{Error, Result};

/// A reader, as far as its credential reaches.
#[derive(Clone, Debug)]
pub enum Reader {
    /// A person, as far as their grants reach.
    Person(Box<Person>),
    /// An agent, in its own lane.
    Agent(Box<Agent>),
    /// Somebody on the local socket.
    Local(LocalPeer),
}

impl FromRequestParts<AppState> for Reader {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self> {
        // The socket's listener puts it there, and only that.
        if let Some(peer) = parts.extensions.get::<LocalPeer>() {
            return Ok(Self::Local(*peer));
        }
        if has_bearer(&parts.headers) {
            return Agent::from_request_parts(parts, app).await.map(|agent| Self::Agent(Box::new(agent)));
        }
        let person = <Person as FromRequestParts<AppState>>::from_request_parts(parts, app).await?;
        Ok(Self::Person(Box::new(person)))
    }
}
