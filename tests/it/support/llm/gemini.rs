//! The dialect of Gemini CLI: contents with parts in, candidates out.

use serde_json::{Value, json};

use super::{Answer, Heard, texts};

/// Who asks aside, which model should do it or who speaks next, declares no functions.
pub(super) fn hear(body: &Value) -> Heard {
    let contents = body["contents"].as_array().cloned().unwrap_or_default();
    let parts = contents.iter().filter_map(|content| content["parts"].as_array()).flatten();
    let results = parts.map(|part| &part["functionResponse"]["response"]).filter(|response| !response.is_null());
    let tools = body["tools"].as_array().cloned().unwrap_or_default();
    Heard {
        outputs: results.map(texts).collect(),
        aside: !tools.iter().any(|tool| tool["functionDeclarations"].is_array()),
    }
}

pub(super) fn answer(answer: Answer) -> Vec<(Option<&'static str>, Value)> {
    vec![(None, whole(answer))]
}

/// The same as one answer.
pub(super) fn whole(answer: Answer) -> Value {
    let part = match answer {
        Answer::Words(words) => json!({ "text": words }),
        Answer::Call(_, call) => {
            let arguments = call.input.unwrap_or_else(|text| json!({ "input": text }));
            json!({ "functionCall": { "name": call.tool, "args": arguments } })
        }
    };
    let content = json!({ "role": "model", "parts": [part] });
    let usage = json!({ "promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2 });
    json!({
        "candidates": [{ "index": 0, "content": content, "finishReason": "STOP" }],
        "usageMetadata": usage, "modelVersion": "fake",
    })
}
