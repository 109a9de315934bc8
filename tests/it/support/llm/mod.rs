//! A language model that follows a script, so that real agents work without a login and without the internet.
//!
//! It keeps no state of a conversation: how many results of tools a request carries says which call comes next, so that
//! an agent may repeat a request.

mod chat;
mod gemini;
mod responses;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::Notify;

/// An agent starts, works and comes to its next request in this time, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(90);

/// Conversations carry long instructions.
const MOST_BYTES: usize = 32 << 20;

/// What is said where the script has no call.
pub const LAST_WORDS: &str = "That is all.";

/// A tool that the model calls.
#[derive(Clone, Debug)]
pub struct Call {
    /// The tool's name, as the agent offers it.
    pub tool: &'static str,
    /// Whose tool it is, for agents that say so beside the name.
    pub namespace: Option<&'static str>,
    /// Its arguments, or one text for a tool that takes free text.
    pub input: Input,
    /// Words without which it is not made: until somebody has said them, the model says its last words instead.
    pub once_told: Option<&'static str>,
}

impl Call {
    /// A tool of the agent's own, called as soon as it is its turn.
    pub fn new(tool: &'static str, input: Input) -> Self {
        Self { tool, namespace: None, input, once_told: None }
    }
}

/// What a tool is called with.
#[derive(Clone, Debug)]
pub enum Input {
    /// Named arguments.
    Arguments(Value),
    /// One text.
    Text(String),
    /// Named arguments that the model learns from what its tools have answered so far.
    Learned(fn(&[String]) -> Value),
}

/// A request of the agent's main conversation.
#[derive(Clone, Debug)]
pub struct Asked {
    /// What its tools answered so far, in their order.
    pub outputs: Vec<String>,
    /// Everything that was said so far, by whomever.
    pub talk: String,
}

/// What a dialect reads from a request. Titles and summaries are asked for aside and get no call.
struct Heard {
    outputs: Vec<String>,
    aside: bool,
}

/// What is answered: the call with this number, or words.
enum Answer {
    Call(usize, Made),
    Words(&'static str),
}

/// A call with all that there is to know.
struct Made {
    tool: &'static str,
    namespace: Option<&'static str>,
    /// Named arguments, or one text.
    input: Result<Value, String>,
}

/// A model that listens on a port of its own until the test's runtime ends.
pub struct FakeModel {
    /// Its address, without a path.
    pub url: String,
    memory: Arc<Memory>,
}

struct Memory {
    script: Vec<Call>,
    asked: Mutex<Vec<Asked>>,
    changed: Notify,
}

impl FakeModel {
    /// Starts one that makes these calls, one after the other, and then says its last words.
    pub async fn start(script: Vec<Call>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let memory = Arc::new(Memory { script, asked: Mutex::default(), changed: Notify::new() });
        let routes =
            Router::new().fallback(answer).layer(DefaultBodyLimit::max(MOST_BYTES)).with_state(Arc::clone(&memory));
        tokio::spawn(async move { axum::serve(listener, routes).await });
        Self { url, memory }
    }

    /// The first request that carries so many results of tools, waited for.
    pub async fn asked_after(&self, results: usize) -> Asked {
        self.asked_that(&format!("with {results} results"), |asked| asked.outputs.len() >= results).await
    }

    /// The first request of this kind, waited for.
    pub async fn asked_that(&self, what: &str, so: impl Fn(&Asked) -> bool) -> Asked {
        let coming = async {
            loop {
                let changed = self.memory.changed.notified();
                if let Some(asked) = self.memory.asked().iter().find(|asked| so(asked)) {
                    return asked.clone();
                }
                changed.await;
            }
        };
        let came = tokio::time::timeout(PATIENCE, coming).await;
        came.unwrap_or_else(|_| panic!("no request {what} came: {:#?}", self.results()))
    }

    /// What each request so far carried as results of tools.
    pub fn results(&self) -> Vec<Vec<String>> {
        self.memory.asked().iter().map(|asked| asked.outputs.clone()).collect()
    }
}

impl Memory {
    fn asked(&self) -> std::sync::MutexGuard<'_, Vec<Asked>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn hear(&self, heard: Heard, body: &Value) -> Answer {
        if heard.aside {
            return Answer::Words("Tidy up");
        }
        let asked = Asked { outputs: heard.outputs, talk: texts(body) };
        let answer = self.next(&asked);
        self.asked().push(asked);
        self.changed.notify_waiters();
        answer
    }

    /// What the script has for this request.
    fn next(&self, asked: &Asked) -> Answer {
        let at = asked.outputs.len();
        let told = |call: &&Call| call.once_told.is_none_or(|words| asked.talk.contains(words));
        let Some(call) = self.script.get(at).filter(told) else {
            return Answer::Words(LAST_WORDS);
        };
        let input = match &call.input {
            Input::Arguments(arguments) => Ok(arguments.clone()),
            Input::Text(text) => Err(text.clone()),
            Input::Learned(learn) => Ok(learn(&asked.outputs)),
        };
        Answer::Call(at, Made { tool: call.tool, namespace: call.namespace, input })
    }
}

async fn answer(State(memory): State<Arc<Memory>>, uri: Uri, body: Bytes) -> Response {
    let Ok(body) = serde_json::from_slice::<Value>(&body) else {
        // A look around before the first question: which models there are, whether somebody is at home.
        return axum::Json(json!({ "object": "list", "data": [{ "id": "fake", "object": "model" }] })).into_response();
    };
    match uri.path() {
        "/v1/responses" => events(&responses::answer(memory.hear(responses::hear(&body), &body))),
        "/v1/chat/completions" => events(&chat::answer(memory.hear(chat::hear(&body), &body))),
        path if path.ends_with(":streamGenerateContent") => {
            events(&gemini::answer(memory.hear(gemini::hear(&body), &body)))
        }
        path if path.ends_with(":generateContent") => {
            axum::Json(gemini::whole(memory.hear(gemini::hear(&body), &body))).into_response()
        }
        path if path.ends_with(":countTokens") => axum::Json(json!({ "totalTokens": 1 })).into_response(),
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

/// Events as a stream would bring them, all at once.
fn events(events: &[(Option<&str>, Value)]) -> Response {
    let line = |(name, data): &(Option<&str>, Value)| {
        let name = name.map(|name| format!("event: {name}\n")).unwrap_or_default();
        format!("{name}data: {data}\n\n")
    };
    let body: String = events.iter().map(line).collect();
    ([(header::CONTENT_TYPE, "text/event-stream")], body).into_response()
}

/// Texts of a message, wherever they stand in it.
fn texts(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(texts).collect::<Vec<_>>().join("\n"),
        Value::Object(members) => members.values().map(texts).collect::<Vec<_>>().join("\n"),
        _ => String::new(),
    }
}
